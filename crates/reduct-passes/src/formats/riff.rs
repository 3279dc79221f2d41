//! RIFF (WAV, AVI, WebP): chunks of identifier, length and data, some of which are lists of chunks.

use super::{Chunks, number};
use reduct_input::ByteOrder;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let order = match text {
        [b'R', b'I', b'F', b'F', ..] => ByteOrder::Little,
        [b'R', b'I', b'F', b'X', ..] | [b'F', b'O', b'R', b'M', ..] => ByteOrder::Big,
        _ => return,
    };
    // Where lists that are not yet ended end.
    let mut open: Vec<usize> = vec![];
    let mut at = 0;
    loop {
        while open.pop_if(|end| at >= *end).is_some() {}
        let limit = open.last().copied().unwrap_or(text.len());
        let Some(length) = number(text, at + 4..at + 8, order) else { break };
        if at + 8 > limit {
            at = limit;
            continue;
        }
        let data = at + 8;
        let end = data.saturating_add(length).min(limit);
        // Data of odd length are followed by a byte of no meaning, which the length does not count.
        let next = (end + end.saturating_sub(data) % 2).min(limit);
        found.size(at + 4..at + 8, order, data..end, 1);
        if !open.is_empty() || at > 0 {
            found.part(open.len().saturating_sub(1), at..next);
        }
        let is_list = matches!(&text[at..at + 4], b"RIFF" | b"RIFX" | b"FORM" | b"LIST" | b"CAT ") && data + 4 <= end;
        if is_list {
            open.push(end);
            at = data + 4;
        } else {
            // Two at a time, so that it still needs that byte, or none.
            found.contents(data..end, 2);
            at = next;
        }
    }
    found.part(0, at.min(text.len())..text.len());
}
