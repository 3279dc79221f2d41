//! Errors of JavaScript, as node and browsers' engines print them.

use super::{Link, Report};
use crate::oracle::frames::Frame;
use crate::oracle::regex;
use regex::Regex;
use std::sync::LazyLock;

pub(super) static ERROR: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:Uncaught )?([A-Za-z_$][\w$]*(?:Error|Exception)|Error)(?: \[\w+\])?(?:: (.*))?$"));
/// Where the error has properties, the last entry opens a bracket for them.
pub(super) static ENTRY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s+at (?:async )?(?:(?:new )?(.+?) \((.+)\)|(\S+))(?: \{)?$"));
/// `[cause]: TypeError: …`, among those properties.
static CAUSE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s+\[cause\]: ([A-Za-z_$][\w$]*(?:Error|Exception)|Error)(?: \[\w+\])?(?::.*)?$"));
/// What stands for entries that the cause has as well.
static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s+\.\.\. \d+ lines matching cause stack trace \.\.\.$"));

pub(super) fn read(text: &str) -> Option<Report> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = (0..lines.len()).filter(|at| lines.get(at + 1).is_some_and(|next| ENTRY.is_match(next)));
    let mut all: Vec<_> = starts.filter_map(|at| Some((at, headline(&lines[..=at])?))).collect();
    all.dedup_by_key(|(_, (begin, ..))| *begin);
    // What ends the program comes last, below the line that threw it; others were caught and printed.
    let ends = all.iter().rposition(|(_, (begin, ..))| is_uncaught(&lines[..*begin])).unwrap_or(0);
    let (at, (_, class, message)) = all.into_iter().nth(ends)?;
    let chain = lines.iter().enumerate().skip(at + 1).filter_map(|(at, line)| {
        let class = CAUSE.captures(line)?[1].to_owned();
        // A message may have several lines.
        let after = lines[at + 1..].iter().take(MESSAGE).position(|line| ENTRY.is_match(line));
        Some(Link { class, frames: after.map_or_else(Vec::new, |after| frames(&lines[at + 1 + after..])) })
    });
    Some(Report { class, message, quotes: true, frames: frames(&lines[at + 1..]), chain: chain.collect() })
}

/// Behind which line the last one ends, but for its properties.
pub(super) fn end(lines: &[&str]) -> Option<usize> {
    Some(lines.iter().rposition(|line| ENTRY.is_match(line))? + 1)
}

/// Whether none of them is told as engines tell those that nobody catches.
pub(super) fn was_caught(lines: &[&str]) -> bool {
    let is_told = |line: &&str| line.starts_with("Node.js v") || line.contains("Uncaught ");
    !lines.iter().any(is_told) && !(0..lines.len()).any(|at| is_uncaught(&lines[..at]))
}

/// So many lines a message may have.
const MESSAGE: usize = 8;

pub(super) fn frames(lines: &[&str]) -> Vec<Frame> {
    let lines = lines.iter().filter(|line| !LEFT_OUT.is_match(line));
    let entries = lines.map_while(|line| ENTRY.captures(line));
    let frames = entries.map(|found| {
        let place = found.get(2).or(found.get(3)).map_or("", |place| place.as_str());
        let name = found.get(1).map_or("<anonymous>", |name| name.as_str());
        // `Object.f [as g]` is f.
        let name = name.split(" [as ").next().unwrap_or(name);
        let is_of_engine =
            place.starts_with("node:") || place.starts_with("internal/") || place == "native" || place == "<anonymous>";
        // A program that was packed is one line.
        Frame::managed(name, !is_of_engine, place).in_column(place)
    });
    frames.collect()
}

/// The line that names the error, with what it names: a message may have several.
fn headline(before: &[&str]) -> Option<(usize, String, String)> {
    before.iter().enumerate().rev().take(MESSAGE).find_map(|(at, line)| {
        let found = ERROR.captures(line)?;
        Some((at, found[1].to_owned(), found.get(2).map_or("", |message| message.as_str()).to_owned()))
    })
}

/// Whether above an error the runtime shows the line that threw it.
fn is_uncaught(above: &[&str]) -> bool {
    let is_mark = |line: &str| line.contains('^') && line.chars().all(|c| c == '^' || c.is_whitespace());
    matches!(above, [.., mark, ""] if is_mark(mark))
}
