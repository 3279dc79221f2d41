//! Joins all words of a text.
//!
//! ## What it tries
//! In a text of no known language: all white space goes at once, else all line ends. One piece of white space alone is a
//! character like any other.
//!
//! ## When it helps
//! Where a failure needs words, lines or rows, and not that anything stands between them.
//!
//! ## Before
//! ```text
//! one
//! two
//! three
//! four
//! five
//! ```
//! ## After
//! ```text
//! onetwothreefourfive
//! ```

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Edit, Splice, Subject, is_binary};

pub(crate) const PASS: Pass =
    Pass { needs: Needs::Text, ..Pass::rewriting("joined", "joins all words of a text", 0.5, propose) };

/// In longer texts words are still found one by one.
const LONGEST: usize = 1 << 16;

/// Fewer pieces of white space are soon asked about one by one.
const LEAST: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let unknown = subject.of_unknown_languages();
    let without = |goes: fn(u8) -> bool| {
        let edits = unknown.iter().filter_map(move |file| {
            let text = subject.text(file.clone());
            let text = if text.len() > LONGEST || is_binary(text) { &[] } else { text };
            let places = (file.start..).zip(text).filter(|(_, byte)| goes(**byte));
            let splices: Vec<Splice> = places.map(|(at, _)| Splice { at: at..at + 1, with: [].into() }).collect();
            (splices.len() >= LEAST).then(|| Edit::new(splices)).flatten()
        });
        propose_shrinking(subject, edits)
    };
    let is_line_end = |byte: u8| matches!(byte, b'\n' | b'\r');
    [without(|byte| byte.is_ascii_whitespace()), without(is_line_end)].concat()
}
