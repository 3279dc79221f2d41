//! tar: a header of 512 bytes for each file, then its contents, filled up to as many again; two empty blocks at the end.

use super::{Chunks, number};
use reduct_input::{ByteOrder, Sum};
use std::ops::Range;

const BLOCK: usize = 512;

/// Where a header has what.
const SIZE: Range<usize> = 124..136;
const SUM: Range<usize> = 148..156;
const KIND: usize = 156;
const MAGIC: Range<usize> = 257..262;

/// Headers of what is said of the file that follows: a long name, or anything else.
const OF_NEXT: &[u8] = b"xLK";

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let (mut at, mut first) = (0, 0);
    while let Some(header) = text.get(at..at + BLOCK).filter(|header| is_header(header)) {
        let (field, order) = size_field(header);
        let Some(size) = number(header, field.clone(), order) else { break };
        let data = at + BLOCK;
        let Some(end) = data.checked_add(size).filter(|end| *end <= text.len()) else { break };
        let next = end.next_multiple_of(BLOCK).min(text.len());
        let place = |field: Range<usize>| at + field.start..at + field.end;
        found.size(place(field), order, data..end, 1);
        found.check(text, place(SUM), ByteOrder::Octal, Sum::Tar, at..data);
        if !OF_NEXT.contains(&header[KIND]) {
            found.part(0, first..next);
            let last = data + size / BLOCK * BLOCK;
            found.contents(data..last, BLOCK);
            // With what fills it up.
            found.part(1, last..next);
            first = next;
        }
        at = next;
    }
    if at > 0 {
        found.part(0, first..text.len());
    }
}

/// Returns where the size of a file stands: more than 8 GiB do not fit in digits of base eight, but any size may be written as a number of bytes, which
/// the highest bit tells.
fn size_field(header: &[u8]) -> (Range<usize>, ByteOrder) {
    match header[SIZE.start] & 0x80 == 0 {
        true => (SIZE, ByteOrder::Octal),
        false => (SIZE.end - 8..SIZE.end, ByteOrder::Big),
    }
}

/// Returns whether a block is a header: one of old has no magic word, but a sum that is right.
fn is_header(block: &[u8]) -> bool {
    let without_sum = [&block[..SUM.start], &[0; SUM.end - SUM.start], &block[SUM.end..]].concat();
    &block[MAGIC] == b"ustar" || number(block, SUM, ByteOrder::Octal) == usize::try_from(Sum::Tar.of(&without_sum)).ok()
}
