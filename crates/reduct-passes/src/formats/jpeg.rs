//! JPEG: segments of a marker, a length that counts itself, and data; after a scan's, its coded data.

use super::{Chunks, number};
use reduct_input::ByteOrder;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !text.starts_with(b"\xff\xd8\xff") {
        return;
    }
    let mut at = 2;
    while let Some(&[0xff, marker]) = text.get(at..at + 2) {
        if matches!(marker, 0x01 | 0xd0..=0xd9) {
            found.part(0, at..at + 2);
            at += 2;
            continue;
        }
        let Some(length) = number(text, at + 2..at + 4, ByteOrder::Big).filter(|length| *length >= 2) else { break };
        let end = at + 2 + length;
        if end > text.len() {
            break;
        }
        found.size(at + 2..at + 4, ByteOrder::Big, at + 4..end, 1);
        found.contents(at + 4..end, 1);
        let next = if marker == 0xda { end + coded(&text[end..]) } else { end };
        found.part(0, at..next);
        found.part(1, end..next);
        found.contents(end..next, 1);
        at = next;
    }
    found.part(0, at..text.len());
}

/// Returns how long the coded data are: up to a marker that does not belong to them.
fn coded(text: &[u8]) -> usize {
    let ends = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xd0..=0xd7 | 0xff);
    text.windows(2).position(ends).unwrap_or(text.len())
}
