//! PNG: a signature, then chunks of length, type, data and CRC-32.

use super::{Chunks, number};
use reduct_input::{ByteOrder, Sum};

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !text.starts_with(b"\x89PNG\r\n\x1a\n") && !text.starts_with(b"\x8aMNG\r\n\x1a\n") {
        return;
    }
    let mut at = 8;
    while let Some(length) = number(text, at..at + 4, ByteOrder::Big) {
        let data = at + 8;
        let Some(end) = data.checked_add(length).filter(|end| *end <= text.len().saturating_sub(4)) else { break };
        found.part(0, at..end + 4);
        found.size(at..at + 4, ByteOrder::Big, data..end, 1);
        found.check(text, end..end + 4, ByteOrder::Big, Sum::Crc32, at + 4..end);
        found.contents(data..end, 1);
        at = end + 4;
    }
    // What is after the last whole chunk.
    found.part(0, at..text.len());
}
