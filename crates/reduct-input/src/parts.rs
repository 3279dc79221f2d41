//! Parts of an artifact: deltas, and how a configuration of them becomes a candidate.
//!
//! Where the parts are, and what is left without some, is a [`PartShape`]: one a file. A new one is a file and a `mod`.

mod apart;
mod bytes;
mod cuts;
mod edits;
mod entries;
mod events;
mod following;
mod item_sets;
mod items;
mod mended;
mod remade;
mod roots;
mod shape;
mod some_items;
mod tree;

pub use apart::Apart;
pub use bytes::Bytes;
pub use cuts::Cuts;
pub use edits::Edits;
pub use entries::Entries;
pub use following::Following;
pub use item_sets::{Emptied, ItemSets};
pub use items::Items;
pub use mended::Mended;
pub use remade::{Remade, Remake};
pub use roots::{Led, Root, Roots, led_to, roots_of};
pub use shape::{PartShape, Spans};
pub use some_items::SomeItems;
pub use tree::TreeParts;

use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::edit::Splice;
use reduct_core::{Config, Delta, Joints, Nesting};
use std::ops::Range;
use std::sync::Arc;

/// What can vary in one subject.
pub trait Circumstances {
    /// Returns how many deltas there are.
    fn len(&self) -> usize;

    /// Returns whether nothing can vary.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the candidate of a configuration: what is left with the other deltas gone. `None` if there is none (a
    /// hunk without the one it needs), which is [`reduct_core::Outcome::Unresolved`] without a run.
    fn candidate(&self, config: &Config) -> Option<Candidate>;

    /// Returns the deltas without which this one cannot be.
    fn needs(&self, _delta: Delta) -> &[Delta] {
        &[]
    }
}

/// Disjoint parts of an artifact, each of which can be there or not.
#[derive(Clone, Debug)]
pub struct Parts {
    base: Arc<Artifact>,
    spans: Spans,
}

impl Parts {
    /// Returns the given parts of `base`.
    pub fn new(base: Arc<Artifact>, spans: impl Into<Spans>) -> Parts {
        Parts { base, spans: spans.into() }
    }

    /// Returns what they are parts of.
    pub fn base(&self) -> &Arc<Artifact> {
        &self.base
    }

    /// Returns how its parts are nested, if they are.
    pub fn nesting(&self) -> Option<&Arc<Nesting>> {
        self.spans.shape().nesting()
    }

    /// Returns whether its parts are edits.
    pub fn are_edits(&self) -> bool {
        self.spans.get::<Edits>().is_some()
    }

    /// Returns whether its parts are events.
    pub fn are_events(&self) -> bool {
        self.spans.get::<crate::record::Record>().is_some()
    }

    /// Returns whether two configurations are the same candidate because of what parts need.
    pub fn are_alike(&self, one: &Config, other: impl Fn() -> Config) -> bool {
        self.spans.shape().are_alike(one, &other)
    }

    /// Returns the addresses of a part; of a part that is made of entries, those of their contents.
    pub fn addresses(&self, part: Delta) -> Range<u32> {
        self.spans.shape().addresses(&self.base, part)
    }

    /// Returns what a part changes where, and what comes in the place of that.
    pub fn changes(&self, part: Delta) -> Vec<Splice> {
        self.spans.shape().changes(&self.base, part)
    }

    /// Returns how much goes with these parts: bytes or, if that is more, entries.
    pub fn size(&self, parts: &Config) -> usize {
        self.spans.shape().size(&self.base, parts)
    }

    /// Returns how much goes with each part, in bytes.
    pub fn sizes(&self) -> Arc<[u32]> {
        let size = |at: u32| self.size(&Config::from_deltas([Delta(at)])).try_into().unwrap_or(u32::MAX);
        (0..self.len() as u32).map(size).collect()
    }

    /// Returns in how many places edits change something.
    pub fn places(&self, parts: &Config) -> usize {
        self.spans.shape().places(parts)
    }

    /// Returns how strongly each part is joined to the one before it, for a split that keeps paragraphs,
    /// lines and words together: 3 at the start of a paragraph, 2 of a line, 1 of a word, else 0.
    pub fn joints(&self) -> Joints {
        let text = self.base.bytes();
        let strength = |delta| {
            let before = &text[..self.addresses(Delta(delta as u32)).start as usize];
            match before {
                [] | [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => 3,
                [.., b'\n'] => 2,
                [.., last] if last.is_ascii_whitespace() => 1,
                _ => 0,
            }
        };
        Joints::new((0..self.len()).map(strength).collect::<Vec<u8>>())
    }
}

impl Circumstances for Parts {
    fn len(&self) -> usize {
        self.spans.shape().count(&self.base)
    }

    fn candidate(&self, config: &Config) -> Option<Candidate> {
        self.spans.shape().candidate(&self.base, config)
    }
}
