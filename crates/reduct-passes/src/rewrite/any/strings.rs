//! Makes strings shorter.
//!
//! ## What it tries
//! For each string, of which there is more than the quotes: nothing between the quotes; its halves, its quarters, its
//! eighths removed; a prefix like `L` or `b` removed; in Ruby `''` for a string whose text stands below its line. Single characters are left to `chars`.
//!
//! ## When it helps
//! Messages, names of files, data: of most only matters that they are there.
//!
//! ## Before
//! ```c
//! char *a = "hello", *b = "some longer text";
//! ```
//! ## After
//! ```c
//! char *a = "hello", *b = "some lon";
//! ```

mod heredocs;

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::strings;
use reduct_input::Edit;
use reduct_input::Subject;
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass { needs: Needs::Text, ..Pass::rewriting("strings", "makes strings shorter", 0.6, propose) };

/// How often a string is halved. Its eighths are few enough for `chars` to go on with.
pub(super) const HALVINGS: u32 = 3;

/// Shorter pieces are not worth a test: `chars` removes as much with one.
const LEAST: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let found: Vec<Range<u32>> = strings(subject);
    let edits = (0..=HALVINGS).flat_map(|halvings| {
        let pieces = found.iter().flat_map(move |range| {
            let text = subject.text(range.clone());
            let content = content(text);
            let pieces = pieces(text, content.clone(), halvings);
            let prefix = (halvings == 0).then(|| prefix(text)).flatten();
            pieces
                .into_iter()
                .chain(prefix)
                .map(|piece| range.start + piece.start as u32..range.start + piece.end as u32)
        });
        pieces.filter_map(Edit::delete)
    });
    let heredocs = subject.trees().iter().flat_map(heredocs::heredocs);
    propose_shrinking(subject, heredocs.chain(edits))
}

/// Returns the pieces of a string that was halved so often.
pub(super) fn pieces(text: &[u8], content: Range<usize>, halvings: u32) -> Vec<Range<usize>> {
    let count = 1 << halvings;
    if halvings > 0 && content.len() / count < LEAST {
        return vec![];
    }
    let cuts: Vec<usize> =
        (0..=count).map(|number| joint(text, content.start + content.len() * number / count, content.end)).collect();
    cuts.windows(2).map(|cut| cut[0]..cut[1]).filter(|piece| !piece.is_empty()).collect()
}

/// Returns the next position where neither a character nor an escape is cut.
pub(super) fn joint(text: &[u8], mut at: usize, end: usize) -> usize {
    let within = |at: usize| text[at] & 0xc0 == 0x80 || text[at - 1] == b'\\' || at > 1 && text[at - 2] == b'\\';
    while at < end && at > 0 && within(at) {
        at += 1;
    }
    at
}

/// Returns what is between the quotes, however many these are, or between other signs at the two ends.
fn content(text: &[u8]) -> Range<usize> {
    let open = text.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(0);
    let Some(&quote) = text.get(open) else { return 0..0 };
    let many = text[open..].iter().take_while(|byte| **byte == quote).count();
    let width = if many >= 3 && text.len() >= open + 6 { 3 } else { 1 };
    let (start, end) = (open + width, text.len().saturating_sub(width));
    if start < end { start..end } else { 0..0 }
}

/// Returns the word right before the opening quote.
fn prefix(text: &[u8]) -> Option<Range<usize>> {
    let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let quoted = matches!(text.get(length), Some(b'"' | b'\'' | b'`'));
    (length > 0 && quoted).then_some(0..length)
}
