//! What reached the time limit is run a second time, alone, before it counts: beside other tests, on a busy machine, a
//! test can be late that does not hang.
//!
//! Two kinds count at once: a test that had the processor all the time was kept from nothing; and where a hang is the failure,
//! each run that reaches the limit shows it, and only the result is run again.

use crate::event::Timeouts;
use reduct_core::{Key, Outcome};
use reduct_oracle::{Exit, Limit, Observed};
use std::collections::HashMap;

/// Returns whether a run that ended so is to be made once more, alone.
pub(super) fn is_doubtful(observed: &Observed, outcome: Outcome) -> bool {
    observed.exit == Exit::Limit(Limit::Time) && !observed.also.was_busy && outcome != Outcome::Fail
}

/// What reached the time limit in a session.
#[derive(Default)]
pub(super) struct Late {
    /// What is to be run alone, and whether it is under way.
    alone: HashMap<Key, bool>,
    /// Of what the limit decided: whether that took a run alone.
    decided: HashMap<Key, bool>,
    timeouts: Timeouts,
}

impl Late {
    /// Returns whether a question waits for its run alone.
    pub(super) fn is_due_alone(&self, key: Key) -> bool {
        self.alone.contains_key(&key)
    }

    /// Notes that its run alone begins.
    pub(super) fn begin(&mut self, key: Key) {
        self.alone.insert(key, true);
    }

    /// Takes how a run ended; whether it does not count, and is to be made again, alone.
    pub(super) fn is_to_be_run_alone(&mut self, key: Key, observed: &Observed, outcome: Outcome) -> bool {
        // Before that, another run of the same candidate may end.
        let was_alone = self.alone.get(&key).copied().unwrap_or(false);
        if was_alone {
            self.alone.remove(&key);
        }
        if is_doubtful(observed, outcome) && !was_alone {
            self.alone.insert(key, false);
            return true;
        }
        let is_late = observed.exit == Exit::Limit(Limit::Time);
        self.timeouts.in_time += u64::from(was_alone && !is_late);
        if is_late && outcome != Outcome::Fail {
            self.decided.insert(key, was_alone);
        }
        false
    }

    /// Notes that the search has taken the outcome of a question.
    pub(super) fn retire(&mut self, key: Key) {
        match self.decided.remove(&key) {
            Some(true) => self.timeouts.alone += 1,
            Some(false) => self.timeouts.busy += 1,
            None => {}
        }
    }

    /// Returns what the time limit decided so far.
    pub(super) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }
}
