//! The two searches: for a schedule that fails, or passes, and for the fewest of its switches.

use super::runs::candidate;
use super::sides::{First, Sides, outcome};
use reduct_core::{Outcome, Scripted};
use reduct_input::Candidate;
use reduct_lib::SwitchOptions;
use reduct_lib::inquiry::Counted;
use reduct_report::inquiries::SWITCHES;
use reduct_report::schedules::Sought;
use reduct_trace::{Fewest, IsolatedSwitches, RandomPriorities, Schedule, Scheduling, Switch, fewest, isolated};
use std::collections::HashMap;

/// How schedules are drawn, in turn: failures of these depths, and by a coin at each point.
const DEPTHS: [u32; 4] = [1, 2, 3, 0];

/// After so many runs that ended at a limit, no more schedules are tried: each takes that long.
const MOST_UNRESOLVED: u64 = 5;

/// So many may be, of a program that hangs without a switch.
const MOST_HANGING: u64 = 40;

/// Priorities change among so many points at most where the run without a switch hangs: it may have polled until it was ended.
const MOST_STEPS: u64 = 1000;

/// What came of trying schedules.
#[derive(Clone)]
pub(super) enum Tried {
    /// The one with this number is what was looked for.
    Found(u64),
    /// None is; so many ended at a limit.
    None { unresolved: u64 },
}

/// What is known of the switches of a schedule.
#[derive(Clone)]
pub(super) struct Reduced {
    /// The difference between schedules of both sides.
    pub(super) isolated: IsolatedSwitches,
    /// The fewest with which the program does what it does.
    pub(super) fewest: Fewest,
}

/// Returns an outcome as searches take it, which call what they look for a failure.
fn seen(outcome: Outcome, sought: Sought) -> Outcome {
    match (sought, outcome) {
        (Sought::Pass, Outcome::Pass) => Outcome::Fail,
        (Sought::Pass, Outcome::Fail) => Outcome::Pass,
        _ => outcome,
    }
}

/// Returns after how many points a run ends.
pub(super) fn limit(first: &First) -> u64 {
    first.points.saturating_mul(10) + 10_000
}

/// Returns how the schedule with a number is drawn.
pub(super) fn drawn(options: &SwitchOptions, first: &First, number: u64) -> Scheduling {
    let depth = DEPTHS[number as usize % DEPTHS.len()];
    let seed = options.seed.wrapping_mul(1_000_003).wrapping_add(number);
    let steps = if first.hangs { first.points.min(MOST_STEPS) } else { first.points };
    Scheduling { chance: Some(RandomPriorities { seed, depth, steps }), ..Scheduling::default() }
}

/// Returns the search for a schedule that fails, or, if the program fails without a switch, for one that passes, from this number on.
pub(super) fn tries(options: &SwitchOptions, first: &First, from: u64) -> Counted<Scripted<Candidate, Tried>> {
    let (limit, sought) = (Some(limit(first)), first.sought());
    let (options, first) = (options.clone(), first.clone());
    let most = if first.hangs { MOST_HANGING } else { MOST_UNRESOLVED };
    let search = Scripted::new(candidate(&Schedule::default(), limit), move |asker| {
        let mut unresolved = 0;
        for number in from..options.tries {
            let schedule = Schedule { scheduling: drawn(&options, &first, number), switches: vec![] };
            match seen(asker.ask(|| candidate(&schedule, limit))?, sought) {
                Outcome::Fail => return Ok(Tried::Found(number)),
                Outcome::Pass => {}
                Outcome::Unresolved => unresolved += 1,
            }
            if unresolved >= most {
                break;
            }
        }
        Ok(Tried::None { unresolved })
    });
    Counted::new(search, SWITCHES, count)
}

/// Returns the search for the difference between a schedule that passes and one that fails, and for the fewest switches of the one that was
/// found. Those that make the difference are asked alone first. After `most` tests, switches close to them are not tried any more.
pub(super) fn reduction(sides: &Sides, most: u64) -> Counted<Scripted<Candidate, Reduced>> {
    let (limit, threads, sought) = (Some(limit(&sides.first)), sides.first.threads, sides.first.sought());
    let ((passing, failing), found) = (sides.schedules(), sides.found());
    let search = Scripted::new(candidate(&found, limit), move |asker| {
        let mut known: HashMap<Vec<Switch>, Outcome> = HashMap::new();
        let mut test = |some: &[Switch]| {
            if let Some(outcome) = known.get(some) {
                return Ok(*outcome);
            }
            let schedule = Schedule { switches: some.to_vec(), ..Schedule::default() };
            let outcome = asker.ask(|| candidate(&schedule, limit))?;
            known.insert(some.to_vec(), outcome);
            Ok(outcome)
        };
        let isolated = isolated(&passing.switches, &failing.switches, &mut test)?;
        let of_found = |change: reduct_trace::ChangedSwitch| match sought {
            Sought::Failure => change.failing,
            Sought::Pass => change.passing,
        };
        let differ: Vec<Switch> = isolated.differ().into_iter().filter_map(of_found).collect();
        let (first, others): (Vec<Switch>, Vec<Switch>) =
            found.switches.iter().cloned().partition(|switch| differ.contains(switch));
        let fewest = fewest(&[first, others].concat(), threads, most, |some: &[Switch]| Ok(seen(test(some)?, sought)))?;
        Ok(Reduced { isolated, fewest })
    });
    Counted::new(search.following(outcome(sought)), SWITCHES, count)
}

/// Returns the switches of a test.
pub(super) fn switches_of(candidate: &Candidate) -> Vec<Switch> {
    let artifact = candidate.artifact();
    Schedule::parse(&String::from_utf8_lossy(artifact.bytes())).map(|it| it.switches).unwrap_or_default()
}

fn count(candidate: &Candidate) -> usize {
    switches_of(candidate).len()
}
