//! Merges: what they do not mention.

use super::WeaveBuilder;
use super::draft::{NewChange, Version};
use reduct_core::Config;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

impl WeaveBuilder {
    /// Makes what a merge does not mention what it is in its parents, which may not be what both together make:
    /// both may have made the same change.
    pub(super) fn keep_as_in_parents(&mut self, step: &NewChange, parents: &[usize], listed: &BTreeSet<PathBuf>) {
        let sides: Vec<Config> = parents.iter().map(|parent| self.changes[*parent].upto.clone()).collect();
        for path in self.touched_on_several(&sides) {
            if listed.contains(&path) {
                continue;
            }
            let becomes = self.content(&path, Version::after(&sides[0]));
            let was = self.find(&path, Version::after(&step.before));
            self.change(step, was, &path, becomes);
        }
    }

    /// Returns the paths that more than one side has touched with changes that no other side has.
    fn touched_on_several(&self, sides: &[Config]) -> Vec<PathBuf> {
        let mut touched_on: BTreeMap<&Path, usize> = BTreeMap::new();
        for (at, side) in sides.iter().enumerate() {
            let others = sides.iter().enumerate().filter(|(other, _)| *other != at);
            let own = others.fold(side.clone(), |own, (_, other)| own.minus(other));
            self.paths_touched(&own).into_iter().for_each(|path| *touched_on.entry(path).or_default() += 1);
        }
        let on_several = touched_on.into_iter().filter(|(_, sides)| *sides > 1);
        on_several.map(|(path, _)| path.to_owned()).collect()
    }

    /// Returns all paths that the files touched by these changes ever had.
    fn paths_touched(&self, changes: &Config) -> BTreeSet<&Path> {
        let files: BTreeSet<usize> = changes.iter().flat_map(|c| self.touched[c.0 as usize].iter().copied()).collect();
        let variants = files.into_iter().flat_map(|file| &self.files[file].variants);
        variants.map(|variant| variant.path.as_path()).collect()
    }
}
