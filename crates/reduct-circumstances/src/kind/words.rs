//! Words: what stands between white space, with the white space that follows.

use super::{Kind, Outline, after_space, flat};
use crate::artifact::Artifact;

pub(super) const KIND: Kind =
    Kind { name: "words", unit: "words", about: "words, with the white space after them", flat: true, outline };

fn outline(artifact: &Artifact) -> Outline {
    flat(artifact, |text, at| {
        let word = text[at..].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        after_space(text, at + word)
    })
}
