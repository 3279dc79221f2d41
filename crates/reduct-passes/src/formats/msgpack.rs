//! MessagePack: a byte that tells a value's kind and, if that is short, its length; longer lengths follow it.

use super::head::{Field, Head, What};
use super::number;
use reduct_input::ByteOrder::{Big, Low};

/// Returns the head at a position. `None` if there is none.
pub(super) fn head(text: &[u8], at: usize) -> Option<Head> {
    let kind = *text.get(at)?;
    let short = |bits| {
        let field = (at..at + 1, Low(bits));
        Some((number(text, at..at + 1, Low(bits))?, field))
    };
    let long = |width: usize| Some((number(text, at + 1..at + 1 + width, Big)?, (at + 1..at + 1 + width, Big)));
    let plain = |length| Some(Head { end: at + 1, what: What::Bytes(length, None) });
    match kind {
        0..=0x7f => integer(short(7)?),
        0x80..=0x8f => entries(2, short(4)?, at + 1),
        0x90..=0x9f => entries(1, short(4)?, at + 1),
        0xa0..=0xbf => string(short(5)?, at + 1),
        0xc1 => None,
        0xc4 | 0xd9 => string(long(1)?, at + 2),
        0xc5 | 0xda => string(long(2)?, at + 3),
        0xc6 | 0xdb => string(long(4)?, at + 5),
        // A byte of what it is follows the length.
        0xc7 => string(long(1)?, at + 3),
        0xc8 => string(long(2)?, at + 4),
        0xc9 => string(long(4)?, at + 6),
        0xca => plain(4),
        0xcb => plain(8),
        0xcc..=0xcf => integer(long(1 << (kind - 0xcc))?),
        // Of a number below zero, the highest bit is set.
        0xd0..=0xd3 if text.get(at + 1)? & 0x80 != 0 => plain(1 << (kind - 0xd0)),
        0xd0..=0xd3 => integer(long(1 << (kind - 0xd0))?),
        0xd4..=0xd8 => plain(1 + (1 << (kind - 0xd4))),
        0xdc => entries(1, long(2)?, at + 3),
        0xdd => entries(1, long(4)?, at + 5),
        0xde => entries(2, long(2)?, at + 3),
        0xdf => entries(2, long(4)?, at + 5),
        _ => plain(0),
    }
}

fn integer((value, field): (usize, Field)) -> Option<Head> {
    Some(Head { end: field.0.end, what: What::Number(value, field) })
}

fn entries(values: usize, count: (usize, Field), end: usize) -> Option<Head> {
    Some(Head { end, what: What::Entries { values, count: Some(count) } })
}

fn string((length, field): (usize, Field), end: usize) -> Option<Head> {
    Some(Head { end, what: What::Bytes(length, Some(field)) })
}
