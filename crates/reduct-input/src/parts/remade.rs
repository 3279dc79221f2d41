//! Parts of a file that is written anew without some of them.

use super::shape::{PartShape, Spans, gone};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::edit::Splice;
use reduct_core::{Config, Delta};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Writes a file anew.
pub trait Remake: Debug + Send + Sync {
    /// Returns the file without these of its parts, by their numbers, which ascend; `None` if it cannot be written.
    fn without(&self, gone: &[usize]) -> Option<Vec<u8>>;
}

/// Part `i` is at these addresses, in any order, and goes where the file is written anew without it. What is then no smaller than the file was is no candidate,
/// unless it is as large and has fewer parts.
#[derive(Clone, Debug)]
pub struct Remade {
    /// Where the file is.
    pub file: Range<u32>,
    /// The addresses of the parts, or of the greatest part of each.
    pub parts: Arc<[Range<u32>]>,
    /// What writes it.
    pub by: Arc<dyn Remake>,
}

impl PartShape for Remade {
    fn count(&self, _base: &Artifact) -> usize {
        self.parts.len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        self.parts[at as usize].clone()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone: Vec<usize> = gone(self.parts.len(), config).iter().map(|Delta(part)| part as usize).collect();
        if gone.is_empty() {
            return Some(Candidate::spliced(base.clone(), vec![], config.len()));
        }
        let (old, new) = (base.slice(self.file.clone()), self.by.without(&gone)?);
        let is_smaller = new.len() <= old.len() && new != old;
        is_smaller.then(|| Candidate::spliced(base.clone(), vec![self.splice(old, &new)], config.len()))
    }

    fn outside(self: Arc<Self>, _regions: &[Range<u32>]) -> Option<Spans> {
        Some(self.into())
    }
}

impl Remade {
    /// Returns the change from what the file was to what it is, but for its beginning and its end as far as these stay.
    fn splice(&self, old: &[u8], new: &[u8]) -> Splice {
        let alike = |(one, other): &(&u8, &u8)| one == other;
        let start = old.iter().zip(new).take_while(alike).count();
        let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(alike).count();
        let at = self.file.start + start as u32..self.file.end - end as u32;
        Splice { at, with: new[start..new.len() - end].into() }
    }
}
