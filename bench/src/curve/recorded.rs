//! The table that was recorded of these inputs, and how a new one may differ from it.

use super::{Curve, row};
use crate::guard::Differences;
use std::path::Path;

/// Where it stands, beside this crate.
const FILE: &str = "curve.md";

/// Writes the table.
pub(super) fn write(rows: &[(String, Curve)]) -> Result<(), String> {
    let mut page = String::from(INTRODUCTION);
    rows.iter().for_each(|(name, curve)| page.extend([row(name, curve).as_str(), "\n"]));
    crate::write_page(FILE, &page)
}

/// Fails if an input takes more tests than in the table, or ends larger.
pub(super) fn compare(rows: &[(String, Curve)]) -> Result<(), String> {
    let Differences { worse, .. } = differences(rows)?;
    match worse.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{}\nIf that is meant, say why in the commit, and record it: cargo xtask bench curve --record",
            worse.join("\n")
        )),
    }
}

/// Returns what differs from the table.
pub(super) fn differences(rows: &[(String, Curve)]) -> Result<Differences, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let page = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut found = Differences::default();
    for (name, curve) in rows {
        let Some([bytes, tests, area]) = recorded(&page, name) else {
            found.worse.push(format!("{name} is not in bench/{FILE}"));
            continue;
        };
        found.compare(name, "bytes", curve.bytes_out, bytes);
        found.compare(name, "tests", curve.tests, tests);
        found.compare(name, "area", curve.area, area);
    }
    Ok(found)
}

/// Returns the bytes, tests and area of an input in a table.
fn recorded(page: &str, name: &str) -> Option<[usize; 3]> {
    let line = page.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(name)?.strip_prefix(" |"))?;
    let cells: Vec<usize> = line.split('|').filter_map(|cell| cell.trim().trim_end_matches('+').parse().ok()).collect();
    Some([*cells.get(1)?, *cells.get(2)?, *cells.get(6)?])
}

const INTRODUCTION: &str = "\
# How fast inputs shrink

Made by `cargo xtask bench curve --record`. Nothing is run: the tests are functions, and the numbers are the same on every
machine. `cargo xtask bench curve --check` compares with this table, and so does a test, for the small inputs: what takes more than 3 % more tests,
or ends larger, has to be argued in the commit that records it.

*area* is the sum over all tests of the share of what goes that was still there: how many tests were made at full size, as it were.
*cost* is the sum of the sizes of all candidates, in sizes of the input. *longest stall*: tests in a row of which each removed less than a
thousandth of what was left, while more than a tenth of what goes was still there. *tail*: tests after the last success. `+`: cut off.

| input | bytes in | bytes out | tests | to 50 % | to 90 % | to 99 % | area | cost | longest stall | tail |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";
