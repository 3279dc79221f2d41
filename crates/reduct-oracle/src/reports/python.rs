//! Tracebacks of Python: the exception that ends the last one, and those it came of.

use super::{ChainedException, FailureReport};
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r#"^\s+File "([^"]*)", line (\d+)(?:, in (.+))?$"#));

const BEGIN: &str = "Traceback (most recent call last)";
/// What stands between two of a chain, with an empty line before and after.
pub(super) const BETWEEN: [&str; 2] = [
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
];

/// How the traceback of several exceptions at once begins, and how each line of it does.
const BEGIN_OF_GROUP: &str = "  + Exception Group Traceback (most recent call last)";
static MARGIN: LazyLock<Regex> = LazyLock::new(|| regex(r"^ +(?:\| ?|\+[-+]|$)"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(|line| line.starts_with(BEGIN) || line.starts_with(BEGIN_OF_GROUP))?;
    if lines[last].starts_with(BEGIN_OF_GROUP) { group(&lines[last + 1..]) } else { single(&lines) }
}

/// Returns the report of several exceptions at once, which are its chain.
fn group(lines: &[&str]) -> Option<FailureReport> {
    let margin = |line: &str| MARGIN.find(line).map(|found| found.end());
    let inside: Vec<&str> = lines.iter().map_while(|line| Some(&line[margin(line)?..])).collect();
    let mut all = vec![];
    let mut from = 0;
    // What is neither indented nor drawn names an exception, or begins the traceback of one.
    for (at, line) in inside.iter().enumerate() {
        let is_drawn = line.is_empty() || line.starts_with([' ', '-', '+']) || line.starts_with(BEGIN);
        if !is_drawn && !line.starts_with("Exception Group Traceback") {
            all.push(traceback(&inside[from..=at])?);
            from = at + 1;
        }
    }
    let mut all = all.into_iter();
    let (class, message, frames) = all.next()?;
    let chain = all.map(|(class, _, frames)| ChainedException { class, frames }).collect();
    Some(FailureReport { class, message, quotes: true, frames, chain })
}

fn single(lines: &[&str]) -> Option<FailureReport> {
    let begins: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(BEGIN)).collect();
    let (last, _) = begins.split_last()?;
    let (class, message, frames) = traceback(&lines[last + 1..])?;
    // What ends the program comes last. Those before belong to it only if it says so.
    let first = begins.iter().rposition(|at| !is_between(lines, *at)).unwrap_or(0);
    let before = begins[first..begins.len() - 1].iter();
    let chain = before.filter_map(|at| {
        let (class, _, frames) = traceback(&lines[at + 1..])?;
        Some(ChainedException { class, frames })
    });
    Some(FailureReport { class, message, quotes: true, frames, chain: chain.collect() })
}

/// Returns whether a traceback that begins there belongs to the one before it.
fn is_between(lines: &[&str], begin: usize) -> bool {
    (begin.saturating_sub(2)..begin).any(|at| BETWEEN.contains(&lines[at]))
}

/// From where the interpreter calls what is the program's. Of an exception that ends a thread, it does not end.
static OUTERMOST: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:<module>|_run_module_\w+|_run_code|<lambda>)$"));
/// How loggers begin what they say of an exception.
static LOGGED: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:ERROR|CRITICAL)\b"));

/// Returns whether the last one does not begin where the program does, or is part of a log.
pub(super) fn was_caught(lines: &[&str]) -> bool {
    let begins: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(BEGIN)).collect();
    let Some(last) = begins.last() else { return false };
    let outermost = lines[last + 1..].iter().find_map(|line| ENTRY.captures(line));
    let is_inner = outermost.and_then(|found| Some(!OUTERMOST.is_match(found.get(3)?.as_str())));
    let first = begins.iter().rfind(|at| !is_between(lines, **at)).unwrap_or(last);
    let is_logged = first.checked_sub(1).is_some_and(|before| LOGGED.is_match(lines[before]));
    is_logged || is_inner.unwrap_or(false)
}

/// How a message ends, or a statement is written, of which more lines follow.
static OPEN: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:^|[:,;(\[{\\])$"));
static OF_LINES: LazyLock<Regex> = LazyLock::new(|| regex(r#"^\s+raise\b.*(?:\\n|"""|'''|\.join\()"#));

/// Returns whether the message may have more lines than the one with which these end.
pub(super) fn runs_on(lines: &[&str], message: &str) -> bool {
    let shows = |at: usize| lines.get(at + 1).is_some_and(|line| OF_LINES.is_match(line));
    let Some(begin) = lines.iter().rposition(|line| line.starts_with(BEGIN)) else { return false };
    let innermost = (begin..lines.len()).rfind(|at| ENTRY.is_match(lines[*at]));
    OPEN.is_match(message.trim_end()) && lines.last().is_some_and(|line| line.contains(':'))
        || innermost.is_some_and(shows)
}

/// Returns behind which line the last one ends.
pub(super) fn end(lines: &[&str]) -> Option<usize> {
    let begin = lines.iter().rposition(|line| line.starts_with(BEGIN) || line.starts_with(BEGIN_OF_GROUP))? + 1;
    if lines[begin - 1].starts_with(BEGIN_OF_GROUP) {
        return Some(begin + lines[begin..].iter().take_while(|line| MARGIN.is_match(line)).count());
    }
    let after = lines[begin..].iter().position(|line| !line.starts_with(char::is_whitespace) && !line.is_empty())?;
    Some(begin + after + 1)
}

/// Returns the type and the message of the exception that ends a traceback, and its functions.
fn traceback(lines: &[&str]) -> Option<(String, String, Vec<Frame>)> {
    let mut frames = vec![];
    for line in lines {
        if let Some(found) = ENTRY.captures(line) {
            let name = found.get(3).map_or("<module>", |name| name.as_str());
            frames.push(Frame::managed(name, is_own(&found[1]), &format!("{}:{}", &found[1], &found[2])));
        } else if !line.starts_with(char::is_whitespace) && !line.is_empty() {
            frames.reverse();
            let (class, message) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
            return Some((class.into(), message.into(), frames));
        }
    }
    None
}

/// Returns whether a file is neither of the standard library, nor of the interpreter.
pub(super) fn is_own(file: &str) -> bool {
    let library = file.contains("/lib/python") && !file.contains("-packages/");
    !library && !file.starts_with("<frozen")
}
