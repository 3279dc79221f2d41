//! Blocks of lines by indentation: a line with the more deeply indented lines after it.
//!
//! A line that begins with a closing bracket ends the block before it, so that a body goes with its
//! braces. Blank lines belong to the block they follow. Text without indentation has no blocks: its
//! lines say it all. What a grammar reads has none either: its nodes say more.

use super::Levels;
use crate::pass::{Needs, Pass, Proposals};
use crate::text::{indent, moved};
use reduct_input::Subject;
use reduct_input::parts::Apart;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    must_parse: true,
    needs: Needs::Text,
    ..Pass::deleting("blocks", "blocks", "lines with the deeper indented lines after them", propose)
};

fn propose(subject: &Subject) -> Proposals {
    let mut levels = Levels::default();
    let mut nested = false;
    for addresses in subject.unparsed() {
        for (level, block) in blocks(subject.text(addresses.clone())) {
            nested |= level > 0;
            levels.add(level, moved(block, addresses.start));
        }
    }
    if nested { levels.finish(Apart) } else { vec![] }
}

/// A block that is not yet ended.
struct Open {
    indent: usize,
    start: usize,
}

/// Returns the blocks of a text, each with how many are around it, in the order in which they end, inner ones first.
pub(super) fn blocks(text: &[u8]) -> Vec<(usize, Range<usize>)> {
    let mut found = vec![];
    let mut open: Vec<Open> = vec![];
    let mut at = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        if let Some(indent) = indent(line) {
            let closes = matches!(line.trim_ascii_start().first(), Some(b'}' | b')' | b']'));
            let deeper = |block: &Open| if closes { block.indent > indent } else { block.indent >= indent };
            while let Some(block) = open.pop_if(|block| deeper(block)) {
                found.push((open.len(), block.start..at));
            }
            if !closes || open.is_empty() {
                open.push(Open { indent, start: at });
            }
        }
        at += line.len();
    }
    while let Some(block) = open.pop() {
        found.push((open.len(), block.start..text.len()));
    }
    found
}
