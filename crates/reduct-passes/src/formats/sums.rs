//! Sums in files of which no format is known: numbers of four bytes near the beginning or the end that are a sum over the rest, or over some part of the file
//! that begins or ends where something was found; and those in all things of a table, or in its rows.
//!
//! They are found by trial. Of CRCs and Adler's sum one that is so by chance is as good as impossible, as they have 32 bits; plain sums count only if they are too
//! high for a length or a place, and stand at a multiple of four bytes.

mod things;

use super::Chunks;
use reduct_input::ByteOrder::{Big, Little};
use reduct_input::{ByteOrder, Sum, is_binary};
use std::collections::BTreeSet;
use std::ops::Range;

/// The sums that are tried.
const SUMS: [Sum; 6] = [Sum::Crc32, Sum::Adler, Sum::Crc32c, Sum::Bytes, Sum::LittleWords, Sum::Words];

/// How long a sum is.
const WIDTH: usize = 4;

/// How much of the beginning of a file may hold a sum, and of its end.
const HEAD: usize = 64;
const TAIL: usize = 8;

/// In larger files none is looked for.
const LARGEST: usize = 1 << 24;

/// Of less than this there is no sum.
const LEAST: usize = 12;

/// A plain sum is at least so high, and so many times as high as the file is long.
const PLAIN: u64 = 1 << 16;
const TIMES_LENGTH: u64 = 4;

/// Adds the sums of a file that was taken apart otherwise.
pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !is_binary(text) || text.len() > LARGEST || text.len() < LEAST + WIDTH {
        return;
    }
    things::chunks(text, found);
    let (starts, ends) = edges(text, found);
    let fields = fields(text, found);
    let mut first = None;
    for end in ends {
        for sum in SUMS {
            let Some((field, order, of)) = sum_up_to(text, sum, &starts, end, &fields) else { continue };
            found.check(text, field.clone(), order, sum, of.clone());
            first.get_or_insert((field, of));
        }
    }
    if let Some((field, of)) = first.filter(|_| found.is_empty()) {
        let rest = of.start.max(if field.start < HEAD { field.end } else { 0 });
        found.contents(rest..of.end.min(text.len()), 1);
    }
}

/// Returns where the region of a sum may begin and end: where the file does or what was found in it. The ends are those of the file first.
fn edges(text: &[u8], found: &Chunks) -> (BTreeSet<usize>, Vec<usize>) {
    let length = text.len();
    let mut starts: BTreeSet<usize> = (0..=HEAD.min(length)).collect();
    let mut ends = vec![length, length - WIDTH, length.saturating_sub(TAIL)];
    let levels = found.levels.iter().map(|level| level.iter().map(|chunk| &chunk.at).collect::<Vec<_>>());
    let contents = found.contents.iter().map(|(at, _)| at).collect();
    for level in levels.chain([contents]) {
        let bounds = level.iter().map(|at| at.start as usize).min().zip(level.iter().map(|at| at.end as usize).max());
        let Some((start, end)) = bounds else { continue };
        starts.extend([start, end]);
        ends.extend([start, end].into_iter().filter(|end| *end >= LEAST));
    }
    let mut seen = BTreeSet::new();
    ends.retain(|end| seen.insert(*end));
    (starts, ends)
}

/// Returns the numbers that may be a sum: those that are neither mended nor of few bits.
fn fields(text: &[u8], found: &Chunks) -> Vec<(usize, ByteOrder, u64)> {
    let last = text.len() - WIDTH;
    let places =
        (0..=last).take(HEAD + 1 - WIDTH).chain(last.saturating_sub(TAIL - WIDTH).max(HEAD + 1 - WIDTH)..=last);
    let is_free = |at: &usize| {
        let at = *at as u32;
        found.mends.iter().all(|mend| mend.at.end <= at || at + WIDTH as u32 <= mend.at.start)
    };
    let read = |at: usize, order: ByteOrder| Some((at, order, order.read(text.get(at..at + WIDTH)?)?));
    let both = places.filter(is_free).flat_map(|at| [read(at, Little), read(at, Big)]);
    both.flatten().filter(|(.., value)| *value >= 1 << 8 && *value != u64::from(u32::MAX)).collect()
}

/// A field, and what its sum is over.
type Found = (Range<usize>, ByteOrder, Range<usize>);

/// Returns a field that is this sum over what ends there.
fn sum_up_to(
    text: &[u8],
    sum: Sum,
    starts: &BTreeSet<usize>,
    end: usize,
    fields: &[(usize, ByteOrder, u64)],
) -> Option<Found> {
    let near = HEAD.min(end);
    let tail = sum.of(&text[near..end]);
    let over = |head: &[u8], start: usize| match sum.joined(sum.of(head), tail, end - near) {
        Some(joined) if start <= near => joined,
        _ if start > near => sum.of(&text[start..end]),
        _ => sum.of(&[head, &text[near..end]].concat()),
    };
    for &start in starts.iter().filter(|start| **start + LEAST <= end) {
        if is_plain(sum) && !start.is_multiple_of(WIDTH) {
            continue;
        }
        let whole = over(&text[start.min(near)..near], start);
        for &(at, order, value) in fields {
            let field = at..at + WIDTH;
            if is_plain(sum) && !is_plausible(text, at, value) || at + WIDTH > end && at < end {
                continue;
            }
            let is_inside = start <= at && field.end <= end;
            let cuts = start < field.end && at < end;
            let value_of = match is_inside {
                false if cuts => continue,
                false => whole,
                true if field.end > near || is_slow(sum) => continue,
                true => {
                    let zeros = [0; WIDTH];
                    over(&[&text[start..at], &zeros, &text[field.end..near]].concat(), start)
                }
            };
            if value_of == value {
                return Some((field, order, start..end));
            }
        }
    }
    None
}

/// Returns whether a sum is one of plain numbers.
fn is_plain(sum: Sum) -> bool {
    matches!(sum, Sum::Bytes | Sum::Words | Sum::LittleWords)
}

/// Returns whether a sum over two stretches takes all their bytes: it is not tried with each field in it.
fn is_slow(sum: Sum) -> bool {
    sum.joined(0, 0, 0).is_none()
}

/// Returns whether a plain sum may stand there.
fn is_plausible(text: &[u8], at: usize, value: u64) -> bool {
    let is_aligned = at.is_multiple_of(WIDTH) || at + WIDTH == text.len();
    is_aligned && value >= PLAIN && value > TIMES_LENGTH * text.len() as u64
}
