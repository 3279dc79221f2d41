//! Parts that follow each other without gaps.

use super::Apart;
use super::shape::{PartShape, Spans, gone, is_outside, less};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Part `i` is the addresses `cuts[i]..cuts[i + 1]`: no gaps, four bytes a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cuts(pub Arc<[u32]>);

impl Cuts {
    /// Returns the addresses of parts that follow each other.
    fn run(&self, parts: Range<u32>) -> Range<u32> {
        self.0[parts.start as usize]..self.0[parts.end as usize]
    }
}

impl PartShape for Cuts {
    fn count(&self, _base: &Artifact) -> usize {
        self.0.len().saturating_sub(1)
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        self.run(at..at + 1)
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.count(base), config);
        Some(less(base, &Config::from_ranges(gone.ranges().map(|run| self.run(run))), config))
    }

    fn size(&self, _base: &Artifact, parts: &Config) -> usize {
        parts.ranges().map(|run| self.run(run).len()).sum()
    }

    fn outside(self: Arc<Self>, regions: &[Range<u32>]) -> Option<Spans> {
        let parts = self.0.windows(2).map(|pair| pair[0]..pair[1]);
        let parts: Vec<_> = parts.filter(|part| is_outside(part, regions)).collect();
        (!parts.is_empty()).then(|| Apart(parts.into()).into())
    }
}
