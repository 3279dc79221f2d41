//! Valgrind: the first error of memcheck, or what helgrind and drd say.

use super::FailureReport;
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

static ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (.+?)(?: \(([^()]*)\))?$"));
static SAYS: LazyLock<Regex> = LazyLock::new(|| regex(r"^==\d+== ?(.*)$"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.windows(2).position(|two| !ENTRY.is_match(two[0]) && ENTRY.is_match(two[1]))?;
    let message = SAYS.captures(lines[at])?[1].trim().to_owned();
    let entries = lines[at + 1..].iter().map_while(|line| ENTRY.captures(line));
    let frames = entries.map(|found| {
        Frame::native(&found[1], found.get(2).map_or("", |place| place.as_str()).trim_start_matches("in "))
    });
    Some(FailureReport { class: "Valgrind".into(), message, quotes: true, frames: frames.collect(), chain: vec![] })
}
