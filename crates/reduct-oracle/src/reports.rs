//! Reports: what sanitizers, runtimes and compilers say of a failure, read into one form.
//!
//! One format a file, each a function from a text to a [`FailureReport`], if there is one of its format in it.

mod assertion;
mod compiler;
pub mod gdb;
mod go;
mod java;
mod javascript;
mod lua;
mod native;
mod php;
mod printed;
mod pytest;
mod python;
mod ruby;
mod rust;
mod sanitizer;
mod tested;
mod valgrind;

use super::frames::Frame;
pub(super) use super::frames::file_name;
use super::regex;
pub use printed::frames as printed_frames;
use regex::Regex;
use std::sync::LazyLock;

/// What a failure says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureReport {
    /// The kind of failure: the sanitizer and what it found, the type of an exception.
    pub class: String,
    /// What it says about it, as it was written.
    pub message: String,
    /// Whether the message quotes the input and not the program.
    pub quotes: bool,
    /// The functions it happened in, innermost first.
    pub frames: Vec<Frame>,
    /// What it came of, or what came of it, in the order in which it is told.
    pub chain: Vec<ChainedException>,
}

impl FailureReport {
    /// Returns its kind, and what it says.
    pub(super) fn in_short(&self) -> String {
        format!("{}: {}", self.class, self.message)
    }
}

/// Another exception of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedException {
    /// Its type.
    pub class: String,
    /// The functions it happened in, innermost first.
    pub frames: Vec<Frame>,
}

/// Those that nobody prints by chance first. A traceback may end in a panic that another format tells better.
const READERS: [fn(&str) -> Option<FailureReport>; 14] = [
    sanitizer::read,
    valgrind::read,
    compiler::read,
    rust::read,
    java::read,
    tested::read,
    javascript::read,
    go::read,
    lua::read,
    ruby::read,
    php::read,
    pytest::read,
    python::read,
    assertion::read,
];

/// An exception that a text shows, and what it says after it.
#[derive(Clone, Debug)]
pub(super) struct Printed<'a> {
    pub(super) report: FailureReport,
    /// With which statuses the runtime ends of one that nobody catches.
    pub(super) statuses: &'static [i32],
    pub(super) rest: &'a str,
    /// Whether it is none that nobody has caught: it looks otherwise than the runtime shows those.
    pub(super) was_caught: bool,
    /// Whether it ended a thread or another process, as the runtime shows it, and not the program that goes on.
    pub(super) ended_another: bool,
    /// Whether its message may have more lines, with which `rest` begins.
    pub(super) runs_on: bool,
    /// What other exceptions say, in short, that were printed before it and caught as it was.
    pub(super) earlier: Vec<String>,
}

/// How exceptions of a language are printed.
struct Runtime {
    read: fn(&str) -> Option<FailureReport>,
    /// Behind which line the last one ends.
    end: fn(&[&str]) -> Option<usize>,
    /// Whether the last one looks otherwise than those that nobody catches.
    was_caught: fn(&[&str]) -> bool,
    /// What others say that were printed before the last one.
    earlier: fn(&[&str]) -> Vec<String>,
    /// The statuses with which programs end of those.
    statuses: &'static [i32],
}

/// Runtimes of languages in which programs catch exceptions and print them. Shells of browsers' engines end with 3.
const RUNTIMES: [Runtime; 3] = [
    Runtime { read: java::read, end: java::end, was_caught: java::was_caught, earlier: |_| vec![], statuses: &[1] },
    Runtime {
        read: javascript::read,
        end: javascript::end,
        was_caught: javascript::was_caught,
        earlier: javascript::earlier,
        statuses: &[1, 3, 7],
    },
    Runtime {
        read: python::read,
        end: python::end,
        was_caught: python::was_caught,
        earlier: |_| vec![],
        statuses: &[1],
    },
];

/// What Java and Python say above an exception that nobody catches in a thread, and Python of one in a process that it
/// started as a part of itself; node says last that it ended.
static ENDED_ANOTHER: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:Exception in thread \S|Process \S.*:$|Node\.js v\d)"));

/// Returns the exception in a text, if that is the report in it.
pub(super) fn exception(text: &str) -> Option<Printed<'_>> {
    let report = READERS.iter().find_map(|read| read(text))?;
    let runtime = RUNTIMES.iter().find(|runtime| (runtime.read)(text).as_ref() == Some(&report))?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    let end = (runtime.end)(&trimmed)?;
    let runs_on = python::runs_on(&trimmed[..end.min(lines.len())], &report.message);
    let rest = &text[lines[..end.min(lines.len())].iter().map(|line| line.len()).sum()..];
    let ended_another = trimmed.iter().any(|line| ENDED_ANOTHER.is_match(line));
    let (was_caught, earlier) = ((runtime.was_caught)(&trimmed), (runtime.earlier)(&trimmed));
    Some(Printed { report, statuses: runtime.statuses, rest, was_caught, ended_another, runs_on, earlier })
}

/// Returns the report in what a run has written, on standard error if there is one.
pub fn read(stderr: &[u8], stdout: &[u8]) -> Option<FailureReport> {
    [stderr, stdout].into_iter().find_map(|text| {
        let text = String::from_utf8_lossy(text);
        READERS.iter().find_map(|read| read(&text))
    })
}
