//! Exceptions of Java and its relatives: the innermost cause.

use super::{ChainedException, FailureReport};
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

static HEADLINE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"^(?:(?:Exception in thread "[^"]*" |Caused by: )((?:[a-z_][\w$]*\.)*[A-Z][\w$]*)|((?:[a-z_][\w$]*\.)+[A-Z][\w$]*))(?:: (.*))?$"#,
    )
});
static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s+at (?:[\w.@-]*/{1,2})*([\w$.<>]+)\(([^()]*)\)"));
static RUNTIME: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:java|javax|jdk|sun|com\.sun|kotlin|scala)\."));

const UNCAUGHT: &str = "Exception in thread \"main\" ";

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let lines: Vec<&str> = text.lines().collect();
    let is_headline =
        |at: &usize| HEADLINE.is_match(lines[*at]) && lines.get(at + 1).is_some_and(|next| ENTRY.is_match(next));
    // What ends the program is marked so; other exceptions were caught and printed, or ended another thread.
    let ends = (0..lines.len()).rfind(|at| lines[*at].starts_with(UNCAUGHT) && is_headline(at));
    let first = ends.or_else(|| (0..lines.len()).find(is_headline))?;
    let is_cause = |at: &usize| *at == first || lines[*at].starts_with("Caused by: ");
    let chain: Vec<usize> = (first..lines.len()).filter(is_headline).filter(is_cause).collect();
    let (last, before) = chain.split_last()?;
    let link = |at: usize| {
        let found = HEADLINE.captures(lines[at])?;
        let class = found.get(1).or(found.get(2))?.as_str().to_owned();
        Some(ChainedException { class, frames: frames(&lines[at + 1..]) })
    };
    let chain = before.iter().filter_map(|at| link(*at)).collect();
    let message = HEADLINE.captures(lines[*last])?.get(3).map_or("", |message| message.as_str()).to_owned();
    let ChainedException { class, frames } = link(*last)?;
    Some(FailureReport { class, message, quotes: true, frames, chain })
}

/// Returns behind which line the last one ends.
pub(super) fn end(lines: &[&str]) -> Option<usize> {
    Some(lines.iter().rposition(|line| ENTRY.is_match(line))? + 1)
}

/// Returns whether none of them is told as the runtime tells those that end the program. Of others only a thread ends.
pub(super) fn was_caught(lines: &[&str]) -> bool {
    !lines.iter().any(|line| line.starts_with(UNCAUGHT))
}

fn frames(lines: &[&str]) -> Vec<Frame> {
    let entries = lines.iter().map_while(|line| ENTRY.captures(line));
    entries.map(|found| Frame::managed(&found[1], !RUNTIME.is_match(&found[1]), &found[2])).collect()
}
