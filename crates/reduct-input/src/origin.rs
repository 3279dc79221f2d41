//! Where the bytes of a base stand in the whole input: each phase of a search has a base of its own, made from the best
//! so far.

use crate::artifact::Artifact;
use crate::candidate::{Candidate, Segment};
use reduct_core::Config;
use std::ops::Range;
use std::sync::Arc;

/// Follows the candidates of a search from base to base.
#[derive(Clone, Debug)]
pub struct Origin {
    base: Arc<Artifact>,
    /// The stretches of the base that stand in the whole, ascending; `None` if the base is the whole's.
    stretches: Option<Vec<Stretch>>,
}

/// Bytes of a base that stand together in the whole.
#[derive(Clone, Debug)]
struct Stretch {
    /// Their addresses in the base.
    at: Range<u32>,
    /// The address of the first one in the whole.
    whole: u32,
}

impl Origin {
    /// Returns that of a search that begins with this.
    pub fn of(whole: &Candidate) -> Origin {
        Origin { base: whole.base().clone(), stretches: None }
    }

    /// Follows a candidate to another base, if that consists of the best.
    pub fn follow(&mut self, best: &Candidate, candidate: &Candidate) {
        let base = candidate.base();
        if Arc::ptr_eq(base, &self.base) || !Arc::ptr_eq(best.base(), &self.base) {
            return;
        }
        if best.len() != base.bytes().len() || best.artifact() != **base {
            return;
        }
        let (mut stretches, mut at) = (vec![], 0);
        for segment in best.segments() {
            match segment {
                Segment::Kept(range) => {
                    let length = range.len() as u32;
                    self.add_whole(range, at, &mut stretches);
                    at += length;
                }
                Segment::Put(text) => at += text.len() as u32,
            }
        }
        *self = Origin { base: base.clone(), stretches: Some(stretches) };
    }

    /// Adds stretches for a range of the present base, which stands at `at` in the next one.
    fn add_whole(&self, range: Range<u32>, at: u32, stretches: &mut Vec<Stretch>) {
        for (within, whole) in self.in_whole(range.clone()) {
            let start = at + (within.start - range.start);
            let end = start + (within.end - within.start);
            match stretches.last_mut() {
                Some(last) if last.at.end == start && last.whole + (last.at.end - last.at.start) == whole => {
                    last.at.end = end;
                }
                _ => stretches.push(Stretch { at: start..end, whole }),
            }
        }
    }

    /// Returns the parts of a range of the base that stand in the whole, each with the address of its first byte there.
    fn in_whole(&self, range: Range<u32>) -> Vec<(Range<u32>, u32)> {
        let Some(stretches) = &self.stretches else {
            let start = range.start;
            return vec![(range, start)];
        };
        let first = stretches.partition_point(|stretch| stretch.at.end <= range.start);
        let there = stretches[first..].iter().take_while(|stretch| stretch.at.start < range.end);
        let part = |stretch: &Stretch| {
            let (start, end) = (stretch.at.start.max(range.start), stretch.at.end.min(range.end));
            (start..end, stretch.whole + (start - stretch.at.start))
        };
        there.map(part).collect()
    }

    /// Returns the addresses in the whole of what a candidate keeps; `None` if it is made from another base.
    pub fn kept(&self, candidate: &Candidate) -> Option<Config> {
        if !Arc::ptr_eq(candidate.base(), &self.base) {
            return None;
        }
        if self.stretches.is_none() {
            return Some(candidate.kept().clone());
        }
        let mut ranges: Vec<Range<u32>> = vec![];
        for range in candidate.kept().ranges() {
            ranges.extend(self.in_whole(range).into_iter().map(|(at, whole)| whole..whole + at.len() as u32));
        }
        Some(Config::from_ranges(crate::united(ranges)))
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a set of addresses may be one range")]
mod tests {
    use super::*;
    use crate::edit::Splice;

    fn file(text: &[u8]) -> Arc<Artifact> {
        Arc::new(Artifact::of_file("f", text).unwrap())
    }

    fn keeping(base: &Arc<Artifact>, ranges: &[Range<u32>]) -> Candidate {
        Candidate::new(base.clone(), Config::full(1), Config::from_ranges(ranges.iter().cloned()), 0)
    }

    #[test]
    fn bytes_are_found_through_two_bases() {
        let base = file(b"0123456789");
        let whole = Candidate::whole(base.clone());
        let mut origin = Origin::of(&whole);
        let best = keeping(&base, &[2..5, 7..10]);
        assert_eq!(origin.kept(&best).unwrap(), Config::from_ranges([2..5, 7..10]));
        let next = Arc::new(best.artifact());
        let candidate = keeping(&next, &[1..4]);
        assert_eq!(origin.kept(&candidate), None);
        origin.follow(&best, &candidate);
        // `347` of `234789`.
        assert_eq!(origin.kept(&candidate).unwrap(), Config::from_ranges([3..5, 7..8]));
        let last = Arc::new(candidate.artifact());
        origin.follow(&candidate, &keeping(&last, &[2..3]));
        assert_eq!(origin.kept(&keeping(&last, &[2..3])).unwrap(), Config::from_ranges([7..8]));
    }

    #[test]
    fn what_edits_put_in_stands_nowhere_in_the_whole() {
        let base = file(b"abcdef");
        let mut origin = Origin::of(&Candidate::whole(base.clone()));
        let best = Candidate::spliced(base, vec![Splice { at: 1..3, with: (*b"XYZ").into() }], 0);
        let next = Arc::new(best.artifact());
        assert_eq!(next.bytes(), b"aXYZdef");
        let all = Candidate::whole(next);
        origin.follow(&best, &all);
        assert_eq!(origin.kept(&all).unwrap(), Config::from_ranges([0..1, 3..6]));
    }

    #[test]
    fn another_base_than_the_best_is_not_followed() {
        let whole = Candidate::whole(file(b"abc"));
        let mut origin = Origin::of(&whole);
        let stranger = Candidate::whole(file(b"xyz"));
        origin.follow(&whole, &stranger);
        assert_eq!(origin.kept(&stranger), None);
    }
}
