//! Lengths of stretches that may be joined to those behind them.

use super::Removed;
use std::ops::Range;

/// Returns how many bytes are left in the first of some stretches, if there were so many, and in those that are joined to it.
pub(super) fn length(removed: &Removed, stretches: &[u32], old: u64) -> u64 {
    let left = |at: &Range<u32>| u64::from(at.end - at.start - removed.within(at));
    let gone = |at: &Range<u32>| u64::from(removed.within(at));
    let first = stretches.first_chunk().map_or(0..0, |[start, end]| *start..*end);
    let between = stretches.windows(2).map(|pair| pair[0]..pair[1]).skip(1);
    let behind = between.clone().step_by(2).zip(between.skip(1).step_by(2));
    let behind = behind.take_while(|(gap, _)| left(gap) == 0).fold(0, |sum, (_, next)| sum + left(&next));
    old.saturating_sub(gone(&first)) + behind
}
