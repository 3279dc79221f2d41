//! Tables of offsets, beside a search for them place by place.

use reduct_input::ByteOrder::{self, Big, Little};
use reduct_passes::try_table;

/// As `formats/offsets.rs` has them.
const NUMBERS: [(usize, ByteOrder, usize); 6] =
    [(8, Big, 4), (8, Little, 4), (4, Big, 4), (4, Little, 4), (2, Big, 12), (2, Little, 12)];
const LONGEST_ROW: usize = 4;
const HEADER: usize = 32;
const STEPS: usize = 16;
const NEAR: usize = 64;

type Table = (usize, usize, usize, ByteOrder, Vec<usize>);

fn number(text: &[u8], at: usize, width: usize, order: ByteOrder) -> Option<usize> {
    order.read(text.get(at..at + width)?).map(|number| number as usize)
}

/// Returns where the rows from there on point to: behind all of them, and never back.
fn targets(text: &[u8], start: usize, row: usize, width: usize, order: ByteOrder) -> Vec<usize> {
    let mut targets: Vec<usize> = vec![];
    let mut at = start;
    while let Some(target) = number(text, at, width, order) {
        let is_behind = at + row <= targets.first().copied().unwrap_or(target);
        if target > text.len() || !is_behind || targets.last().is_some_and(|last| target < *last) {
            break;
        }
        targets.push(target);
        at += row;
    }
    targets
}

/// Returns what speaks for a table.
fn likelihood(text: &[u8], (start, row, width, order, targets): &Table) -> (usize, usize) {
    let points_behind = targets[0] == start + row * targets.len();
    let places = start.saturating_sub(HEADER)..(start + 1).saturating_sub(*width);
    let is_counted = places.into_iter().any(|at| number(text, at, *width, *order) == Some(targets.len()));
    (usize::from(points_behind) + usize::from(is_counted), targets.len())
}

/// Returns the likeliest table: for one phase of one length of a row after the other.
fn naive(text: &[u8]) -> Option<Table> {
    let mut best: Option<Table> = None;
    for (width, order, least) in NUMBERS {
        for row in (1..=LONGEST_ROW).map(|fields| fields * width) {
            for phase in 0..row.min(text.len()) {
                let mut at = phase;
                while at + width <= text.len() {
                    let targets = targets(text, at, row, width, order);
                    let rows = targets.len();
                    let is_cut = targets.first().is_some_and(|first| at + row * (rows + 1) > *first);
                    let step = if at < NEAR { 1 } else { rows.div_ceil(STEPS) };
                    let next = at + row * if is_cut { step } else { rows.max(1) };
                    let is_long = rows >= least && targets.first() != targets.last();
                    let may_be_certain = width > 2 && targets.first() == Some(&(at + row * rows));
                    if is_long || may_be_certain {
                        let table = (at, row, width, order, targets);
                        let is_enough = is_long || likelihood(text, &table).0 == 2;
                        if is_enough
                            && best.as_ref().is_none_or(|best| likelihood(text, &table) > likelihood(text, best))
                        {
                            best = Some(table);
                        }
                    }
                    at = next;
                }
            }
        }
    }
    best
}

#[test]
fn the_table_is_that_of_a_search_place_by_place() {
    let mut state = 1_u64;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let mut tables = 0;
    for _ in 0..400 {
        let length = below(400) as usize;
        // Small numbers of all widths, in rising rows at times: many tables that nearly are one.
        let mut text: Vec<u8> = (0..length).map(|_| if below(3) > 0 { 0 } else { below(256) as u8 }).collect();
        for _ in 0..below(4) {
            let (width, order, _) = NUMBERS[below(6) as usize];
            let row = width * (1 + below(4) as usize);
            let (start, mut target) = (below(100) as usize, below(300));
            for at in (start..length.saturating_sub(width)).step_by(row).take(below(20) as usize) {
                let bytes = if order == Big { target.to_be_bytes() } else { target.to_le_bytes() };
                let bytes = if order == Big { &bytes[8 - width..] } else { &bytes[..width] };
                text[at..at + width].copy_from_slice(bytes);
                target += below(20);
            }
        }
        let (found, expected) = (try_table(&text), naive(&text));
        assert_eq!(found, expected, "{text:?}");
        tables += usize::from(found.is_some());
    }
    assert!(tables > 50, "{tables} tables are too few to compare");
}
