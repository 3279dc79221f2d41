//! FLAC: blocks of a byte of type, three of length, and data; then frames.

use super::{Chunks, number};
use reduct_input::ByteOrder;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !text.starts_with(b"fLaC") {
        return;
    }
    let mut at = 4;
    while let (Some(kind), Some(length)) = (text.get(at), number(text, at + 1..at + 4, ByteOrder::Big)) {
        let (data, end) = (at + 4, at + 4 + length);
        if end > text.len() {
            break;
        }
        let is_last = kind & 0x80 != 0;
        // The last block says that it is the last one, and stays.
        if !is_last {
            found.part(0, at..end);
        }
        found.size(at + 1..at + 4, ByteOrder::Big, data..end, 1);
        found.contents(data..end, 1);
        at = end;
        if is_last {
            break;
        }
    }
    found.part(0, at..text.len());
}
