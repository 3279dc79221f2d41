//! How places of any version are called in one version: by the names that files have there, and its lines.

use super::Weave;
use reduct_core::{Config, Delta};
use reduct_input::Candidate;
use reduct_input::{Artifact, Entry, What};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A version in which places can be looked up.
#[derive(Clone, Debug)]
pub struct VersionView {
    base: Arc<Artifact>,
    /// The names of its files, by the first address of each.
    names: BTreeMap<u32, PathBuf>,
    /// The addresses of what it has.
    kept: Config,
}

impl Weave {
    /// Returns the version of this configuration, in which places can be looked up.
    pub fn seen(&self, config: &Config) -> VersionView {
        let present = self.present(config);
        let entries = present.entries.iter().map(|Delta(at)| &self.base.entries()[at as usize]);
        let names = entries.filter_map(|entry| Some((first(entry)?, entry.path.clone()))).collect();
        VersionView { base: self.base.clone(), names, kept: present.bytes }
    }

    /// Returns the names that the files of some deltas have in a version; of one that is not there, all that it ever
    /// had.
    pub fn names_in(&self, seen: &VersionView, deltas: &Config) -> BTreeSet<PathBuf> {
        let place = |delta: Delta| {
            let piece = self.piece(delta);
            (piece.file, piece.entry_put, piece.entries_taken.first().copied())
        };
        let places: BTreeMap<_, Delta> = deltas.iter().map(|delta| (place(delta), delta)).collect();
        let names = |delta: Delta| {
            let lines = &self.files[self.piece(delta).file as usize];
            match seen.names.get(&lines.start).filter(|_| !lines.is_empty()) {
                Some(name) => vec![name.clone()],
                None => self.paths_of(delta).into_iter().map(Path::to_owned).collect(),
            }
        };
        places.into_values().flat_map(names).collect()
    }
}

impl VersionView {
    /// Returns the name of a file, as an entry of another version has it.
    pub fn name(&self, entry: &Entry) -> Option<&Path> {
        first(entry).and_then(|first| self.names.get(&first)).map(PathBuf::as_path)
    }

    /// Returns the number of the line, from 1, at which line `line` of a file of `other` stands, or would stand.
    pub fn line(&self, other: &Candidate, path: &Path, line: usize) -> Option<usize> {
        let mut entries = other.pieces().map(|(entry, _)| entry);
        let entry = entries.find(|entry| entry.path == path && Arc::ptr_eq(&self.base, other.base()))?;
        self.name(entry)?;
        let What::File { bytes, .. } = &entry.what else { return None };
        // Where its first byte is, not where the line above it ends: between the two there may be other versions' lines.
        let mut above = line.saturating_sub(1);
        let mut addresses = other.kept().within(bytes.clone()).flatten();
        let address = addresses.find(|at| {
            let is_it = above == 0;
            above -= usize::from(!is_it && self.base.bytes()[*at as usize] == b'\n');
            is_it
        });
        let address = address.unwrap_or(bytes.end);
        let before = self.kept.within(bytes.start..address);
        Some(1 + before.flat_map(|run| self.base.slice(run)).filter(|byte| **byte == b'\n').count())
    }
}

/// Returns the first address of a file, by which it is known whatever it is called; what never had contents has none.
fn first(entry: &Entry) -> Option<u32> {
    match &entry.what {
        What::File { bytes, .. } if !bytes.is_empty() => Some(bytes.start),
        _ => None,
    }
}
