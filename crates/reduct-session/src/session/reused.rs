//! What a process says that has run other tests before is asked again of a fresh one where it matters: when it says that a
//! candidate fails, and when it ended with the test.
//!
//! It may have kept something of the tests before. The answer of the fresh one counts, which runs tests from then on.

use super::Session;
use crate::executor::{ProcessWanted, RunId};
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::{Exit, Limit, Observed, Oracle, Process};

/// Returns what a run says that is to be asked again of a fresh process; `None` if it counts.
pub(super) fn doubted(oracle: &Oracle, observed: &Observed) -> Option<Outcome> {
    let process = observed.also.process;
    if process.is_fresh() {
        return None;
    }
    let said = outcome(oracle, observed)?;
    // Another one would take too long as well, and all would wait for that.
    let is_late = observed.exit == Exit::Limit(Limit::Time);
    let is_doubted = said == Outcome::Fail || process == Process::Ended && !is_late;
    is_doubted.then_some(said)
}

/// Returns what a run says; `None` if there was none.
fn outcome(oracle: &Oracle, observed: &Observed) -> Option<Outcome> {
    (!matches!(observed.exit, Exit::NotStarted(_))).then(|| oracle.verdict(observed).outcome)
}

impl Session<'_> {
    /// Starts the same run again in a fresh process.
    pub(super) fn start_in_place_of(&mut self, run: RunId, candidate: &Candidate, number: u32) -> RunId {
        self.start(candidate, number, ProcessWanted::InPlaceOf(run))
    }

    /// Takes note of what a fresh process showed, where one that was reused `said` something else before, if one was.
    pub(super) fn note_fresh(&mut self, oracle: &Oracle, said: Option<Outcome>, observed: &Observed) {
        let is_leak = said == Some(Outcome::Fail) && outcome(oracle, observed).is_some_and(|now| now != Outcome::Fail);
        self.opened.leaks += u64::from(is_leak);
    }
}
