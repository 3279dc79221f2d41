//! Numbers and records as SQLite writes them.

use std::ops::Range;

/// A number of one to nine bytes with the most significant bits first: seven bits a byte, eight in the ninth.
const LONGEST: usize = 9;

/// Returns a number and where it ends.
pub(super) fn varint(bytes: &[u8], start: usize) -> Option<(u64, usize)> {
    let mut number = 0u64;
    for at in 0..LONGEST {
        let byte = *bytes.get(start + at)?;
        if at + 1 == LONGEST {
            return Some((number << 8 | u64::from(byte), start + LONGEST));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some((number, start + at + 1));
        }
    }
    None
}

/// Adds a number.
pub(super) fn put(number: u64, to: &mut Vec<u8>) {
    if number >> 56 != 0 {
        (1..LONGEST as u32).for_each(|at| to.push((number >> (64 - 7 * at)) as u8 | 0x80));
        to.push(number as u8);
        return;
    }
    let sevens = (64 - number.leading_zeros()).div_ceil(7).max(1);
    to.extend((0..sevens).rev().map(|at| (number >> (7 * at)) as u8 & 0x7f | if at > 0 { 0x80 } else { 0 }));
}

/// A value of a record: of which type it is, and where it stands.
pub(super) struct Value {
    pub(super) kind: u64,
    pub(super) at: Range<usize>,
}

/// Returns the values of a record.
pub(super) fn values(record: &[u8]) -> Option<Vec<Value>> {
    let (header, mut at) = varint(record, 0)?;
    let header = usize::try_from(header).ok().filter(|header| *header <= record.len())?;
    let (mut values, mut start) = (vec![], header);
    while at < header {
        let (kind, next) = varint(&record[..header], at)?;
        let end = start.checked_add(length(kind)?).filter(|end| *end <= record.len())?;
        values.push(Value { kind, at: start..end });
        (at, start) = (next, end);
    }
    Some(values)
}

/// Returns how long a value of a type is.
fn length(kind: u64) -> Option<usize> {
    match kind {
        0 | 8 | 9 => Some(0),
        1..=4 => Some(kind as usize),
        5 => Some(6),
        6 | 7 => Some(8),
        10 | 11 => None,
        _ => usize::try_from((kind - 12) / 2).ok(),
    }
}

/// Returns a value of a record if it is an integer.
pub(super) fn integer(record: &[u8], value: &Value) -> Option<i64> {
    match value.kind {
        8 => Some(0),
        9 => Some(1),
        1..=6 => {
            let bytes = &record[value.at.clone()];
            let sign = if bytes.first()? & 0x80 == 0 { 0 } else { -1 };
            Some(bytes.iter().fold(sign, |number: i64, byte| number << 8 | i64::from(*byte)))
        }
        _ => None,
    }
}

/// Returns a record with another integer, which is not negative, in the place of one of its values.
pub(super) fn with_integer(record: &[u8], which: usize, number: u32) -> Option<Vec<u8>> {
    let bytes = number.to_be_bytes();
    let width = (4 - number.leading_zeros() as usize / 8).max(1);
    // The highest bit is the sign; there is none of five bytes.
    let width = if width < 4 && bytes[4 - width] & 0x80 != 0 { width + 1 } else { width };
    let (mut kinds, mut contents) = (vec![], vec![]);
    for (at, value) in values(record)?.into_iter().enumerate() {
        put(if at == which { width as u64 } else { value.kind }, &mut kinds);
        contents.extend_from_slice(if at == which { &bytes[4 - width..] } else { &record[value.at] });
    }
    // The length counts itself; only a hundred columns or more have one of two bytes.
    let header = if kinds.len() < 0x7f { kinds.len() + 1 } else { kinds.len() + 2 };
    let mut all = vec![];
    put(header as u64, &mut all);
    Some([all, kinds, contents].concat())
}
