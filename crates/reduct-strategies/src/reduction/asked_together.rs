//! How many questions about neighbours may be in vain.

use reduct_core::Neighbours;
use std::ops::RangeInclusive;

/// Of a list of fewer parts all is soon asked about one by one.
const FEWEST: usize = 12;

/// So many neighbours are asked about together at most.
pub(super) const MOST: usize = 4;

/// At most one of so many questions may be in vain. The parts of a list, up to so many, count as such, as the proof
/// asks about each of them; of what is no text only one in four.
const SHARE: usize = 40;

const LONGEST: usize = 512;
const BINARY: usize = 4;

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
    pub(super) fn sizes(self, pass: usize, parts: usize, all: bool, is_binary: bool) -> Option<RangeInclusive<usize>> {
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

    /// Counts a question.
    pub(super) fn count(&mut self, is_in_vain: bool) {
        self.all += 1;
        self.in_vain += usize::from(is_in_vain);
    }

    /// Notes of which pass so many neighbours are asked about together: more come next.
    pub(super) fn note(&mut self, pass: usize, sizes: &RangeInclusive<usize>) {
        let next = if *sizes.end() < MOST { sizes.end() + 1 } else { 2 };
        self.next = Some((pass, next));
    }

    /// Notes that so many neighbours went together in a list of a pass, the first of several groups or not: so many come next.
    pub(super) fn note_gone(&mut self, pass: usize, size: usize, several: bool) {
        self.next = Some((pass, size));
        self.in_vain = if several { 0 } else { self.in_vain };
    }
}
