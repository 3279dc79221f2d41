//! `cargo xtask bench guard`: do the small programs and the cases take as many tests as is recorded?
//!
//! The programs of `fixtures/languages` have tests that are functions, and stand in `curve.md`. Each case is a real input
//! with a program that fails on it: reduct runs it with one job, so that all that is counted is the same every time. What was counted of the
//! cases stands in `guard.md`. A case whose program is not installed is left out, and that is said; those without a `setup.sh` need
//! nothing that the tests of the project do not need, and must run.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod recorded;

use crate::cases;
use crate::cases::case::Case;
use crate::curve;
use recorded::{Counts, Table};
use std::path::{Path, PathBuf};

const USAGE: &str = "\
cargo xtask bench guard [FOLDER...] [OPTIONS]

Runs reduct on the cases of bench/cases, or of each FOLDER, and compares with bench/guard.md; and counts the tests of the programs of
fixtures/languages, and compares with bench/curve.md. It fails if something differs by more than 3 %.

  --record       write what is counted of the cases into bench/guard.md
  --cases        leave the programs of fixtures/languages out
  --worse        fail only at what takes more runs or tests, or ends larger
  --reduct PATH  this reduct (default: the release build of this tree)";

/// What was asked for.
#[derive(Default)]
struct Options {
    folders: Vec<PathBuf>,
    records: bool,
    only_cases: bool,
    only_worse: bool,
    reduct: Option<PathBuf>,
}

/// What differs from a table: what is worse, and what is better.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    pub(crate) worse: Vec<String>,
    pub(crate) better: Vec<String>,
}

/// A count may differ by so many parts of a hundred, and by one besides, before it has to be argued, and recorded anew.
const PERCENT: usize = 3;

impl Differences {
    /// Notes it if a count differs by too much.
    pub(crate) fn compare(&mut self, name: &str, what: &str, now: usize, then: usize) {
        if now * 100 > then * (100 + PERCENT) + 100 {
            self.worse.push(format!("{name}: {now} {what}, recorded were {then}"));
        } else if now * 100 + 100 < then * (100 - PERCENT) {
            self.better.push(format!("{name}: only {now} {what}, recorded were {then}"));
        }
    }
}

pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let options = options(words)?;
    let mut differences = if options.only_cases || options.records { Differences::default() } else { curve::small()? };
    let mut table = Table::read()?;
    let reduct = cases::reduct(options.reduct.as_deref())?;
    println!("{}", recorded::HEAD);
    for case in &Case::find(&options.folders)? {
        let Some(counts) = count(case, &reduct)? else { continue };
        println!("{}", counts.row(&case.name));
        match table.get(&case.name) {
            _ if options.records => table.set(&case.name, counts),
            Some(then) => counts.compare(&case.name, then, &mut differences),
            None => differences.worse.push(format!("{} is not in {}", case.name, recorded::FILE)),
        }
    }
    if options.records {
        return table.write();
    }
    let Differences { mut worse, better } = differences;
    if options.only_worse {
        better.iter().for_each(|line| println!("{line}"));
    } else {
        worse.extend(better);
    }
    match worse.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{}\nIf that is meant, say why in the commit, and record it: cargo xtask bench guard --record (of the cases), cargo xtask bench curve --record (of the others)",
            worse.join("\n")
        )),
    }
}

fn options(words: &[&str]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--record" => options.records = true,
            "--cases" => options.only_cases = true,
            "--worse" => options.only_worse = true,
            "--reduct" => {
                let path = words.next().ok_or_else(|| format!("--reduct needs a value\n\n{USAGE}"))?;
                options.reduct = Some(path.into());
            }
            option if option.starts_with('-') => return Err(format!("no option is called {option}\n\n{USAGE}")),
            folder => options.folders.push(folder.into()),
        }
    }
    if options.folders.is_empty() {
        options.folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"));
    }
    Ok(options)
}

/// Runs reduct on a case, if its input fails here.
fn count(case: &Case, reduct: &Path) -> Result<Option<Counts>, String> {
    if !cases::fails(case)? {
        return match case.test.with_file_name("setup.sh").exists() {
            true => {
                eprintln!("{}: left out: its input does not fail here (setup.sh installs what it needs)", case.name);
                Ok(None)
            }
            false => Err(format!("{}: its input does not fail", case.name)),
        };
    }
    let row = cases::alone(case, reduct)?;
    let ended = row.status == "done" && row.fails;
    let said = row.said.filter(|_| ended);
    let said = said.ok_or_else(|| format!("{}: {}, the result fails: {}", case.name, row.status, row.fails))?;
    let tests = (said.asked - said.repeated) as usize;
    Ok(Some(Counts { bytes: row.bytes, tests, runs: row.runs }))
}

#[cfg(test)]
mod tests {
    use super::{Differences, options};

    #[test]
    fn three_in_a_hundred_and_one_may_differ() {
        let mut found = Differences::default();
        for (now, then) in [(100, 100), (104, 100), (105, 100), (96, 100), (94, 100), (11, 10), (12, 10), (0, 1)] {
            found.compare("page", "tests", now, then);
        }
        assert_eq!(found.worse, ["page: 105 tests, recorded were 100", "page: 12 tests, recorded were 10"]);
        assert_eq!(found.better, ["page: only 94 tests, recorded were 100"]);
    }

    #[test]
    fn without_folders_it_is_those_of_the_project() {
        let read = options(&["--worse", "--reduct", "r"]).ok().unwrap();
        assert!(read.only_worse && !read.records && read.folders[0].ends_with("bench/cases"));
        assert!(options(&["--jobs"]).err().is_some_and(|why| why.starts_with("no option is called --jobs")));
    }
}
