//! Compilers that break: GCC, Clang and LLVM, rustc.

use super::{FailureReport, assertion, native, rust};
use crate::frames::Frame;
use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

const CLASS: &str = "internal compiler error";

static GCC: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)internal compiler error: (.*)$"));
/// `0x7f fold_convert(tree_node*, int)`, and a line with its place.
static GCC_ENTRY: LazyLock<Regex> = LazyLock::new(|| regex(r"^0x[0-9a-f]+ (\S.*)$"));
static LLVM: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?m)^(?:fatal error: error in backend: |LLVM ERROR: |UNREACHABLE executed|Stack dump:|PLEASE submit a bug report)(.*)$",
    )
});
static LLVM_SAYS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^(?:fatal error: error in backend: |LLVM ERROR: )(.*)$|^(.*)\nUNREACHABLE executed"));

pub(super) fn read(text: &str) -> Option<FailureReport> {
    rustc(text).or_else(|| gcc(text)).or_else(|| llvm(text))
}

/// What rustc says when it breaks.
const BROKEN_RUSTC: [&str; 2] = ["the compiler unexpectedly panicked", "error: internal compiler error"];

/// Reads a panic of the compiler: it panics like any program in Rust, in a thread of its name.
fn rustc(text: &str) -> Option<FailureReport> {
    let broke = BROKEN_RUSTC.iter().any(|said| text.contains(said));
    let panic = rust::read(text)
        .filter(|_| broke || text.contains("\nthread 'rustc'") || text.starts_with("thread 'rustc'"))?;
    let said = GCC.captures(text).map(|found| found[1].to_owned());
    let message = said.filter(|said| !said.starts_with("unexpected panic")).unwrap_or(panic.message);
    Some(FailureReport { class: CLASS.into(), message, ..panic })
}

fn gcc(text: &str) -> Option<FailureReport> {
    let found = GCC.captures(text)?;
    let rest = &text[found.get(0)?.end()..];
    let lines: Vec<&str> = rest.lines().skip(1).collect();
    let mut frames = vec![];
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = GCC_ENTRY.captures(line) {
            frames.push(Frame::native(&found[1], lines.get(at + 1).map_or("", |place| place.trim())));
        }
    }
    Some(FailureReport { class: CLASS.into(), message: found[1].to_owned(), quotes: true, frames, chain: vec![] })
}

fn llvm(text: &str) -> Option<FailureReport> {
    LLVM.find(text)?;
    let trace = text.find("Stack dump:").map_or("", |at| &text[at..]);
    // Passes and what they work on are numbered as well, by a dot.
    let frames = native::numbered(trace.lines());
    if let Some(assertion) = assertion::read(text) {
        let frames = if frames.iter().any(|frame| frame.own) { frames } else { assertion.frames.clone() };
        return Some(FailureReport { class: CLASS.into(), frames, ..assertion });
    }
    let says = LLVM_SAYS.captures(text).and_then(|found| found.get(1).or(found.get(2)));
    let message = says.map_or("", |says| says.as_str()).to_owned();
    Some(FailureReport { class: CLASS.into(), message, quotes: true, frames, chain: vec![] })
}
