//! Runs of `state` and `schedule`, for the commands that go on with runs or look at them.

use super::{schedule, state};
use crate::cli::usage;
use crate::cli::view::{self, Looks};
use reduct_lib::inquiry::Begun;
use reduct_lib::{Refusal, Replay, Stops};
use std::process::ExitCode;

/// Goes on with a run.
pub(super) fn resume(begun: &Begun, undoes: bool, stops: Stops, looks: &Looks) -> Result<ExitCode, Refusal> {
    if undoes {
        return Err(usage("only what a person has answered can be taken back", "reduct resume, without --undo"));
    }
    if begun.is_done {
        begun.sweep();
        if begun.job.goal.switches().is_some() && schedule::found_no_failure(begun) {
            view::say("This run is done already: no schedule that it tried fails.");
            return Ok(ExitCode::from(schedule::NO_FAILURE));
        }
        view::say("This run is done already: nothing is left to do.");
        return Ok(ExitCode::SUCCESS);
    }
    match begun.job.goal.switches() {
        Some(_) => schedule::resume(begun, stops, looks),
        None => state::resume(begun, stops, looks),
    }
}

/// Checks the result of a run again.
pub(super) fn verify(begun: &Begun, looks: &Looks) -> Result<ExitCode, Refusal> {
    match begun.job.goal.switches() {
        Some(_) => schedule::verify(begun, looks),
        None => state::verify(begun, looks),
    }
}

/// Returns the tests of a run.
pub(super) fn replay(begun: &Begun) -> Result<Replay, Refusal> {
    match begun.job.goal.switches() {
        Some(_) => schedule::replay(begun),
        None => state::replay(begun),
    }
}
