//! Ogg: pages of a header with a CRC, a table of lengths, and as much data as these say.

use super::Chunks;
use reduct_input::{ByteOrder, Sum};

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let mut at = 0;
    while text.get(at..at + 4) == Some(b"OggS") {
        let Some(&count) = text.get(at + 26) else { break };
        let table = at + 27..at + 27 + usize::from(count);
        let Some(lengths) = text.get(table.clone()) else { break };
        let mut start = table.end;
        let end = start + lengths.iter().map(|length| usize::from(*length)).sum::<usize>();
        if end > text.len() {
            break;
        }
        found.part(0, at..end);
        found.check(text, at + 22..at + 26, ByteOrder::Little, Sum::Ogg, at..end);
        for (field, &length) in table.zip(lengths) {
            let data = start..start + usize::from(length);
            start = data.end;
            // Less than 255 ends a packet, which is not to begin where another did not end.
            if length < 255 {
                found.size(field..field + 1, ByteOrder::Big, data.clone(), 1);
                found.contents(data, 1);
            }
        }
        at = end;
    }
}
