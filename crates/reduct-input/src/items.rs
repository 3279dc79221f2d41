//! Parts of lists: each goes with its separator.

use reduct_core::{Config, Delta};
use std::ops::Range;

/// One of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its addresses, with the separator after it if there is one.
    pub at: Range<u32>,
    /// The separator before it, which goes if all from here to the end of the list go, but not the whole
    /// list; empty if there is none.
    pub before: Range<u32>,
    /// Whether it is the first of its list.
    pub first: bool,
    /// Whether it is the last of its list.
    pub last: bool,
}

/// Returns what goes with the items at these places, with their separators.
pub fn removed(items: &[Item], places: &[usize]) -> Vec<Range<u32>> {
    without(items, &Config::from_deltas(places.iter().map(|place| Delta(*place as u32))))
}

/// Returns what goes with these items: themselves, and for those that go up to the end of their list the separator
/// before the first of them.
pub(crate) fn without(items: &[Item], gone: &Config) -> Vec<Range<u32>> {
    let mut removed: Vec<Range<u32>> = vec![];
    for run in gone.ranges() {
        let run = &items[run.start as usize..run.end as usize];
        for list in run.chunk_by(|_, next| !next.first) {
            let (head, tail) = (&list[0], &list[list.len() - 1]);
            if tail.last && !head.first && !head.before.is_empty() {
                removed.push(head.before.clone());
            }
            removed.extend(list.iter().map(|item| item.at.clone()));
        }
    }
    united(removed)
}

/// Returns the same addresses in ascending order, without overlaps: white space may belong to two neighbours.
pub fn united(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut united: Vec<Range<u32>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match united.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}
