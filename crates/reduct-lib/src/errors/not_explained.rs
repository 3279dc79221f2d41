//! What is told of a run whose result is not explained.

use miette::Diagnostic;
use std::path::PathBuf;

/// Why the result of a run is not explained.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum NotExplained {
    /// A person was asked instead of a test.
    #[error("only what was reduced with a test can be explained: a person is not asked so much")]
    #[diagnostic(help("reduct FILE -- COMMAND, then reduct explain"))]
    Person,
    /// The arguments, variables or files of a command were reduced.
    #[error(
        "only files that were reduced can be explained: other arguments, variables and names in their place could make the \
         command do anything"
    )]
    #[diagnostic(help("reduct FILE -- COMMAND, then reduct explain"))]
    Command,
    /// Many minima were looked for.
    #[error("only one result can be explained, not all minima: give one of them to `reduct`")]
    #[diagnostic(help("reduct FILE -- COMMAND, then reduct explain"))]
    Minima,
    /// A difference was isolated.
    #[error("a difference explains itself: nothing lies between its two sides")]
    #[diagnostic(help("reduct FILE -- COMMAND, then reduct explain"))]
    Difference,
    /// Changes were blamed.
    #[error("changes to blame cannot be explained further: with anything else in their place, they are other changes")]
    #[diagnostic(help("reduct FILE -- COMMAND, then reduct explain"))]
    Changes,
    /// Thread switches or values of a program were looked for.
    #[error("thread switches and values explain themselves: the listing says what each one is needed for")]
    #[diagnostic(help("reduct step runs the program with them"))]
    Inquiry,
    /// What stands in the place of the result is something else.
    #[error("what stands at {0} is not what the run has left there")]
    #[diagnostic(help("put it back, or reduce again"))]
    ResultChanged(PathBuf),
    /// There is no result yet.
    #[error("the run {0} is not finished")]
    #[diagnostic(help("go on with it first: reduct resume"))]
    Unfinished(PathBuf),
}
