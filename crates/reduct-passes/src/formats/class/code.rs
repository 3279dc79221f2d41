//! Instructions of the Java virtual machine.

use crate::formats::number;
use reduct_input::ByteOrder::Big;
use std::ops::Range;

pub(super) struct Instruction {
    pub at: Range<usize>,
    /// Where a constant is named, and whether that is in one byte.
    pub name: Option<(usize, bool)>,
}

/// Returns the instructions up to the first that is none.
pub(super) fn instructions(text: &[u8], code: Range<usize>) -> impl Iterator<Item = Instruction> + '_ {
    let next = move |at: usize| {
        let length = (at < code.end).then(|| length(text, at, code.start)).flatten()?;
        let end = at.checked_add(length).filter(|end| *end <= code.end)?;
        let name = match text[at] {
            0x12 => Some((at + 1, true)),
            0x13 | 0x14 | 0xb2..=0xbb | 0xbd | 0xc0 | 0xc1 | 0xc5 => Some((at + 1, false)),
            _ => None,
        };
        Some(Instruction { at: at..end, name })
    };
    let first = next(code.start);
    std::iter::successors(first, move |last| next(last.at.end))
}

/// Returns how long the instruction at a position of a code is.
fn length(text: &[u8], at: usize, start: usize) -> Option<usize> {
    Some(match text[at] {
        0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 2,
        0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xa8 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 | 0xc6 | 0xc7 => 3,
        0xc5 => 4,
        0xb9 | 0xba | 0xc8 | 0xc9 => 5,
        0xc4 => {
            if text.get(at + 1)? == &0x84 {
                6
            } else {
                4
            }
        }
        switch @ (0xaa | 0xab) => {
            // Numbers of four bytes begin at a multiple of four.
            let first = start + (at + 1 - start).next_multiple_of(4);
            let number = |index: usize| number(text, first + 4 * index..first + 4 * index + 4, Big);
            let cases = match switch {
                0xaa => 3 + (number(2)? as u32).wrapping_sub(number(1)? as u32) as usize + 1,
                _ => 2 + 2 * number(1)?,
            };
            first.checked_add(4 * cases)? - at
        }
        0..=0xc3 => 1,
        _ => return None,
    })
}
