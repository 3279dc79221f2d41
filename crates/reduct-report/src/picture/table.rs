//! The table of tests as a picture: what each left out in grey, its size, and its outcome (book, Example 5.8).

use super::{Look, begin, escaped, told};
use crate::human::{count, counted};
use crate::story::{StoryRow, StorySearch, StoryTest};
use std::fmt::Write;

const ROW: usize = 19;
const LETTER: f64 = 7.83;
const LEFT: usize = 64;
/// So many rows have a table as a picture.
const MOST_ROWS: usize = 1200;

/// Returns what a row shows, as stretches of text with whether they are left out.
pub fn stretches(row: &StoryRow) -> Vec<(String, bool)> {
    match row {
        StoryRow::Line(characters) => characters
            .chunk_by(|a, b| a.1 == b.1)
            .map(|stretch| (stretch.iter().map(|(c, _)| *c).collect(), stretch[0].1))
            .collect(),
        StoryRow::Removed { bytes: 0, entries, .. } => vec![(format!("−{}", counted(*entries, "entries")), false)],
        StoryRow::Removed { bytes, text, .. } if text.is_empty() => {
            vec![(format!("−{}", counted(*bytes, "bytes")), false)]
        }
        StoryRow::Removed { bytes, text, .. } => {
            vec![(format!("−{} ", counted(*bytes, "bytes")), false), (text.clone(), true)]
        }
        StoryRow::Tested(text) => vec![(text.clone(), false)],
        StoryRow::Own(bytes, text) => vec![(format!("{} ", counted(*bytes, "bytes")), false), (text.clone(), false)],
    }
}

/// Returns the picture.
pub fn svg(search: &StorySearch) -> String {
    let shown: Vec<(&StoryTest, &StoryRow)> =
        search.tests.iter().filter_map(|test| Some((test, test.row.as_ref()?))).take(MOST_ROWS).collect();
    let text = |row: &StoryRow| stretches(row).iter().map(|(text, _)| crate::excerpt::width(text)).sum::<usize>();
    let widest = shown.iter().map(|(_, row)| text(row)).max().unwrap_or(0).clamp(20, 130);
    let right = LEFT + (widest as f64 * LETTER) as usize + 16;
    let (width, height) = (right + 120, 16 + (shown.len() + 1) * ROW);
    let mut svg = String::new();
    begin(&mut svg, (width, height), ("Table of tests", &told(search)), Look::Alone);
    let mut last = 0;
    for (at, (test, row)) in shown.iter().enumerate() {
        let y = 22 + at * ROW;
        // Where rows are missing between two, that is seen.
        let number = if test.n > last + 1 { format!("… {}", count(test.n)) } else { count(test.n) };
        last = test.n;
        let _ = write!(svg, "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{number}</text>", LEFT - 12);
        let _ = write!(svg, "<text class=\"p\" xml:space=\"preserve\" x=\"{LEFT}\" y=\"{y}\">");
        for (text, is_gone) in stretches(row) {
            let class = if is_gone { " class=\"gone\"" } else { "" };
            let _ = write!(svg, "<tspan{class}>{}</tspan>", escaped(&text));
        }
        let (outcome, size) = (test.outcome, count(test.size));
        let again = if test.cached { " known before" } else { "" };
        let _ = write!(
            svg,
            "</text><text class=\"p\" x=\"{}\" y=\"{y}\" text-anchor=\"end\">({size})</text>\
             <text class=\"{}\" x=\"{}\" y=\"{y}\">{}{again}</text>",
            right + 52,
            outcome.name(),
            right + 62,
            outcome.mark()
        );
    }
    let missing = search.tests.len() - shown.len();
    let y = 22 + shown.len() * ROW;
    let rest = if missing > 0 {
        format!("{} are not shown: reduct log has all", counted(missing, "tests"))
    } else {
        format!("Result: {}", counted(search.after.0, search.after.1))
    };
    let _ = write!(svg, "<text x=\"{LEFT}\" y=\"{y}\">{rest}</text></svg>");
    svg
}
