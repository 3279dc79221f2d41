//! What became of the user's own files while tests ran.

use std::path::Path;

/// What became of a file, link or folder of the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Became {
    /// It is gone.
    Gone,
    /// It was not there before.
    New,
    /// Its size is another one.
    Size {
        /// How many bytes it had.
        had: u64,
        /// How many it has.
        has: u64,
    },
    /// Its mode is another one.
    Mode {
        /// What it was.
        had: u32,
        /// What it is.
        has: u32,
    },
    /// Its contents are others.
    Contents,
    /// Its times are others, and its contents were not compared.
    Touched,
}

/// Returns a path, and what became of what stands there.
pub fn describe(path: &Path, became: Became) -> String {
    let path = path.display();
    match became {
        Became::Gone => format!("{path} is gone"),
        Became::New => format!("{path} is new"),
        Became::Size { had, has } => format!("{path} had {had} bytes and has {has}"),
        Became::Mode { had, has } => format!("{path} had mode {:o} and has {:o}", had & 0o7777, has & 0o7777),
        Became::Contents => format!("{path} has other contents"),
        Became::Touched => format!("{path} was written to or touched; its contents were not compared"),
    }
}

/// What became of other files of the user's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They are new.
    New,
    /// They were changed.
    Changed,
    /// They are gone.
    Gone,
}

/// Returns what became of these files, which is a list in words, since the run began.
pub fn around(what: Fate, files: &str) -> String {
    let what = match what {
        Fate::New => "New in",
        Fate::Changed => "Changed in",
        Fate::Gone => "Gone from",
    };
    format!("{what} your folder since the run began: {files}.")
}
