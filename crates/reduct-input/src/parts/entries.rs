//! Files and folders.

use super::shape::{PartShape, Spans, gone};
use crate::artifact::Artifact;
use crate::artifact::What;
use crate::candidate::Candidate;
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Part `i` is these entries, with their contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries(pub Arc<[Range<u32>]>);

impl PartShape for Entries {
    fn count(&self, _base: &Artifact) -> usize {
        self.0.len()
    }

    fn addresses(&self, base: &Artifact, Delta(at): Delta) -> Range<u32> {
        contents(base, self.0[at as usize].clone())
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.0.len(), config);
        let removed = Config::from_ranges(gone.iter().map(|part| self.addresses(base, part)));
        let without = Config::from_ranges(gone.iter().map(|Delta(at)| self.0[at as usize].clone()));
        let entries = Config::full(base.entries().len()).minus(&without);
        let kept = Config::full(base.bytes().len()).minus(&removed);
        Some(Candidate::new(base.clone(), entries, kept, config.len()))
    }

    /// Returns the size of these parts, by which a file without contents is worth removing, too.
    fn size(&self, base: &Artifact, parts: &Config) -> usize {
        let entries = parts.iter().map(|Delta(at)| self.0[at as usize].len()).sum();
        parts.iter().map(|part| self.addresses(base, part).len()).sum::<usize>().max(entries)
    }

    fn outside(self: Arc<Self>, _regions: &[Range<u32>]) -> Option<Spans> {
        Some(self.into())
    }
}

/// Returns the addresses of the contents of these entries, which follow each other.
fn contents(base: &Artifact, entries: Range<u32>) -> Range<u32> {
    let mut files = base.entries()[entries.start as usize..entries.end as usize].iter().filter_map(|e| match &e.what {
        What::File { bytes, .. } => Some(bytes),
        _ => None,
    });
    match files.next() {
        Some(first) => first.start..files.next_back().unwrap_or(first).end,
        None => 0..0,
    }
}
