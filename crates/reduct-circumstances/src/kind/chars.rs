//! Characters: those of UTF-8 where the text is UTF-8, single bytes where it is not.

use super::{Kind, LIKELY, Outline, flat};
use crate::circumstances::Spans;
use crate::subject::Subject;

pub(super) const KIND: Kind = Kind {
    name: "chars",
    unit: "characters",
    about: "characters; where the text is not UTF-8, bytes",
    flat: true,
    checked: false,
    likely: LIKELY,
    outline,
};

fn outline(subject: &Subject) -> Outline {
    let artifact = subject.artifact();
    match artifact.bytes() {
        [] => vec![],
        bytes if bytes.is_ascii() => vec![Spans::Bytes],
        _ => flat(artifact, |text, at| at + width(&text[at..])),
    }
}

/// How many bytes the character at the start of `rest` has.
fn width(rest: &[u8]) -> usize {
    let width = match rest[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    rest.get(..width).filter(|bytes| std::str::from_utf8(bytes).is_ok()).map_or(1, <[u8]>::len)
}
