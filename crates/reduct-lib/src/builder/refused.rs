//! What a job of the library lacks.

use miette::Diagnostic;

/// What a job of the library lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum BuilderError {
    /// Nobody says what fails.
    #[error("there is no test")]
    #[diagnostic(help("give one with `test`"))]
    NoTest,
    /// The result has no single place in the input.
    #[error("only one input that is reduced can be replaced")]
    #[diagnostic(help("let the result be written with `out`, or take it from what `run` returns"))]
    NotReplaceable,
}
