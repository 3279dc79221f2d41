//! Panics and fatal errors of Go: the goroutine that is told first.

use super::FailureReport;
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

static HEADLINE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^(panic|fatal error): (.*)$"));
static GOROUTINE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^goroutine \d+ .*\[.*\]:$"));
static RUNTIME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:runtime|reflect|testing|sync|sync/atomic|syscall|internal/[\w/]+)\.|^panic$"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let found = HEADLINE.captures(text)?;
    let rest = &text[found.get(0)?.end()..];
    let goroutine = GOROUTINE.find(rest)?;
    // A line with the call, a line with its place: `\t/home/u/main.go:12 +0x1d`.
    let lines: Vec<&str> = rest[goroutine.end()..].lines().skip(1).take_while(|line| !line.is_empty()).collect();
    let is_call = |line: &str| !["\t", "created by ", "exit status "].iter().any(|begin| line.starts_with(begin));
    let calls = lines.iter().enumerate().filter(|(_, line)| is_call(line));
    let frames = calls.map(|(at, call)| {
        let name = call.rfind('(').map_or(*call, |at| &call[..at]);
        let place = lines.get(at + 1).and_then(|next| next.strip_prefix('\t'));
        let place = place.map_or("", |place| place.split(" +0x").next().unwrap_or(place));
        Frame::managed(name, !RUNTIME.is_match(name), place)
    });
    let message = found[2].trim_end_matches(" [recovered]").to_owned();
    let frames = frames.collect();
    Some(FailureReport { class: format!("Go {}", &found[1]), message, quotes: true, frames, chain: vec![] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_go_run_says_of_the_status_is_no_function() {
        let text =
            "panic: no\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/u/x.go:3 +0x1a\nmain.main()\n\t/u/x.go:9 +0x1b\n";
        let names = |text: &str| read(text).unwrap().frames.into_iter().map(|frame| frame.name).collect::<Vec<_>>();
        assert_eq!(names(&format!("{text}exit status 2\n")), ["main.f", "main.main"]);
    }
}
