//! Panics of Rust, with or without a backtrace.

use super::{FailureReport, file_name};
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// Since 1.73 the message has a line of its own.
static PANIC: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^thread '[^'\n]*'(?: \(\d+\))? panicked at ([^'\n]\S*?):(\d+):\d+:\n(.*)$"));
static OLD: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^thread '[^'\n]*' panicked at '(.*)', (\S+?):(\d+):\d+$"));
static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(\S.*)$"));
static PLACE: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s+at (\S+?:\d+)(?::\d+)?$"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let (message, file, line, end) = match PANIC.captures(text) {
        Some(found) => (found[3].to_owned(), found[1].to_owned(), found[2].to_owned(), found.get(0)?.end()),
        None => {
            let found = OLD.captures(text)?;
            (found[1].to_owned(), found[2].to_owned(), found[3].to_owned(), found.get(0)?.end())
        }
    };
    let mut frames = backtrace(&text[end.min(text.len())..]);
    if !frames.iter().any(|frame| frame.own) {
        frames = vec![Frame::native(file_name(&file), &format!("{file}:{line}"))];
    }
    Some(FailureReport { class: "panic".into(), message, quotes: true, frames, chain: vec![] })
}

fn backtrace(text: &str) -> Vec<Frame> {
    text.split_once("stack backtrace:\n").map_or_else(Vec::new, |(_, text)| entries(text))
}

/// Returns the functions of a backtrace that a text begins with.
pub(super) fn entries(text: &str) -> Vec<Frame> {
    let lines: Vec<&str> = text.lines().collect();
    let mut frames = vec![];
    for (at, line) in lines.iter().enumerate() {
        match ENTRY.captures(line) {
            Some(found) => {
                let place = lines.get(at + 1).and_then(|line| PLACE.captures(line));
                frames.push(Frame::native(&found[1], place.as_ref().map_or("", |place| &place[1])));
            }
            None if PLACE.is_match(line) => {}
            None => break,
        }
    }
    frames
}
