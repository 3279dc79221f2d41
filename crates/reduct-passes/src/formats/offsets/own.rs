//! The lengths that things which a table points to have in themselves, at the same place in all.

use super::super::{LENGTHS, number};
use reduct_input::ByteOrder;
use std::ops::Range;

/// How many bytes of a thing may be before its length ends.
const HEAD: usize = 16;

/// How many bytes at most a length does not count.
const LONGEST_HEAD: usize = 32;

/// So many things that say how long they are, each as long as no other, are no chance.
const LEAST: usize = 3;

/// Of fewer things a length is no byte, counts something, and does not count so many bytes at most besides itself.
const FEW_OUTSIDE: usize = 8;

/// A length that stands in each of some things.
pub(super) struct Own {
    /// How many bytes of a thing are before it.
    at: usize,
    width: usize,
    pub(super) order: ByteOrder,
    /// How many bytes of a thing it does not count.
    outside: usize,
}

impl Own {
    /// Returns the length that all these things have that are not empty, if there is one.
    pub(super) fn of(text: &[u8], things: &[Range<usize>]) -> Option<Own> {
        let things: Vec<&Range<usize>> = things.iter().filter(|thing| !thing.is_empty()).collect();
        let mut lengths: Vec<usize> = things.iter().map(|thing| thing.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let is_many = lengths.len() >= LEAST;
        LENGTHS.iter().find_map(|&(width, order)| {
            (0..=HEAD - width).find_map(|at| {
                let outside = |thing: &Range<usize>| {
                    let field =
                        Some(thing.start + at..thing.start + at + width).filter(|field| field.end <= thing.end)?;
                    thing.len().checked_sub(number(text, field, order)?)
                };
                let first = outside(things.first()?).filter(|outside| *outside <= LONGEST_HEAD)?;
                let is_behind = (at + width..=width + FEW_OUTSIDE).contains(&first) || first == 0;
                let is_plausible = is_many || is_behind && width > 1 && lengths.iter().all(|length| *length > first);
                let is_own = is_plausible && things.iter().all(|thing| outside(thing) == Some(first));
                is_own.then_some(Own { at, width, order, outside: first })
            })
        })
    }

    /// Returns where it stands in a thing, and what is behind it and counted. `None` if the thing is too short.
    pub(super) fn in_thing(&self, thing: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let field = thing.start + self.at..thing.start + self.at + self.width;
        let data = field.end.max(thing.start + self.outside)..thing.end;
        (data.start <= data.end).then_some((field, data))
    }
}
