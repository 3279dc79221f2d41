//! Single bytes.

use super::shape::{PartShape, Spans};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Every byte is a part. Takes no memory, whatever the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes;

impl PartShape for Bytes {
    fn count(&self, base: &Artifact) -> usize {
        base.bytes().len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        at..at + 1
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let entries = Config::full(base.entries().len());
        Some(Candidate::new(base.clone(), entries, config.clone(), config.len()))
    }

    fn size(&self, _base: &Artifact, parts: &Config) -> usize {
        parts.len()
    }

    fn outside(self: Arc<Self>, _regions: &[Range<u32>]) -> Option<Spans> {
        Some(self.into())
    }
}
