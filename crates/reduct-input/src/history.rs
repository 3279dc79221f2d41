//! What a loader tells of versions: what there was at first, and what each change made of it.
//!
//! Only what some change touches is told. Everything else is the ground that all versions stand on, and
//! no concern of a search.

use std::path::PathBuf;

/// A file, link or folder, as some version has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A file.
    File {
        /// Its permission bits.
        mode: u32,
        /// What is in it.
        bytes: Vec<u8>,
    },
    /// A symbolic link.
    Link {
        /// What it points to, as written.
        target: PathBuf,
    },
    /// A folder of its own right: one that may be empty, or has permissions of its own.
    Folder {
        /// Its permission bits.
        mode: u32,
    },
}

/// Who made a change, when and why, as far as is known. Shown, never judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What it is called: a commit's full name, the name of a patch.
    pub id: String,
    /// Who wrote it, `Name <address>`.
    pub author: String,
    /// When, as ISO 8601.
    pub date: String,
    /// Its first line.
    pub subject: String,
}

/// One change: a commit, a patch, all that is not committed yet, or the way from one folder to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Who made it, when and why.
    pub about: About,
    /// The changes it builds on, by their numbers; none if it builds on what there was at first. Of a merge,
    /// the branch it was merged into comes first.
    pub parents: Vec<usize>,
    /// What it touches. Of a merge: what differs from any of its parents.
    pub touched: Vec<Touched>,
}

/// What a change makes of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The path, relative to the folder of the subject, without `..`.
    pub path: PathBuf,
    /// The path at which the same file stood before, if it was renamed.
    pub from: Option<PathBuf>,
    /// What stands there after the change; `None` if nothing does.
    pub becomes: Option<Content>,
}
