//! An edit in the making: nodes that go, and places that get another text.

use super::Names;
use crate::edit::{Edit, Splice};
use crate::parsed::Parsed;
use std::collections::BTreeMap;
use std::ops::Range;

/// What goes and what is put in its place.
pub struct EditDraft<'a> {
    subject: &'a dyn Parsed,
    names: &'a Names,
    /// By tree.
    gone: BTreeMap<usize, Vec<usize>>,
    put: Vec<Splice>,
}

impl<'a> EditDraft<'a> {
    /// Returns a draft without a change of a text, whose names these are.
    pub fn new(subject: &'a dyn Parsed, names: &'a Names) -> EditDraft<'a> {
        EditDraft { subject, names, gone: BTreeMap::new(), put: vec![] }
    }

    /// Removes a node.
    pub fn remove(&mut self, tree: usize, node: usize) {
        self.gone.entry(tree).or_default().push(node);
    }

    /// Puts another text at a place; what is in something that goes does not matter.
    pub fn put(&mut self, at: Range<u32>, text: &[u8]) {
        self.put.push(Splice { at, with: text.into() });
    }

    /// Returns the edit, if there is one: everything can go, and no two texts are put in one place.
    pub fn edit(mut self) -> Option<Edit> {
        let mut removed: Vec<Range<u32>> = vec![];
        for (tree, nodes) in &self.gone {
            removed.extend(self.names.removals[*tree].ranges(&self.subject.trees()[*tree], nodes)?);
        }
        // What another text without a byte is put in the place of goes, too.
        removed.extend(self.put.extract_if(.., |splice| splice.with.is_empty()).map(|splice| splice.at));
        removed.retain(|range| !range.is_empty());
        removed.sort_by_key(|range| (range.start, range.end));
        let mut merged: Vec<Range<u32>> = vec![];
        for range in removed {
            match merged.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        self.put.sort_by_key(|splice| (splice.at.start, splice.at.end));
        self.put.dedup();
        self.put.retain(|splice| {
            let after = merged.partition_point(|range| range.start <= splice.at.start);
            after.checked_sub(1).is_none_or(|before| splice.at.end > merged[before].end)
        });
        let deletions = merged.into_iter().map(|at| Splice { at, with: [].into() });
        Edit::new(deletions.chain(self.put).collect())
    }
}
