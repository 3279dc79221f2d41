//! Shortens what repeats one byte.
//!
//! ## What it tries
//! Each byte that stands more than three times in a row, but white space: once, or half as often. Not in
//! binary files whose format is known: their lengths would be wrong.
//!
//! ## When it helps
//! Padding, rulers, the long inputs of fuzzers, data in binary files.
//!
//! ## Before
//! ```text
//! AAAAAAAAAAAAAAAA = --------
//! ```
//! ## After
//! ```text
//! A = -
//! ```

use crate::formats;
use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Edit;
use reduct_input::Subject;

pub(crate) const PASS: Pass =
    Pass { needs: Needs::Nothing, ..Pass::rewriting("runs", "shortens what repeats one byte", 0.5, propose) };

/// Fewer are a word or an operator.
const LEAST: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let mut edits = vec![];
    for (_, addresses, text) in subject.artifact().files() {
        if formats::is_known(text) {
            continue;
        }
        let mut at = addresses.start;
        for run in text.chunk_by(|a, b| a == b) {
            let end = at + run.len() as u32;
            if run.len() >= LEAST && !run[0].is_ascii_whitespace() {
                edits.push((at + 1..end, at + run.len().div_ceil(2) as u32..end));
            }
            at = end;
        }
    }
    let (once, half): (Vec<_>, Vec<_>) = edits.into_iter().unzip();
    propose_shrinking(subject, once.into_iter().chain(half).filter_map(Edit::delete))
}
