//! Words: what stands between white space, with the white space that follows.

use super::{Kind, LIKELY, Needs, Outline, after_space, flat};
use reduct_input::Subject;

pub(super) const KIND: Kind = Kind {
    name: "words",
    unit: "words",
    about: "words, with the white space after them",
    flat: true,
    checked: false,
    needs: Needs::Text,
    likely: LIKELY,
    outline,
};

fn outline(subject: &Subject) -> Outline {
    let artifact = subject.artifact();
    flat(artifact, |text, at| {
        let word = text[at..].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        after_space(text, at + word)
    })
}
