//! When it is asked whether neighbours go together, as single parts of a list do not.
//!
//! Once some parts of a list were asked about alone in vain, a few questions of [`Neighbours`] follow about the last one and those
//! beside it. All that were in vain are a small share of all questions. If some go, the list is searched in groups, and then what
//! is left as it would have been.

use super::Reduction;
use super::pass_run::PassRun;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Delta, Neighbours, Outcome};
use reduct_input::Circumstances;
use reduct_passes::{Proposals, Stage};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// Of a list of fewer parts all is soon asked about one by one.
const FEWEST: usize = 12;

/// So many neighbours are asked about together at most.
const MOST: usize = 4;

/// So many parts of a list have to be in vain at first, twice as many each time.
const IN_VAIN: usize = 3;

/// One is enough once so many tests in a row were in vain.
const LONG: usize = 6;

/// At most one of so many questions may be in vain. The parts of a list, up to so many, count as such, as the proof
/// asks about each of them; of what is no text only one in four.
const SHARE: usize = 40;

const LONGEST: usize = 512;
const BINARY: usize = 4;

/// So many lists of a tree are looked at, the last ones.
const LISTS: usize = 4;

/// What came of the single parts of a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Alone {
    lists: Vec<List>,
}

/// The same of one list of a tree: of what is right in a part, or in none.
#[derive(Clone, Copy, Debug)]
struct List {
    outer: Option<u32>,
    /// The last part that was asked about in vain.
    last: u32,
    in_vain: usize,
    /// How many have to be in vain.
    enough: usize,
    /// Whether pairs were asked about before that many were.
    was_early: bool,
}

impl List {
    /// Returns whether so many parts were in vain that neighbours may go together.
    fn is_enough(self) -> bool {
        self.in_vain >= self.enough
    }

    /// Returns the same, or whether so many tests in a row were in vain that the list may soon be left.
    fn is_in_vain(self, tests: usize) -> bool {
        self.is_enough() || !self.was_early && self.in_vain > 0 && tests >= LONG
    }
}

impl Alone {
    /// Notes that neighbours are asked about in the last list, of all sizes or not.
    fn asked_together(&mut self, all_sizes: bool) {
        if let Some(list) = self.lists.last_mut() {
            if list.is_enough() {
                list.in_vain = 0;
                list.enough *= if all_sizes { 2 } else { 1 };
            }
            list.was_early = true;
        }
    }
}

/// How many questions there were, and how many about neighbours were in vain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AskedTogether {
    all: usize,
    in_vain: usize,
    /// The pass of which a list was asked about last, and how many neighbours together are next.
    next: Option<(usize, usize)>,
}

impl AskedTogether {
    /// Returns how many neighbours are asked about together in a list of a pass that has so many parts: pairs only, or all
    /// sizes in turn. `None` if enough was in vain.
    fn sizes(self, pass: usize, parts: usize, all: bool, is_binary: bool) -> Option<RangeInclusive<usize>> {
        let long_enough = |size: &usize| parts >= FEWEST << (size - 2);
        let next = self.next.filter(|(known, _)| all && *known == pass).map_or(2, |(_, next)| next);
        let first = Some(next).filter(long_enough).unwrap_or(2);
        // Of the chunks of what is no text many are taken for needed that were not asked about.
        let counted = if is_binary { parts / BINARY } else { parts };
        let allowed = (self.all + counted.min(LONGEST)) / SHARE;
        let is_allowed = |size: &usize| self.in_vain + Neighbours::probes(first..=*size) <= allowed;
        let last = if all { MOST } else { 2 };
        (first..=last).rev().filter(long_enough).find(is_allowed).map(|most| first..=most)
    }
}

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
        let at = self.alone.lists.iter().position(|list| list.outer == outer);
        let known = at.map(|at| self.alone.lists.remove(at));
        let list = known.unwrap_or(List { outer, last: part, in_vain: 0, enough: IN_VAIN, was_early: false });
        let in_vain = if outcome == Outcome::Fail { 0 } else { list.in_vain + 1 };
        if self.alone.lists.len() >= LISTS {
            self.alone.lists.remove(0);
        }
        self.alone.lists.push(List { last: part, in_vain, ..list });
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
        self.asked_together.all += 1;
        let is_in_vain = outcome != Outcome::Fail && self.is_at_neighbours();
        self.asked_together.in_vain += usize::from(is_in_vain);
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
        let Some(list) = phase.alone.lists.last().copied().filter(|list| list.is_in_vain(in_vain)) else {
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
            let next = if *sizes.end() < MOST { sizes.end() + 1 } else { 2 };
            self.asked_together.next = Some((phase.pass, next));
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
        let neighbours = phase.neighbours.as_deref();
        if neighbours.is_some_and(|neighbours| neighbours.hits() > 1) {
            self.asked_together.in_vain = 0;
        }
        // What is known of single parts is not to be asked about again.
        if let Some(needed) = phase.decided() {
            self.believe(&phase, &needed.minus(&needed.minus(&phase.best())));
        }
        (self.in_vain, self.fruitless) = (0, 0);
        self.rebase();
        (phase.level, None)
    }
}
