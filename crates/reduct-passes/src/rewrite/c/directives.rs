//! The lines of a text that are for the preprocessor.

use super::code::Code;
use std::ops::Range;

/// A line that begins with `#`, with those that continue it.
pub(super) struct Directive<'a> {
    /// Its lines, with the end of the last.
    pub(super) lines: Range<u32>,
    /// What follows `#`: `if`, or a number for a line marker.
    pub(super) word: &'a [u8],
    /// What follows that, with a `\` at the end of a line left in.
    pub(super) rest: &'a [u8],
}

/// Returns all directives of a text, in their order. Where the grammar allows none, as among arguments, there are some
/// too.
pub(super) fn directives<'a>(code: &Code<'a>) -> Vec<Directive<'a>> {
    let all = code.tree.range(0);
    let text = code.bytes(all.clone());
    let mut found = vec![];
    let mut at = 0;
    while at < text.len() {
        let begins = text[at..].iter().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b'#');
        let end = line_end(text, at, begins);
        if begins {
            let line = text[at..end].trim_ascii_start();
            let line = line[1..].trim_ascii();
            let word = line.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
            let lines = all.start + at as u32..all.start + end as u32;
            found.push(Directive { lines, word: &line[..word], rest: line[word..].trim_ascii_start() });
        }
        at = end;
    }
    found
}

/// Returns where the line that begins at `at` ends, its newline included, and those that continue it.
fn line_end(text: &[u8], mut at: usize, continues: bool) -> usize {
    loop {
        let Some(length) = text[at..].iter().position(|b| *b == b'\n') else { return text.len() };
        let line = text[at..at + length].trim_ascii_end();
        at += length + 1;
        if !(continues && line.ends_with(b"\\")) {
            return at;
        }
    }
}
