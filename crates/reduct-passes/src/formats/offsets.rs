//! Tables of offsets, whatever their format: numbers in a row that ascend and point to places behind them in the file.
//! What is between two of these places can go, and so can a row; what a row points to, and a number of rows right before the
//! table, is mended.
//!
//! A table that is one by chance does no harm: it is one more thing that changes, and the test judges.

use super::{Chunks, number};
use reduct_input::ByteOrder;
use reduct_input::ByteOrder::{Big, Little};
use reduct_input::is_binary;

/// The numbers that are looked for, and how many of them in a row are no chance.
const NUMBERS: [(usize, ByteOrder, usize); 6] =
    [(8, Big, 4), (8, Little, 4), (4, Big, 4), (4, Little, 4), (2, Big, 12), (2, Little, 12)];

/// How many numbers a row of a table has at most.
const LONGEST_ROW: usize = 4;

/// How far before a table the number of its rows may stand.
const HEADER: usize = 32;

/// A table: where its first offset is, how long a row is, and where its rows point to.
struct Table {
    start: usize,
    row: usize,
    width: usize,
    order: ByteOrder,
    targets: Vec<usize>,
}

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let Some(table) = is_binary(text).then(|| largest(text)).flatten() else { return };
    let rows = table.start..table.start + table.row * table.targets.len();
    let header = table.start.saturating_sub(HEADER);
    for (row, &target) in table.targets.iter().enumerate() {
        let offset = table.start + table.row * row;
        found.part(1, offset..offset + table.row);
        found.size(offset..offset + table.width, table.order, 0..target, 1);
        let end = table.targets.get(row + 1).copied().unwrap_or(text.len());
        found.part(0, target..end);
        // Its length, in the row or where it begins.
        for field in (offset + table.width..offset + table.row).step_by(table.width) {
            if number(text, field..field + table.width, table.order) == Some(end - target) {
                found.size(field..field + table.width, table.order, target..end, 1);
            }
        }
        let contents = (target + table.width).min(end)..end;
        if number(text, target..target + table.width, table.order) == Some(contents.len()) {
            found.size(target..target + table.width, table.order, contents.clone(), 1);
            found.contents(contents, 1);
        } else {
            found.contents(target..end, 1);
        }
    }
    let count = |at: &usize| number(text, *at..at + table.width, table.order) == Some(table.targets.len());
    if let Some(at) = (header..=table.start.saturating_sub(table.width)).rev().find(count) {
        found.size(at..at + table.width, table.order, rows, table.row);
    }
}

/// Returns the table with the most rows, wide numbers first, if there is one.
fn largest(text: &[u8]) -> Option<Table> {
    let mut best: Option<Table> = None;
    for (width, order, least) in NUMBERS {
        for row in (1..=LONGEST_ROW).map(|fields| fields * width) {
            for phase in 0..row.min(text.len()) {
                let mut at = phase;
                while at + width <= text.len() {
                    let targets = ascending(text, at, row, width, order);
                    let is_larger = best.as_ref().is_none_or(|best| targets.len() > best.targets.len());
                    // What stops where it points to may begin with a number of something else.
                    let rows = targets.len().max(1);
                    let is_cut = targets.first().is_some_and(|first| at + row * (rows + 1) > *first);
                    let next = at + row * if is_cut { 1 } else { rows };
                    if targets.len() >= least && is_larger {
                        best = Some(Table { start: at, row, width, order, targets });
                    }
                    at = next;
                }
            }
        }
    }
    best
}

/// Returns where the rows from there on point to: always further, and behind all of them.
fn ascending(text: &[u8], start: usize, row: usize, width: usize, order: ByteOrder) -> Vec<usize> {
    let mut targets: Vec<usize> = vec![];
    let mut at = start;
    while let Some(target) = number(text, at..at + width, order) {
        let is_behind = at + row <= targets.first().copied().unwrap_or(target);
        if target > text.len() || !is_behind || targets.last().is_some_and(|last| target <= *last) {
            break;
        }
        targets.push(target);
        at += row;
    }
    targets
}
