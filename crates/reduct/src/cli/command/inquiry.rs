//! Runs of `state` and `schedule`, for the commands that go on with runs or look at them.

use super::{schedule, state};
use crate::cli::usage;
use crate::cli::view::{self, Looks};
use reduct_lib::inquiry::{Begun, inquiry_of};
use reduct_lib::{Refusal, Replay, Run, Stops};
use reduct_report::inquiries::tested;
use reduct_report::schedules::{self, Sought};
use reduct_report::story::Story;
use std::process::ExitCode;

/// Returns what is shown of the text of a test.
pub(super) type Shown = Box<dyn FnMut(&str) -> String>;

/// What is done with the runs of one of the two commands.
struct Ways {
    resume: fn(&Begun, Stops, &Looks) -> Result<ExitCode, Refusal>,
    verify: fn(&Begun, &Looks) -> Result<ExitCode, Refusal>,
    replay: fn(&Begun) -> Result<Replay, Refusal>,
    shown: fn(&Begun) -> Shown,
    found_nothing: fn(&Begun) -> Option<Sought>,
}

impl Ways {
    fn of(begun: &Begun) -> Ways {
        match begun.job.goal.switches() {
            Some(_) => Ways {
                resume: schedule::resume,
                verify: schedule::verify,
                replay: schedule::replay,
                shown: schedule::shown,
                found_nothing: schedule::found_nothing,
            },
            None => Ways {
                resume: state::resume,
                verify: state::verify,
                replay: state::replay,
                shown: |_| Box::new(tested),
                // It begins with a failure.
                found_nothing: |_| None,
            },
        }
    }
}

/// Goes on with a run.
pub(super) fn resume(begun: &Begun, undoes: bool, stops: Stops, looks: &Looks) -> Result<ExitCode, Refusal> {
    if undoes {
        return Err(usage("only what a person has answered can be taken back", "reduct resume, without --undo"));
    }
    let ways = Ways::of(begun);
    if !begun.is_done {
        return (ways.resume)(begun, stops, looks);
    }
    begun.sweep();
    if let Some(sought) = (ways.found_nothing)(begun) {
        view::say(&schedules::done_without(sought));
        return Ok(ExitCode::from(schedule::NOT_FOUND));
    }
    view::say("This run is done already: nothing is left to do.");
    Ok(ExitCode::SUCCESS)
}

/// Checks the result of a run again.
pub(super) fn verify(begun: &Begun, looks: &Looks) -> Result<ExitCode, Refusal> {
    (Ways::of(begun).verify)(begun, looks)
}

/// Reads a run back, with its tests as far as they can be walked through.
pub(super) fn story(begun: &Begun) -> Result<Story, Refusal> {
    begun.story(replay(begun), &mut shown(begun))
}

/// Reads a run back, if it is one of these.
pub(super) fn story_of(run: &Run) -> Result<Option<Story>, Refusal> {
    inquiry_of(run)?.map(|begun| story(&begun)).transpose()
}

/// Returns what shows the texts of the tests of a run.
pub(super) fn shown(begun: &Begun) -> Shown {
    (Ways::of(begun).shown)(begun)
}

/// Returns the tests of a run.
pub(super) fn replay(begun: &Begun) -> Result<Replay, Refusal> {
    (Ways::of(begun).replay)(begun)
}
