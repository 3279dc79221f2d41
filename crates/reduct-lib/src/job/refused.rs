//! Why a job cannot be run as it is.

use std::borrow::Cow;
use std::path::PathBuf;

/// Why a job cannot be run as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The command of a server names the candidate.
    #[error("a server cannot be started with the path of a candidate: it is asked about many")]
    ServerWithPath,
    /// The input is no part of the project.
    #[error("the input does not stand in {0}, of which tests are to get copies")]
    NotInProject(PathBuf),
}

impl JobError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            JobError::ServerWithPath => {
                "leave the input out of the command; docs/PERSISTENT.md says how the server gets it"
            }
            JobError::NotInProject(..) => "name a folder with --in in which it stands, or copy it there",
        }
        .into()
    }
}
