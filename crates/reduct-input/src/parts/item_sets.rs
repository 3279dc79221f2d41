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
}

impl ItemSets {
    /// Returns the changes that leave out all parts of these sets, numbers included.
    pub fn leaving_out(&self, base: &Artifact, sets: &Config) -> Vec<Splice> {
        mended(base, &without(&self.items, &self.parts_of(sets)), vec![], &self.mends)
    }

    fn parts_of(&self, sets: &Config) -> Config {
        let mut items: Vec<u32> = sets.iter().flat_map(|Delta(set)| self.sets[set as usize].iter().copied()).collect();
        items.sort_unstable();
        items.dedup();
        Config::from_deltas(items.into_iter().map(Delta))
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
        (!sets.is_empty()).then(|| ItemSets { sets: sets.into(), ..(*self).clone() }.into())
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
