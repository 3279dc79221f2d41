//! Parts of which fields depend.

use super::shape::{PartShape, Spans, gone};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::items::united;
use crate::mend::{Mend, mended};
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Part `i` is these addresses; what lies between stays, with the fields in it that depend on the parts
/// mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The addresses of the parts.
    pub parts: Arc<[Range<u32>]>,
    /// What goes with parts besides: by part, in ascending order.
    pub also: Arc<[(u32, Range<u32>)]>,
    /// The fields, in the order of their addresses and disjoint.
    pub mends: Arc<[Mend]>,
}

impl PartShape for Mended {
    fn count(&self, _base: &Artifact) -> usize {
        self.parts.len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        self.parts[at as usize].clone()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.parts.len(), config);
        let also = self.also.iter().filter(|(part, _)| gone.contains(Delta(*part))).map(|(_, at)| at.clone());
        let gone = united(gone.iter().map(|part| self.addresses(base, part)).chain(also).collect());
        Some(Candidate::spliced(base.clone(), mended(base, &gone, &self.mends), config.len()))
    }

    fn outside(self: Arc<Self>, _regions: &[Range<u32>]) -> Option<Spans> {
        Some(self.into())
    }
}
