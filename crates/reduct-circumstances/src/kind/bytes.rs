//! Bytes.

use super::{Kind, LIKELY, Outline};
use crate::circumstances::Spans;
use crate::subject::Subject;

pub(super) const KIND: Kind =
    Kind { name: "bytes", unit: "bytes", about: "single bytes", flat: true, checked: false, likely: LIKELY, outline };

fn outline(subject: &Subject) -> Outline {
    let artifact = subject.artifact();
    if artifact.bytes().is_empty() { vec![] } else { vec![Spans::Bytes] }
}
