//! Trials of what makes the input larger before it makes it smaller: inlining a function, copying a
//! definition to where it is used.
//!
//! A trial is bounded, and ends with something smaller than it began with, or changes nothing.

use super::Reduction;
use super::trial::Trial;
use reduct_core::Outcome;
use reduct_input::parts::Edits;
use reduct_input::{Circumstances, Edit, Parts, Subject};
use reduct_passes::Pass;
use std::sync::Arc;

/// How many tests a trial may take. What an inlined function makes room for is seen within a few dozen.
const TESTS: usize = 60;

/// How many trials in a row may come to nothing before no more are made (Vulcan gives an auxiliary reducer
/// ten).
const FRUITLESS: usize = 10;

impl Reduction {
    /// Finds the next thing to try that makes the input larger. `false` if there is nothing more, and no
    /// trial is under way.
    pub(super) fn try_next_growth(&mut self) -> bool {
        self.give_up_trial();
        if self.trial.fruitless >= FRUITLESS || !self.plan.repeats() || self.schedule.is_normalising() {
            return false;
        }
        let edits = self.trial.edits.take().unwrap_or_else(|| growths(&self.plan.growing, &self.subject));
        while let Some(edit) = edits.get(self.trial.at) {
            self.trial.at += 1;
            let spans = Edits(Arc::new([edit.clone()]));
            let parts = Parts::new(self.subject.artifact().clone(), spans);
            let candidate = parts.candidate(&reduct_core::Config::empty());
            self.trial.asks = candidate.filter(|candidate| self.subject.allows(candidate));
            if self.trial.asks.is_some() {
                break;
            }
        }
        self.trial.edits = Some(edits);
        self.phase = None;
        self.trial.asks.is_some()
    }

    /// Takes the outcome of the larger candidate, and goes on with it for a while if it fails.
    pub(super) fn tell_growth(&mut self, outcome: Outcome) {
        let Some(larger) = self.trial.asks.take() else { return };
        self.trial.fruitless += 1;
        if outcome == Outcome::Fail {
            let before = Arc::new(self.clone());
            self.trial.held = Some((before, TESTS));
            self.best = larger;
            self.schedule.changed();
            self.broken.changed();
            self.rebase();
        }
        self.go_on();
    }

    /// Ends, after a test, the trial that is under way if it has come to something, or to its end. `true` if
    /// the search has gone on elsewhere.
    pub(super) fn end_trial(&mut self, outcome: Outcome) -> bool {
        let Some((before, left)) = &mut self.trial.held else { return false };
        if outcome == Outcome::Fail && self.best.len() < before.best.len() {
            // All that could be tried is tried anew on what came of it.
            self.trial = Trial::default();
            return false;
        }
        *left -= 1;
        if *left > 0 {
            return false;
        }
        self.give_up_trial();
        self.go_on();
        true
    }

    /// Goes back to before the trial that is under way, if there is one.
    fn give_up_trial(&mut self) {
        if let Some((before, _)) = self.trial.held.take() {
            let disabled: Vec<usize> = self.schedule.disabled().collect();
            let mut broken = before.broken.clone();
            broken.learn_from(&self.broken);
            *self = Reduction { learned: Arc::clone(&self.learned), broken, ..before.as_ref().clone() };
            disabled.into_iter().for_each(|pass| self.schedule.disable(pass));
        }
    }
}

fn growths(passes: &[Pass], subject: &Subject) -> Arc<[Edit]> {
    let proposals = passes.iter().flat_map(|pass| (pass.propose)(subject));
    let edits = proposals.flat_map(|spans| spans.get::<Edits>().map_or_else(Vec::new, |Edits(edits)| edits.to_vec()));
    edits.collect()
}
