//! Chains of links, whatever their format: a number in the head of a file says where the first block begins, and at the same place in each block stands where the
//! next one does, further on, and in the last one zero. Whole blocks go, and the link to one that goes leads to the next; then what is in blocks.

use super::{Chunks, number};
use reduct_input::ByteOrder::{Big, Little};
use reduct_input::{ByteOrder, FieldValue, Mend, is_binary};
use std::ops::Range;
use std::sync::Arc;

/// The numbers that are looked for.
const NUMBERS: [(usize, ByteOrder); 4] = [(8, Big), (8, Little), (4, Big), (4, Little)];

/// Where in the file the link to the first block begins at most, and in a block that to the next one.
const HEAD: usize = 64;
const BLOCK_HEAD: usize = 16;

/// So many blocks are no chance.
const LEAST: usize = 4;

/// A chain: where the link to its first block stands, where its blocks begin, and where in a block the link to the next one stands.
struct Chain {
    head: usize,
    starts: Vec<usize>,
    at: usize,
    width: usize,
    order: ByteOrder,
}

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let Some(chain) = is_binary(text).then(|| longest(text)).flatten() else { return };
    let starts: Arc<[u32]> = chain.starts.iter().map(|start| *start as u32).collect();
    let links = std::iter::once(chain.head).chain(chain.starts.iter().map(|start| start + chain.at));
    for (from, link) in links.enumerate() {
        let holds = FieldValue::Next { of: starts.clone(), from, zero: 0 };
        let at = link as u32..(link + chain.width) as u32;
        found.mends.push(Mend { at, order: chain.order, holds });
    }
    for block in chain.blocks(text) {
        found.part(0, block.clone());
        found.contents(block.start + chain.at + chain.width..block.end, 1);
    }
}

impl Chain {
    fn blocks(&self, text: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let ends = self.starts.iter().skip(1).copied().chain([text.len()]);
        self.starts.iter().copied().zip(ends).map(|(start, end)| start..end)
    }
}

/// Returns the chain with the most blocks; of several, one with the widest links.
fn longest(text: &[u8]) -> Option<Chain> {
    let mut best: Option<Chain> = None;
    for (width, order) in NUMBERS {
        for head in 0..HEAD.min(text.len()) {
            for at in 0..=BLOCK_HEAD - width {
                let Some(starts) = blocks(text, head, at, width, order) else { continue };
                if best.as_ref().is_none_or(|best| starts.len() > best.starts.len()) {
                    best = Some(Chain { head, starts, at, width, order });
                }
            }
        }
    }
    best
}

/// Returns where the blocks begin to which links lead, each behind the one before, if there are some and the last one leads nowhere.
fn blocks(text: &[u8], head: usize, at: usize, width: usize, order: ByteOrder) -> Option<Vec<usize>> {
    let (mut link, mut starts) = (head, vec![]);
    loop {
        let start = number(text, link..link + width, order)?;
        if start == 0 {
            break;
        }
        let is_behind = link + width <= start && start < text.len();
        if !is_behind {
            return None;
        }
        starts.push(start);
        link = start + at;
    }
    (starts.len() >= LEAST).then_some(starts)
}
