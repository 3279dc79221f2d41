//! Records one after the other, whatever their format: each has a head of some bytes, the same number in all, in which stands how long what follows it is, or how
//! long the whole record is, and the last one ends where the file does. Whole records go, and what is in them with its length mended.
//!
//! A number before the first record that is how many there are follows when some go, and so does one that is how long the file is, or how much of it follows.
//! Records whose lengths stand twice are those of `chains`.

mod search;

use super::{Chunks, LENGTHS, Thing, number};
use reduct_input::ByteOrder;
use reduct_input::is_binary;
use std::ops::Range;
use std::sync::Arc;

/// How many bytes may stand before the first record.
const FIRST: usize = 64;

/// So few things are counted by some number by chance: they also go without a change of it.
const FEW: usize = 8;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let Some(records) = is_binary(text).then(|| search::likeliest(text)).flatten() else { return };
    let form = &records.form;
    for (start, end) in records.bounds() {
        let field = start + records.at..start + records.at + form.width;
        let data = start + records.head()..end;
        found.part(0, start..end);
        found.size(field, form.order, data.clone(), 1);
        found.things.push(Thing { at: start..end, row: None, data: vec![data.clone()] });
        found.contents(data, form.unit);
    }
    let starts: Arc<[u32]> = records.starts.iter().map(|start| *start as u32).collect();
    let size = size_of_all(text, records.starts[0]);
    if let Some((field, order)) = count_of(text, records.starts[0], starts.len()) {
        found.count(field, order, &starts);
        if starts.len() <= FEW {
            found.counts.extend(found.mends.pop());
        }
    }
    if let Some((field, order)) = size {
        found.size(field, order, records.starts[0]..text.len(), 1);
    }
}

/// Returns the fields before the first record, the wide ones first, and of those that are as wide the last ones.
fn fields(first: usize) -> impl Iterator<Item = (Range<usize>, ByteOrder)> {
    LENGTHS.into_iter().flat_map(move |(width, order)| {
        (0..(first + 1).saturating_sub(width)).rev().map(move |at| (at..at + width, order))
    })
}

/// Returns the field before the first record that holds how many there are.
fn count_of(text: &[u8], first: usize, count: usize) -> Option<(Range<usize>, ByteOrder)> {
    let mut fields = fields(first).filter(|(field, _)| field.len() > 1);
    fields.find(|(field, order)| count > 1 && number(text, field.clone(), *order) == Some(count))
}

/// Returns the field before the first record that holds how long the text is, or how much of it follows some byte of what is before that record.
fn size_of_all(text: &[u8], first: usize) -> Option<(Range<usize>, ByteOrder)> {
    let sizes = text.len() - first..=text.len();
    let is_wide = |field: &Range<usize>| field.len() > 2 || field.len() == 2 && text.len() > 8 * FIRST;
    fields(first).find(|(field, order)| {
        is_wide(field) && number(text, field.clone(), *order).is_some_and(|size| size > 0 && sizes.contains(&size))
    })
}
