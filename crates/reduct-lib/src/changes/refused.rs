//! Why versions are not compared.

use miette::Diagnostic;
use std::path::PathBuf;

/// Why versions are not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum VersionsError {
    /// The job has inputs.
    #[error("these are inputs, not versions")]
    #[diagnostic(help("reduct isolate compares inputs"))]
    Inputs,
    /// The two are the same, as far as tests can see.
    #[error("the two versions differ in nothing that can be told apart")]
    #[diagnostic(help("give two versions that differ"))]
    Same,
    /// What is to be added to each version has no place in it.
    #[error("{0} has no name under which a version could hold it")]
    #[diagnostic(help("name a file or folder with --with"))]
    NoName(PathBuf),
}
