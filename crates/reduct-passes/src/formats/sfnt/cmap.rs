//! Which glyphs the characters of a font have: lists of groups of characters (form 12 of `cmap`).

use super::super::number;
use reduct_input::ByteOrder::Big;
use std::ops::Range;

/// How long a group is, and what stands before the first one.
pub(super) const GROUP: usize = 12;
const HEAD: usize = 16;

/// A list of groups.
pub(super) struct List {
    start: usize,
    pub(super) length: Range<usize>,
    pub(super) count: Range<usize>,
    pub(super) groups: Range<usize>,
}

/// Characters in a row, the first of which has a glyph.
pub(super) struct Group {
    pub(super) at: Range<usize>,
    pub(super) glyph: usize,
    pub(super) is_single: bool,
}

/// Returns the lists of a table, and all groups in them.
pub(super) fn read(text: &[u8], table: Range<usize>) -> (Vec<List>, Vec<Group>) {
    let lists = number(text, table.start + 2..table.start + 4, Big).unwrap_or(0);
    let place = |row: usize| number(text, table.start + 8 * row + 8..table.start + 8 * row + 12, Big);
    let mut starts: Vec<usize> = (0..lists).map_while(place).collect();
    // Several kinds of characters may have one list.
    starts.sort_unstable();
    starts.dedup();
    let mut lists: Vec<List> = starts.iter().filter_map(|start| list(text, &table, *start)).collect();
    // What is part of two lists would be read for each of them.
    let mut end = 0;
    lists.retain(|list| {
        let is_behind = list.start >= end;
        end = if is_behind { list.groups.end } else { end };
        is_behind
    });
    let groups = lists.iter().flat_map(|list| list.groups.clone().step_by(GROUP)).filter_map(|at| group(text, at));
    let groups = groups.collect();
    (lists, groups)
}

fn list(text: &[u8], table: &Range<usize>, start: usize) -> Option<List> {
    let start = table.start.checked_add(start)?;
    let (form, length, count) = (start..start + 2, start + 4..start + 8, start + 12..start + HEAD);
    let is_known = number(text, form, Big) == Some(12);
    let groups = start + HEAD..(start + HEAD).checked_add(number(text, count.clone(), Big)?.checked_mul(GROUP)?)?;
    (is_known && groups.end <= table.end).then_some(List { start, length, count, groups })
}

fn group(text: &[u8], at: usize) -> Option<Group> {
    let [first, last, glyph] = [at, at + 4, at + 8].map(|at| number(text, at..at + 4, Big));
    Some(Group { at: at..at + GROUP, glyph: glyph?, is_single: first? == last? })
}
