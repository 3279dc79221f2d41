//! Values that say themselves where they end: a head, then bytes or so many other values, as in MessagePack and CBOR. The entries of a value
//! go, with the number of them mended, and the bytes of strings. Other numbers that seem to count the entries of a list near them are mended, too; what they
//! count also goes without that.
//!
//! No first bytes tell these formats. A file is taken for one if it is no text, and if it is nothing but values of values up to its end.

mod counts;

use super::head::{Field, Head, What};
use super::{Chunks, cbor, msgpack};
use counts::{Label, Numbers};
use reduct_input::is_binary;
use std::cmp::Reverse;
use std::sync::Arc;

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
struct Open<'a> {
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
    /// Which list it is of those that have entries, or in which one it stands if it only says something of a value.
    list: usize,
    /// Its label, and whether it stands in a list without keys.
    label: Label<'a>,
    is_row: bool,
}

impl<'a> Open<'a> {
    fn new(values: usize, count: Option<(usize, Option<Field>)>, depth: usize) -> Open<'a> {
        Open { values, count, starts: vec![], read: 0, depth, list: 0, label: Label::default(), is_row: false }
    }

    /// Returns what is said of the value that stands next in it.
    fn said(&self, text: &'a [u8], at: usize) -> Open<'a> {
        let said = Open::new(1, Some((1, None)), self.depth);
        Open { list: self.list, label: self.label(text, at), is_row: self.is_row(), ..said }
    }

    /// Returns the label of a value in it.
    fn label(&self, text: &'a [u8], at: usize) -> Label<'a> {
        match self.starts.last() {
            _ if self.is_said() => self.label,
            Some(key) if self.values > 1 => Label::of_key(text, *key as usize..at),
            _ => self.label.of_entry(if self.is_row { self.starts.len() } else { 0 }),
        }
    }

    /// Returns whether what stands in it stands in a list without keys.
    fn is_row(&self) -> bool {
        if self.is_said() { self.is_row } else { self.values == 1 }
    }

    /// Returns whether it only says something of a value.
    fn is_said(&self) -> bool {
        matches!(self.count, Some((_, None)))
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
struct Walk<'a> {
    text: &'a [u8],
    /// The whole file, and the values in it that the next one is in.
    open: Vec<Open<'a>>,
    likelihood: Likelihood,
    numbers: Numbers<'a>,
    found: Chunks,
}

/// Returns what can go of a text that is values of values up to its end, and how likely it is to be meant so.
fn walk(text: &[u8], read: Read) -> Option<(Likelihood, Chunks)> {
    let open = vec![Open::new(1, None, 0)];
    let (likelihood, numbers, found) = Default::default();
    let mut walk = Walk { text, open, likelihood, numbers, found };
    walk.numbers.begin(0);
    let mut at = 0;
    while at < text.len() {
        at = walk.read(at, read(text, at)?)?;
    }
    let all = walk.open.pop().filter(|all| walk.open.is_empty() && !all.starts.is_empty())?;
    // One value is not left out: nothing would be left.
    if all.starts.len() > 1 {
        let ends = all.starts.iter().skip(1).map(|start| *start as usize).chain([text.len()]);
        all.starts.iter().zip(ends).for_each(|(start, end)| walk.found.part(0, *start as usize..end));
    }
    walk.numbers.end(0, all.starts.into());
    walk.found.counts = walk.numbers.counts();
    Some((walk.likelihood, walk.found))
}

impl Walk<'_> {
    /// Takes a head, and what is of no further values after it. Returns where the next head stands.
    fn read(&mut self, at: usize, head: Head) -> Option<usize> {
        let text = self.text;
        let is_outermost = self.open.len() == 1;
        let outer = self.open.last_mut()?;
        let is_key = outer.values > 1 && outer.is_between();
        if !matches!(head.what, What::End) && outer.is_between() {
            outer.starts.push(at as u32);
        }
        let mut end = head.end;
        match head.what {
            // A text is a row of small numbers.
            What::Bytes(..) | What::Number(..) if is_outermost => return None,
            What::Number(value, field) => {
                if !is_key {
                    self.numbers.add(value, field, outer.label(text, at), outer.list);
                }
                self.end_value(end);
            }
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
                let list = self.numbers.begin(outer.list);
                let (label, is_row) = (outer.label(text, at), outer.is_row());
                let open = Open { list, label, is_row, ..Open::new(values, count, outer.depth + 1) };
                self.open.push(open);
            }
            What::Value => {
                let said = outer.said(text, at);
                self.open.push(said);
            }
            What::End => {
                let ended = self.open.pop_if(|last| !is_outermost && last.count.is_none() && last.is_between())?;
                self.end_list(ended);
                self.end_value(end);
            }
        }
        while let Some(full) = self.open.pop_if(|last| last.is_full()) {
            self.end_list(full);
            self.end_value(end);
        }
        Some(end)
    }

    /// Takes it that all entries of a value are read.
    fn end_list(&mut self, ended: Open) {
        self.likelihood.entries += ended.starts.len();
        let is_said = ended.is_said();
        let starts: Arc<[u32]> = ended.starts.into();
        if let Some((_, Some((field, order)))) = ended.count {
            self.found.count(field, order, &starts);
        }
        if !is_said {
            self.numbers.end(ended.list, starts);
        }
    }

    /// Takes it that a value ends there, and an entry with the last of its values.
    fn end_value(&mut self, end: usize) {
        let Some(outer) = self.open.last_mut() else { return };
        outer.read += 1;
        // What is said of a value goes with it; the file has no more than one.
        let is_part = outer.depth > 0 && !outer.is_said();
        if let Some(start) = outer.starts.last().filter(|_| is_part && outer.is_between()) {
            self.found.part(outer.depth, *start as usize..end);
        }
    }
}
