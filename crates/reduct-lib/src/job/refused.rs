//! Why a job cannot be run as it is.

use miette::Diagnostic;
use std::path::PathBuf;

/// Why a job cannot be run as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum JobError {
    /// The command of a server names the candidate.
    #[error("a server cannot be started with the path of a candidate: it is asked about many")]
    #[diagnostic(help("leave the input out of the command; docs/PERSISTENT.md says how the server gets it"))]
    ServerWithPath,
    /// The input is no part of the project.
    #[error("the input does not stand in {0}, of which tests are to get copies")]
    #[diagnostic(help("name a folder with --in in which it stands, or copy it there"))]
    NotInProject(PathBuf),
}
