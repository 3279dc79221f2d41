//! What all shapes of parts have in common.

use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::edit::Splice;
use reduct_core::{Config, Delta, Nesting};
use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Where the parts of an artifact are, and what is left of it without some of them.
pub trait PartShape: Any + Debug + Send + Sync {
    /// Returns how many parts there are.
    fn count(&self, base: &Artifact) -> usize;

    /// Returns the addresses of a part; of a part that is made of entries, those of their contents.
    fn addresses(&self, base: &Artifact, part: Delta) -> Range<u32>;

    /// Returns what is left with the parts gone that are not in `config`; `None` if there is no such thing.
    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate>;

    /// Returns the parts that are outside of these regions, which ascend; `None` if none is.
    fn outside(self: Arc<Self>, regions: &[Range<u32>]) -> Option<Spans>;

    /// Returns what a part changes where, and what comes in the place of that: of most, all at its addresses goes.
    fn changes(&self, base: &Artifact, part: Delta) -> Vec<Splice> {
        vec![Splice { at: self.addresses(base, part), with: Arc::new([]) }]
    }

    /// Returns how much goes with these parts: bytes or, if that is more, entries.
    fn size(&self, base: &Artifact, parts: &Config) -> usize {
        parts.iter().map(|part| self.addresses(base, part).len()).sum()
    }

    /// Returns in how many places something is changed.
    fn places(&self, parts: &Config) -> usize {
        parts.len()
    }

    /// Returns how the parts are nested, if they are.
    fn nesting(&self) -> Option<&Arc<Nesting>> {
        None
    }

    /// Returns whether two configurations are the same candidate because of what parts need.
    fn are_alike(&self, _one: &Config, _other: &dyn Fn() -> Config) -> bool {
        false
    }
}

/// Parts of some shape, without what they are parts of.
#[derive(Clone, Debug)]
pub struct Spans(Arc<dyn PartShape>);

impl Spans {
    /// Returns them as what all shapes are.
    pub fn shape(&self) -> &dyn PartShape {
        &*self.0
    }

    /// Returns them as what they are, if that is this shape.
    pub fn get<S: PartShape>(&self) -> Option<&S> {
        (self.shape() as &dyn Any).downcast_ref()
    }

    /// Returns those that are outside of these regions, which ascend; `None` if none is.
    pub fn outside(self, regions: &[Range<u32>]) -> Option<Spans> {
        self.0.outside(regions)
    }
}

impl<S: PartShape> From<S> for Spans {
    fn from(shape: S) -> Spans {
        Spans(Arc::new(shape))
    }
}

impl<S: PartShape> From<Arc<S>> for Spans {
    fn from(shape: Arc<S>) -> Spans {
        Spans(shape)
    }
}

/// Returns whether a part is outside of regions that ascend.
pub(super) fn is_outside(part: &Range<u32>, regions: &[Range<u32>]) -> bool {
    let before = regions.partition_point(|region| region.start < part.end).checked_sub(1);
    before.is_none_or(|at| regions[at].end <= part.start)
}

/// Returns the parts that a configuration leaves out, of so many.
pub(super) fn gone(count: usize, config: &Config) -> Config {
    Config::full(count).minus(config)
}

/// Returns `base` with all its entries, less these addresses.
pub(super) fn less(base: &Arc<Artifact>, removed: &Config, config: &Config) -> Candidate {
    let entries = Config::full(base.entries().len());
    let kept = Config::full(base.bytes().len()).minus(removed);
    Candidate::new(base.clone(), entries, kept, config.len())
}
