//! Tracebacks of Python: the exception that ends the last one.

use super::Report;
use crate::oracle::frames::Frame;
use crate::oracle::regex;
use regex::Regex;
use std::sync::LazyLock;

static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r#"^\s+File "([^"]*)", line \d+(?:, in (.+))?$"#));

pub(super) fn read(text: &str) -> Option<Report> {
    let begin = text.lines().position(|line| line.starts_with("Traceback (most recent call last)"))?;
    // “During handling of the above exception, …”: what ends the program comes last.
    let last =
        text.lines().enumerate().skip(begin).filter(|(_, line)| line.starts_with("Traceback (most recent")).last();
    let mut frames = vec![];
    for line in text.lines().skip(last.map_or(begin, |(at, _)| at) + 1) {
        if let Some(found) = ENTRY.captures(line) {
            let name = found.get(2).map_or("<module>", |name| name.as_str());
            frames.push(Frame::managed(name, is_own(&found[1])));
        } else if !line.starts_with(char::is_whitespace) && !line.is_empty() {
            frames.reverse();
            let (class, message) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
            return Some(Report { class: class.into(), message: message.into(), quotes: true, frames });
        }
    }
    None
}

/// Not of the standard library, nor of the interpreter.
fn is_own(file: &str) -> bool {
    let library = file.contains("/lib/python") && !file.contains("-packages/");
    !library && !file.starts_with("<frozen")
}
