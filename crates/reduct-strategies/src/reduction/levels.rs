//! Which level of a pass comes next where one is not worth going on with.

use super::Reduction;
use super::pass_run::PassRun;
use reduct_core::Config;
use reduct_input::{Circumstances, Parts};
use std::sync::Arc;

/// What removes at least one byte of so many is worth a trial.
const GOOD_PART: usize = 8;

/// Chunks of fewer bytes on average are as small as lines.
const FINE: usize = 64;

impl Reduction {
    /// Returns whether a phase cuts a text into chunks as small as lines: passes for texts find such parts, too, and larger ones.
    pub(super) fn is_of_fine_chunks(&self, phase: &PassRun) -> bool {
        let is_of_text = self.plan.cuts_formats(phase.pass) && self.subject.binaries().is_empty();
        is_of_text && self.best.len() < phase.parts.len() * FINE
    }

    /// Leaves the level, if the next one cuts the text in another way or is worth it; else the pass, for later. Of edits of which the largest come first, smaller
    /// ones have a try before that.
    pub(super) fn give_up_level_or_pass(&mut self) {
        if self.has_passed_larger_half() {
            return;
        }
        let has_other_way = |phase: &PassRun| {
            let cuts_anew = self.plan.pass(phase.pass).cuts_anew;
            cuts_anew && phase.level + 1 < phase.proposals.len() || self.is_inner_worth_it(phase)
        };
        match self.phase.as_ref().filter(|phase| has_other_way(phase)).map(|phase| phase.pass) {
            Some(pass) => {
                self.has_left_level = true;
                self.believe_for_now();
                self.begin_trial(pass);
                self.end_phase();
            }
            None => self.give_up_pass(),
        }
    }

    /// Has a pass be looked at from here on.
    pub(super) fn begin_trial(&mut self, pass: usize) {
        self.bar.begin(self.best.len());
        self.schedule.try_anew(pass);
        (self.in_vain, self.passed) = (0, 0);
    }

    /// Returns whether a pass whose largest edits come first has just removed something, however little: then what is smaller may go, too.
    pub(super) fn goes_on_with_smaller(&self) -> bool {
        self.in_vain == 0 && self.phase.as_ref().is_some_and(|phase| self.plan.pass(phase.pass).is_largest_first)
    }

    /// Returns whether what stands within the edits of a level, as the next one has it, is a good part of what is left.
    fn is_inner_worth_it(&self, phase: &PassRun) -> bool {
        if !self.plan.pass(phase.pass).is_largest_first || !self.comes_before_tree(phase.pass) {
            return false;
        }
        let left = Arc::new(self.best.artifact());
        let levels = self.plan.propose(phase.pass, &self.plan.subject(left.clone()));
        let inner = levels.get(phase.level + 1).map(|spans| Parts::new(left, spans.clone()));
        inner.is_some_and(|inner| inner.size(&Config::full(inner.len())) * GOOD_PART >= self.best.len())
    }
}
