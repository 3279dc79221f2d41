//! What is told of a place at which the result cannot stand.

use reduct_sources::RUNS;
use std::borrow::Cow;
use std::path::PathBuf;

/// Why the result cannot be put where the job says.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// What should be a folder on the way to the place is none.
    #[error("the result cannot be put into {folder}: {there} is no folder")]
    NoFolder {
        /// The folder in which the result should stand.
        folder: PathBuf,
        /// What stands on the way to it.
        there: PathBuf,
    },
    /// The place is that of something that is needed.
    #[error("the result would be written over {0}")]
    Over(Needed),
    /// What would be replaced in place is a folder in which runs stand.
    #[error("{0} holds runs of reduct, which would be lost")]
    HoldsRuns(PathBuf),
    /// What has the name of a kept original was put there by somebody else.
    #[error("{0} exists, and is not an original that an earlier run has kept")]
    OtherOriginal(PathBuf),
}

impl PlaceError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            PlaceError::NoFolder { .. } => "choose another place with --out",
            PlaceError::Over(..) => "choose another --out, or --in-place, which keeps the original",
            PlaceError::HoldsRuns(..) => return format!("move {RUNS} out of it, or use --out").into(),
            PlaceError::OtherOriginal(..) => "move it away, or use --out instead of --in-place",
        }
        .into()
    }
}

/// What the result must not be written over.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Needed {
    /// A file that the test command names.
    #[error("{0}, which the test needs")]
    ByTest(PathBuf),
    /// The folder whose names vary.
    #[error("the folder {0}")]
    Folder(PathBuf),
    /// A folder in which something stands that the command names.
    #[error("{0}, in which is what the command names")]
    HoldsNamed(PathBuf),
    /// An input.
    #[error("the input {0}")]
    Input(PathBuf),
    /// The current folder.
    #[error("the folder you are in")]
    Current,
}
