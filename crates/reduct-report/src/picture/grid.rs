//! The grid of configurations: a row a test, a column a delta or a bin of them, the outcome as colour and as the lane of a
//! mark beside the row (AADEBUG 2000, figures 2 and 5).

use super::{Look, begin, told};
use crate::story::{FULL, StorySearch, StoryTest};
use reduct_core::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write;

/// No grid has more rows.
pub const MOST_ROWS: usize = 400;
const WIDTH: usize = 920;
const LEFT: usize = 60;
/// The lanes of the outcomes: fail, unresolved, pass.
const LANES: usize = 60;
const TOP: usize = 22;

/// Returns the tests that have a row, in their order: all of them, or every k-th and the accepted ones.
pub fn rows(search: &StorySearch) -> Vec<&StoryTest> {
    let tests = &search.tests;
    if tests.len() <= MOST_ROWS {
        return tests.iter().collect();
    }
    let accepted = search.steps.len().min(MOST_ROWS / 2);
    let every = tests.len().div_ceil(MOST_ROWS - accepted);
    // Of many accepted ones every k-th, too.
    let each = search.steps.len().div_ceil(MOST_ROWS / 2).max(1);
    let is_shown = |at: usize, test: &StoryTest| {
        at.is_multiple_of(every) || test.step.is_some_and(|number| number.is_multiple_of(each))
    };
    let shown = tests.iter().enumerate().filter(|(at, test)| is_shown(*at, test));
    shown.map(|(_, test)| test).take(MOST_ROWS + 2).collect()
}

/// Returns the class of an outcome.
pub(crate) fn class(outcome: Outcome) -> &'static str {
    outcome.name()
}

/// Returns the height of a row: with few rows they are as high as letters.
pub fn row_height(rows: usize) -> usize {
    match rows {
        0..=60 => 14,
        61..=150 => 7,
        _ => 4,
    }
}

/// Returns where cells begin, how wide all are together, and where rows begin: to find a cell by its place.
pub fn frame() -> (usize, usize, usize) {
    (LEFT, WIDTH - LEFT - LANES, TOP)
}

/// Returns the picture, with the columns of the set of this number.
pub fn svg(search: &StorySearch, set: usize, look: Look) -> String {
    let rows = rows(search);
    let row_height = row_height(rows.len());
    let height = TOP + rows.len() * row_height + 8;
    let mut svg = String::new();
    begin(&mut svg, (WIDTH, height), ("Grid of configurations", &told(search)), look);
    let columns = search.columns.get(set).map_or(0, |columns| columns.labels.len()).max(1);
    let (left, wide, top) = frame();
    let lane = |outcome: Outcome| {
        let at = match outcome {
            Outcome::Fail => 0,
            Outcome::Unresolved => 1,
            Outcome::Pass => 2,
        };
        left + wide + 8 + 17 * at
    };
    for outcome in [Outcome::Fail, Outcome::Unresolved, Outcome::Pass] {
        let (x, class, mark) = (lane(outcome) + 2, class(outcome), outcome.mark());
        let _ = write!(svg, "<text class=\"{class}\" x=\"{x}\" y=\"14\">{mark}</text>");
    }
    // One path for each colour and fill, of stretches of equal cells.
    let mut paths: BTreeMap<(&str, u8), String> = BTreeMap::new();
    let gap = if row_height >= 7 { 1 } else { 0 };
    for (at, test) in rows.iter().enumerate() {
        let y = top + at * row_height;
        let class = class(test.outcome);
        let cells: &[u8] = test.cells.get(set).map_or(&[], |cells| cells);
        let mut column = 0;
        for stretch in cells.chunk_by(|a, b| a == b) {
            let (from, to) = (x(column, columns), x(column + stretch.len(), columns));
            column += stretch.len();
            if stretch[0] == 0 {
                continue;
            }
            let path = paths.entry((class, stretch[0])).or_default();
            let _ = write!(path, "M{from} {y}H{to}v{h}H{from}z", h = row_height - gap);
        }
        if cells.is_empty() {
            let middle = y + row_height / 2;
            let path = paths.entry((class, 1)).or_default();
            let _ = write!(path, "M{left} {middle}h{wide}v1h-{wide}z");
        }
        let (x, h) = (lane(test.outcome), row_height - gap);
        let path = paths.entry((class, FULL)).or_default();
        let _ = write!(path, "M{x} {y}h14v{h}h-14z");
    }
    for ((class, fill), path) in paths {
        let opacity = [0.0, 0.3, 0.5, 0.7, 1.0][fill.min(FULL) as usize];
        let _ = write!(svg, "<path class=\"{class}\" fill-opacity=\"{opacity}\" d=\"{path}\"/>");
    }
    numbers(&mut svg, &rows, row_height);
    svg + "</svg>"
}

/// Returns where a column begins.
fn x(column: usize, columns: usize) -> usize {
    let (left, wide, _) = frame();
    left + column * wide / columns
}

/// Writes the numbers of some tests beside their rows.
fn numbers(svg: &mut String, rows: &[&StoryTest], row_height: usize) {
    let every = 14usize.div_ceil(row_height) * if rows.len() > 60 { 5 } else { 1 };
    for (at, test) in rows.iter().enumerate() {
        if at % every == 0 || at + 1 == rows.len() && row_height >= 14 {
            let y = TOP + at * row_height + 11.min(row_height + 6);
            let (x, n) = (LEFT - 8, crate::human::count(test.n));
            let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{n}</text>");
        }
    }
}
