//! Why it is not searched what of a command matters.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Why it is not searched what of a command matters.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SituationError {
    /// The job has an input.
    #[error("this is no run of a command alone")]
    NoCommandAlone,
    /// What is to be left out is not there.
    #[error(transparent)]
    NothingToLeaveOut(Missing),
    /// The command does not fail.
    #[error("the command exits with 0, so it does not fail")]
    ExitsWithZero,
    /// A variable is no name of a file.
    #[error("a variable has a name that is too long to be kept in a file")]
    LongName,
    /// A file is called as only arguments and variables are.
    #[error("a file is called {}, as reduct calls arguments and variables", .0.display())]
    ReservedName(OsString),
    /// A file is not among those that a test has copies of.
    #[error("{0} does not stand below the folder in which the command runs")]
    NotBelow(PathBuf),
    /// What the command is given could not be kept for later.
    #[error("cannot copy what is given to {path}")]
    NotKept {
        /// To where.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
}

impl SituationError {
    /// Returns what to do about it, if there is something to say.
    pub(crate) fn help(&self) -> Option<Cow<'static, str>> {
        let help = match self {
            SituationError::NoCommandAlone => "begin again",
            SituationError::NothingToLeaveOut(_) => {
                "there is nothing to leave out: it fails as it stands, or not at all"
            }
            SituationError::ExitsWithZero => {
                "run it so that it fails, or say what the failure is, e.g. --fails-if exit=0"
            }
            SituationError::LongName => "start reduct without it: env -u NAME reduct …",
            SituationError::ReservedName(_) => "rename it",
            SituationError::NotBelow(_) => "name files by paths relative to it, without `..`",
            SituationError::NotKept { .. } => return None,
        };
        Some(help.into())
    }
}

/// What a command has not, of which something was to be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Missing {
    /// Arguments.
    #[error("the command has no arguments")]
    Arguments,
    /// Variables.
    #[error("the environment is empty")]
    Variables,
    /// Files in its folder.
    #[error("the folder is empty")]
    Files,
    /// Any of them.
    #[error("the command has no arguments, no variables and no files")]
    All,
}

/// The command has no words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no command to run")]
pub(super) struct NoCommand;
