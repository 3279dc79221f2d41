//! Words: what stands between white space, with the white space that follows. A word also ends behind `=`, `,` and `;`.
//!
//! Where the language of some text is known, words of the others only: what a grammar reads has nodes, and names of files, paths and
//! versions (`mod1.o`, `a/b`, `1.2-rc`) are several tokens where none does.

use super::{after_space, flat};
use crate::pass::{Narrowed, Needs, Pass, Proposals};
use reduct_input::Subject;
use reduct_input::parts::Apart;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    single_list: true,
    needs: Needs::Text,
    narrowed: Some(Narrowed { names: &[NARROWED], name: narrowed }),
    ..Pass::deleting(
        "words",
        "words",
        "words, up to white space, `=`, `,` or `;`, with the white space after them",
        propose,
    )
};

const NARROWED: &str = "words of texts in no known language";

fn narrowed(subject: &Subject) -> Option<&'static str> {
    subject.knows_a_language().then_some(NARROWED)
}

fn propose(subject: &Subject) -> Proposals {
    if !subject.knows_a_language() {
        return flat(subject.artifact(), end_of_word);
    }
    let words: Vec<_> = subject.of_unknown_languages().into_iter().flat_map(|text| words(subject, text)).collect();
    if words.is_empty() { vec![] } else { vec![Apart(words.into()).into()] }
}

/// Returns the words at these addresses.
fn words(subject: &Subject, addresses: Range<u32>) -> impl Iterator<Item = Range<u32>> {
    let text = subject.text(addresses.clone());
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        at = if start < text.len() { end_of_word(text, start) } else { start };
        (at > start).then(|| addresses.start + start as u32..addresses.start + at as u32)
    })
}

/// Returns the position after the word at `at`, and after the white space behind it.
fn end_of_word(text: &[u8], at: usize) -> usize {
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'=' | b',' | b';');
    let word = text[at..].iter().take_while(|b| !ends(b)).count();
    let signs = text[at + word..].iter().take_while(|b| ends(b) && !b.is_ascii_whitespace()).count();
    after_space(text, at + word + signs)
}
