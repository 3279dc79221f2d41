//! Errors of JavaScript, as node and browsers' engines print them.

use super::Report;
use crate::oracle::frames::Frame;
use crate::oracle::regex;
use regex::Regex;
use std::sync::LazyLock;

static ERROR: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:Uncaught )?([A-Za-z_$][\w$]*(?:Error|Exception)|Error)(?: \[\w+\])?(?:: (.*))?$"));
static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s+at (?:async )?(?:(?:new )?(.+?) \((.+)\)|(\S+))$"));

pub(super) fn read(text: &str) -> Option<Report> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = (0..lines.len()).filter(|at| lines.get(at + 1).is_some_and(|next| ENTRY.is_match(next)));
    let (at, error) = starts.filter_map(|at| Some((at, headline(&lines[..=at])?))).next()?;
    let entries = lines[at + 1..].iter().map_while(|line| ENTRY.captures(line));
    let frames = entries.map(|found| {
        let place = found.get(2).or(found.get(3)).map_or("", |place| place.as_str());
        let name = found.get(1).map_or("<anonymous>", |name| name.as_str());
        // `Object.f [as g]` is f.
        let name = name.split(" [as ").next().unwrap_or(name);
        Frame::managed(
            name,
            !(place.starts_with("node:")
                || place.starts_with("internal/")
                || place == "native"
                || place == "<anonymous>"),
        )
    });
    let frames = frames.collect();
    Some(Report { class: error.0, message: error.1, quotes: true, frames })
}

/// The line that names the error: a message may have several.
fn headline(before: &[&str]) -> Option<(String, String)> {
    before.iter().rev().take(8).find_map(|line| {
        let found = ERROR.captures(line)?;
        Some((found[1].to_owned(), found.get(2).map_or("", |message| message.as_str()).to_owned()))
    })
}
