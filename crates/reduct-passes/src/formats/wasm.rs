//! WebAssembly: sections of a byte of identifier, a length in sevens (LEB128), and data.

use super::{Chunks, number};
use reduct_input::ByteOrder;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !text.starts_with(b"\0asm") {
        return;
    }
    let mut at = 8;
    while at < text.len() {
        let field = text[at + 1..].iter().take(5).position(|byte| byte & 0x80 == 0).map(|last| at + 1..at + 2 + last);
        let Some(field) = field else { break };
        let Some(length) = number(text, field.clone(), ByteOrder::Sevens) else { break };
        let (data, end) = (field.end, field.end.saturating_add(length));
        if end > text.len() {
            break;
        }
        found.part(0, at..end);
        found.size(field, ByteOrder::Sevens, data..end, 1);
        found.contents(data..end, 1);
        at = end;
    }
    found.part(0, at.min(text.len())..text.len());
}
