//! `cargo xtask bench cases`: reduct and other tools on real failing inputs, measured alike.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod bound;
pub(crate) mod case;
mod chart;
mod hdd;
mod machine;
pub(crate) mod oracle;
mod progress;
mod scratch;
mod table;
mod tokens;
mod tool;
mod trial;

use crate::built::release;
use case::Case;
use scratch::Scratch;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tool::{PEERS, Tool};
use trial::Row;

const USAGE: &str = "\
cargo xtask bench cases FOLDER... [OPTIONS] [-- ARGUMENTS FOR REDUCT]

Each FOLDER is a case (case.toml with a line `file = ...`, the file, interesting.sh), or holds cases.

  --peer NAME      also run this tool, if it is installed (on the search path or in $PEERS); `all` for all
  --peers-only     do not run reduct
  --limit SECONDS  stop a tool after this long (600)
  --jobs N         give each tool so many jobs (2)
  --reduct PATH    this reduct (default: the release build of this tree)
  --write FILE     write the table to FILE too
  --json FILE      append a line of JSON for each row to FILE
  --chart FILE     draw sizes over runs into FILE, as SVG";

/// What was asked for.
struct Options {
    folders: Vec<PathBuf>,
    peers: Vec<String>,
    with_reduct: bool,
    limit: Duration,
    jobs: usize,
    reduct: Option<PathBuf>,
    write: Option<PathBuf>,
    json: Option<PathBuf>,
    chart: Option<PathBuf>,
    extra: Vec<String>,
}

pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let options = options(words)?;
    let cases = Case::find(&options.folders)?;
    let reduct = if options.with_reduct { Some(reduct(options.reduct.as_deref())?) } else { None };
    machine::take_charge();
    let mut rows = vec![];
    for case in &cases {
        let own = reduct.iter().map(|reduct| Tool::reduct(reduct.clone(), &options.extra));
        let tools: Vec<Tool> = own.chain(options.peers.iter().filter_map(|peer| peer_for(peer, case))).collect();
        for tool in &tools {
            eprintln!("{}: {}", case.name, tool.name);
            let row = trial::run(tool, case, options.jobs, options.limit)?;
            if let Some(path) = &options.json {
                append(path, &table::json(&row))?;
            }
            rows.push(row);
            // What there is so far is not lost if the next one is given up.
            write(options.write.as_deref(), &table::markdown(&rows))?;
            write(options.chart.as_deref(), &chart::svg(&rows))?;
        }
    }
    println!("{}", table::markdown(&rows));
    Ok(())
}

/// Returns the named reduct, or the release of this tree, which is built if need be.
pub(crate) fn reduct(named: Option<&Path>) -> Result<PathBuf, String> {
    match named {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display())),
        None => release(),
    }
}

/// Returns whether the input of a case fails here.
pub(crate) fn fails(case: &Case) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    oracle::in_folder(scratch.path(), &case.file, &case.test, &case.input)
}

/// Runs a reduct on a case with one job, to its end.
pub(crate) fn alone(case: &Case, reduct: &Path) -> Result<Row, String> {
    machine::take_charge();
    trial::run(&Tool::reduct(reduct.to_owned(), &[]), case, 1, Duration::from_secs(3600))
}

fn options(words: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        folders: vec![],
        peers: vec![],
        with_reduct: true,
        limit: Duration::from_secs(600),
        jobs: 2,
        reduct: None,
        write: None,
        json: None,
        chart: None,
        extra: vec![],
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value\n\n{USAGE}"));
        match *word {
            "--peer" => match *value()? {
                "all" => options.peers.extend(PEERS.iter().map(|(name, _)| (*name).to_owned())),
                name if PEERS.iter().any(|(peer, _)| *peer == name) => options.peers.push(name.to_owned()),
                name => return Err(format!("no tool is called {name}: {}", names())),
            },
            "--peers-only" => options.with_reduct = false,
            "--limit" => options.limit = Duration::from_secs(number(word, value()?)? as u64),
            "--jobs" => options.jobs = number(word, value()?)?,
            "--reduct" => options.reduct = Some(value()?.into()),
            "--write" => options.write = Some(value()?.into()),
            "--json" => options.json = Some(value()?.into()),
            "--chart" => options.chart = Some(value()?.into()),
            "--" => options.extra.extend(words.by_ref().map(|word| (*word).to_owned())),
            option if option.starts_with('-') => return Err(format!("no option is called {option}\n\n{USAGE}")),
            folder => options.folders.push(folder.into()),
        }
    }
    if options.folders.is_empty() { Err(USAGE.into()) } else { Ok(options) }
}

fn names() -> String {
    PEERS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn number(option: &str, word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("{option} needs a whole number from 1, not {word}"))
}

fn peer_for(name: &str, case: &Case) -> Option<Tool> {
    let tool = Tool::peer(name, case);
    if tool.is_none() {
        eprintln!("{}: {name} is not installed, or does not know this language", case.name);
    }
    tool
}

fn write(path: Option<&Path>, text: &str) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn append(path: &Path, line: &str) -> Result<(), String> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let written = file.and_then(|mut file| writeln!(file, "{line}"));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::options;

    #[test]
    fn options_are_read_and_mistakes_are_named() {
        let read = options(&["c", "--peer", "delta", "--limit", "9", "other", "--", "--by", "lines"]).ok().unwrap();
        assert_eq!((read.folders.len(), read.peers.len(), read.limit.as_secs(), read.extra.len()), (2, 1, 9, 2));
        for (words, what) in [
            (vec![], "cargo xtask bench cases FOLDER"),
            (vec!["c", "--peer", "gcc"], "no tool is called gcc: creduce, "),
            (vec!["c", "--jobs", "0"], "--jobs needs a whole number from 1"),
            (vec!["c", "--limit"], "--limit needs a value"),
            (vec!["c", "--all"], "no option is called --all"),
        ] {
            assert!(options(&words).err().is_some_and(|why| why.starts_with(what)), "{words:?}");
        }
    }
}
