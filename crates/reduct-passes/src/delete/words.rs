//! Words: what stands between white space, with the white space that follows.

use super::{after_space, flat};
use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Subject;

pub(crate) const PASS: Pass = Pass {
    single_list: true,
    needs: Needs::Text,
    ..Pass::deleting("words", "words", "words, with the white space after them", propose)
};

fn propose(subject: &Subject) -> Proposals {
    let artifact = subject.artifact();
    flat(artifact, |text, at| {
        let word = text[at..].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        after_space(text, at + word)
    })
}
