//! The grid and the curve as text for a terminal.

use super::curve::sizes;
use super::grid::rows;
use super::phase;
use crate::human::{count, counted};
use crate::story::{FULL, StorySearch};
use reduct_core::Outcome;

const PLAIN: &str = "\x1b[0m";
/// How a cell is drawn, from nothing to all.
const FILLS: [char; FULL as usize + 1] = ['·', '░', '▒', '▓', '█'];

fn color(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fail => "\x1b[31m",
        Outcome::Pass => "\x1b[32m",
        Outcome::Unresolved => "\x1b[33m",
    }
}

/// Returns the grid, line by line, in so many columns of a terminal: a row a test, a cell a delta or a bin of them.
pub fn grid(search: &StorySearch, colored: bool, columns: usize) -> Vec<String> {
    let digits = search.tests.last().map_or(1, |test| count(test.n).len());
    let size = count(search.before.0).len().max(1) + 2;
    let free = columns.saturating_sub(digits + size + 6).max(8);
    let set = search.columns.iter().rposition(|set| set.labels.len() <= free);
    let set = set.unwrap_or(search.columns.len().saturating_sub(1));
    let name = search.columns.get(set).map_or("parts", |set| set.name);
    let all = search.columns.get(set).map_or(0, |set| set.labels.len());
    let mut lines = vec![format!(
        "A row a test, a column one of {} {name}; ·░▒▓█ is how much of it the test had; ✗ fail, ✓ pass, ? unresolved",
        count(all)
    )];
    let rows = rows(search);
    for test in &rows {
        let cells: &[u8] = test.cells.get(set).map_or(&[], |cells| cells);
        let cells: String = fit(cells, free).iter().map(|fill| FILLS[(*fill).min(FULL) as usize]).collect();
        let cells = if cells.is_empty() { "(not told apart)".to_owned() } else { cells };
        let pad = " ".repeat(free.min(all).saturating_sub(cells.chars().count()));
        let (begin, end) = if colored { (color(test.outcome), PLAIN) } else { ("", "") };
        let accepted = if test.step.is_some() { " ←" } else { "" };
        let shown = format!("({})", count(test.size));
        lines.push(format!(
            "{:>digits$} {begin}{cells}{end}{pad} {shown:>size$} {begin}{}{end}{accepted}",
            count(test.n),
            test.outcome.mark()
        ));
    }
    if rows.len() < search.tests.len() {
        let (shown, all) = (count(rows.len()), counted(search.tests.len(), "tests"));
        lines.push(format!("({shown} of {all} are shown, with those that were accepted; the whole table: reduct log)"));
    }
    lines
}

/// Returns the cells in at most so many: of neighbours that become one the mean, which is all or nothing only if they are.
fn fit(cells: &[u8], most: usize) -> Vec<u8> {
    if cells.len() <= most {
        return cells.to_vec();
    }
    let bundle = |at: usize| {
        let bundle = &cells[at * cells.len() / most..((at + 1) * cells.len() / most).max(at * cells.len() / most + 1)];
        match bundle {
            all if all.iter().all(|fill| *fill == FULL) => FULL,
            all if all.iter().all(|fill| *fill == 0) => 0,
            all => {
                let sum: usize = all.iter().map(|fill| usize::from(*fill)).sum();
                (sum / all.len()).clamp(1, FULL as usize - 1) as u8
            }
        }
    };
    (0..most).map(bundle).collect()
}

/// Returns the curve, line by line, in so many columns and rows: the size over the tests on a logarithmic axis.
pub fn curve(search: &StorySearch, columns: usize, height: usize) -> Vec<String> {
    let sizes = sizes(search);
    let last = sizes.last().map_or(1, |(n, _)| *n).max(1);
    let high = sizes.iter().map(|(_, size)| *size).max().unwrap_or(1).max(2);
    let low = sizes.iter().map(|(_, size)| *size).min().unwrap_or(1).max(1);
    let low = 10usize.pow(low.ilog10()).min(high - 1);
    let margin = count(high).len();
    let width = columns.saturating_sub(margin + 3).max(10);
    let height = height.max(4);
    let level = |size: usize| {
        let share = (size.max(1) as f64 / low as f64).ln().max(0.0) / (high as f64 / low as f64).ln();
        ((share * (height - 1) as f64).round() as usize).min(height - 1)
    };
    let size_at = |n: u64| {
        let at = sizes.partition_point(|(step, _)| *step <= n).max(1);
        sizes[at - 1].1
    };
    let levels: Vec<usize> =
        (0..width).map(|at| level(size_at(last * at as u64 / (width as u64 - 1).max(1)))).collect();
    let mut lines = vec![];
    for row in (0..height).rev() {
        let label = match row {
            _ if row == height - 1 => count(high),
            0 => count(low),
            _ => String::new(),
        };
        let dot = |at: usize| {
            let (now, before) = (levels[at], levels[at.saturating_sub(1)]);
            match () {
                () if now == row && before > row => '╰',
                () if now == row => '─',
                () if now < row && row < before => '│',
                () if now < row && row == before => '╮',
                () => ' ',
            }
        };
        let dots: String = (0..width).map(dot).collect();
        lines.push(format!("{label:>margin$} │{}", dots.trim_end()));
    }
    lines.push(format!("{:>margin$} └{}", "", "─".repeat(width)));
    let end = counted(last, "tests");
    lines.push(format!("{:>margin$}  0{end:>free$}", "", free = width.saturating_sub(1)));
    lines.push(format!("Sizes are in {}. Phases:", search.after.1));
    lines.extend(phases(search));
    lines
}

/// Returns what phases there were, with their tests and what they brought; of many the largest.
fn phases(search: &StorySearch) -> Vec<String> {
    const MOST: usize = 12;
    let mut all: Vec<usize> = (0..search.phases.len()).collect();
    all.sort_by_key(|at| std::cmp::Reverse(search.phases[*at].last - search.phases[*at].first));
    let more = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    all.sort_unstable();
    let line = |at: usize| {
        let band = search.phases[at];
        let accepted = search.steps.iter().filter(|step| step.phase == at).count();
        let tests = counted(band.last - band.first + 1, "tests");
        format!("  from {:>6}: {}, {tests}, {} accepted", count(band.first), phase(search, at), count(accepted))
    };
    let mut lines: Vec<String> = all.into_iter().map(line).collect();
    if more > 0 {
        lines.push(format!("  and {}", counted(more, "shorter phases")));
    }
    lines
}
