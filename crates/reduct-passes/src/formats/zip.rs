//! zip: files, each with a header; then a directory with an entry for each, and a record that says where this is. What stands before the first file
//! may be anything: a program that unpacks it, or another archive. Offsets may count that or not.

use super::{Chunks, number};
use reduct_input::{ByteOrder, Sum};
use std::ops::Range;
use std::sync::Arc;

const ORDER: ByteOrder = ByteOrder::Little;

/// The sizes of a header of a file, an entry of the directory and the record at the end, without what they have of any length.
const HEADER: usize = 30;
const ENTRY: usize = 46;
const END: usize = 22;

/// How the header of a file begins.
const FILE: &[u8] = b"PK\x03\x04";

/// The record at the end stands within so many bytes of it.
const COMMENT: usize = 1 << 16;

/// The flag of a file whose sizes and sum stand behind it, as they were not known before.
const DESCRIBED_BEHIND: usize = 8;

/// An entry of the directory, and the file that it is about.
struct Entry {
    at: Range<usize>,
    file: usize,
}

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let Some(end) = record_at_the_end(text) else { return };
    let field = |at: usize| number(text, end + at..end + at + 4, ORDER);
    // The directory ends where the record begins. What it should begin at counts from where the archive begins.
    let Some(directory) = field(12).and_then(|size| end.checked_sub(size)) else { return };
    let Some(zero) = field(16).and_then(|offset| directory.checked_sub(offset)) else { return };
    let entries = entries(text, directory..end, zero);
    let mut files: Vec<usize> = entries.iter().map(|entry| entry.file).collect();
    files.sort_unstable();
    files.dedup();
    let is_before_directory = files.last().is_some_and(|last| last + HEADER <= directory);
    if files.len() < entries.len() || !is_before_directory || files.iter().any(|at| !text[*at..].starts_with(FILE)) {
        return;
    }
    let starts: Arc<[u32]> = entries.iter().map(|entry| entry.at.start as u32).collect();
    for entry in &entries {
        let next = files.partition_point(|file| *file <= entry.file);
        file(text, zero, entry, files.get(next).copied().unwrap_or(directory), found);
    }
    for field in [end + 8..end + 10, end + 10..end + 12] {
        found.count(field, ORDER, &starts);
    }
    // The numbers of disks say that there is one.
    found.fix(end..end + END);
    found.size(end + 12..end + 16, ORDER, directory..end, 1);
    found.size(end + 16..end + 20, ORDER, zero..directory, 1);
    found.part(0, 0..zero);
    found.part(0, zero..files[0]);
    found.part(0, end + END..text.len());
    found.size(end + 20..end + 22, ORDER, end + END..text.len(), 1);
}

/// Returns where the record at the end begins: its comment goes to the end of the text, unless something was added there.
fn record_at_the_end(text: &[u8]) -> Option<usize> {
    let last = text.len().checked_sub(END)?;
    let places = || (last.saturating_sub(COMMENT)..=last).filter(|at| text[*at..].starts_with(b"PK\x05\x06"));
    places().find(|at| number(text, at + 20..at + 22, ORDER) == Some(last - at)).or_else(|| places().next_back())
}

/// Returns the entries of a directory, up to the first one that is none. Files stand so many bytes behind `zero`.
fn entries(text: &[u8], directory: Range<usize>, zero: usize) -> Vec<Entry> {
    let mut entries = vec![];
    let mut at = directory.start;
    while text[at..directory.end].starts_with(b"PK\x01\x02") {
        let length = |field: usize| number(text, at + field..at + field + 2, ORDER);
        let lengths = length(28).zip(length(30)).zip(length(32));
        let Some(end) = lengths.map(|((name, extra), comment)| at + ENTRY + name + extra + comment) else { break };
        let Some(file) = number(text, at + 42..at + 46, ORDER).filter(|_| end <= directory.end) else { break };
        entries.push(Entry { at: at..end, file: zero + file });
        at = end;
    }
    entries
}

/// Adds a file that ends where the next one begins, with its entry.
fn file(text: &[u8], zero: usize, entry: &Entry, end: usize, found: &mut Chunks) {
    let (start, at) = (entry.file, entry.at.start);
    found.part(0, start..end);
    found.also(start, entry.at.clone());
    found.size(at + 42..at + 46, ORDER, zero..start, 1);
    let length = |field: usize| number(text, field..field + 2, ORDER).unwrap_or(0);
    let (name, extra) = (length(start + 26), length(start + 28));
    let data = start + HEADER + name + extra;
    // Names are said twice, and so is how it is compressed; the sizes and the sum of what is compressed are not mended.
    for (header, how, of, name) in [(start, 6, 14, data - extra), (at, 8, 16, at + ENTRY + length(at + 28))] {
        found.fix(header..header + 4);
        found.fix(header + how..header + how + 4);
        found.fix(header + of..header + of + 16);
        found.fix(name - length(header + of + 12)..name);
    }
    found.fix(at + 34..at + 36);
    found.fix(at + 42..at + ENTRY);
    let Some(size) = number(text, at + 20..at + 24, ORDER).filter(|size| data + size <= end) else { return };
    found.fix(data..end);
    found.part(1, data - extra..data);
    found.size(start + 28..start + 30, ORDER, data - extra..data, 1);
    let of_entry = at + ENTRY + length(at + 28);
    let comment = of_entry + length(at + 30);
    found.part(1, of_entry..comment);
    found.size(at + 30..at + 32, ORDER, of_entry..comment, 1);
    found.part(1, comment..entry.at.end);
    found.size(at + 32..at + 34, ORDER, comment..entry.at.end, 1);
    if length(at + 10) != 0 {
        // What is compressed goes as a whole only.
        return;
    }
    let data = data..data + size;
    let mut described = vec![(at + 16, at + 20, at + 24)];
    match length(at + 8) & DESCRIBED_BEHIND == 0 {
        true => described.push((start + 14, start + 18, start + 22)),
        false if text[data.end..end].starts_with(b"PK\x07\x08") && data.end + 16 <= end => {
            described.push((data.end + 4, data.end + 8, data.end + 12));
        }
        false => return,
    }
    for (sum, stored, whole) in described {
        found.check(text, sum..sum + 4, ORDER, Sum::Crc32, data.clone());
        found.size(stored..stored + 4, ORDER, data.clone(), 1);
        found.size(whole..whole + 4, ORDER, data.clone(), 1);
    }
    found.contents(data, 1);
}
