//! AddressSanitizer, LeakSanitizer, MemorySanitizer, ThreadSanitizer, UndefinedBehaviorSanitizer.

use super::{FailureReport, file_name, native};
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

static HEADLINE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:ERROR|WARNING): (\w*Sanitizer): (SEGV|ABRT|BUS|ILL|FPE|attempting [\w-]+|detected memory leaks|[\w-]+(?: \([\w ]+\))?(?: [a-z][\w-]*)?)",
    )
});
static ACCESS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^(READ|WRITE|Direct leak|Indirect leak) of |caused by a (READ|WRITE) memory"));
static UNDEFINED: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^(\S+?):(\d+):\d+: runtime error: (.*)$"));

/// Words that follow what was found and are none of it.
const AFTER: [&str; 5] = [" on", " in", " of", " at", " (pid"];

pub(super) fn read(text: &str) -> Option<FailureReport> {
    if let Some(found) = HEADLINE.captures(text) {
        let what = AFTER.iter().fold(&found[2], |what, after| what.strip_suffix(after).unwrap_or(what));
        let what = what.split(" (").next().unwrap_or(what);
        let rest = &text[found.get(0)?.start()..];
        let access = ACCESS.captures(rest).and_then(|found| found.get(1).or(found.get(2)));
        let frames = native::numbered(rest.lines());
        // Where the stack ends is chance.
        let frames = if what == "stack-overflow" { vec![] } else { frames };
        let message = access.map_or("", |access| access.as_str()).to_owned();
        return Some(FailureReport {
            class: format!("{}: {what}", &found[1]),
            message,
            quotes: true,
            frames,
            chain: vec![],
        });
    }
    let found = UNDEFINED.captures(text)?;
    let rest = &text[found.get(0)?.start()..];
    let next = rest.lines().nth(1).is_some_and(|line| line.trim_start().starts_with("#0 "));
    let place = format!("{}:{}", &found[1], &found[2]);
    let frames = if next { native::numbered(rest.lines()) } else { vec![Frame::native(file_name(&found[1]), &place)] };
    let class = "UndefinedBehaviorSanitizer".into();
    Some(FailureReport { class, message: found[3].to_owned(), quotes: true, frames, chain: vec![] })
}
