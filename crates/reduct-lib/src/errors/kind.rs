//! What a refusal means for what comes next.

use crate::errors::Refusal;
use reduct_session::event::Why;

/// What a refusal means to the program that asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusalKind {
    /// What was asked for cannot be done, or something outside of the tests went wrong.
    WrongUse,
    /// The failure does not occur, or not where tests run. Nothing was changed.
    DoesNotFail,
    /// It was stopped before the search began.
    Stopped,
    /// It was interrupted before the search began.
    Interrupted,
}

impl RefusalKind {
    /// Returns the exit status by which the command `reduct` tells it to scripts.
    pub fn status(self) -> u8 {
        match self {
            RefusalKind::WrongUse => 2,
            RefusalKind::DoesNotFail => 3,
            RefusalKind::Stopped => 4,
            RefusalKind::Interrupted => 130,
        }
    }
}

impl Refusal {
    /// Returns what it means.
    pub fn kind(&self) -> RefusalKind {
        match self {
            Refusal::DoesNotFail { .. } | Refusal::Confined { .. } => RefusalKind::DoesNotFail,
            Refusal::Stopped(_, Why::Interrupted) => RefusalKind::Interrupted,
            Refusal::Stopped(..) => RefusalKind::Stopped,
            _ => RefusalKind::WrongUse,
        }
    }
}
