//! When passes of larger parts have another turn in a text that no grammar reads.
//!
//! There the passes come one after the other, from coarse to fine, and fine ones remove something for hundreds of tests. A section that was needed
//! for what these have removed stands all that time, if it is asked about in the next round only.

use super::Reduction;
use reduct_passes::Stage;

/// Passes of larger parts have another turn when others have removed this fraction of what is left.
const MUCH: usize = 8;

/// A pass is left if so many tests in a row were in vain: what finds more and more goes on.
const IN_VAIN: usize = 3;

/// In a shorter text all parts are small.
const WORTH_IT: usize = 512;

impl Reduction {
    /// Leaves the pass for those of larger parts if much has gone since their last turn, and then goes on with it. `false` if it is to go on.
    pub(super) fn has_turned_to_larger(&mut self) -> bool {
        let Some(pass) = self.phase.as_ref().filter(|_| self.in_vain >= IN_VAIN).map(|phase| phase.pass) else {
            return false;
        };
        // A nest and a group have searches of their own.
        let is_own = self.is_of_group(pass)
            || self.plan.pass(pass).stage == Stage::Tree
                && self.phase.as_ref().is_some_and(|phase| phase.parts.are_edits());
        let is_fine = self.plan.first_tree().is_some_and(|tree| pass >= tree);
        if is_own || !is_fine || !self.has_larger_due(pass) || !self.believe_what_is_decided() {
            return false;
        }
        if !self.call_larger(pass) {
            return false;
        }
        if let Some(phase) = &self.phase {
            self.turns.note_slow(phase.search.inner());
        }
        self.schedule.call(pass);
        self.give_up_pass();
        true
    }

    /// Calls the passes of larger parts, before this one, of which each has something to ask and much has gone since its last turn. `false` if there are none.
    pub(super) fn call_larger(&mut self, pass: usize) -> bool {
        if !self.has_larger_due(pass) {
            return false;
        }
        let left = self.best.len();
        let subject = self.plan.subject(self.best.artifact());
        let due: Vec<usize> = self.plan.larger().filter(|at| self.is_larger_due(*at, pass)).collect();
        let mut has_some = false;
        for at in due {
            if self.plan.propose(at, &subject).is_empty() {
                self.schedule.pass_over(at, left);
                continue;
            }
            self.schedule.call_briefly(at);
            has_some = true;
        }
        has_some
    }

    fn has_larger_due(&self, pass: usize) -> bool {
        let is_plain = !self.subject.knows_a_language() && self.subject.binaries().is_empty();
        self.best.len() >= WORTH_IT
            && self.plan.larger().any(|at| self.is_larger_due(at, pass))
            && is_plain
            && self.believes()
            && !self.refused
            && self.trial.before().is_none()
    }

    /// Returns whether a pass of larger parts has a turn before another one goes on.
    fn is_larger_due(&self, at: usize, pass: usize) -> bool {
        let left = self.best.len();
        // The tree takes sections apart itself, but cannot know what is named.
        let is_tree = self.plan.pass(pass).stage == Stage::Tree;
        if at >= pass
            || self.schedule.is_disabled(at)
            || self.schedule.is_new(at)
            || is_tree && !self.plan.pass(at).follows_others
        {
            return false;
        }
        // Without its layout a text has no blocks, and hardly any sections.
        let is_last_time = self.plan.takes_layout(pass) && self.schedule.is_new(pass);
        match is_last_time {
            true => self.schedule.has_lost(at, left, left / MUCH),
            false => self.schedule.has_shrunk_by(at, left, left / MUCH),
        }
    }
}
