//! The table of what was counted of cases.

use super::Differences;
use std::path::Path;

/// Where it stands, beside this crate.
pub(super) const FILE: &str = "guard.md";

/// What is counted of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Of the input and of the result.
    pub(super) bytes: (usize, usize),
    /// Questions of the search without those that were answered from memory.
    pub(super) tests: usize,
    /// Runs of the test, by its own count: besides those of the search, those before and after it.
    pub(super) runs: usize,
}

impl Counts {
    /// Returns the row of a case.
    pub(super) fn row(&self, name: &str) -> String {
        let Counts { bytes: (whole, left), tests, runs } = self;
        format!("| {name} | {whole} | {left} | {tests} | {runs} |")
    }

    fn parse(row: &str) -> Option<(String, Counts)> {
        let cells: Vec<&str> = row.strip_prefix("| ")?.split('|').map(str::trim).collect();
        let number = |at: usize| cells.get(at)?.parse().ok();
        let counts = Counts { bytes: (number(1)?, number(2)?), tests: number(3)?, runs: number(4)? };
        Some((cells[0].to_owned(), counts))
    }

    /// Notes what differs too much from what is recorded.
    pub(super) fn compare(&self, name: &str, then: Counts, differences: &mut Differences) {
        differences.compare(name, "bytes", self.bytes.1, then.bytes.1);
        differences.compare(name, "tests", self.tests, then.tests);
        differences.compare(name, "runs", self.runs, then.runs);
    }
}

/// All cases of which something is recorded, by name.
#[derive(Debug)]
pub(super) struct Table(Vec<(String, Counts)>);

impl Table {
    /// Reads it.
    pub(super) fn read() -> Result<Table, String> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
        let page = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Table(page.lines().filter_map(Counts::parse).collect()))
    }

    pub(super) fn get(&self, name: &str) -> Option<Counts> {
        self.0.iter().find(|(case, _)| case == name).map(|(_, counts)| *counts)
    }

    pub(super) fn set(&mut self, name: &str, counts: Counts) {
        self.0.retain(|(case, _)| case != name);
        self.0.push((name.to_owned(), counts));
        self.0.sort_by(|one, other| one.0.cmp(&other.0));
    }

    pub(super) fn write(&self) -> Result<(), String> {
        let mut page = format!("{INTRODUCTION}{HEAD}\n");
        self.0.iter().for_each(|(name, counts)| page.extend([counts.row(name).as_str(), "\n"]));
        crate::write_page(FILE, &page)
    }
}

/// The first two lines of the table.
pub(super) const HEAD: &str = "| case | bytes in | bytes out | tests | runs |\n|---|--:|--:|--:|--:|";

const INTRODUCTION: &str = "\
# What cases take

Made by `cargo xtask bench guard --record`, with one job. `cargo xtask bench guard` compares with this table and, for the programs of
`fixtures/languages`, with [curve.md](curve.md); it fails at a difference of more than 3 % (and one), which has to be argued in the
commit that records it. A test does the same for the cases that need nothing installed, and fails at what is worse.
[README.md](README.md) has more.

*tests*: questions of the search, without those that were answered from memory. *runs*: of the test, counted by the test itself: with
those before and after the search.

";

#[cfg(test)]
mod tests {
    use super::{Counts, HEAD};

    #[test]
    fn a_row_is_read_as_it_is_written() {
        let counts = Counts { bytes: (41_958, 8), tests: 46, runs: 49 };
        assert_eq!(Counts::parse(&counts.row("html-select")), Some(("html-select".to_owned(), counts)));
        assert!(HEAD.lines().all(|line| Counts::parse(line).is_none()));
    }
}
