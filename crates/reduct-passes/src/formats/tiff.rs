//! TIFF: a chain of directories, whose entries hold values or say where they stand, and where the strips or
//! tiles of the image stand. What goes moves what is after it, so all offsets are fields to mend.

use super::{Chunks, number};
use reduct_input::{ByteOrder, FieldValue, Mend};
use std::collections::BTreeMap;
use std::ops::Range;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let order = match text {
        [b'I', b'I', 42, 0, ..] => ByteOrder::Little,
        [b'M', b'M', 0, 42, ..] => ByteOrder::Big,
        _ => return,
    };
    let mut file = File { text, order, taken: BTreeMap::new(), found };
    file.take(0..8);
    let directories = file.directories();
    file.links(&directories);
    let mut seen: Vec<(Entry, Entry)> = vec![];
    for directory in &directories {
        seen.extend(file.entries(directory));
    }
    seen.into_iter().for_each(|(places, lengths)| file.strips(&places, &lengths));
    file.rest();
}

/// How long a value of each type is.
const WIDTHS: [usize; 14] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/// Entries that say where strips or tiles stand, with those that say how long they are.
const STRIPS: [(usize, usize); 3] = [(273, 279), (324, 325), (513, 514)];

/// Entries that say where another directory stands.
const DIRECTORIES: [usize; 3] = [330, 34665, 34853];

struct File<'a> {
    text: &'a [u8],
    order: ByteOrder,
    /// What belongs to something, by its start.
    taken: BTreeMap<usize, usize>,
    found: &'a mut Chunks,
}

struct Directory {
    at: usize,
    entries: usize,
    end: usize,
    /// How it is reached: by the link of the one before it in the chain.
    chained: bool,
}

/// The values of an entry.
#[derive(Clone)]
struct Entry {
    at: usize,
    width: usize,
    count: usize,
}

impl File<'_> {
    fn number(&self, field: Range<usize>) -> Option<usize> {
        number(self.text, field, self.order)
    }

    /// Takes a region, if nothing has taken any of it.
    fn take(&mut self, region: Range<usize>) -> bool {
        let before = self.taken.range(..region.end).next_back();
        let free = before.is_none_or(|(_, end)| *end <= region.start) && region.end <= self.text.len();
        if free && !region.is_empty() {
            self.taken.insert(region.start, region.end);
        }
        free
    }

    /// Adds a field that says where `target` is.
    fn offset(&mut self, field: Range<usize>, target: usize) {
        if target <= self.text.len() {
            self.found.size(field, self.order, 0..target, 1);
        }
    }

    /// Returns the directories that are whole and in no other's way: the chain, then those that entries name.
    fn directories(&mut self) -> Vec<Directory> {
        let mut all: Vec<Directory> = vec![];
        let mut next = self.number(4..8);
        while let Some(directory) = next.and_then(|at| self.directory(at, true)) {
            next = self.number(directory.end - 4..directory.end);
            all.push(directory);
        }
        let mut at = 0;
        while at < all.len() {
            let (first, count) = (all[at].at + 2, all[at].entries);
            for entry in (0..count).map(|n| first + 12 * n) {
                let tag = self.number(entry..entry + 2);
                if tag.is_some_and(|tag| DIRECTORIES.contains(&tag)) {
                    let target = self.number(entry + 8..entry + 12);
                    all.extend(target.and_then(|target| self.directory(target, false)));
                }
            }
            at += 1;
        }
        all
    }

    /// Returns the directory at a position. As much of it as there is, if the file ends before it does.
    fn directory(&mut self, at: usize, chained: bool) -> Option<Directory> {
        let entries = self.number(at..at.checked_add(2)?)?;
        let end = at + 2 + 12 * entries + 4;
        // Of a chain that comes back to where it was, the second visit finds all taken.
        (at > 0 && self.take(at..end)).then_some(Directory { at, entries, end, chained })
    }

    /// Adds the links of the chain: those to a directory that goes lead to the one after it.
    fn links(&mut self, directories: &[Directory]) {
        let chain: Vec<&Directory> = directories.iter().filter(|directory| directory.chained).collect();
        let starts: std::sync::Arc<[u32]> = chain.iter().map(|directory| directory.at as u32).collect();
        let fields = std::iter::once(4).chain(chain.iter().map(|directory| directory.end - 4));
        for (from, field) in fields.enumerate() {
            if from == chain.len() {
                // The last link leads nowhere, or to what is no directory.
                if let Some(target) = self.number(field..field + 4).filter(|target| *target > 0) {
                    self.offset(field..field + 4, target);
                }
                break;
            }
            let holds = FieldValue::Next { of: starts.clone(), from, zero: 0 };
            self.found.mends.push(Mend { at: field as u32..field as u32 + 4, order: self.order, holds });
        }
        for directory in &chain {
            self.found.part(0, directory.at..directory.end);
        }
    }

    /// Returns the entries of a directory, and what they point to. Returns those that say where strips are and how
    /// long.
    fn entries(&mut self, directory: &Directory) -> Vec<(Entry, Entry)> {
        let first = directory.at + 2;
        let rows = first..first + 12 * directory.entries;
        self.found.size(directory.at..first, self.order, rows.clone(), 12);
        let mut strips: [(Option<Entry>, Option<Entry>); STRIPS.len()] = Default::default();
        for at in rows.step_by(12) {
            self.found.part(1, at..at + 12);
            let Some(tag) = self.number(at..at + 2) else { continue };
            let Some(entry) = self.values(at) else { continue };
            for (pair, (places, lengths)) in strips.iter_mut().zip(STRIPS) {
                pair.0 = if tag == places { Some(entry.clone()) } else { pair.0.take() };
                pair.1 = if tag == lengths { Some(entry.clone()) } else { pair.1.take() };
            }
            if DIRECTORIES.contains(&tag)
                && let Some(target) = self.number(entry.at..entry.at + entry.width)
            {
                self.offset(entry.at..entry.at + entry.width, target);
            }
        }
        strips.into_iter().filter_map(|(places, lengths)| places.zip(lengths)).collect()
    }

    /// Returns the values of the entry at a position.
    fn values(&mut self, at: usize) -> Option<Entry> {
        let (kind, count) = (self.number(at + 2..at + 4)?, self.number(at + 4..at + 8)?);
        let width = *WIDTHS.get(kind).filter(|width| **width > 0)?;
        let length = count.checked_mul(width)?;
        if length <= 4 {
            return Some(Entry { at: at + 8, width, count });
        }
        let start = self.number(at + 8..at + 12)?;
        self.offset(at + 8..at + 12, start);
        let end = start.checked_add(length).filter(|end| *end <= self.text.len())?;
        if self.take(start..end) {
            self.found.size(at + 4..at + 8, self.order, start..end, width);
            self.found.contents(start..end, width);
        }
        Some(Entry { at: start, width, count })
    }

    /// Adds the strips or tiles that are at these places and so long.
    fn strips(&mut self, places: &Entry, lengths: &Entry) {
        let field = |entry: &Entry, n: usize| entry.at + n * entry.width..entry.at + (n + 1) * entry.width;
        for n in 0..places.count {
            let Some(start) = self.number(field(places, n)) else { break };
            self.offset(field(places, n), start);
            let length = (n < lengths.count).then(|| self.number(field(lengths, n))).flatten();
            let Some(end) = length.and_then(|length| start.checked_add(length)) else { continue };
            let end = end.min(self.text.len());
            if start < end && self.take(start..end) {
                self.found.part(2, start..end);
                self.found.size(field(lengths, n), self.order, start..end, 1);
                self.found.contents(start..end, 1);
            }
        }
    }

    /// Adds what nothing points to.
    fn rest(&mut self) {
        let mut at = 0;
        let mut gaps = vec![];
        for (start, end) in self.taken.iter().map(|(start, end)| (*start, *end)).chain([(self.text.len(), 0)]) {
            if at < start {
                gaps.push(at..start);
            }
            at = at.max(end);
        }
        for gap in gaps {
            self.found.part(0, gap.clone());
            self.found.contents(gap, 1);
        }
    }
}
