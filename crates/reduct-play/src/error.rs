//! Why a record cannot be played or made.

use super::script::ScriptError;
use std::ffi::OsString;
use std::io;
use x11rb::errors::{ConnectError, ConnectionError, ReplyError};

/// Why nothing can be said of a record.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// It cannot be read.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// What was to be seen was not.
    #[error("line {line}: nothing in the output is like {expected:?}: {why}")]
    NotSeen {
        /// Where it is expected.
        line: usize,
        /// What.
        expected: String,
        /// Why it is not waited for any longer.
        why: GaveUp,
    },
    /// An event that is not possible there.
    #[error("line {line}: {what}")]
    Impossible {
        /// Where it stands.
        line: usize,
        /// What is wrong.
        what: Impossible,
    },
    /// The program shows nothing.
    #[error("the program opens no window")]
    NoWindow,
    /// No program is named.
    #[error("cannot play: there is no program")]
    NoProgram,
    /// The system has given the program a number that is none.
    #[error("cannot play: the program has no process number")]
    NoProcess,
    /// All displays are in use.
    #[error("cannot start Xvfb: it found no display")]
    NoDisplay,
    /// There is no way to the display.
    #[error("cannot use the display: {0}")]
    Connect(#[from] ConnectError),
    /// The display is gone.
    #[error("cannot use the display: {0}")]
    Connection(#[from] ConnectionError),
    /// The display refuses something.
    #[error("cannot use the display: {0}")]
    Reply(#[from] ReplyError),
    /// The system refuses something.
    #[error("cannot {doing}: {source}")]
    Trouble {
        /// What was tried.
        doing: Doing,
        /// What went wrong.
        source: io::Error,
    },
}

impl PlayError {
    /// Returns the error for `map_err`.
    pub(super) fn trouble(doing: Doing) -> impl FnOnce(io::Error) -> PlayError {
        move |source| PlayError::Trouble { doing, source }
    }
}

/// What was tried when the system refused it.
#[derive(Debug, thiserror::Error)]
pub enum Doing {
    /// The server of displays.
    #[error("start Xvfb (package xvfb)")]
    StartServer,
    /// The program, by its name.
    #[error("start {}", .0.display())]
    StartProgram(OsString),
    /// For its end.
    #[error("wait for the program")]
    Wait,
    /// A new terminal.
    #[error("open a terminal")]
    OpenTerminal,
    /// Columns and rows.
    #[error("set the size of a terminal")]
    SetSize,
    /// What the program writes.
    #[error("read from the terminal")]
    Read,
    /// What the program is to read.
    #[error("write to the terminal")]
    Write,
    /// Between the terminal of the user and that of the program.
    #[error("pass on what is typed")]
    PassOn,
    /// What was typed.
    #[error("write the record")]
    WriteRecord,
}

/// Why an expected text is not waited for any longer.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum GaveUp {
    /// The program sleeps until it gets more.
    #[error("the program waits for more")]
    Idle,
    /// The program is still busy.
    #[error("it took too long")]
    Late,
}

/// What cannot be done where a record is played.
#[derive(Debug, thiserror::Error)]
pub enum Impossible {
    /// No bytes stand for it: keys that are pressed together.
    #[error("a terminal has no key `{}`", .0.join("+"))]
    TerminalKey(Vec<String>),
    /// Something with the pointer.
    #[error("a terminal has no pointer: play it on a display (--x11)")]
    Pointer,
    /// A key by its name.
    #[error("the keyboard has no key `{0}`")]
    Key(String),
    /// A character of a text.
    #[error("the keyboard has no {0:?}")]
    Character(char),
    /// A text that a program on a display is to write.
    #[error("what a program draws is not read: expectations are for terminals")]
    Expectation,
}
