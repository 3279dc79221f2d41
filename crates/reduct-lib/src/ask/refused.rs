//! Why a person is not asked, or an answer not taken back.

use std::borrow::Cow;
use std::io;

/// Why no answer is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UndoError {
    /// The test of the run is a command.
    #[error("only what a person has answered can be taken back")]
    NobodyAnswered,
    /// The person would be asked at standard input, which is at its end.
    #[error("standard input has ended, so nobody would be asked again")]
    NobodyThere,
    /// Nothing was answered yet.
    #[error("there is no answer to take back")]
    NoAnswer,
}

impl UndoError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            UndoError::NobodyAnswered => "reduct resume, without --undo",
            UndoError::NobodyThere => "reduct resume --undo at a terminal",
            UndoError::NoAnswer => "reduct resume goes on with the first question",
        }
        .into()
    }
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
