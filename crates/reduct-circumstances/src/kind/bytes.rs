//! Bytes.

use super::{Kind, Outline};
use crate::artifact::Artifact;
use crate::circumstances::Spans;

pub(super) const KIND: Kind = Kind { name: "bytes", unit: "bytes", about: "single bytes", flat: true, outline };

fn outline(artifact: &Artifact) -> Outline {
    if artifact.bytes().is_empty() { vec![] } else { vec![Spans::Bytes] }
}
