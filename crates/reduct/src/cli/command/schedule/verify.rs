//! Looking at a run that was ended: is its schedule still what it says, and what were its tests?

use super::flow::{FAILING, FIRST, Failing, First, Flow, reduction, tries};
use super::runs::{Runs, oracle};
use crate::cli::view::{self, Looks};
use reduct_core::Outcome;
use reduct_lib::inquiry::{Begun, Inquiry};
use reduct_lib::{Refusal, Replay, Stops};
use reduct_report::schedules;
use reduct_trace::Schedule;
use serde::Deserialize;
use std::process::ExitCode;

/// So often the schedule is run.
const TIMES: usize = 10;

/// Runs the schedule again, and it without each of its switches.
pub(in crate::cli::command) fn verify(begun: &Begun, looks: &Looks) -> Result<ExitCode, Refusal> {
    let first: First = kept(begun, FIRST)?;
    let failing: Failing = kept(begun, FAILING)?;
    let out = begun.out();
    let text = std::fs::read_to_string(&out).map_err(Refusal::io("read", &out))?;
    let schedule = Schedule::parse(&text).map_err(|error| crate::cli::usage(error.to_string(), "begin again"))?;
    let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for schedules"))?;
    view::count(looks, |audience| {
        let inquiry = Inquiry::open(&begun.job, own.path(), schedules::LARGEST, Stops::default(), audience)?;
        let mut flow = Flow::new(Runs { inquiry, own: own.path().to_owned(), limit: None }, looks.is_quiet());
        flow.use_first(&first);
        let oracle = oracle(failing.failure.clone());
        let mut fails = |schedule: &Schedule, times: usize| -> Result<usize, Refusal> {
            let seen = flow.runs.repeat(schedule, times)?;
            Ok(seen.iter().filter(|observed| oracle.verdict(observed).outcome == Outcome::Fail).count())
        };
        let failed = fails(&schedule, TIMES)?;
        let mut needless = vec![];
        for at in 0..schedule.switches.len() {
            let mut switches = schedule.switches.clone();
            let without = switches.remove(at);
            if fails(&Schedule { switches, ..Schedule::default() }, 1)? > 0 {
                needless.push(without);
            }
        }
        let shown = out.strip_prefix(&begun.job.folder).unwrap_or(&out);
        let (words, holds) = schedules::verified(shown, schedule.switches.len(), (failed, TIMES), &needless);
        view::say(&words);
        Ok(ExitCode::from(u8::from(!holds)))
    })
}

/// Returns the tests of the last search: those that reduce, if a schedule failed; else those that look for one.
pub(in crate::cli::command) fn replay(begun: &Begun) -> Result<Replay, Refusal> {
    let first: First = kept(begun, FIRST)?;
    let failing: Option<Failing> = kept(begun, FAILING).ok();
    Ok(match (failing, begun.job.goal.switches()) {
        (Some(failing), _) => begun.replay(reduction(&failing, &first)),
        (None, Some(options)) => begun.replay(tries(options, &first, 0)),
        (None, None) => return Err(begun.no_tests()),
    })
}

/// Returns whether no schedule that a run tried has failed.
pub(in crate::cli::command) fn found_no_failure(begun: &Begun) -> bool {
    kept::<Failing>(begun, FAILING).is_err()
}

fn kept<T: for<'de> Deserialize<'de>>(begun: &Begun, name: &str) -> Result<T, Refusal> {
    let kept = begun.kept(name).and_then(|text| serde_json::from_str(&text).ok());
    kept.ok_or_else(|| begun.no_tests())
}
