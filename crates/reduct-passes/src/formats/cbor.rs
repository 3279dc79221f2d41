//! CBOR (RFC 8949): a byte with a value's kind and a small number, or how many bytes of a number follow: a length, a count or the value.

use super::head::{Field, Head, What};
use super::number;
use reduct_input::ByteOrder::{Big, Low};

/// In place of a number: what follows has an end in place of a count.
const OPEN: u8 = 31;

/// Returns the head at a position. `None` if there is none.
pub(super) fn head(text: &[u8], at: usize) -> Option<Head> {
    let first = *text.get(at)?;
    let (kind, short) = (first >> 5, first & 31);
    let (value, field): (usize, Field) = match short {
        0..=23 => (short.into(), (at..at + 1, Low(5))),
        24..=27 => {
            let field = at + 1..at + 1 + (1 << (short - 24));
            // A number of eight bytes may be too large for a length.
            (number(text, field.clone(), Big)?, (field, Big))
        }
        OPEN => return Some(Head { end: at + 1, what: open(kind)? }),
        _ => return None,
    };
    let end = field.0.end;
    let what = match kind {
        0 => What::Number(value, field),
        2 | 3 => What::Bytes(value, Some(field)),
        4 => What::Entries { values: 1, count: Some((value, field)) },
        5 => What::Entries { values: 2, count: Some((value, field)) },
        // A tag, of what the next value is.
        6 => What::Value,
        _ => What::Bytes(0, None),
    };
    Some(Head { end, what })
}

fn open(kind: u8) -> Option<What> {
    match kind {
        // A string in pieces.
        2..=4 => Some(What::Entries { values: 1, count: None }),
        5 => Some(What::Entries { values: 2, count: None }),
        7 => Some(What::End),
        _ => None,
    }
}
