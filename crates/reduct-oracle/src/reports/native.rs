//! Lines of backtraces as sanitizers, Valgrind and compilers write them.

use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// `#0 0x5f in f(int) /src/x.c:5:3`, also without an address or a place, and with the module behind or instead of it.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"^\s*#(\d+)\s+(?:0x[0-9a-f]+\s+)?(?:in\s+)?(.*?)(?:\s+([^\s()]*/[^\s()]*|[^\s()]+:\d+(?::\d+)?))?",
        r"(?:\s+\(([^()\s]+)\+0x[0-9a-f]+\))?(?:\s+\(BuildId.*)?$"
    ))
});

/// Returns the first backtrace of numbered frames at or after a line: up to a line that is none.
pub(super) fn numbered<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Frame> {
    let lines = lines.skip_while(|line| !line.trim_start().starts_with("#0 "));
    let numbered = lines.map_while(|line| NUMBERED.captures(line));
    let frames = numbered.enumerate().take_while(|(at, found)| found[1].parse() == Ok(*at));
    frames
        .map(|(_, found)| Frame::native(&found[2], found.get(3).or(found.get(4)).map_or("", |place| place.as_str())))
        .collect()
}
