//! ISO base media (MP4, MOV, HEIF): boxes of length, type and data, some of which are lists of boxes.

use super::{Chunks, number};
use reduct_input::ByteOrder::Big;
use std::ops::Range;

/// What a file of this format begins with, after a length.
const FIRST: &[&[u8; 4]] = &[b"ftyp", b"styp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"moof", b"sidx"];

/// Boxes of boxes, and how much stands before the first of these.
const LISTS: &[(&[u8; 4], usize)] = &[
    (b"moov", 0),
    (b"trak", 0),
    (b"mdia", 0),
    (b"minf", 0),
    (b"stbl", 0),
    (b"dinf", 0),
    (b"edts", 0),
    (b"udta", 0),
    (b"mvex", 0),
    (b"moof", 0),
    (b"traf", 0),
    (b"mfra", 0),
    (b"sinf", 0),
    (b"schi", 0),
    (b"iprp", 0),
    (b"ipco", 0),
    (b"ilst", 0),
    (b"meta", 4),
];

/// Tables: where their count stands, where their rows begin, and how long a row is.
const TABLES: &[(&[u8; 4], usize, usize, usize)] = &[
    (b"stco", 4, 8, 4),
    (b"co64", 4, 8, 8),
    (b"stts", 4, 8, 8),
    (b"ctts", 4, 8, 8),
    (b"stsc", 4, 8, 12),
    (b"stss", 4, 8, 4),
    (b"stsz", 8, 12, 4),
    (b"elst", 4, 8, 12),
];

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !text.get(4..8).is_some_and(|kind| FIRST.iter().any(|first| first[..] == *kind)) {
        return;
    }
    // Where lists that are not yet ended end.
    let mut open: Vec<usize> = vec![];
    let mut at = 0;
    while at < text.len() {
        while open.pop_if(|end| at >= *end).is_some() {}
        let limit = open.last().copied().unwrap_or(text.len());
        let Some((length, data)) = header(text, at, limit) else {
            found.part(open.len(), at..limit);
            at = limit;
            continue;
        };
        let end = at + length;
        found.part(open.len(), at..end);
        if data == at + 16 {
            found.size(at + 8..at + 16, Big, data..end, 1);
        } else if text[at..at + 4] != [0; 4] {
            found.size(at..at + 4, Big, data..end, 1);
        }
        let kind = &text[at + 4..at + 8];
        let list = LISTS.iter().find(|(list, before)| list[..] == *kind && data + before < end);
        if let Some((_, before)) = list {
            open.push(end);
            at = data + before;
        } else {
            if !table(text, kind, data..end, found) {
                found.contents(data..end, 1);
            }
            at = end;
        }
    }
}

/// Returns the length of the box at `at`, and where its data begin.
fn header(text: &[u8], at: usize, limit: usize) -> Option<(usize, usize)> {
    let (length, data) = match number(text, at..at + 4, Big)? {
        0 => (limit - at, at + 8),
        1 => (number(text, at + 8..at + 16, Big)?, at + 16),
        length => (length, at + 8),
    };
    let fits = at.checked_add(length).is_some_and(|end| data <= end && end <= limit);
    fits.then_some((length, data))
}

/// Adds a table with its count, and where its rows point to. `false` if it is none, or not as it says.
fn table(text: &[u8], kind: &[u8], data: Range<usize>, found: &mut Chunks) -> bool {
    let Some((_, count, first, width)) = TABLES.iter().find(|(table, ..)| table[..] == *kind) else { return false };
    let (count, rows) = (data.start + count..data.start + count + 4, data.start + first..data.end);
    let told = number(text, count.clone(), Big).and_then(|count| count.checked_mul(*width));
    if rows.start > rows.end || told != Some(rows.len()) {
        return false;
    }
    found.size(count, Big, rows.clone(), *width);
    found.contents(rows.clone(), *width);
    if matches!(kind, b"stco" | b"co64") {
        for row in rows.step_by(*width) {
            let field = row..row + width;
            let target = number(text, field.clone(), Big).filter(|target| *target <= text.len());
            if let Some(target) = target {
                found.size(field, Big, 0..target, 1);
            }
        }
    }
    true
}
