//! Steps that were accepted hastily, and are checked together: a *chain*.
//!
//! Where a test fails only now and then, it takes some two dozen runs to be sure of a step. What fails at all has mostly
//! shown it after two or three. So steps are accepted as soon as they seem to fail, and after every few of them what
//! is left is checked, by runs of its own, as surely as it takes. If it does not fail often enough, one of the steps
//! was accepted by chance, or the failure got rarer step by step: the search goes back to what was checked last,
//! and for a while checks each step before it goes on from it.

use super::Reduction;
use reduct_core::{Outcome, Question, Search};
use reduct_input::{Candidate, Certainty};
use std::sync::Arc;

/// After so many steps they are checked. What is checked costs as much as some ten steps; what has to be gone back from is lost.
const LENGTH: usize = 8;

/// After so many candidates in vain they are checked, too: if a step was accepted by chance, nothing that is made of it fails.
const IN_VAIN: usize = 12;

/// How likely what is to be checked fails.
const ODDS: f32 = 0.95;

/// The steps since the last one that was checked.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// What was checked last.
    checked: Arc<Reduction>,
    /// How many steps were accepted since.
    steps: usize,
    /// How many candidates in a row did not fail since the last step.
    in_vain: usize,
    /// How many steps are to be checked one by one.
    careful: usize,
    /// How many it will be the next time.
    next_careful: usize,
    asks: Option<Check>,
}

/// What is asked about as surely as it takes.
#[derive(Clone, Debug)]
enum Check {
    /// What is left after some steps.
    Steps(Candidate),
    /// A single step, before it is gone on from.
    Step(Candidate),
}

impl Chain {
    /// Begins with a reduction of what is known to fail.
    pub(super) fn new(reduction: &Reduction) -> Chain {
        let checked = Arc::new(reduction.clone());
        Chain { checked, steps: 0, in_vain: 0, careful: 0, next_careful: LENGTH, asks: None }
    }

    /// Returns the smallest candidate that was checked.
    pub(super) fn best(&self) -> Candidate {
        self.checked.best()
    }

    /// Returns whether something is to be checked now.
    pub(super) fn is_checking(&self) -> bool {
        self.asks.is_some()
    }

    pub(super) fn ask(&self, reduction: &Reduction) -> Option<Candidate> {
        match &self.asks {
            Some(Check::Steps(candidate) | Check::Step(candidate)) => Some(candidate.clone().asked(Certainty::Checked)),
            None => reduction.ask().map(|candidate| candidate.asked(Certainty::Hasty)),
        }
    }

    pub(super) fn odds(&self, reduction: &Reduction) -> Option<f32> {
        if self.is_checking() { Some(ODDS) } else { reduction.odds() }
    }

    /// Takes an outcome, which may send the reduction back.
    pub(super) fn tell(&mut self, reduction: &mut Reduction, outcome: Outcome) {
        match self.asks.take() {
            Some(Check::Step(_)) => {
                reduction.tell(outcome);
                if outcome == Outcome::Fail {
                    self.careful -= 1;
                    self.is_checked(reduction);
                }
            }
            Some(Check::Steps(_)) if outcome == Outcome::Fail => self.is_checked(reduction),
            Some(Check::Steps(_)) => {
                // What the user has given up stays so.
                let (skipped, disabled) = (reduction.skipped, reduction.disabled().collect::<Vec<_>>());
                *reduction = Reduction { skipped, ..self.checked.as_ref().clone() };
                disabled.into_iter().for_each(|pass| reduction.schedule.disable(pass));
                (self.steps, self.careful) = (0, self.next_careful);
                self.next_careful *= 2;
            }
            None if outcome == Outcome::Fail && self.careful > 0 => self.asks = reduction.ask().map(Check::Step),
            None => {
                let before = reduction.best().key();
                reduction.tell(outcome);
                self.in_vain = if outcome == Outcome::Fail { 0 } else { self.in_vain + 1 };
                self.steps += usize::from(reduction.best().key() != before);
            }
        }
        self.check_if_due(reduction);
    }

    /// Notes that the reduction was told to go on elsewhere. A step that was to be checked is not made.
    pub(super) fn skipped(&mut self, reduction: &Reduction) {
        self.asks = self.asks.take().filter(|check| matches!(check, Check::Steps(_)));
        self.check_if_due(reduction);
    }

    fn is_checked(&mut self, reduction: &Reduction) {
        (self.checked, self.steps) = (Arc::new(reduction.clone()), 0);
    }

    fn check_if_due(&mut self, reduction: &Reduction) {
        let is_due = self.steps >= LENGTH || self.in_vain >= IN_VAIN || reduction.ask().is_none();
        if self.asks.is_none() && self.steps > 0 && is_due {
            self.asks = Some(Check::Steps(reduction.best()));
        }
    }
}
