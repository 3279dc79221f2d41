//! Which passes give way to stretches: what promises less waits for their first turn, and the tree of a large text for another one.

use super::Reduction;
use super::leaving::WORTH_REGIONS;
use reduct_core::Config;
use reduct_input::Circumstances;
use reduct_passes::Stage;

/// Stretches ask about half of the text at first. A pass that is tried before the tree and could remove less at most waits for them.
const HALF: usize = 2;

impl Reduction {
    /// Leaves a pass that is tried before the tree for stretches, which have not had their turn and promise more, and then goes on with it.
    /// `false` if it is to go on.
    pub(super) fn has_turned_to_stretches(&mut self) -> bool {
        let Some(pass) = self.phase.as_ref().map(|phase| phase.pass) else { return false };
        let Some(stretches) = self.plan.stretches().filter(|stretches| self.schedule.is_new(*stretches)) else {
            return false;
        };
        let promises_less = self.plan.starts_with(pass) && self.schedule.promises_less(pass, self.best.len());
        let has_some = || !self.plan.propose(stretches, &self.subject).is_empty();
        // After its first question, one answer is lost at most.
        let is_first = self.in_vain == 1 && self.best.len() == self.size_at_visit;
        if !promises_less || !has_some() || !(self.believe_what_is_decided() || is_first) {
            return false;
        }
        self.schedule.call_after(pass, stretches);
        self.give_up_pass();
        true
    }

    /// Puts the pass that has just begun off until after the first turn of stretches, if all its edits at once would remove less than half of the text.
    /// `false` if it is to go on.
    pub(super) fn has_let_stretches_go_first(&mut self, pass: usize) -> bool {
        let is_start = self.plan.descends() && self.comes_before_tree(pass) && !self.plan.pass(pass).follows_others;
        let Some(phase) = self.phase.as_ref().filter(|_| is_start && !self.proves) else { return false };
        let Some(stretches) = self.plan.stretches().filter(|stretches| self.schedule.is_new(*stretches)) else {
            return false;
        };
        let most = phase.parts.size(&Config::full(phase.parts.len()));
        if most * HALF >= self.best.len() || self.plan.propose(stretches, &self.subject).is_empty() {
            return false;
        }
        self.phase = None;
        self.schedule.call_after(pass, stretches);
        self.schedule.put_off(pass, self.best.len());
        true
    }

    /// Calls stretches once more before the first turn of the tree in a large text, if the largest ones were in vain: much may be needed, but far
    /// apart, and smaller ones go then. `false` if it is the turn of the pass.
    pub(super) fn has_called_stretches_before(&mut self, pass: usize) -> bool {
        let is_first = self.plan.pass(pass).stage == Stage::Tree && self.schedule.visits(pass) == 0;
        let Some(stretches) = self.plan.stretches().filter(|at| is_first && self.schedule.was_in_vain(*at)) else {
            return false;
        };
        if self.best.len() < WORTH_REGIONS {
            return false;
        }
        self.schedule.call(stretches);
        self.schedule.is_new(stretches)
    }
}
