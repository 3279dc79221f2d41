//! Why a person is not asked, or an answer not taken back.

use miette::Diagnostic;
use std::io;

/// Why no answer is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum UndoError {
    /// The test of the run is a command.
    #[error("only what a person has answered can be taken back")]
    #[diagnostic(help("reduct resume, without --undo"))]
    NobodyAnswered,
    /// The person would be asked at standard input, which is at its end.
    #[error("standard input has ended, so nobody would be asked again")]
    #[diagnostic(help("reduct resume --undo at a terminal"))]
    NobodyThere,
    /// Nothing was answered yet.
    #[error("there is no answer to take back")]
    #[diagnostic(help("reduct resume goes on with the first question"))]
    NoAnswer,
}

/// Why there is no page on which a person could be asked.
#[derive(Debug, thiserror::Error)]
#[expect(dead_code, reason = "each build has one of the two: with the feature `page` or without it")]
pub(super) enum PageError {
    /// The program is built without it.
    #[error("this program was built without the page on which a person is asked")]
    NotBuilt,
    /// The system does not let it be served.
    #[error("no page can be served: {0}")]
    NotServed(io::Error),
}
