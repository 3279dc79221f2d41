//! Edits as parts.

use super::shape::{PartShape, Spans, gone, is_outside};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::edit::{Edit, Splice, together};
use reduct_core::{Config, Delta};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Part `i` is there as long as edit `i` is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edits(pub Arc<[Edit]>);

impl PartShape for Edits {
    fn count(&self, _base: &Artifact) -> usize {
        self.0.len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        let splices = self.0[at as usize].splices();
        splices[0].at.start..splices[splices.len() - 1].at.end
    }

    fn changes(&self, _base: &Artifact, Delta(at): Delta) -> Vec<Splice> {
        self.0[at as usize].splices().to_vec()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let made = gone(self.0.len(), config);
        let splices = together(made.iter().map(|Delta(at)| &self.0[at as usize]))?;
        let names: Vec<_> = made.iter().flat_map(|Delta(at)| self.0[at as usize].names()).collect();
        Candidate::spliced(base.clone(), splices, config.len()).named(&names)
    }

    fn outside(self: Arc<Self>, regions: &[Range<u32>]) -> Option<Spans> {
        let stays = |edit: &&Edit| edit.splices().iter().all(|splice| is_outside(&splice.at, regions));
        let edits: Vec<_> = self.0.iter().filter(stays).cloned().collect();
        (!edits.is_empty()).then(|| Edits(edits.into()).into())
    }

    fn size(&self, _base: &Artifact, parts: &Config) -> usize {
        parts.iter().map(|Delta(at)| self.0[at as usize].gain().max(0) as usize).sum()
    }

    fn places(&self, parts: &Config) -> usize {
        let splices = parts.iter().flat_map(|Delta(at)| self.0[at as usize].splices());
        splices.map(|splice| splice.at.start).collect::<BTreeSet<_>>().len()
    }
}
