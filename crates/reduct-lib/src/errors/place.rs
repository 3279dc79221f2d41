//! What is told of a place at which the result cannot stand.

use miette::Diagnostic;
use reduct_sources::RUNS;
use std::path::PathBuf;

/// Why the result cannot be put where the job says.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum PlaceError {
    /// What should be a folder on the way to the place is none.
    #[error("the result cannot be put into {folder}: {there} is no folder")]
    #[diagnostic(help("choose another place with --out"))]
    NoFolder {
        /// The folder in which the result should stand.
        folder: PathBuf,
        /// What stands on the way to it.
        there: PathBuf,
    },
    /// The place is that of something that is needed.
    #[error("the result would be written over {0}")]
    #[diagnostic(help("choose another --out, or --in-place, which keeps the original"))]
    Over(Needed),
    /// What would be replaced in place is a folder in which runs stand.
    #[error("{0} holds runs of reduct, which would be lost")]
    #[diagnostic(help("move {RUNS} out of it, or use --out"))]
    HoldsRuns(PathBuf),
    /// What has the name of a kept original was put there by somebody else.
    #[error("{0} exists, and is not an original that an earlier run has kept")]
    #[diagnostic(help("move it away, or use --out instead of --in-place"))]
    OtherOriginal(PathBuf),
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
