//! Looking at a run that was ended: is its schedule still what it says, and what were its tests?

use super::flow::Flow;
use super::places::Places;
use super::runs::{Runs, oracle};
use super::searches::{reduction, tries};
use super::sides::{DIFFERENCE, Difference, FAILING, FIRST, First, PASSING, PLACES, Passing, Sides, outcome};
use crate::cli::view::{self, Looks};
use reduct_lib::inquiry::{Begun, Inquiry, inquiry_of};
use reduct_lib::{Refusal, Replay, Run, Stops};
use reduct_report::inquiries::tested;
use reduct_report::schedules::{self, CheckedSchedule, Sought};
use reduct_report::story::Story;
use reduct_trace::Schedule;
use serde::de::DeserializeOwned;
use std::process::ExitCode;

/// So often the schedule is run.
const TIMES: usize = 10;

/// Runs the schedule again, and it without each of its switches; then the two schedules of the difference, if there is one.
pub(in crate::cli::command) fn verify(begun: &Begun, looks: &Looks) -> Result<ExitCode, Refusal> {
    let sides = sides(begun)?;
    let sought = sides.first.sought();
    let out = begun.out();
    let text = std::fs::read_to_string(&out).map_err(Refusal::io("read", &out))?;
    let schedule = Schedule::parse(&text).map_err(|error| crate::cli::usage(error.to_string(), "begin again"))?;
    let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for schedules"))?;
    view::count(looks, story, |audience| {
        let inquiry = Inquiry::open(&begun.job, own.path(), schedules::LARGEST, Stops::default(), audience)?;
        let mut flow = Flow::new(Runs { inquiry, own: own.path().to_owned(), limit: None }, looks.is_quiet());
        flow.use_first(&sides.first);
        let oracle = oracle(sides.failing.failure.clone());
        let mut is = |side: Sought, schedule: &Schedule, times: usize| -> Result<usize, Refusal> {
            let seen = flow.runs.repeat(schedule, times)?;
            Ok(seen.iter().filter(|observed| oracle.verdict(observed).outcome == outcome(side)).count())
        };
        let held = is(sought, &schedule, TIMES)?;
        let mut needless = vec![];
        for at in 0..schedule.switches.len() {
            let mut switches = schedule.switches.clone();
            let without = switches.remove(at);
            if is(sought, &Schedule { switches, ..Schedule::default() }, 1)? > 0 {
                needless.push(without);
            }
        }
        let difference = match kept::<Difference>(begun, DIFFERENCE).ok() {
            Some(both) => {
                let (passing, failing) = both.schedules();
                Some([is(Sought::Pass, &passing, TIMES)?, is(Sought::Failure, &failing, TIMES)?])
            }
            None => None,
        };
        let out = out.strip_prefix(&begun.job.folder).unwrap_or(&out);
        let left = schedule.switches.len();
        let (words, holds) = CheckedSchedule { out, sought, left, held, runs: TIMES, needless, difference }.told();
        view::say(&words);
        Ok(ExitCode::from(u8::from(!holds)))
    })
}

/// Returns the tests of the last search: those that reduce, if a schedule was found; else those that look for one.
pub(in crate::cli::command) fn replay(begun: &Begun) -> Result<Replay, Refusal> {
    let first: First = kept(begun, FIRST)?;
    Ok(match (sides(begun), begun.job.goal.switches()) {
        (Ok(sides), _) => begun.replay(reduction(&sides, u64::MAX)),
        (Err(_), Some(options)) => begun.replay(tries(options, &first, 0)),
        (Err(_), None) => return Err(begun.no_tests()),
    })
}

/// Returns what a run looked for, if no schedule that it tried was that.
pub(in crate::cli::command) fn found_nothing(begun: &Begun) -> Option<Sought> {
    sides(begun).err().map(|_| kept::<First>(begun, FIRST).map_or(Sought::Failure, |first| first.sought()))
}

/// Returns both sides of a run, if it has found them.
fn sides(begun: &Begun) -> Result<Sides, Refusal> {
    let first: First = kept(begun, FIRST)?;
    let passing: Option<Passing> = kept(begun, PASSING).ok();
    if passing.is_none() && first.sought() == Sought::Pass {
        return Err(begun.no_tests());
    }
    Ok(Sides { first, failing: kept(begun, FAILING)?, passing })
}

fn kept<T: DeserializeOwned>(begun: &Begun, name: &str) -> Result<T, Refusal> {
    let kept = begun.kept(name).and_then(|text| serde_json::from_str(&text).ok());
    kept.ok_or_else(|| begun.no_tests())
}

/// Reads a run of this command back; nothing if it is one of another command.
pub(in crate::cli::command) fn story(run: &Run) -> Result<Option<Story>, Refusal> {
    inquiry_of(run)?.map(|begun| begun.story(replay(&begun), &mut shown(&begun))).transpose()
}

/// Returns what shows the switches of a test with the names of their places.
pub(in crate::cli::command) fn shown(begun: &Begun) -> Box<dyn FnMut(&str) -> String> {
    let mut places = match kept(begun, PLACES) {
        Ok(names) => Places::of(names),
        Err(_) => begun.kept_at(FIRST).map(Places::before).unwrap_or_default(),
    };
    // Of a switch that is not where it was recorded, the result knows the place.
    let result: Schedule =
        std::fs::read_to_string(begun.out()).ok().and_then(|it| Schedule::parse(&it).ok()).unwrap_or_default();
    Box::new(move |text| {
        let switches = Schedule::parse(text).map(|it| it.switches).unwrap_or_default();
        let is_result = switches.len() == result.switches.len()
            && switches.iter().zip(&result.switches).all(|(one, other)| one.is_at(other));
        let switches = if is_result { &result.switches } else { &switches };
        if switches.is_empty() { tested(text) } else { schedules::row(&places.brief(switches)) }
    })
}
