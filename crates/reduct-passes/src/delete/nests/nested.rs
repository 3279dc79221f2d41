//! What nests: nodes of a tree, and of a text that no grammar reads brackets, elements between tags, and blocks by
//! indentation.

use crate::delete::blocks;
use crate::text;
use reduct_input::{Role, Tree};
use std::ops::Range;

/// Something that others are in.
pub(super) struct Nested {
    pub(super) at: Range<u32>,
    /// The node, or the place in the list where there is no tree.
    pub(super) own: usize,
    /// By place in the list, what it is in.
    pub(super) outer: Option<usize>,
}

/// Returns the nodes of a tree that have others in them or may be in others, each before those in it.
pub(super) fn nodes(tree: &Tree) -> Vec<Nested> {
    let mut found: Vec<Nested> = vec![];
    let mut place: Vec<Option<usize>> = vec![None; tree.len()];
    for at in 0..tree.len() {
        let outer = tree.parent(at).and_then(|parent| place[parent]);
        place[at] = outer;
        if tree.is_named(at) && tree.node(at).role != Role::Error {
            place[at] = Some(found.len());
            found.push(Nested { at: tree.range(at), own: at, outer });
        }
    }
    found
}

/// Returns the pairs of brackets of a text that begins at an address.
pub(super) fn brackets(contents: &[u8], start: u32) -> Vec<Nested> {
    let pairs = text::pairs(contents).into_iter();
    within_each_other(pairs.map(|(first, last)| text::moved(first..last + 1, start)))
}

/// Returns the calls of a text that begins at an address: parentheses with the name before them.
pub(super) fn calls(contents: &[u8], start: u32) -> Vec<Nested> {
    let call = |(first, last): (usize, usize)| {
        let name = text::name_before(contents, first).filter(|_| contents[first] == b'(')?;
        Some(text::moved(name..last + 1, start))
    };
    within_each_other(text::pairs(contents).into_iter().filter_map(call))
}

/// Returns what stands between two tags of a text that begins at an address, with its tags.
pub(super) fn elements(contents: &[u8], start: u32) -> Vec<Nested> {
    let mut elements: Vec<Range<usize>> =
        text::tags(contents).into_iter().map(|(begin, end)| begin.start..end.end).collect();
    elements.sort_by_key(|element| element.start);
    within_each_other(elements.into_iter().map(|element| text::moved(element, start)))
}

/// Returns the blocks of a text that begins at an address, without the indentation of their first lines: an inner one then
/// begins at the column of the outer one that it stands for.
pub(super) fn blocks(contents: &[u8], start: u32) -> Vec<Nested> {
    let mut blocks: Vec<Range<usize>> = blocks::blocks(contents).into_iter().map(|(_, block)| block).collect();
    blocks.sort_by_key(|block| block.start);
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let indented = |block: Range<usize>| {
        let indent = contents[block.clone()].iter().take_while(is_blank).count();
        text::moved(block.start + indent..block.end, start)
    };
    within_each_other(blocks.into_iter().map(indented))
}

/// Returns ranges that are given each before those in it.
fn within_each_other(ranges: impl Iterator<Item = Range<u32>>) -> Vec<Nested> {
    let mut found: Vec<Nested> = vec![];
    let mut open: Vec<usize> = vec![];
    for (own, at) in ranges.enumerate() {
        while open.last().is_some_and(|outer| found[*outer].at.end <= at.start) {
            open.pop();
        }
        found.push(Nested { at, own, outer: open.last().copied() });
        open.push(own);
    }
    found
}
