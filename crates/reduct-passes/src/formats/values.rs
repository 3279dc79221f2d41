//! Values that say themselves where they end: a head, then bytes or so many other values, as in MessagePack and CBOR. The entries of a value
//! go, with the number of them mended, and the bytes of strings.
//!
//! No first bytes tell these formats. A file is taken for one if it is no text, and if it is nothing but values of values up to its end.

use super::head::{Field, Head, What};
use super::{Chunks, cbor, msgpack};
use reduct_input::is_binary;
use std::cmp::Reverse;

/// Reads the head at a position of a text.
type Read = fn(&[u8], usize) -> Option<Head>;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !found.is_empty() || std::str::from_utf8(text).is_ok() {
        return;
    }
    let all = [msgpack::head as Read, cbor::head].into_iter().filter_map(|read| walk(text, read));
    if let Some((_, values)) = all.reduce(|best, other| if best.0 < other.0 { other } else { best }) {
        *found = values;
    }
}

/// How likely it is that a file was written to be read so. In what is read wrongly by chance, letters are small numbers, and values are keys.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Likelihood {
    /// How many keys are values of values.
    odd_keys: Reverse<usize>,
    /// How many bytes are in strings that can be printed.
    printable: usize,
    entries: usize,
}

/// A value whose entries are not yet all read.
struct Open {
    /// How many values an entry has.
    values: usize,
    /// How many entries there are, and where that stands. `None` if an end follows the last one.
    count: Option<(usize, Option<Field>)>,
    /// Where each entry begins.
    starts: Vec<u32>,
    /// How many values of all entries are read.
    read: usize,
    /// In how many values its entries are.
    depth: usize,
}

impl Open {
    fn new(values: usize, count: Option<(usize, Option<Field>)>, depth: usize) -> Open {
        Open { values, count, starts: vec![], read: 0, depth }
    }

    /// Returns whether no entry is read in part.
    fn is_between(&self) -> bool {
        self.read.is_multiple_of(self.values)
    }

    fn is_full(&self) -> bool {
        self.is_between() && self.count.as_ref().is_some_and(|(count, _)| self.starts.len() == *count)
    }
}

/// What is read of a text so far.
struct Walk {
    /// The whole file, and the values in it that the next one is in.
    open: Vec<Open>,
    likelihood: Likelihood,
    found: Chunks,
}

/// Returns what can go of a text that is values of values up to its end, and how likely it is to be meant so.
fn walk(text: &[u8], read: Read) -> Option<(Likelihood, Chunks)> {
    let mut walk =
        Walk { open: vec![Open::new(1, None, 0)], likelihood: Likelihood::default(), found: Chunks::default() };
    let mut at = 0;
    while at < text.len() {
        at = walk.read(text, at, read(text, at)?)?;
    }
    let all = walk.open.pop().filter(|all| walk.open.is_empty() && !all.starts.is_empty())?;
    // One value is not left out: nothing would be left.
    if all.starts.len() > 1 {
        let ends = all.starts.iter().skip(1).map(|start| *start as usize).chain([text.len()]);
        all.starts.iter().zip(ends).for_each(|(start, end)| walk.found.part(0, *start as usize..end));
    }
    Some((walk.likelihood, walk.found))
}

impl Walk {
    /// Takes a head, and what is of no further values after it. Returns where the next head stands.
    fn read(&mut self, text: &[u8], at: usize, head: Head) -> Option<usize> {
        let is_outermost = self.open.len() == 1;
        let outer = self.open.last_mut()?;
        let depth = outer.depth;
        let is_key = outer.values > 1 && outer.is_between();
        if !matches!(head.what, What::End) && outer.is_between() {
            outer.starts.push(at as u32);
        }
        let mut end = head.end;
        match head.what {
            // A text is a row of small numbers.
            What::Bytes(..) if is_outermost => return None,
            What::Bytes(length, size) => {
                end = end.checked_add(length).filter(|end| *end <= text.len())?;
                if let Some((field, order)) = size {
                    let is_printable = !is_binary(&text[head.end..end]);
                    self.likelihood.printable += if is_printable { end - head.end } else { 0 };
                    self.found.size(field, order, head.end..end, 1);
                    self.found.contents(head.end..end, 1);
                }
                self.end_value(end);
            }
            What::Entries { values, count } => {
                let count = count.map(|(count, field)| (count, Some(field)));
                self.likelihood.odd_keys.0 += usize::from(is_key);
                self.open.push(Open::new(values, count, depth + 1));
            }
            What::Value => self.open.push(Open::new(1, Some((1, None)), depth)),
            What::End => {
                let ended = self.open.pop_if(|last| !is_outermost && last.count.is_none() && last.is_between())?;
                self.likelihood.entries += ended.starts.len();
                self.end_value(end);
            }
        }
        while let Some(full) = self.open.pop_if(|last| last.is_full()) {
            self.likelihood.entries += full.starts.len();
            if let Some((_, Some((field, order)))) = full.count {
                self.found.count(field, order, &full.starts.into());
            }
            self.end_value(end);
        }
        Some(end)
    }

    /// Takes it that a value ends there, and an entry with the last of its values.
    fn end_value(&mut self, end: usize) {
        let Some(outer) = self.open.last_mut() else { return };
        outer.read += 1;
        // What is said of a value goes with it; the file has no more than one.
        let is_part = outer.depth > 0 && !matches!(outer.count, Some((_, None)));
        if let Some(start) = outer.starts.last().filter(|_| is_part && outer.is_between()) {
            self.found.part(outer.depth, *start as usize..end);
        }
    }
}
