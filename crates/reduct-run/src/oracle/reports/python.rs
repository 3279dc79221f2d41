//! Tracebacks of Python: the exception that ends the last one, and those it came of.

use super::{Link, Report};
use crate::oracle::frames::Frame;
use crate::oracle::regex;
use regex::Regex;
use std::sync::LazyLock;

static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r#"^\s+File "([^"]*)", line (\d+)(?:, in (.+))?$"#));

const BEGIN: &str = "Traceback (most recent call last)";
/// What stands between two of a chain, with an empty line before and after.
const BETWEEN: [&str; 2] = [
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
];

pub(super) fn read(text: &str) -> Option<Report> {
    let lines: Vec<&str> = text.lines().collect();
    let begins: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(BEGIN)).collect();
    let (last, _) = begins.split_last()?;
    let (class, message, frames) = traceback(&lines[last + 1..])?;
    // What ends the program comes last. Those before belong to it only if it says so.
    let is_between = |at: usize| (at.saturating_sub(2)..at).any(|at| BETWEEN.contains(&lines[at]));
    let first = begins.iter().rposition(|at| !is_between(*at)).unwrap_or(0);
    let before = begins[first..begins.len() - 1].iter();
    let chain = before.filter_map(|at| {
        let (class, _, frames) = traceback(&lines[at + 1..])?;
        Some(Link { class, frames })
    });
    Some(Report { class, message, quotes: true, frames, chain: chain.collect() })
}

/// Behind which line the last one ends.
pub(super) fn end(lines: &[&str]) -> Option<usize> {
    let begin = lines.iter().rposition(|line| line.starts_with(BEGIN))? + 1;
    let after = lines[begin..].iter().position(|line| !line.starts_with(char::is_whitespace) && !line.is_empty())?;
    Some(begin + after + 1)
}

/// The type and the message of the exception that ends a traceback, and its functions.
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

/// Not of the standard library, nor of the interpreter.
fn is_own(file: &str) -> bool {
    let library = file.contains("/lib/python") && !file.contains("-packages/");
    !library && !file.starts_with("<frozen")
}
