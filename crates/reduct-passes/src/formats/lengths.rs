//! What no other format knows: fields that hold how many bytes follow up to the end of the file, or how
//! long the file is; and things with their length before them, one after the other up to the end.
//!
//! A number that is so by chance does no harm: it is one more thing that changes, and the test judges.

use super::{Chunks, number};
use reduct_input::ByteOrder;
use reduct_input::ByteOrder::{Big, Little};
use reduct_input::is_binary;
use std::ops::Range;

/// The numbers that are looked for, wide ones first, as they are so by chance most rarely.
const NUMBERS: [(usize, ByteOrder); 7] =
    [(8, Big), (8, Little), (4, Big), (4, Little), (2, Big), (2, Little), (1, Big)];

/// How many fields there are at most: a file has a handful of layers, and a run of equal bytes may hold a
/// fitting number anywhere.
const FIELDS: usize = 8;

/// How many pieces what follows is cut into. The numbers may be so by chance, so little is spent on it; if
/// something goes, the next visit cuts what is left more finely.
const PIECES: usize = 64;

/// A field of a byte is found by chance about once in 256 bytes, so it counts only where files begin.
const FIRST: usize = 16;

/// In files that are no longer, what seems to be a field is likely to be something else.
const SHORT: usize = 64;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !is_binary(text) {
        return;
    }
    let fields = fields(text);
    let start = fields.iter().map(|(field, _)| field.end).max().unwrap_or(0);
    for (field, order) in &fields {
        // Also of a field in it: what is after all of them is in the regions of all.
        found.size(field.clone(), *order, start..text.len(), 1);
    }
    if !items(text, start, found) && !fields.is_empty() {
        found.contents(start..text.len(), (text.len() - start).div_ceil(PIECES));
        // Of several, all but the size of the file may be so by chance. At the end of a search that is tried alone, too.
        let is_size = |(field, order): &&(Range<usize>, ByteOrder)| {
            field.len() > 2 && number(text, field.clone(), *order) == Some(text.len())
        };
        let is_wanted = fields.len() > 1 && text.len() <= SHORT;
        if let Some((field, order)) = fields.iter().find(is_size).filter(|_| is_wanted) {
            let of = field.end..text.len();
            found.alone(field.clone(), *order, of.clone(), of.len().div_ceil(PIECES));
        }
    }
}

/// Fields that say how long the rest of the text is, or all of it, or the rest with them.
fn fields(text: &[u8]) -> Vec<(Range<usize>, ByteOrder)> {
    let mut fields: Vec<(Range<usize>, ByteOrder)> = vec![];
    for (width, order) in NUMBERS {
        let reach = if width == 1 { FIRST.min(text.len()) } else { text.len() };
        for at in 0..reach {
            let field = at..at + width;
            // Where one was found, what is left of the innermost thing may be short.
            let least = if width >= 4 && !fields.is_empty() { 1 } else { 4 };
            let Some(told) = number(text, field.clone(), order).filter(|told| *told >= least) else { continue };
            let fits = told == text.len() - field.end || width > 1 && (told == text.len() - at || told == text.len());
            let free = fields.iter().all(|(other, _)| other.end <= at || field.end <= other.start);
            if fits && free && fields.len() < FIELDS {
                fields.push((field, order));
            }
        }
    }
    fields
}

/// Adds things with their lengths before them that fill the text from `start` on. `false` if there are none.
fn items(text: &[u8], start: usize, found: &mut Chunks) -> bool {
    for (width, order) in NUMBERS {
        let Some(items) = tiles(text, start, width, order) else { continue };
        for item in items {
            let data = item.start + width..item.end;
            found.part(0, item.clone());
            found.size(item.start..data.start, order, data.clone(), 1);
            found.contents(data, 1);
        }
        return true;
    }
    false
}

/// Returns the things with a length of this form before them that fill the text exactly, if they do.
fn tiles(text: &[u8], start: usize, width: usize, order: ByteOrder) -> Option<Vec<Range<usize>>> {
    let end = |at: usize| {
        let length = number(text, at..at + width, order)?;
        (at + width).checked_add(length).filter(|end| *end <= text.len())
    };
    let (mut at, mut count, mut empty) = (start, 0, 0);
    while at < text.len() {
        let next = end(at)?;
        empty += usize::from(next == at + width);
        count += 1;
        at = next;
    }
    // Zeros are a row of empty things, and one or two short ones end where the file does by chance.
    let least = if width == 1 { 4 } else { 2 };
    if count < least || empty * 2 > count {
        return None;
    }
    let starts = std::iter::successors(Some(start), |at| end(*at).filter(|next| *next < text.len()));
    Some(starts.map(|at| at..end(at).unwrap_or(text.len())).collect())
}
