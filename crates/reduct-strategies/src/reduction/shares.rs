//! Shares of what a phase asks, which do not depend on each other, as reductions: so they are run ahead as all else is.

use super::Reduction;
use super::pass_run::PassRun;
use reduct_core::search::Minimiser;
use reduct_core::{Monotone, Outcome, Search};

impl Reduction {
    /// Returns the phase if it is what asks.
    pub(super) fn asking_phase(&self) -> Option<&PassRun> {
        self.phase.as_ref().filter(|_| self.guess.is_none() && !self.trial.is_asking())
    }

    /// Returns the reduction that asks what this share of the search of its phase does, and then ends, if there is something to ask.
    pub(super) fn share(&self, search: Monotone<Minimiser>) -> Option<Reduction> {
        let phase = self.phase.clone().map(|phase| PassRun { search, next: None, ..phase });
        let mut share = Reduction { phase, is_share: true, ..self.clone() };
        share.advance().then_some(share)
    }

    /// Takes an outcome as a share: no other phase follows.
    pub(super) fn tell_share(&mut self, outcome: Outcome) {
        let Some(phase) = &mut self.phase else { return };
        phase.search.tell(outcome);
        if !self.advance() {
            self.phase = None;
        }
    }
}
