//! Bytes.

use super::{Kind, LIKELY, Needs, Outline};
use reduct_input::Spans;
use reduct_input::Subject;

pub(super) const KIND: Kind = Kind {
    name: "bytes",
    unit: "bytes",
    about: "single bytes",
    flat: true,
    checked: false,
    needs: Needs::Nothing,
    likely: LIKELY,
    outline,
};

fn outline(subject: &Subject) -> Outline {
    let artifact = subject.artifact();
    if artifact.bytes().is_empty() { vec![] } else { vec![Spans::Bytes] }
}
