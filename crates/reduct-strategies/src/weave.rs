//! All versions of a set of files in one: every line there ever was, with what put it in and what took it
//! out.
//!
//! The idea is that of SCCS (Rochkind, *The Source Code Control System*, 1975): a version is a set of
//! deltas, and its text is every line whose delta is in the set and that no delta of the set takes out. So
//! each commit is the set of what it builds on, reproduced byte for byte; and any other set of hunks has a
//! text as well, found without merging. What a hunk changes must be there before: those that it *needs* are
//! known before anything is tested.

mod build;
mod features;
mod grain;
mod place;
mod seen;

pub use build::WeaveBuilder;
pub use grain::Grain;
pub use place::Level;
pub(crate) use place::Places;
use reduct_core::{Config, Delta};
use reduct_input::About;
use reduct_input::Candidate;
use reduct_input::Circumstances;
use reduct_input::patch::Objects;
use reduct_input::united;
use reduct_input::{Artifact, Entry, What};
pub use seen::VersionView;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// All versions of some files, made of deltas that can be there or not.
#[derive(Clone, Debug)]
pub struct Weave {
    /// Every line there ever was, and every name, kind and mode a file ever had.
    base: Arc<Artifact>,
    /// What there was at first.
    root: Present,
    deltas: Vec<Piece>,
    changes: Vec<Made>,
    /// The addresses of each file's lines, ascending.
    files: Vec<Range<u32>>,
    /// An entry of each file, the first by name.
    entry_of: Vec<Option<u32>>,
    /// How the repository, if there is one, names objects.
    objects: Objects,
}

/// What of a base is there.
#[derive(Clone, Debug)]
struct Present {
    entries: Config,
    bytes: Config,
}

/// The smallest part of a change that is told apart: a line put in, taken out or replaced; or a file that
/// comes, goes, or gets another name or mode.
#[derive(Clone, Debug)]
struct Piece {
    change: u32,
    file: u32,
    hunk: u32,
    puts: Vec<Range<u32>>,
    takes: Vec<Range<u32>>,
    entry_put: Option<u32>,
    entries_taken: Vec<u32>,
    needs: Box<[Delta]>,
}

/// A change, and what it consists of.
#[derive(Clone, Debug)]
struct Made {
    about: About,
    pieces: Range<u32>,
    upto: Config,
}

impl Weave {
    /// Returns the same of a repository that names its objects so.
    pub fn with_objects(self, objects: Objects) -> Weave {
        Weave { objects, ..self }
    }

    /// Returns how the repository names its objects: patches of binary files need to know.
    pub fn objects(&self) -> Objects {
        self.objects
    }

    /// Returns the changes, in an order in which each comes after all that it builds on.
    pub fn changes(&self) -> impl ExactSizeIterator<Item = &About> + '_ {
        self.changes.iter().map(|change| &change.about)
    }

    /// Returns each change with all the changes that it builds on, itself included: what a bisection asks about.
    pub fn upto(&self) -> Arc<[Config]> {
        self.changes.iter().map(|change| change.upto.clone()).collect()
    }

    /// Returns the deltas of some changes.
    pub fn of_changes(&self, changes: &Config) -> Config {
        Config::from_ranges(changes.iter().map(|Delta(at)| self.changes[at as usize].pieces.clone()))
    }

    /// Returns which change a delta is of.
    pub fn change_of(&self, delta: Delta) -> usize {
        self.piece(delta).change as usize
    }

    /// Returns the number of the file that a delta is in, and that of its hunk.
    pub fn place_of(&self, delta: Delta) -> (u32, u32) {
        let piece = self.piece(delta);
        (piece.file, piece.hunk)
    }

    /// Returns the paths at which the file of a delta ever stood, in the order of their names.
    pub fn paths_of(&self, delta: Delta) -> Vec<&Path> {
        let piece = self.piece(delta);
        let lines = &self.files[piece.file as usize];
        let own = |at: usize, entry: &Entry| match &entry.what {
            What::File { bytes, .. } => bytes == lines && !bytes.is_empty(),
            _ => false,
        } || piece.entry_put == Some(at as u32) || piece.entries_taken.contains(&(at as u32));
        let entries = self.base.entries().iter().enumerate();
        entries.filter(|(at, entry)| own(*at, entry)).map(|(_, entry)| entry.path.as_path()).collect()
    }

    /// Returns what everything is made from: every line and every entry there ever was. Several entries may have the
    /// same path; a candidate has one of them at most.
    pub fn base(&self) -> &Arc<Artifact> {
        &self.base
    }

    /// Returns the largest part of a configuration that can be: what cannot be without what it lacks is left out.
    pub fn closed(&self, config: &Config) -> Config {
        // What a delta needs comes before it.
        let mut kept: Vec<bool> = vec![false; self.deltas.len()];
        for delta in config.iter() {
            let at = delta.0 as usize;
            kept[at] = self.deltas[at].needs.iter().all(|need| kept[need.0 as usize]);
        }
        config.iter().filter(|delta| kept[delta.0 as usize]).collect()
    }

    /// Returns a configuration with all that it needs.
    pub fn with_needs(&self, config: &Config) -> Config {
        let mut wanted: Vec<bool> = vec![false; self.deltas.len()];
        config.iter().for_each(|delta| wanted[delta.0 as usize] = true);
        for at in (0..self.deltas.len()).rev() {
            if wanted[at] {
                self.deltas[at].needs.iter().for_each(|need| wanted[need.0 as usize] = true);
            }
        }
        wanted.iter().enumerate().filter(|(_, wanted)| **wanted).map(|(at, _)| Delta(at as u32)).collect()
    }

    /// Returns what of `all` is left if `config` goes, and all that needs any of it.
    pub fn without(&self, all: &Config, config: &Config) -> Config {
        self.closed(&all.minus(config))
    }

    fn piece(&self, Delta(at): Delta) -> &Piece {
        &self.deltas[at as usize]
    }

    /// Returns what is there with these deltas.
    fn present(&self, config: &Config) -> Present {
        let mut puts = vec![];
        let mut takes = vec![];
        let mut entry_puts = vec![];
        let mut entries_taken = vec![];
        for piece in config.iter().map(|delta| self.piece(delta)) {
            puts.extend(piece.puts.iter().cloned());
            takes.extend(piece.takes.iter().cloned());
            entry_puts.extend(piece.entry_put.map(|at| at..at + 1));
            entries_taken.extend(piece.entries_taken.iter().map(|at| *at..*at + 1));
        }
        let of = |root: &Config, puts, takes| root.union(&set(puts)).minus(&set(takes));
        let entries = of(&self.root.entries, entry_puts, entries_taken);
        let bytes = of(&self.root.bytes, puts, takes);
        // Lines of files that are not there.
        let there: Vec<Range<u32>> = entries
            .iter()
            .filter_map(|Delta(at)| match &self.base.entries()[at as usize].what {
                What::File { bytes, .. } => Some(bytes.clone()),
                _ => None,
            })
            .collect();
        let there = set(there);
        let bytes = bytes.minus(&bytes.minus(&there));
        Present { entries, bytes }
    }

    /// Returns whether two entries stand in each other's way: of the same path, or one below a file.
    fn clashes(&self, entries: &Config) -> bool {
        let paths: Vec<&Entry> = entries.iter().map(|Delta(at)| &self.base.entries()[at as usize]).collect();
        // Sorted by components: what is below a path comes right after it.
        paths.windows(2).any(|pair| {
            let is_folder = matches!(pair[0].what, What::Folder { .. });
            pair[1].path.starts_with(&pair[0].path) && (!is_folder || pair[0].path == pair[1].path)
        })
    }
}

impl Circumstances for Weave {
    fn len(&self) -> usize {
        self.deltas.len()
    }

    fn candidate(&self, config: &Config) -> Option<Candidate> {
        let can_be = config.iter().all(|delta| self.needs(delta).iter().all(|need| config.contains(*need)));
        if !can_be {
            return None;
        }
        let Present { entries, bytes } = self.present(config);
        (!self.clashes(&entries)).then(|| Candidate::new(self.base.clone(), entries, bytes, config.len()))
    }

    fn needs(&self, delta: Delta) -> &[Delta] {
        &self.piece(delta).needs
    }
}

/// Addresses in any order, as a set.
pub(crate) fn set(mut ranges: Vec<Range<u32>>) -> Config {
    ranges.retain(|range| !range.is_empty());
    Config::from_ranges(united(ranges))
}
