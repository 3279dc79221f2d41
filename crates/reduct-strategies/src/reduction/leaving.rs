//! How a phase ends: what it leaves behind, and what comes after it.

use super::Reduction;
use super::believed::Left;
use super::pass_run::PassRun;
use super::schedule;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Delta, Search};
use reduct_input::parts::Edits;
use reduct_input::{Candidate, Circumstances};
use reduct_passes::{Proposals, Stage};
use std::sync::Arc;

/// After so many levels of a pass without progress, its deeper ones are left for the next visit.
const FRUITLESS_LEVELS: usize = 16;

/// Of fewer bytes all is soon asked about one by one.
pub(super) const WORTH_GROUPS: usize = 16 << 10;

/// In fewer bytes no region waits for the others.
pub(super) const WORTH_REGIONS: usize = 64 << 10;

/// Each time that the bar falls, up to so many times, the tree has twice as many tests there before it makes room.
const MOST_FALLS: u32 = 2;

/// From so many levels on a nest is deep.
const DEEP: usize = 96;

/// A pass that is on call and has a first turn, too, has to remove so many times as much a test as what else comes before the tree.
const LEADS_FAR: f64 = 4.0;

/// Once the bar has fallen so often, the passes that come after the tree have their first turn before it goes on.
const STUCK: u32 = 3;

/// After so many tests of a pass that comes before the tree, and has its turn again, it is looked at.
pub(super) const TRIAL: usize = 12;

impl Reduction {
    /// Returns the level to go on with after the current phase, and its proposals if they are still the same; `None` if
    /// the visit is over.
    pub(super) fn after_phase(&mut self) -> Option<(usize, Option<Arc<Proposals>>)> {
        let phase = self.phase.take()?;
        if phase.neighbours.is_some() {
            return Some(self.after_neighbours(phase));
        }
        self.keep_what_was_learned(&phase);
        self.passing = phase.passing();
        if let Minimiser::Relevance(relevance) = phase.search.inner() {
            self.spares |= relevance.has_left_some();
            self.is_put_off |= !relevance.passed().is_empty();
        }
        self.note_names(&phase);
        self.believe_what_is_left(&phase);
        self.doubt_what_is_believed(&phase);
        self.turns.note(phase.search.inner());
        if self.is_of_group(phase.pass) {
            return Some(self.after_group(phase));
        }
        // A nest that became much shallower shows what is nested in it.
        let is_shallower = self.plan.pass(phase.pass).stage == Stage::Tree
            && phase.parts.are_edits()
            && phase.best().len() * 2 < phase.parts.len();
        // Of which nothing is left is no level any more.
        let is_deleted = !phase.parts.are_edits() && !self.plan.pass(phase.pass).follows_others;
        let is_gone = phase.progress && phase.best().is_empty() && is_deleted;
        let (pass, level) = (phase.pass, phase.level + usize::from(!is_shallower && !is_gone));
        self.fruitless = if phase.progress || level <= 1 { 0 } else { self.fruitless + 1 };
        // Deep down there may be a level for every bracket: finer parts come first then, and the next
        // visit comes back to what they leave.
        let can_wait = self.schedule.whole_visits(pass) == 0 || self.believes() && self.comes_before_tree(pass);
        if self.fruitless >= FRUITLESS_LEVELS && self.plan.repeats() && can_wait {
            self.schedule.leave(pass, false, false, self.best.len());
            return None;
        }
        if !phase.progress {
            return Some((level, Some(phase.proposals)));
        }
        self.rebase();
        if self.has_made_room_for_removal(&phase) {
            self.schedule.leave(pass, false, false, self.best.len());
            return None;
        }
        Some((level, None))
    }

    /// Returns whether a list has changed bytes, and cannot remove any, where some file is no text: others may be able to by now.
    fn has_made_room_for_removal(&self, phase: &PassRun) -> bool {
        self.believes()
            && !self.subject.binaries().is_empty()
            && phase.parts.size(&Config::full(phase.parts.len())) == 0
    }

    /// Keeps what a list has taught for the next one.
    fn keep_what_was_learned(&mut self, phase: &PassRun) {
        if let Some(learned) = phase.search.inner().learned().filter(|_| !self.is_of_group(phase.pass)) {
            let teacher = self.teacher(phase.pass, &phase.parts);
            Arc::make_mut(&mut self.learned)[teacher] = Some(learned);
        }
    }

    /// Takes note of the names that edits have given.
    fn note_names(&mut self, phase: &PassRun) {
        let Some(Edits(edits)) = phase.proposals.get(phase.level).and_then(|spans| spans.get::<Edits>()) else {
            return;
        };
        let made = Config::full(phase.parts.len()).minus(&phase.best());
        self.believed.add_names(made.iter().map(|Delta(at)| &edits[at as usize]), phase.parts.base());
    }

    /// Takes note of what a list has left, all of which was tried.
    fn believe_what_is_left(&mut self, phase: &PassRun) {
        // What a group needs it may need for what the tree takes out first: uses that are in no group.
        let is_known = phase.search.ask().is_none() && !self.is_of_group(phase.pass);
        if is_known && self.believes() {
            let needed = match phase.search.inner() {
                // Of what stays of a stretch, hardly anything was tried alone.
                Minimiser::Stretches(stretches) => stretches.needed(),
                Minimiser::Relevance(relevance) => {
                    phase.best().minus(&phase.kept).minus(&phase.unasked).minus(relevance.passed())
                }
                _ => phase.best().minus(&phase.kept).minus(&phase.unasked),
            };
            let rewriting = self.rewriting(phase.pass);
            self.believed.add(&needed, &phase.parts, &Left::new(&self.best), rewriting);
        }
    }

    /// Doubts what is believed of a list of what is no text, if most of the rest of it went.
    fn doubt_what_is_believed(&mut self, phase: &PassRun) {
        let is_about_some = !phase.kept.is_empty() || self.doubts.has(phase.pass, phase.level);
        if self.believes() && !self.subject.binaries().is_empty() && is_about_some {
            let asked = phase.parts.len() - phase.kept.len();
            self.doubts.note(phase.pass, phase.level, asked, phase.parts.len() - phase.best().len());
        }
    }

    /// Takes note of what a search that is left early has found to be needed. `false` if it is in the midst of a group.
    pub(super) fn believe_what_is_decided(&mut self) -> bool {
        let Some(phase) = &self.phase else { return false };
        let Some(needed) = phase.decided() else { return false };
        self.believed.add(&needed, &phase.parts, &Left::new(&self.best), self.rewriting(phase.pass));
        true
    }

    /// Takes note of what a search has found to be needed that is to begin anew.
    pub(super) fn believe(&mut self, phase: &PassRun, needed: &Config) {
        if self.believes() {
            self.believed.add(needed, &phase.parts, &Left::new(&self.best), self.rewriting(phase.pass));
        }
    }

    /// Takes note of what a pass has found to be needed when it leaves a level, for as long as about so much is left.
    pub(super) fn believe_for_now(&mut self) {
        let Some(phase) = &self.phase else { return };
        if let Minimiser::Relevance(relevance) = phase.search.inner() {
            // What was not run may be, once something else has gone.
            let needed = relevance.found_needed().minus(&phase.unasked);
            self.believed.add(&needed, &phase.parts, &Left::new(&self.best), Some(self.for_now(phase.pass)));
        }
    }

    /// Returns what such a belief about edits of a pass goes by: the pass, and about how much is left.
    pub(super) fn for_now(&self, pass: usize) -> usize {
        let left = self.best.len().max(1);
        let halvings = left.ilog2();
        let is_larger_half = left >> halvings.saturating_sub(1) & 1;
        let span = 2 * halvings as usize + is_larger_half + 1;
        span * (self.plan.passes.len() + self.plan.growing.len() + self.plan.normal.len() + 1) + pass
    }

    /// Goes on from the best as a new base.
    pub(super) fn rebase(&mut self) {
        let base = Arc::new(self.best.artifact());
        self.best = Candidate::whole(base.clone()).counted(self.best.deltas());
        self.subject = self.plan.subject(base);
    }

    /// Returns whether a pass that is tried before the tree, as it may remove much with few tests, does not.
    pub(super) fn is_slow_start(&self) -> bool {
        let Some(phase) = &self.phase else { return false };
        let is_early =
            self.plan.starts_with(phase.pass) || self.is_of_short_nest(phase) || self.is_of_fine_chunks(phase);
        let is_start = is_early && self.schedule.is_first_visit(phase.pass);
        let share = if self.plan.pass(phase.pass).has_first_turn { LEADS_FAR } else { 1.0 } * self.bar.share();
        is_start && self.schedule.is_slow(phase.pass, self.best.len(), share, self.trial_of(phase))
    }

    /// Returns after how many tests of a phase it is seen whether it gets on.
    fn trial_of(&self, phase: &PassRun) -> usize {
        // Time to find two needed parts among all.
        let halvings = phase.parts.len().max(1).ilog2() as usize + 1;
        if self.plan.pass(phase.pass).cuts_anew { TRIAL.max(2 * halvings) } else { TRIAL }
    }

    /// Returns whether a phase takes levels of a nest off, of which there are not so many that this pays whatever it takes, in a text of which
    /// other passes may remove more.
    fn is_of_short_nest(&self, phase: &PassRun) -> bool {
        let is_nest = self.plan.pass(phase.pass).stage == Stage::Tree && phase.parts.are_edits();
        is_nest && phase.parts.len() < DEEP && self.best.len() >= WORTH_GROUPS
    }

    /// Returns whether a pass that has an early turn has asked in vain: first about all its edits at once.
    pub(super) fn is_early_in_vain(&self) -> bool {
        self.in_vain > 0 && self.phase.as_ref().is_some_and(|phase| self.schedule.is_early(phase.pass))
    }

    /// Leaves the pass for others that promise more. `false` if it is to go on.
    pub(super) fn has_turned_elsewhere(&mut self) -> bool {
        self.has_turned_to_followers()
            || self.has_turned_to_stretches()
            || self.has_turned_to_groups()
            || self.has_left_group()
            || self.has_turned_to_larger()
            || self.has_made_room()
    }

    /// Leaves the pass for later.
    pub(super) fn give_up_pass(&mut self) {
        if self.phase.as_ref().is_some_and(|phase| self.comes_before_tree(phase.pass)) {
            self.believe_for_now();
        }
        if let Some(phase) = self.phase.take() {
            self.passing = phase.passing();
            self.turns.note(phase.search.inner());
            if self.comes_before_tree(phase.pass) {
                self.keep_what_was_learned(&phase);
            }
            if phase.progress {
                self.rebase();
            }
            self.schedule.leave(phase.pass, false, false, self.best.len());
        }
        self.go_on();
    }

    /// Returns whether a pass that comes before the tree, and has its turn again after the tree, removes too little by now. One that has let
    /// stretches go first is in its first turn still, and is judged by all of it.
    pub(super) fn is_slow_again(&mut self) -> bool {
        let Some(phase) = &self.phase else { return false };
        let (pass, trial) = (phase.pass, self.trial_of(phase));
        let is_again = self.comes_before_tree(pass) && self.schedule.is_called_again(pass);
        is_again && self.bar.has_fallen() && self.bar.is_missed(trial, self.best.len())
    }

    /// Leaves a search of the tree that has removed little lately, for stretches and for passes that come before the tree. Then its turn comes
    /// again, with a lower bar. `false` if it is to go on.
    fn has_made_room(&mut self) -> bool {
        let Some(phase) = self.phase.as_ref().filter(|phase| self.plan.pass(phase.pass).stage == Stage::Tree) else {
            return false;
        };
        // A nest has a search of its own.
        if phase.parts.are_edits() || self.bar.is_lowest() {
            return false;
        }
        let pass = phase.pass;
        // Time to find two needed parts among all.
        let trial = 2 * (phase.parts.len().max(1).ilog2() as usize + 1);
        if self.best.len() < WORTH_GROUPS {
            self.let_small_parts_wait(trial);
            return false;
        }
        // The others have a turn as seldom as it has been in vain, but for large texts, of which most waits.
        let trial = if self.best.len() < WORTH_REGIONS { trial << self.bar.falls().min(MOST_FALLS) } else { trial };
        if !self.bar.is_missed(trial, self.best.len()) || self.has_passed_region() || !self.believe_what_is_decided() {
            return false;
        }
        if let Some(phase) = &self.phase {
            self.turns.note_slow(phase.search.inner());
        }
        self.make_room(pass);
        self.give_up_pass();
        true
    }

    /// Has the region of the tree wait that has missed the bar, if that is low: what stands before it may remove more. `false` if it is to be asked about.
    fn has_passed_region(&mut self) -> bool {
        if !self.bar.is_low() || self.best.len() < WORTH_REGIONS {
            return false;
        }
        let Some(Minimiser::Descent(descent)) = self.phase.as_mut().map(|phase| phase.search.inner_mut()) else {
            return false;
        };
        let has_passed = descent.has_passed_region();
        if has_passed {
            self.bar.begin(self.best.len());
        }
        has_passed
    }

    /// Lowers the bar, and calls stretches, what comes before the tree, parts of groups if nothing else helps, and the tree.
    pub(super) fn make_room(&mut self, tree: usize) {
        let parts = self.parts_of_groups();
        self.bar.lower();
        let starts = (0..tree).filter(|at| self.comes_before_tree(*at));
        let others: Vec<usize> = self.plan.stretches().into_iter().chain(starts).chain(parts).collect();
        others.into_iter().for_each(|pass| self.schedule.call(pass));
        self.call_groups_again();
        // Where all that comes before it is in vain, too, what comes after it may not be.
        let later = (self.bar.falls() >= STUCK).then(|| self.schedule.last_new_before(self.plan.finest())).flatten();
        match later {
            Some(later) => self.schedule.call_after(tree, later),
            None => self.schedule.call(tree),
        }
    }

    /// Returns whether a pass makes edits that are tried before the tree, one by one.
    pub(super) fn comes_before_tree(&self, pass: usize) -> bool {
        self.plan.starts_with(pass) && self.plan.pass(pass).stage == Stage::Rewrite
    }

    /// Ends a level of a pass that has asked for long in vain, and leaves the rest of it for later. `false` if it is to go on.
    pub(super) fn has_put_off_level(&mut self) -> bool {
        let can_wait =
            !self.refused && self.believes() && self.trial.before().is_none() && self.subject.binaries().is_empty();
        let Some(phase) = self
            .phase
            .as_ref()
            .filter(|phase| can_wait && self.schedule.waits(phase.pass, self.in_vain, phase.parts.len()))
        else {
            return false;
        };
        // A way to cut the text has its trial.
        let has_trial = self.plan.pass(phase.pass).cuts_anew && !self.schedule.is_brief(phase.pass);
        if has_trial && self.in_vain < self.trial_of(phase) {
            return false;
        }
        // The tree and groups make room for others by rules of their own.
        let finds_only = matches!(self.plan.pass(phase.pass).stage, Stage::Tree | Stage::Group | Stage::GroupParts);
        if finds_only || !matches!(phase.search.inner(), Minimiser::Relevance(_)) || !self.believe_what_is_decided() {
            return false;
        }
        if !self.has_passed_larger_half() {
            self.is_put_off = true;
            self.end_phase();
        }
        true
    }

    /// Passes over the larger half of the edits of which the largest come first and have gone in vain, for half as many tests each time. `false` if
    /// that was in vain, too, or there is nothing to pass over.
    pub(super) fn has_passed_larger_half(&mut self) -> bool {
        let Some(phase) = self.phase.as_mut().filter(|phase| self.plan.pass(phase.pass).is_largest_first) else {
            return false;
        };
        let tests = schedule::SLICE >> self.passed.saturating_add(1).min(schedule::SLICE.ilog2() + 1);
        let Minimiser::Relevance(relevance) = phase.search.inner_mut() else { return false };
        if tests == 0 || !relevance.has_passed_half() {
            return false;
        }
        self.passed += 1;
        self.in_vain = self.in_vain.saturating_sub(tests);
        self.advance()
    }

    /// Goes on with the next level, or with the next pass.
    pub(super) fn end_phase(&mut self) {
        let Some(pass) = self.phase.as_ref().map(|phase| phase.pass) else { return };
        let goes_on = self.after_phase().is_some_and(|(level, proposals)| self.begin(pass, level, proposals));
        if !goes_on {
            self.go_on();
        }
    }
}
