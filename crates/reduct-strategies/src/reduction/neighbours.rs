//! When it is asked whether neighbours go together, as single parts of a list do not.
//!
//! Once some parts of a list were asked about alone in vain, a few questions of [`Neighbours`] follow about the last one and those
//! beside it. All that were in vain are a small share of all questions. If some go, the list is searched in groups, and then what
//! is left as it would have been.

use super::Reduction;
use super::asked_together::MOST;
use super::pass_run::PassRun;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Delta, Neighbours, Outcome};
use reduct_input::Circumstances;
use reduct_passes::{Proposals, Stage};
use std::ops::Range;
use std::sync::Arc;

impl PassRun {
    /// Notes what came of `config`, if that leaves out a single part, with all that is in it.
    pub(super) fn note_alone(&mut self, config: Option<&Config>, outcome: Outcome) {
        let Some(config) = config.filter(|_| self.neighbours.is_none()) else { return };
        let gone = self.best().minus(config);
        let Some(Delta(part)) = gone.get(0) else { return };
        let after = self.parts.nesting().map_or(part + 1, |nesting| nesting.after(part));
        if gone.get(gone.len() - 1).is_some_and(|last| last.0 >= after) {
            return;
        }
        let outer = self.parts.nesting().and_then(|nesting| nesting.outer(part));
        self.alone.note(outer, part, outcome == Outcome::Fail);
        if outcome != Outcome::Fail && self.parts.nesting().is_none() {
            self.alone.note_needed(part);
        }
    }

    /// Returns whether its search decides one part after the other.
    fn decides(&self) -> bool {
        matches!(self.search.inner(), Minimiser::Relevance(_) | Minimiser::Descent(_))
    }

    /// Returns what is left of the parts beside a part, as ranges of parts with all that is in them.
    fn beside(&self, outer: Option<u32>) -> Arc<[Range<u32>]> {
        let best = self.best();
        match self.parts.nesting() {
            Some(nesting) => {
                let items = nesting.right_in(outer).map(|part| part..nesting.after(part));
                items.filter(|item| best.contains(Delta(item.start))).collect()
            }
            None => best.iter().map(|part| part.0..part.0 + 1).collect(),
        }
    }
}

impl Reduction {
    /// Returns whether it is asked which neighbours go together.
    pub(super) fn is_at_neighbours(&self) -> bool {
        self.phase.as_ref().is_some_and(|phase| phase.neighbours.is_some())
    }

    /// Counts a question.
    pub(super) fn note_together(&mut self, outcome: Outcome) {
        let is_in_vain = outcome != Outcome::Fail && self.is_at_neighbours();
        self.asked_together.count(is_in_vain);
    }

    /// Has neighbours of the part that was asked about last be asked about, if single ones hardly go. `false` if the search is to go on.
    pub(super) fn has_turned_to_neighbours(&mut self) -> bool {
        let can_ask = self.in_vain > 0 && !self.proves && self.plan.descends() && self.trial.before().is_none();
        let Some(phase) = self.phase.as_ref().filter(|phase| can_ask && self.is_of_neighbours(phase)) else {
            return false;
        };
        // A list of what is no text is not left so soon.
        let is_binary = !self.subject.binaries().is_empty();
        let in_vain = if is_binary { 0 } else { self.in_vain };
        let Some(list) = phase.alone.last().filter(|list| list.is_in_vain(in_vain)) else {
            return false;
        };
        let sizes = |parts: usize| self.asked_together.sizes(phase.pass, parts, list.is_enough(), is_binary);
        let is_between_groups = phase.decided().is_some() || !phase.decides();
        if !is_between_groups || sizes(phase.parts.len()).is_none() {
            return false;
        }
        let items = phase.beside(list.outer);
        let Some(sizes) = sizes(items.len()) else { return false };
        let at = items.partition_point(|item| item.start < list.last);
        let Some(phase) = self.phase.as_mut() else { return false };
        if list.is_enough() {
            self.asked_together.note(phase.pass, &sizes);
        }
        phase.alone.asked_together(*sizes.end() == MOST);
        phase.neighbours = Some(Box::new(Neighbours::of(phase.best(), items, at, sizes)));
        true
    }

    /// Returns whether a phase goes through a list in which neighbours may belong together.
    fn is_of_neighbours(&self, phase: &PassRun) -> bool {
        let is_list = matches!(
            phase.search.inner(),
            Minimiser::Relevance(_) | Minimiser::Waves(_) | Minimiser::Descent(_) | Minimiser::Sweep(_)
        );
        let is_in_order = matches!(self.plan.pass(phase.pass).stage, Stage::Delete | Stage::Tree);
        let is_coarse = !self.plan.is_fine(phase.pass) || self.plan.counts_parts();
        is_list && is_in_order && is_coarse && !phase.parts.are_edits() && phase.neighbours.is_none()
    }

    /// Goes on with the list of which neighbours went together, from its beginning.
    pub(super) fn after_neighbours(&mut self, phase: PassRun) -> (usize, Option<Arc<Proposals>>) {
        if let Some((neighbours, size)) = phase.neighbours.as_deref().and_then(|it| Some((it, it.size()?))) {
            self.asked_together.note_gone(phase.pass, size, neighbours.hits() > 1);
        }
        // What is known of single parts is not to be asked about again.
        let needed = phase.decided().unwrap_or_else(|| phase.alone.needed());
        self.believe(&phase, &needed.minus(&needed.minus(&phase.best())));
        (self.in_vain, self.fruitless) = (0, 0);
        self.rebase();
        (phase.level, None)
    }
}
