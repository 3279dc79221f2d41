//! How a test is started, and what it may use.

use crate::Afterwards;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// In [`Invocation::without`]: nothing of the environment is inherited. No variable can be called so.
pub const EVERYTHING: &str = "=";

/// How a test is started, the same for all candidates of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    /// The program and its arguments. `{}` in an argument stands for the path of the candidate.
    pub argv: Vec<std::ffi::OsString>,
    /// In so many words at the end of it, `{}` stands for itself.
    #[serde(default)]
    pub plain: usize,
    /// What `{}` and the path argument name, relative to the scratch folder: the file, if the subject
    /// is one; else `.`.
    pub subject: std::path::PathBuf,
    /// Whether the path of the candidate is added as the last argument.
    pub path_argument: bool,
    /// Whether the candidate is its standard input; otherwise that is empty.
    pub stdin: bool,
    /// What is run in the folder of the test before it, if anything; the test is run only if this exits with 0.
    /// `{}` stands for itself here, and standard input is empty. A program that is given by a relative path
    /// is one of the candidate's.
    #[serde(default)]
    pub build: Option<Vec<std::ffi::OsString>>,
    /// The folder below that of the candidate in which test and build are run; empty for that itself.
    #[serde(default)]
    pub inside: std::path::PathBuf,
    /// Whether the command is a server that is asked test after test, and how.
    #[serde(default)]
    pub server: Option<Serving>,
    /// Whether the command can be a *fork server*: it is started once, and each test is a process that it forks.
    #[serde(default)]
    pub forks: bool,
    /// Variables of which those that were inherited are not handed down. [`EVERYTHING`] stands for all there are.
    #[serde(default)]
    pub without: Vec<String>,
    /// Variables that are set on top of the inherited and the quiet ones.
    pub env: Vec<(String, std::ffi::OsString)>,
    /// What is done after the test.
    #[serde(default)]
    pub after: Afterwards,
}

/// How a server is asked: a process that runs one test after the other (docs/PERSISTENT.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Serving {
    /// Whether it is told the path of the candidate; else it gets the contents of its only file.
    pub paths: bool,
    /// How long it may take to greet.
    pub greeting: Duration,
}

/// What a test may use. `None`: as much as it likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// How long it may run.
    pub time: Option<Duration>,
    /// How long the build before it may take; if `None`, as long as the test.
    #[serde(default)]
    pub build_time: Option<Duration>,
    /// How many bytes of memory it and its children may hold at a time.
    pub memory: Option<u64>,
    /// How many processes it may have at a time.
    pub processes: Option<u64>,
    /// How many bytes all files that it writes may occupy; if `None`, half of what is free, shared by the tests that run at
    /// a time.
    #[serde(default)]
    pub disk: Option<u64>,
    /// How large a file it may write, in bytes.
    pub file_size: Option<u64>,
    /// How many bytes of each output stream are kept.
    pub output: usize,
}
