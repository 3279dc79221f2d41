//! Exceptions of Java and its relatives: the innermost cause.

use super::Report;
use crate::oracle::frames::Frame;
use crate::oracle::regex;
use regex::Regex;
use std::sync::LazyLock;

static HEADLINE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"^(?:(?:Exception in thread "[^"]*" |Caused by: )((?:[a-z_][\w$]*\.)*[A-Z][\w$]*)|((?:[a-z_][\w$]*\.)+[A-Z][\w$]*))(?:: (.*))?$"#,
    )
});
static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s+at (?:[\w.@-]*/{1,2})*([\w$.<>]+)\(([^()]*)\)"));
static RUNTIME: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:java|javax|jdk|sun|com\.sun|kotlin|scala)\."));

pub(super) fn read(text: &str) -> Option<Report> {
    let lines: Vec<&str> = text.lines().collect();
    let is_headline =
        |at: &usize| HEADLINE.is_match(lines[*at]) && lines.get(at + 1).is_some_and(|next| ENTRY.is_match(next));
    let first = (0..lines.len()).find(is_headline)?;
    let at =
        (first..lines.len()).filter(is_headline).rfind(|at| *at == first || lines[*at].starts_with("Caused by: "))?;
    let found = HEADLINE.captures(lines[at])?;
    let entries = lines[at + 1..].iter().map_while(|line| ENTRY.captures(line));
    let frames = entries.map(|found| Frame::managed(&found[1], !RUNTIME.is_match(&found[1]))).collect();
    let message = found.get(3).map_or("", |message| message.as_str()).to_owned();
    Some(Report { class: found.get(1).or(found.get(2))?.as_str().to_owned(), message, quotes: true, frames })
}
