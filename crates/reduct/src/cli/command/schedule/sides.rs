//! What is kept of a run in its folder: how the program runs without a switch, and the schedules with which it fails and passes.

use reduct_core::Outcome;
use reduct_oracle::Criterion;
use reduct_report::schedules::Sought;
use reduct_trace::{IsolatedSwitches, Schedule, Switch};
use serde::{Deserialize, Serialize};

/// Under this name, the run without a switch is kept.
pub(super) const FIRST: &str = "first.json";

/// Under this name, the schedule is kept with which the program fails.
pub(super) const FAILING: &str = "failing.json";

/// Under this name, the schedule is kept with which it passes, if that is another one than none.
pub(super) const PASSING: &str = "passing.json";

/// Under this name, the numbers of schedules are kept that were what was looked for, and not when they were run again.
pub(super) const UNREPEATABLE: &str = "unrepeatable.json";

/// Under this name, the two schedules are kept of the difference that is listed, if one is.
pub(super) const DIFFERENCE: &str = "difference.json";

/// Under this name, the names of the places of all switches are kept, as the program may be another one later.
pub(super) const PLACES: &str = "places.json";

/// Returns the outcome of what is looked for.
pub(super) fn outcome(sought: Sought) -> Outcome {
    match sought {
        Sought::Failure => Outcome::Fail,
        Sought::Pass => Outcome::Pass,
    }
}

/// The run without a switch.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct First {
    pub(super) points: u64,
    pub(super) threads: u32,
    pub(super) ending: String,
    /// Whether the program fails.
    #[serde(default)]
    pub(super) fails: bool,
    /// Whether it fails because it does not end.
    #[serde(default)]
    pub(super) hangs: bool,
}

impl First {
    /// Returns which schedule is looked for: the run without a switch is the other side.
    pub(super) fn sought(&self) -> Sought {
        if self.fails { Sought::Pass } else { Sought::Failure }
    }
}

/// The schedule with which the program fails.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Failing {
    /// The schedule.
    pub(super) schedule: String,
    /// What the failure is.
    pub(super) failure: Criterion,
    /// That in words, with which thread waits for what.
    pub(super) ending: String,
    /// Whether it is a deadlock.
    #[serde(default)]
    pub(super) is_deadlock: bool,
    /// How many schedules were tried; none if it was given, or has no switches.
    pub(super) tried: u64,
}

/// The schedule with which it passes.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Passing {
    /// The schedule.
    pub(super) schedule: String,
    /// How the program ends.
    pub(super) ending: String,
    /// How many schedules were tried; none if it was given.
    pub(super) tried: u64,
}

/// Two schedules that hardly differ.
#[derive(Serialize, Deserialize)]
pub(super) struct Difference {
    passing: String,
    failing: String,
}

impl Difference {
    /// Returns the texts of two schedules.
    pub(super) fn of(isolated: &IsolatedSwitches) -> Difference {
        let text = |switches: &[Switch]| Schedule { switches: switches.to_vec(), ..Schedule::default() }.to_text();
        Difference { passing: text(&isolated.passing), failing: text(&isolated.failing) }
    }

    /// Returns the schedules with which the program passes and fails.
    pub(super) fn schedules(&self) -> (Schedule, Schedule) {
        (read(&self.passing), read(&self.failing))
    }
}

/// Reads a schedule that was written by this program.
fn read(text: &str) -> Schedule {
    Schedule::parse(text).unwrap_or_default()
}

/// Both sides, once they are known.
#[derive(Clone)]
pub(super) struct Sides {
    /// The run without a switch.
    pub(super) first: First,
    /// The side that fails.
    pub(super) failing: Failing,
    /// The side that passes, if it has switches.
    pub(super) passing: Option<Passing>,
}

impl Sides {
    /// Returns the schedules with which the program passes and fails.
    pub(super) fn schedules(&self) -> (Schedule, Schedule) {
        let passing = self.passing.as_ref().map(|it| read(&it.schedule));
        (passing.unwrap_or_default(), read(&self.failing.schedule))
    }

    /// Returns the schedule whose switches are reduced.
    pub(super) fn found(&self) -> Schedule {
        let (passing, failing) = self.schedules();
        match self.first.sought() {
            Sought::Failure => failing,
            Sought::Pass => passing,
        }
    }

    /// Returns the same with another schedule in place of the one that was found.
    pub(super) fn with_found(&self, schedule: &Schedule) -> Sides {
        let (mut other, text) = (self.clone(), schedule.to_text());
        match (self.first.sought(), &mut other.passing) {
            (Sought::Pass, Some(passing)) => passing.schedule = text,
            _ => other.failing.schedule = text,
        }
        other
    }

    /// Returns how many schedules were tried until it was found, and how the program ends with it.
    pub(super) fn tried(&self) -> (u64, &str) {
        match (self.first.sought(), &self.passing) {
            (Sought::Pass, Some(passing)) => (passing.tried, &passing.ending),
            _ => (self.failing.tried, &self.failing.ending),
        }
    }

    /// Returns whether a schedule was given for the side of which the run without a switch is one.
    pub(super) fn are_both_given(&self) -> bool {
        match self.first.sought() {
            Sought::Failure => self.passing.is_some(),
            Sought::Pass => !self.schedules().1.switches.is_empty(),
        }
    }
}
