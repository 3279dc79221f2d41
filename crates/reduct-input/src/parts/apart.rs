//! Parts with gaps between them.

use super::shape::{PartShape, Spans, gone, is_outside, less};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Part `i` is these addresses; what lies between stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart(pub Arc<[Range<u32>]>);

impl PartShape for Apart {
    fn count(&self, _base: &Artifact) -> usize {
        self.0.len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        self.0[at as usize].clone()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.0.len(), config);
        let removed = Config::from_ranges(gone.iter().map(|part| self.addresses(base, part)));
        Some(less(base, &removed, config))
    }

    fn outside(self: Arc<Self>, regions: &[Range<u32>]) -> Option<Spans> {
        let parts: Vec<_> = self.0.iter().filter(|part| is_outside(part, regions)).cloned().collect();
        (!parts.is_empty()).then(|| Apart(parts.into()).into())
    }
}
