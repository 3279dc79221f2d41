//! What a job of the library lacks.

use std::borrow::Cow;

/// What a job of the library lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuilderError {
    /// Nobody says what fails.
    #[error("there is no test")]
    NoTest,
    /// The result has no single place in the input.
    #[error("only one input that is reduced can be replaced")]
    NotReplaceable,
}

impl BuilderError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            BuilderError::NoTest => "give one with `test`",
            BuilderError::NotReplaceable => "let the result be written with `out`, or take it from what `run` returns",
        }
        .into()
    }
}
