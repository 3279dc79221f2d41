//! Parts of lists that go together.

use super::shape::{PartShape, Spans, gone, is_outside, less};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::edit::Splice;
use crate::items::{Item, without};
use crate::mend::{Mend, mended};
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Sets of parts of lists: each set goes as a whole, with the separators of its parts. A part may be in several sets, and goes with any of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemSets {
    /// All parts of the lists.
    pub items: Arc<[Item]>,
    /// The sets, by the numbers of their parts in ascending order. No set is empty.
    pub sets: Arc<[Arc<[u32]>]>,
    /// Numbers that say how many parts there are, in the order of their addresses and disjoint.
    pub mends: Arc<[Mend]>,
    /// Sets that go, too, once all of some parts have gone. No part is of two of these. They do not count in what is said of a set by itself.
    pub emptied: Arc<[Emptied]>,
}

/// A set that goes, too, once all of some parts have gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emptied {
    /// The numbers of the parts.
    pub parts: Arc<[u32]>,
    /// The number of the set.
    pub set: u32,
}

impl ItemSets {
    /// Returns the changes that leave out all parts of these sets, numbers included.
    pub fn leaving_out(&self, base: &Artifact, sets: &Config) -> Vec<Splice> {
        mended(base, &without(&self.items, &self.parts_of(sets)), vec![], &self.mends)
    }

    fn parts_of(&self, sets: &Config) -> Config {
        let mut items: Vec<u32> = sets.iter().flat_map(|Delta(set)| self.sets[set as usize].iter().copied()).collect();
        if !self.emptied.is_empty() {
            return self.emptied_too(items);
        }
        items.sort_unstable();
        items.dedup();
        Config::from_deltas(items.into_iter().map(Delta))
    }

    /// Returns these parts, and the sets that go once they have. Takes time in proportion to all parts.
    fn emptied_too(&self, items: Vec<u32>) -> Config {
        // By part, what it is one of; and how many parts of that are left.
        let mut of: Vec<Option<usize>> = vec![None; self.items.len()];
        let mut left: Vec<usize> = vec![];
        for (number, emptied) in self.emptied.iter().enumerate() {
            emptied.parts.iter().for_each(|part| of[*part as usize] = Some(number));
            left.push(emptied.parts.len());
        }
        let mut is_gone = vec![false; self.items.len()];
        let mut todo = items;
        while let Some(item) = todo.pop() {
            if std::mem::replace(&mut is_gone[item as usize], true) {
                continue;
            }
            if let Some(number) = of[item as usize] {
                left[number] -= 1;
                if left[number] == 0 {
                    todo.extend(self.sets[self.emptied[number].set as usize].iter());
                }
            }
        }
        Config::from_deltas((0..self.items.len() as u32).filter(|item| is_gone[*item as usize]).map(Delta))
    }

    /// Returns whether all parts of all sets are outside of these regions, which ascend.
    pub(super) fn are_outside(&self, regions: &[Range<u32>]) -> bool {
        let mut all = self.sets.iter().flat_map(|set| set.iter());
        all.all(|item| is_outside(&self.items[*item as usize].at, regions))
    }

    fn of(&self, Delta(set): Delta) -> impl Iterator<Item = &Item> {
        self.sets[set as usize].iter().map(|item| &self.items[*item as usize])
    }
}

impl PartShape for ItemSets {
    fn count(&self, _base: &Artifact) -> usize {
        self.sets.len()
    }

    /// Returns those of the largest part of the set.
    fn addresses(&self, _base: &Artifact, set: Delta) -> Range<u32> {
        self.of(set).map(|item| item.at.clone()).max_by_key(ExactSizeIterator::len).unwrap_or_default()
    }

    fn changes(&self, _base: &Artifact, set: Delta) -> Vec<Splice> {
        self.of(set).map(|item| Splice { at: item.at.clone(), with: Arc::new([]) }).collect()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.sets.len(), config);
        if !self.mends.is_empty() {
            return Some(Candidate::spliced(base.clone(), self.leaving_out(base, &gone), config.len()));
        }
        Some(less(base, &Config::from_ranges(without(&self.items, &self.parts_of(&gone))), config))
    }

    fn outside(self: Arc<Self>, regions: &[Range<u32>]) -> Option<Spans> {
        let is_free = |set: &u32| self.of(Delta(*set)).all(|item| is_outside(&item.at, regions));
        let sets: Vec<Arc<[u32]>> =
            (0..self.sets.len() as u32).filter(is_free).map(|set| self.sets[set as usize].clone()).collect();
        // Other sets have other numbers then.
        let emptied = if sets.len() == self.sets.len() { self.emptied.clone() } else { [].into() };
        (!sets.is_empty()).then(|| ItemSets { sets: sets.into(), emptied, ..(*self).clone() }.into())
    }

    /// Counts what several sets have in common once.
    fn size(&self, _base: &Artifact, sets: &Config) -> usize {
        let mut parts: Vec<_> = sets.iter().flat_map(|set| self.of(set)).map(|item| item.at.clone()).collect();
        parts.sort_unstable_by_key(|at| (at.start, at.end));
        let mut last = 0;
        let new = |at: Range<u32>| {
            let len = at.end.saturating_sub(at.start.max(last));
            last = last.max(at.end);
            len as usize
        };
        parts.into_iter().map(new).sum()
    }

    fn places(&self, sets: &Config) -> usize {
        sets.iter().map(|Delta(set)| self.sets[set as usize].len()).sum()
    }
}
