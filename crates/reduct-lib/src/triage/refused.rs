//! Why a folder is not triaged.

use miette::Diagnostic;
use std::path::PathBuf;

/// Why a folder is not triaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum TriageError {
    /// It is empty.
    #[error("there is no input in {0}")]
    #[diagnostic(help("give a folder of files or folders that fail"))]
    NoInputs(PathBuf),
    /// The test does not start.
    #[error("the test cannot be started: {0}")]
    #[diagnostic(help("the test is run in a fresh folder that holds one input; name files by full paths"))]
    CannotStart(String),
}

/// What an interrupted triage leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what was reduced so far is kept")]
pub(super) struct SoFarKept;
