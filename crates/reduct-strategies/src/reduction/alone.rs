//! What came of parts that were asked about alone, by the list that they are in.

use reduct_core::{Config, Delta};

/// So many parts of a list have to be in vain at first, twice as many each time.
const IN_VAIN: usize = 3;

/// One is enough once so many tests in a row were in vain.
const LONG: usize = 6;

/// So many lists of a tree are looked at, the last ones.
const LISTS: usize = 4;

/// What came of the single parts of a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Alone {
    lists: Vec<List>,
    /// The parts of the only list that were asked about in vain.
    needed: Vec<u32>,
}

/// The same of one list of a tree: of what is right in a part, or in none.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) outer: Option<u32>,
    /// The last part that was asked about in vain.
    pub(super) last: u32,
    in_vain: usize,
    /// How many have to be in vain.
    enough: usize,
    /// Whether pairs were asked about before that many were.
    was_early: bool,
}

impl List {
    /// Returns whether so many parts were in vain that neighbours may go together.
    pub(super) fn is_enough(self) -> bool {
        self.in_vain >= self.enough
    }

    /// Returns the same, or whether so many tests in a row were in vain that the list may soon be left.
    pub(super) fn is_in_vain(self, tests: usize) -> bool {
        self.is_enough() || !self.was_early && self.in_vain > 0 && tests >= LONG
    }
}

impl Alone {
    /// Notes that neighbours are asked about in the last list, of all sizes or not.
    pub(super) fn asked_together(&mut self, all_sizes: bool) {
        if let Some(list) = self.lists.last_mut() {
            if list.is_enough() {
                list.in_vain = 0;
                list.enough *= if all_sizes { 2 } else { 1 };
            }
            list.was_early = true;
        }
    }

    /// Notes what came of a part of a list that was asked about alone.
    pub(super) fn note(&mut self, outer: Option<u32>, part: u32, went: bool) {
        let at = self.lists.iter().position(|list| list.outer == outer);
        let known = at.map(|at| self.lists.remove(at));
        let list = known.unwrap_or(List { outer, last: part, in_vain: 0, enough: IN_VAIN, was_early: false });
        let in_vain = if went { 0 } else { list.in_vain + 1 };
        if self.lists.len() >= LISTS {
            self.lists.remove(0);
        }
        self.lists.push(List { last: part, in_vain, ..list });
    }

    /// Notes that a part of the only list was asked about in vain.
    pub(super) fn note_needed(&mut self, part: u32) {
        self.needed.push(part);
    }

    /// Returns the parts of the only list that were asked about in vain.
    pub(super) fn needed(&self) -> Config {
        let mut needed = self.needed.clone();
        needed.sort_unstable();
        needed.dedup();
        Config::from_deltas(needed.into_iter().map(Delta))
    }

    /// Returns the list of the part that was asked about last.
    pub(super) fn last(&self) -> Option<List> {
        self.lists.last().copied()
    }
}
