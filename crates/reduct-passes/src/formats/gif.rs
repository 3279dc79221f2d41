//! GIF: blocks, whose data stand in sub-blocks of a byte of length and up to 255 bytes.

use super::Chunks;
use reduct_input::ByteOrder;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !text.starts_with(b"GIF8") {
        return;
    }
    let mut at = 13 + text.get(10).map_or(0, |flags| colours(*flags));
    while let Some(introducer) = text.get(at) {
        let data = match introducer {
            0x21 => at + 2,
            0x2c => at + 11 + text.get(at + 9).map_or(0, |flags| colours(*flags)),
            _ => break,
        };
        let Some(end) = sub_blocks(text, data, found) else { break };
        found.part(0, at..end);
        at = end;
    }
    if at < text.len() {
        found.part(0, at..text.len());
    }
}

/// Returns how long the table of colours is that these flags announce.
fn colours(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Returns where the sub-blocks end that begin at `at`. `None` if they do not.
fn sub_blocks(text: &[u8], mut at: usize, found: &mut Chunks) -> Option<usize> {
    loop {
        let length = usize::from(*text.get(at)?);
        let (data, end) = (at + 1, at + 1 + length);
        if length == 0 {
            return Some(end);
        }
        if end > text.len() {
            return None;
        }
        found.part(1, at..end);
        found.size(at..data, ByteOrder::Big, data..end, 1);
        // A length of 0 would end the block: one byte stays, and the sub-block goes as a whole.
        found.contents(data + 1..end, 1);
        at = end;
    }
}
