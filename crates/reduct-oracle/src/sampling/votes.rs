//! What the single runs of a candidate said, in the order of their numbers, whenever they came.

use super::Policy;
use reduct_core::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// After so many unresolved runs in a row a candidate is unresolved. One may be an accident of the machine; something
/// that fails and is unresolved in every tenth run is lost to three in a row in one of a thousand tries. More would
/// make candidates dear that never tell, and where versions do not build these are many.
pub const IN_A_ROW: u32 = 3;

/// What one run said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// What it said.
    pub outcome: Outcome,
    /// Whether it could be otherwise in another session: it was because of a limit, say.
    pub limited: bool,
}

/// How many runs said what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// In so many the failure occurred.
    pub fired: u32,
    /// In so many it did not.
    pub silent: u32,
    /// So many could not tell.
    pub unresolved: u32,
    /// In so many of them it could be otherwise in another session.
    #[serde(default, skip_serializing_if = "is_none")]
    pub limited: u32,
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

impl Tally {
    /// Returns the tally of one run.
    pub fn of(vote: Vote) -> Tally {
        let mut tally = Tally::default();
        tally.add(vote);
        tally
    }

    /// Counts one more.
    pub fn add(&mut self, vote: Vote) {
        match vote.outcome {
            Outcome::Fail => self.fired += 1,
            Outcome::Pass => self.silent += 1,
            Outcome::Unresolved => self.unresolved += 1,
        }
        self.limited += u32::from(vote.limited);
    }
}

/// The runs of one candidate that are known, by their number from 0.
///
/// A candidate is decided by the first runs that decide it, in the order of their numbers and without a gap. So runs
/// that were made ahead, and the order in which they end, cannot change what it is decided to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Votes {
    by_number: BTreeMap<u32, Vote>,
}

impl Votes {
    /// Takes what the run of this number said. The first word stands.
    pub fn put(&mut self, number: u32, vote: Vote) {
        self.by_number.entry(number).or_insert(vote);
    }

    /// Returns what the run of this number said.
    pub fn get(&self, number: u32) -> Option<Vote> {
        self.by_number.get(&number).copied()
    }

    /// Returns the numbers of which nothing is known, ascending. There is no end to them.
    pub fn open(&self) -> impl Iterator<Item = u32> {
        (0..).filter(|number| !self.by_number.contains_key(number))
    }

    /// Returns the votes without a gap before them.
    fn in_order(&self) -> impl Iterator<Item = Vote> {
        (0..).zip(&self.by_number).take_while(|(at, (number, _))| at == *number).map(|(_, (_, vote))| *vote)
    }

    /// Returns what the candidate is, and by which votes. `None` if it is to be run again.
    pub fn decide(&self, policy: &Policy) -> Option<(Outcome, Tally)> {
        let (mut tally, mut in_a_row) = (Tally::default(), 0);
        self.in_order().find_map(|vote| {
            tally.add(vote);
            in_a_row = if vote.outcome == Outcome::Unresolved { in_a_row + 1 } else { 0 };
            let outcome = match in_a_row {
                IN_A_ROW => Some(Outcome::Unresolved),
                _ => policy.decide(tally.fired, tally.silent),
            };
            outcome.map(|outcome| (outcome, tally))
        })
    }

    /// Returns how many more runs may be made at a time: more would be in vain if all of them were silent.
    pub fn room(&self, policy: &Policy) -> u32 {
        let mut tally = Tally::default();
        self.in_order().for_each(|vote| tally.add(vote));
        policy.silent_to_go(tally.fired, tally.silent)
    }
}
