//! Assertions of C and C++.

use super::{FailureReport, file_name};
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// Of glibc and of musl: `prog: x.c:12: int f(int): Assertion `x > 0' failed.`, `Assertion failed: x > 0 (x.c: f: 12)`.
static GLIBC: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^(?:.*: )?(\S+?):(\d+): (.*): Assertion [`'‘](.*)['’] failed\.?"));
static MUSL: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^Assertion failed: (.*) \((\S+): (\w+): (\d+)\)$"));
static BSD: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^Assertion failed: \((.*)\), function (\S+), file (\S+), line (\d+)\.?$"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    let part =
        |pattern: &Regex, parts: [usize; 4]| pattern.captures(text).map(|found| parts.map(|at| found[at].to_owned()));
    let found = part(&GLIBC, [4, 3, 1, 2]).or_else(|| part(&MUSL, [1, 3, 2, 4])).or_else(|| part(&BSD, [1, 2, 3, 4]));
    let [message, function, file, line] = found?;
    let class = format!("assertion in {}", file_name(&file));
    // The expression is a text of the program.
    Some(FailureReport {
        class,
        message,
        quotes: false,
        frames: vec![Frame::native(&function, &format!("{file}:{line}"))],
        chain: vec![],
    })
}
