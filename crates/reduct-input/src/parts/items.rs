//! Parts of lists.

use super::shape::{PartShape, Spans, gone, less};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::items::{Item, without};
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Parts of lists, whose separators go with them; what lies between stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Items(pub Arc<[Item]>);

impl PartShape for Items {
    fn count(&self, _base: &Artifact) -> usize {
        self.0.len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        self.0[at as usize].at.clone()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.0.len(), config);
        Some(less(base, &Config::from_ranges(without(&self.0, &gone)), config))
    }

    fn outside(self: Arc<Self>, _regions: &[Range<u32>]) -> Option<Spans> {
        Some(self.into())
    }
}
