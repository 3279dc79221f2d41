//! Why a folder is not triaged.

use std::borrow::Cow;
use std::path::PathBuf;

/// Why a folder is not triaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TriageError {
    /// It is empty.
    #[error("there is no input in {0}")]
    NoInputs(PathBuf),
    /// The test does not start.
    #[error("the test cannot be started: {0}")]
    CannotStart(String),
}

impl TriageError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            TriageError::NoInputs(..) => "give a folder of files or folders that fail",
            TriageError::CannotStart(..) => {
                "the test is run in a fresh folder that holds one input; name files by full paths"
            }
        }
        .into()
    }
}

/// What an interrupted triage leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what was reduced so far is kept")]
pub(super) struct SoFarKept;
