//! Errors of JavaScript, as node and browsers' engines print them.

use super::{ChainedException, FailureReport};
use crate::frames::Frame;
use crate::regex;
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

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let lines: Vec<&str> = text.lines().collect();
    let all = all(&lines);
    // What ends the program comes last, below the line that threw it; others were caught and printed. If all of them
    // were, it ended of the last, if of any.
    let uncaught = all.iter().rposition(|error| is_uncaught(&lines[..error.begin]));
    let ends = uncaught.or_else(|| all.len().checked_sub(1))?;
    let Headline { at, class, message, .. } = all.into_iter().nth(ends)?;
    let chain = lines.iter().enumerate().skip(at + 1).filter_map(|(at, line)| {
        let class = CAUSE.captures(line)?[1].to_owned();
        // A message may have several lines.
        let after = lines[at + 1..].iter().take(MESSAGE).position(|line| ENTRY.is_match(line));
        Some(ChainedException { class, frames: after.map_or_else(Vec::new, |after| frames(&lines[at + 1 + after..])) })
    });
    Some(FailureReport { class, message, quotes: true, frames: frames(&lines[at + 1..]), chain: chain.collect() })
}

/// Returns what is said, in short, of errors that were printed before the last one, where nobody knows of which it
/// ended.
pub(super) fn earlier(lines: &[&str]) -> Vec<String> {
    let mut all = all(lines);
    all.pop();
    if !was_caught(lines) {
        return vec![];
    }
    let mut all: Vec<String> = all.into_iter().map(|error| format!("{}: {}", error.class, error.message)).collect();
    all.dedup();
    all
}

/// Returns behind which line the last one ends, but for its properties.
pub(super) fn end(lines: &[&str]) -> Option<usize> {
    Some(lines.iter().rposition(|line| ENTRY.is_match(line))? + 1)
}

/// Returns whether none of them is told as engines tell those that nobody catches.
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

/// The lines that name an error, which may be several.
struct Headline {
    begin: usize,
    /// The last of them, above the stack.
    at: usize,
    class: String,
    message: String,
}

/// Returns the errors of a text that have a stack, in their order.
fn all(lines: &[&str]) -> Vec<Headline> {
    let starts = (0..lines.len()).filter(|at| lines.get(at + 1).is_some_and(|next| ENTRY.is_match(next)));
    let mut all: Vec<Headline> = starts.filter_map(|at| headline(lines, at)).collect();
    all.dedup_by_key(|error| error.begin);
    all
}

/// Returns the error whose stack begins behind this line.
fn headline(lines: &[&str], at: usize) -> Option<Headline> {
    lines[..=at].iter().enumerate().rev().take(MESSAGE).find_map(|(begin, line)| {
        let found = ERROR.captures(line)?;
        let message = found.get(2).map_or("", |message| message.as_str()).to_owned();
        Some(Headline { begin, at, class: found[1].to_owned(), message })
    })
}

/// Returns whether above an error the runtime shows the line that threw it.
fn is_uncaught(above: &[&str]) -> bool {
    let is_mark = |line: &str| line.contains('^') && line.chars().all(|c| c == '^' || c.is_whitespace());
    matches!(above, [.., mark, ""] if is_mark(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HANDLED: &str = "reading settings\nTypeError: handled\n    at Object.<anonymous> (/u/p.js:3:12)\n    at \
                           node:internal/main/run_main_module:28:49\n";
    const LAST: &str = "RangeError: bad\nB\n    at b (/u/p.js:5:21)\n    at Object.<anonymous> (/u/p.js:6:98)\n";

    fn told(text: &str) -> (String, String) {
        let report = read(text).unwrap();
        (report.in_short(), report.frames[0].name.clone())
    }

    #[test]
    fn of_several_that_were_caught_it_ended_of_the_last() {
        let text = format!("{HANDLED}{LAST}");
        assert_eq!(told(&text), ("RangeError: bad".to_owned(), "b".to_owned()));
        assert_eq!(earlier(&text.lines().collect::<Vec<_>>()), ["TypeError: handled"]);
        assert_eq!(earlier(&LAST.lines().collect::<Vec<_>>()), [""; 0]);
        let cause = "Error: no\n    at f (/u/p.js:1:1) {\n  [cause]: TypeError: x\n      at g (/u/p.js:2:1)\n}\n";
        assert_eq!(told(&format!("{HANDLED}{cause}")), ("Error: no".to_owned(), "f".to_owned()));
    }

    #[test]
    fn one_that_nobody_caught_is_it_whatever_is_printed_later() {
        let uncaught = format!("/u/p.js:5\n  throw e;\n  ^\n\n{LAST}");
        let text = format!("{uncaught}\nNode.js v20.20.2\n{HANDLED}");
        assert_eq!(told(&text), ("RangeError: bad".to_owned(), "b".to_owned()));
        assert_eq!(earlier(&text.lines().collect::<Vec<_>>()), [""; 0]);
    }
}
