//! Which parts of a nesting are of one kind.

use crate::config::{Config, Delta};
use std::collections::BTreeMap;

/// Fewer parts of one kind are soon asked about one by one.
const FEW: usize = 3;

/// Parts by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    /// The kind of each part, if others are of it.
    of: Vec<Option<u32>>,
    /// The parts of each kind, ascending.
    pub(super) parts: Vec<Vec<u32>>,
}

impl Kinds {
    /// Returns the kinds of parts, those of one name being of one kind. Takes n·log n steps for n parts.
    pub(super) fn new<N: Ord>(names: &[N]) -> Kinds {
        let mut by_name: BTreeMap<&N, Vec<u32>> = BTreeMap::new();
        for (part, name) in (0..).zip(names) {
            by_name.entry(name).or_default().push(part);
        }
        let parts: Vec<Vec<u32>> = by_name.into_values().filter(|parts| parts.len() >= FEW).collect();
        let mut of = vec![None; names.len()];
        for (kind, parts) in (0..).zip(&parts) {
            parts.iter().for_each(|part| of[*part as usize] = Some(kind));
        }
        Kinds { of, parts }
    }

    /// Returns the same kinds of these parts alone.
    pub(super) fn within(&self, parts: &Config) -> Kinds {
        let is_within = |part: &u32| parts.contains(Delta(*part));
        let some = |kind: &Vec<u32>| kind.iter().copied().filter(is_within).collect();
        Kinds { of: self.of.clone(), parts: self.parts.iter().map(some).collect() }
    }

    /// Returns the kind of a part.
    pub(super) fn of(&self, part: u32) -> Option<u32> {
        self.of.get(part as usize).copied().flatten()
    }
}
