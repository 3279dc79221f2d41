//! Why versions are not compared.

use std::borrow::Cow;
use std::path::PathBuf;

/// Why versions are not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VersionsError {
    /// The job has inputs.
    #[error("these are inputs, not versions")]
    Inputs,
    /// The two are the same, as far as tests can see.
    #[error("the two versions differ in nothing that can be told apart")]
    Same,
    /// What is to be added to each version has no place in it.
    #[error("{0} has no name under which a version could hold it")]
    NoName(PathBuf),
}

impl VersionsError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            VersionsError::Inputs => "reduct isolate compares inputs",
            VersionsError::Same => "give two versions that differ",
            VersionsError::NoName(..) => "name a file or folder with --with",
        }
        .into()
    }
}
