//! Events of a record as parts. A configuration that lacks what an event needs lacks the event.

use super::shape::{PartShape, Spans, gone, less};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::items::united;
use crate::record::Record;
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

impl PartShape for Record {
    fn count(&self, _base: &Artifact) -> usize {
        self.parts().len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        self.parts()[at as usize].clone()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let config = self.closed(config);
        let gone = gone(self.parts().len(), &config);
        // Events do not stand in the order in which they are searched.
        let removed = united(gone.iter().map(|part| self.addresses(base, part)).collect());
        Some(less(base, &Config::from_ranges(removed), &config))
    }

    fn are_alike(&self, one: &Config, other: &dyn Fn() -> Config) -> bool {
        self.closed(one) == self.closed(&other())
    }

    fn outside(self: Arc<Self>, _regions: &[Range<u32>]) -> Option<Spans> {
        Some(self.into())
    }
}
