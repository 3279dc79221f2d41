//! What a refusal means for what comes next.

use crate::errors::Refusal;
use reduct_session::event::Why;
use reduct_session::journal::JournalError;

/// What a refusal means to the program that asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusalKind {
    /// What was asked for cannot be done: to ask again, otherwise, helps.
    WrongUse,
    /// The test says nothing about the input: it fails on any, or does not look at it.
    TellsNothing,
    /// What a run rests on is not what it was: its input, its test, its versions, its place.
    Changed,
    /// Another process works on the run: it can be asked again when that is over.
    Busy,
    /// The system did not do what is needed: a file could not be read or written, tests cannot be run or confined here.
    System,
    /// reduct contradicts itself.
    Defect,
    /// The failure does not occur, or not where tests run. Nothing was changed.
    DoesNotFail,
    /// It was stopped before a search began, or between two.
    Stopped,
    /// It was interrupted before a search began, or between two.
    Interrupted,
}

impl RefusalKind {
    /// Returns the exit status by which the command `reduct` tells it to scripts.
    pub fn status(self) -> u8 {
        match self {
            RefusalKind::WrongUse
            | RefusalKind::TellsNothing
            | RefusalKind::Changed
            | RefusalKind::Busy
            | RefusalKind::System
            | RefusalKind::Defect => 2,
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
            Refusal::EmptyFails { .. } | Refusal::NeverOpened { .. } => RefusalKind::TellsNothing,
            Refusal::Stopped(_, Why::Interrupted) | Refusal::StoppedLater(_, Why::Interrupted) => {
                RefusalKind::Interrupted
            }
            Refusal::Stopped(..) | Refusal::StoppedLater(..) => RefusalKind::Stopped,
            Refusal::Contradiction => RefusalKind::Defect,
            Refusal::Journal(JournalError::Busy(_)) => RefusalKind::Busy,
            Refusal::VersionsChanged(_)
            | Refusal::RunMoved { .. }
            | Refusal::InputChanged(_)
            | Refusal::TestChanged(..)
            | Refusal::UnknownJob(..) => RefusalKind::Changed,
            Refusal::Io { .. }
            | Refusal::Journal(_)
            | Refusal::RunsNotKept { .. }
            | Refusal::InputNotKept { .. }
            | Refusal::Executor(_)
            | Refusal::TooWeak { .. } => RefusalKind::System,
            Refusal::Usage { .. }
            | Refusal::SameInputs
            | Refusal::UnknownName { .. }
            | Refusal::Load(_)
            | Refusal::TooLarge
            | Refusal::Project(_)
            | Refusal::Git(_)
            | Refusal::Folders(_)
            | Refusal::Patch(_)
            | Refusal::Builder(_)
            | Refusal::Versions(_)
            | Refusal::Situation(_)
            | Refusal::Job(_)
            | Refusal::Undo(_)
            | Refusal::History(_)
            | Refusal::OracleScript(_)
            | Refusal::Fuzzing(_)
            | Refusal::Triage(_)
            | Refusal::OutExists(_)
            | Refusal::TestPlace(_)
            | Refusal::NotExplained(_)
            | Refusal::NoRun(_)
            | Refusal::OfAProgram
            | Refusal::NoTests(_)
            | Refusal::NoSupervisor
            | Refusal::CannotStart { .. } => RefusalKind::WrongUse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::path::PathBuf;

    #[test]
    fn what_is_not_wrong_use_is_told_apart_and_has_the_status_of_before() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let busy = Refusal::Journal(JournalError::Busy(PathBuf::new()));
        let tells_nothing = Refusal::EmptyFails { seen: String::new(), advice: String::new() };
        let cases = [
            (Refusal::io("write", "x")(full), RefusalKind::System),
            (busy, RefusalKind::Busy),
            (tells_nothing, RefusalKind::TellsNothing),
            (Refusal::InputChanged(PathBuf::new()), RefusalKind::Changed),
            (Refusal::Contradiction, RefusalKind::Defect),
            (Refusal::SameInputs, RefusalKind::WrongUse),
        ];
        for (refusal, kind) in cases {
            assert_eq!((refusal.kind(), refusal.kind().status()), (kind, 2), "{refusal}");
        }
    }
}
