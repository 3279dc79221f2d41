//! What is told of a run whose result is not explained.

use std::borrow::Cow;
use std::path::PathBuf;

/// Why the result of a run is not explained.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotExplained {
    /// A person was asked instead of a test.
    #[error("only what was reduced with a test can be explained: a person is not asked so much")]
    Person,
    /// The arguments, variables or files of a command were reduced.
    #[error(
        "only files that were reduced can be explained: other arguments, variables and names in their place could make the \
         command do anything"
    )]
    Command,
    /// Many minima were looked for.
    #[error("only one result can be explained, not all minima: give one of them to `reduct`")]
    Minima,
    /// A difference was isolated.
    #[error("a difference explains itself: nothing lies between its two sides")]
    Difference,
    /// Changes were blamed.
    #[error("changes to blame cannot be explained further: with anything else in their place, they are other changes")]
    Changes,
    /// Thread switches or values of a program were looked for.
    #[error("thread switches and values explain themselves: the listing says what each one is needed for")]
    Inquiry,
    /// What stands in the place of the result is something else.
    #[error("what stands at {0} is not what the run has left there")]
    ResultChanged(PathBuf),
    /// There is no result yet.
    #[error("the run {0} is not finished")]
    Unfinished(PathBuf),
}

impl NotExplained {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            NotExplained::Person
            | NotExplained::Command
            | NotExplained::Minima
            | NotExplained::Difference
            | NotExplained::Changes => "reduct FILE -- COMMAND, then reduct explain",
            NotExplained::Inquiry => "reduct step runs the program with them",
            NotExplained::ResultChanged(..) => "put it back, or reduce again",
            NotExplained::Unfinished(..) => "go on with it first: reduct resume",
        }
        .into()
    }
}
