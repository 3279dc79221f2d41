//! Other schedules like the one that was found: each may come to fewer switches.

use super::runs::{REPLAYS, Runs, oracle};
use super::searches::{Reduced, Tried, drawn, reduction, switches_of, tries};
use super::sides::{Sides, outcome};
use reduct_core::Scripted;
use reduct_input::Candidate;
use reduct_lib::inquiry::Searched;
use reduct_lib::{Refusal, Why};
use reduct_oracle::Oracle;
use reduct_report::schedules::Sought;
use reduct_trace::{Fewest, IsolatedSwitches, Schedule, Scheduling};
use serde::{Deserialize, Serialize};

/// So many others are reduced at most.
const MOST: usize = 3;

/// The fewest switches so far, and what they took.
pub(super) struct Left {
    pub(super) fewest: Fewest,
    /// How many switches the schedule had that was reduced to these.
    pub(super) before: usize,
    /// Which of those that were drawn that is, from 1; nothing if it was given.
    pub(super) number: Option<u64>,
    /// The difference between that schedule and one of the other side, if the search came to its end.
    pub(super) isolated: Option<IsolatedSwitches>,
    /// Why the search ended.
    pub(super) why: Why,
    pub(super) tests: u64,
    /// How many of the tests told nothing.
    pub(super) unresolved: u64,
    /// How many other schedules were reduced, too.
    pub(super) others: u64,
}

/// Another schedule, as it is kept.
#[derive(Serialize, Deserialize)]
struct Other {
    /// Its number.
    number: u64,
    /// What it is; nothing if it is not each time what is looked for.
    schedule: Option<String>,
}

impl Left {
    /// Reduces others as long as several switches are left. Once that has taken as many tests as it took to come so far, none is begun any
    /// more, and no switches close to those that are left are tried. One that takes so many tests alone is left out: whether it can do
    /// without some of its switches is not known.
    ///
    /// What is left when one is reduced depends on which one it is: others have fewer switches, elsewhere.
    pub(super) fn reduce_others(&mut self, runs: &mut Runs<'_>, sides: &Sides) -> Result<(), Refusal> {
        let (first, sought) = (&sides.first, sides.first.sought());
        let (tried, _) = sides.tried();
        let most = self.tests + tried + MOST as u64;
        let options = runs.options();
        // None is looked for where one was given, by --from or of the side that is reduced.
        if options.given || tried == 0 {
            return Ok(());
        }
        let oracle = oracle(sides.failing.failure.clone());
        let (mut from, mut rest) = (tried, most);
        for n in 0..MOST {
            if self.fewest.switches.len() < 2 || rest == 0 {
                break;
            }
            let until = options.tries.min(from + rest);
            let search = tries(&options.clone().with_tries(until), first, from);
            let found = runs.inquiry.search(&oracle, search, &sides.failing.ending)?;
            self.count(&found);
            rest = rest.saturating_sub(found.asked);
            let (Why::Done, Some(Tried::Found(number))) = (&found.why, found.search.answer()) else {
                self.why = found.why;
                break;
            };
            from = number + 1;
            let Some(schedule) = other(runs, n, *number, sides)? else { continue };
            let search = reduction(&sides.with_found(&schedule), rest);
            let found = runs.inquiry.search_within(&oracle, search, &sides.failing.ending, most)?;
            self.count(&found);
            if found.is_out_of_tests {
                break;
            }
            self.others += 1;
            rest = rest.saturating_sub(found.asked);
            if let Some(reduced) = found.search.answer()
                && reduced.fewest.switches.len() < self.fewest.switches.len()
                && holds_each_time(runs, &oracle, sought, &schedule_of(&reduced.fewest))?
            {
                // All that is said of a schedule is of this one from now on.
                self.fewest = reduced.fewest.clone();
                self.before = schedule.switches.len();
                self.number = Some(from);
                self.isolated = Some(reduced.isolated.clone());
            }
            if found.why != Why::Done {
                self.why = found.why;
                break;
            }
        }
        Ok(())
    }
}

/// Returns another schedule with a number, as its switches; nothing if it is not each time what is looked for. It is kept.
fn other(runs: &mut Runs<'_>, n: usize, number: u64, sides: &Sides) -> Result<Option<Schedule>, Refusal> {
    let name = name_of(n);
    if let Some(other) = runs.kept::<Other>(&name).filter(|other| other.number == number) {
        return Ok(other.schedule.map(|text| Schedule::parse(&text).unwrap_or_default()));
    }
    let ran = runs.record(&Schedule { scheduling: drawn(&runs.options(), &sides.first, number), switches: vec![] })?;
    let schedule = Schedule { scheduling: Scheduling::default(), switches: ran.switches };
    let oracle = oracle(sides.failing.failure.clone());
    let holds = holds_each_time(runs, &oracle, sides.first.sought(), &schedule)?;
    let schedule = holds.then_some(schedule);
    runs.keep(&name, &Other { number, schedule: schedule.as_ref().map(Schedule::to_text) })?;
    Ok(schedule)
}

/// Returns the others that are kept.
pub(super) fn kept(runs: &Runs<'_>) -> impl Iterator<Item = Schedule> {
    let of = |n| runs.kept::<Other>(&name_of(n)).and_then(|other| Schedule::parse(&other.schedule?).ok());
    (0..MOST).filter_map(of)
}

/// Returns under which name another schedule is kept.
fn name_of(n: usize) -> String {
    format!("other-{n}.json")
}

/// Returns whether a schedule is each time what is looked for.
fn holds_each_time(runs: &mut Runs<'_>, oracle: &Oracle, sought: Sought, schedule: &Schedule) -> Result<bool, Refusal> {
    let seen = runs.repeat(schedule, REPLAYS)?;
    Ok(seen.iter().all(|observed| oracle.verdict(observed).outcome == outcome(sought)))
}

impl Left {
    /// Returns what the search came to that reduced the schedule which was found first.
    pub(super) fn of(found: &Searched<Scripted<Candidate, Reduced>>, sides: &Sides) -> Left {
        let (fewest, isolated) = match found.search.answer() {
            Some(reduced) => (reduced.fewest.clone(), Some(reduced.isolated.clone())),
            None => (Fewest { switches: switches_of(&found.best), as_recorded: true }, None),
        };
        let (why, before) = (found.why.clone(), sides.found().switches.len());
        let number = Some(sides.tried().0).filter(|tried| *tried > 0);
        Left { fewest, before, number, isolated, why, tests: found.asked, unresolved: found.unresolved, others: 0 }
    }

    /// Returns the schedule of these switches.
    pub(super) fn schedule(&self) -> Schedule {
        schedule_of(&self.fewest)
    }

    fn count<S>(&mut self, found: &Searched<S>) {
        self.tests += found.asked;
        self.unresolved += found.unresolved;
    }
}

fn schedule_of(fewest: &Fewest) -> Schedule {
    Schedule { switches: fewest.switches.clone(), ..Schedule::default() }
}
