//! Passes that can do more whenever others have removed much, as what only that used is no longer used.

use super::Reduction;
use super::leaving::{TRIAL, WORTH_GROUPS};
use super::pass_run::PassRun;
use reduct_input::Circumstances;
use reduct_passes::Stage;

/// They have another turn when others have removed this fraction of what is left.
const FOLLOWING: usize = 64;

/// All at once nearly always goes if anything does. After so many tests in vain at its beginning, a turn is over. If the turn before was in vain, too,
/// one is enough. (Stretches that have not had their turn come after the first one in vain.)
const IN_VAIN: usize = 3;

/// If this fraction of what is left has gone in a turn, the first way to cut a text is tried again.
const MUCH_LESS: usize = 8;

/// What has at least this fraction of what is left is worth the tests that find what is needed of it.
const MUCH: usize = 32;

impl Reduction {
    /// Has passes that follow others come after the tree in a short text, most of which one test of the tree may remove.
    pub(super) fn put_off_followers(&mut self) {
        if self.best.len() < WORTH_GROUPS {
            // In a text without a grammar they need its layout.
            let is_plain = !self.subject.knows_a_language();
            let coarse = if is_plain { self.plan.last_before_layout() } else { self.plan.coarse() };
            self.plan.followers().for_each(|pass| self.schedule.put_after(pass, coarse));
        }
    }

    /// Leaves the tree, or a pass that is tried before it, for one that follows others, and then goes on with it. `false` if it is to go on.
    pub(super) fn has_turned_to_followers(&mut self) -> bool {
        let Some(phase) = self.phase.as_ref().filter(|phase| !self.plan.pass(phase.pass).follows_others) else {
            return false;
        };
        let (pass, left) = (phase.pass, self.best.len());
        let is_tree = self.plan.pass(pass).stage == Stage::Tree && !phase.parts.are_edits();
        if left < WORTH_GROUPS || !(is_tree || self.comes_before_tree(pass)) {
            return false;
        }
        let has_much = |at: &usize| *at < pass && self.schedule.has_shrunk_by(*at, left, left / FOLLOWING);
        let Some(follower) = self.plan.followers().find(has_much) else { return false };
        if !self.believe_what_is_decided() {
            return false;
        }
        if self.plan.propose(follower, &self.plan.subject(self.best.artifact())).is_empty() {
            self.schedule.pass_over(follower, left);
            return false;
        }
        if let Some(phase) = &self.phase {
            self.turns.note_slow(phase.search.inner());
            // Another way to cut the text begins anew once much has gone.
            let begins_anew = self.plan.pass(pass).cuts_anew && left + left / MUCH_LESS < self.size_at_visit;
            match begins_anew {
                true => self.schedule.call_briefly(pass),
                false => self.turns.note_level(pass, phase.level),
            }
        }
        self.schedule.call(follower);
        self.schedule.call(pass);
        self.give_up_pass();
        true
    }

    /// Returns whether a pass that follows others has an early turn, and that is over: it has removed nothing at its beginning, or too little
    /// by now.
    pub(super) fn is_slow_follower(&mut self) -> bool {
        let Some(pass) = self.phase.as_ref().map(|phase| phase.pass) else { return false };
        let is_early = self.schedule.is_first_visit(pass) || self.schedule.is_called_again(pass);
        if !self.plan.pass(pass).follows_others || !is_early || self.best.len() < WORTH_GROUPS {
            return false;
        }
        let most = self.most_in_vain(pass);
        let has_progress = self.phase.as_ref().is_some_and(|phase| phase.progress);
        let is_in_vain = !has_progress && self.in_vain >= most;
        is_in_vain || self.bar.is_missed(TRIAL.max(most), self.best.len())
    }

    /// Returns after how many tests in vain at its beginning a turn of a pass that follows others is over. Where much is unused, it is
    /// time to find two needed parts.
    fn most_in_vain(&self, pass: usize) -> usize {
        let undecided = self.phase.as_ref().map_or(0, |phase| phase.parts.len() - phase.kept.len());
        let is_much = |phase: &PassRun| {
            let undecided = phase.best().minus(&phase.kept);
            phase.parts.size(&undecided) * MUCH >= self.best.len()
        };
        match () {
            () if self.phase.as_ref().is_some_and(is_much) => 2 * (undecided.max(1).ilog2() as usize + 1),
            () if self.schedule.is_tired(pass) => 1,
            () => IN_VAIN,
        }
    }
}
