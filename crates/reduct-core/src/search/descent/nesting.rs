//! How the parts of a descent are nested, and which of them are alike.

use super::kinds::Kinds;
use super::weariness::PutOff;
use crate::config::Config;
use std::sync::Arc;

/// How parts are nested. Parts are numbered so that each comes before those in it, and those before the
/// next one beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nesting {
    /// By part, the number after the last one in it.
    pub(super) after: Vec<u32>,
    /// By part, the one before it in the same part.
    pub(super) previous: Vec<Option<u32>>,
    /// By part, the one that it is right in.
    outer: Vec<Option<u32>>,
    /// By part, the last one right in it.
    pub(super) last: Vec<Option<u32>>,
    /// The last one that is in no other.
    pub(super) last_root: Option<u32>,
    /// Which parts are alike.
    pub(super) kinds: Arc<Kinds>,
}

impl Nesting {
    /// Returns the nesting of parts that end as `after` says: part `i` holds the parts `i + 1..after[i]`.
    ///
    /// # Panics
    /// If a part ends after the one it is in, or before it begins.
    pub fn new(after: Vec<u32>) -> Nesting {
        let (mut previous, mut last, mut last_root) = (vec![None; after.len()], vec![None; after.len()], None);
        let (mut open, mut outers): (Vec<usize>, Vec<Option<u32>>) = (vec![], Vec::with_capacity(after.len()));
        for (part, &end) in after.iter().enumerate() {
            while open.last().is_some_and(|outer| after[*outer] as usize <= part) {
                open.pop();
            }
            let outer = open.last().copied();
            let fits = outer.map_or(after.len(), |outer| after[outer] as usize);
            assert!(part < end as usize && end as usize <= fits, "a part ends in the one it is in");
            let sibling = outer.map_or(&mut last_root, |outer| &mut last[outer]);
            previous[part] = sibling.replace(part as u32);
            outers.push(outer.map(|outer| outer as u32));
            open.push(part);
        }
        Nesting { after, previous, outer: outers, last, last_root, kinds: Arc::default() }
    }

    /// Returns the same nesting of parts of which those with the same name are alike: what goes of one of them is likely to go of the others.
    ///
    /// # Panics
    /// If there are not as many names as parts.
    #[must_use]
    pub fn named<N: Ord>(self, names: &[N]) -> Nesting {
        assert_eq!(names.len(), self.len(), "each part has a name");
        Nesting { kinds: Arc::new(Kinds::new(names)), ..self }
    }

    /// Returns how many parts there are.
    pub fn len(&self) -> usize {
        self.after.len()
    }

    /// Returns the number after the last part in a part.
    pub fn after(&self, part: u32) -> u32 {
        self.after[part as usize]
    }

    /// Returns the part before a part, in the same one.
    pub fn previous(&self, part: u32) -> Option<u32> {
        self.previous[part as usize]
    }

    /// Returns the part that a part is right in.
    pub fn outer(&self, part: u32) -> Option<u32> {
        self.outer[part as usize]
    }

    /// Returns the parts right in a part, or those that are in no other, in their order.
    pub fn right_in(&self, outer: Option<u32>) -> impl Iterator<Item = u32> + '_ {
        let (first, end) = outer.map_or((0, self.len() as u32), |outer| (outer + 1, self.after(outer)));
        let is_in = move |part: &u32| *part < end;
        std::iter::successors(Some(first).filter(is_in), move |part| Some(self.after(*part)).filter(is_in))
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.after.is_empty()
    }

    /// Returns how many parts are in a part.
    pub(super) fn inner(&self, part: u32) -> u32 {
        self.after[part as usize] - part - 1
    }

    /// Returns the nesting of which these parts, the last one first, are the outermost ones.
    pub(super) fn of_roots(&self, roots: &[PutOff]) -> Nesting {
        let mut nesting = Nesting { last_root: roots.first().map(|root| root.part), ..self.clone() };
        let within = Config::from_ranges(roots.iter().rev().map(|root| root.part..self.after(root.part)));
        nesting.kinds = Arc::new(self.kinds.within(&within));
        for (at, root) in roots.iter().enumerate() {
            nesting.previous[root.part as usize] = roots.get(at + 1).map(|root| root.part);
        }
        nesting
    }
}
