//! Panics and fatal errors of Go: the goroutine that is told first.

use super::Report;
use crate::oracle::frames::Frame;
use crate::oracle::regex;
use regex::Regex;
use std::sync::LazyLock;

static HEADLINE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^(panic|fatal error): (.*)$"));
static GOROUTINE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^goroutine \d+ .*\[.*\]:$"));
static RUNTIME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:runtime|reflect|testing|sync|sync/atomic|syscall|internal/[\w/]+)\.|^panic$"));

pub(super) fn read(text: &str) -> Option<Report> {
    let found = HEADLINE.captures(text)?;
    let rest = &text[found.get(0)?.end()..];
    let goroutine = GOROUTINE.find(rest)?;
    // A line with the call, a line with its place.
    let lines = rest[goroutine.end()..].lines().skip(1).take_while(|line| !line.is_empty());
    let calls = lines.filter(|line| !line.starts_with('\t') && !line.starts_with("created by "));
    let frames = calls.map(|call| {
        let name = call.rfind('(').map_or(call, |at| &call[..at]);
        Frame::managed(name, !RUNTIME.is_match(name))
    });
    let message = found[2].trim_end_matches(" [recovered]").to_owned();
    let frames = frames.collect();
    Some(Report { class: format!("Go {}", &found[1]), message, quotes: true, frames })
}
