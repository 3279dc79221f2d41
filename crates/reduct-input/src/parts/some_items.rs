//! Some of the parts of lists.

use super::shape::{PartShape, Spans, gone, less};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::items::{Item, without};
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Some of the parts of lists, whose separators go with them; the others stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SomeItems {
    /// All parts of the lists.
    pub items: Arc<[Item]>,
    /// Which of them can go, in ascending order.
    pub some: Arc<[u32]>,
    /// What tells them from others of which the same pass says that they can go.
    pub name: Arc<str>,
}

impl PartShape for SomeItems {
    fn count(&self, _base: &Artifact) -> usize {
        self.some.len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        self.items[self.some[at as usize] as usize].at.clone()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.some.len(), config);
        let gone = Config::from_deltas(gone.iter().map(|Delta(at)| Delta(self.some[at as usize])));
        Some(less(base, &Config::from_ranges(without(&self.items, &gone)), config))
    }

    fn outside(self: Arc<Self>, _regions: &[Range<u32>]) -> Option<Spans> {
        Some(self.into())
    }
}
