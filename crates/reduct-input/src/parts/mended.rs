//! Parts of which fields depend.

use super::shape::{PartShape, Spans, gone};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::edit::Splice;
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
    /// What is written over bytes that stay, if a part goes, as long as they are: by part, in ascending order.
    pub written: Arc<[(u32, Splice)]>,
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

    fn changes(&self, _base: &Artifact, part: Delta) -> Vec<Splice> {
        let part = Config::from_deltas([part]);
        let gone = self.going(&part);
        let written = self.written(&part, &gone);
        let mut changes: Vec<_> = gone.into_iter().map(|at| Splice { at, with: Arc::new([]) }).chain(written).collect();
        changes.sort_by_key(|change| change.at.start);
        changes
    }

    fn size(&self, _base: &Artifact, parts: &Config) -> usize {
        self.going(parts).iter().map(Range::len).sum()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let parts = gone(self.parts.len(), config);
        let gone = self.going(&parts);
        let written = self.written(&parts, &gone);
        Some(Candidate::spliced(base.clone(), mended(base, &gone, written, &self.mends), config.len()))
    }

    fn outside(self: Arc<Self>, _regions: &[Range<u32>]) -> Option<Spans> {
        Some(self.into())
    }
}

impl Mended {
    /// Returns what goes with these parts, in ascending order and disjoint.
    fn going(&self, parts: &Config) -> Vec<Range<u32>> {
        let with_part = |Delta(part): Delta| {
            let first = self.also.partition_point(|(of, _)| *of < part);
            self.also[first..].iter().take_while(move |(of, _)| *of == part).map(|(_, at)| at.clone())
        };
        let own = parts.iter().map(|Delta(part)| self.parts[part as usize].clone());
        united(own.chain(parts.iter().flat_map(with_part)).collect())
    }

    /// Returns what is written over bytes that stay when these parts go, and with them these addresses. In ascending
    /// order and disjoint.
    fn written(&self, parts: &Config, gone: &[Range<u32>]) -> Vec<Splice> {
        let stays = |at: &Range<u32>| {
            let next = gone.partition_point(|range| range.end <= at.start);
            gone.get(next).is_none_or(|range| at.end <= range.start)
        };
        let of_part = |Delta(part): Delta| {
            let first = self.written.partition_point(|(of, _)| *of < part);
            self.written[first..].iter().take_while(move |(of, _)| *of == part).map(|(_, splice)| splice)
        };
        let mut written: Vec<Splice> =
            parts.iter().flat_map(of_part).filter(|splice| stays(&splice.at)).cloned().collect();
        written.sort_by_key(|splice| splice.at.start);
        written.dedup_by(|next, last| next.at.start < last.at.end);
        written
    }
}
