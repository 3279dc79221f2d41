//! Where deltas are: in which change, folder, file, function and hunk, for those who try groups of them
//! before they try each.

use super::{Piece, Weave};
use reduct_core::{Config, Delta};
use reduct_input::Candidate;
use reduct_input::{Class, Grammars, Tree};
use reduct_input::{Entry, What};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// In how large groups deltas are tried, from the coarsest to the finest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Commits, patches.
    Change,
    /// What one change does in one folder.
    Folder,
    /// What one change does in one file.
    File,
    /// What belongs together by the names it brings or takes away.
    Feature,
    /// What one change does in one function, or other definition.
    Function,
    /// Neighbouring lines.
    Hunk,
    /// Each for itself.
    Each,
}

impl Level {
    /// All, the coarsest first.
    pub const ALL: [Level; 7] =
        [Level::Change, Level::Folder, Level::File, Level::Feature, Level::Function, Level::Hunk, Level::Each];

    /// Returns what one of its groups is called.
    pub fn name(self) -> &'static str {
        match self {
            Level::Change => "change",
            Level::Feature => "feature",
            Level::Folder => "folder",
            Level::File => "file",
            Level::Function => "function",
            Level::Hunk => "hunk",
            Level::Each => "line",
        }
    }

    /// Returns what its groups are called, if there are several.
    pub fn unit(self, grain: super::Grain) -> &'static str {
        match (self, grain) {
            (Level::Change, _) => "changes",
            (Level::Feature, _) => "features",
            (Level::Folder, _) => "folders",
            (Level::File, _) => "files",
            (Level::Function, _) => "functions",
            (Level::Hunk, _) => "hunks",
            (Level::Each, super::Grain::Lines) => "lines",
            (Level::Each, super::Grain::Words) => "words",
            (Level::Each, super::Grain::Chars) => "characters",
        }
    }
}

/// Which deltas belong together, as far as that takes reading the texts: for each, the number of its group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The functions they are in; empty if nobody asks for them.
    pub functions: Vec<u32>,
    /// The features they are of; empty if nobody asks for them.
    pub features: Vec<u32>,
}

impl Weave {
    /// Returns the deltas of a configuration in groups, in the order in which they first occur.
    pub(crate) fn groups(&self, config: &Config, level: Level, places: &Places) -> Vec<Config> {
        let mut known: BTreeMap<(u32, u64), usize> = BTreeMap::new();
        let mut groups: Vec<Vec<Delta>> = vec![];
        let mut folders = BTreeMap::new();
        for delta in config.iter() {
            let piece = &self.deltas[delta.0 as usize];
            let place = match level {
                Level::Change => 0,
                Level::Feature => places.features.get(delta.0 as usize).map_or(0, |feature| u64::from(*feature)),
                Level::Folder => u64::from(self.folder(piece, &mut folders)),
                Level::File => u64::from(piece.file),
                // Hunks outside of all functions are groups of their own.
                Level::Function => match places.functions.get(delta.0 as usize) {
                    Some(&function) if function != OUTSIDE => u64::from(function),
                    _ => 1 << 32 | u64::from(piece.hunk),
                },
                Level::Hunk => u64::from(piece.hunk),
                Level::Each => u64::from(delta.0),
            };
            let group = *known.entry((piece.change, place)).or_insert_with(|| {
                groups.push(vec![]);
                groups.len() - 1
            });
            groups[group].push(delta);
        }
        groups.into_iter().map(|group| group.into_iter().collect()).collect()
    }

    /// Returns the number of the folder in which the file of a piece stands.
    fn folder(&self, piece: &Piece, known: &mut BTreeMap<PathBuf, u32>) -> u32 {
        let folder = self.path_of(piece).and_then(Path::parent).unwrap_or(Path::new("")).to_owned();
        let next = known.len() as u32;
        *known.entry(folder).or_insert(next)
    }

    /// Returns a path at which the file of a piece stands.
    fn path_of(&self, piece: &Piece) -> Option<&Path> {
        let entry = piece.entry_put.or(piece.entries_taken.first().copied()).or(self.entry_of[piece.file as usize]);
        entry.map(|at| self.base.entries()[at as usize].path.as_path())
    }

    /// Returns in which function each delta is, as far as the text with these deltas says.
    pub(crate) fn functions(&self, config: &Config, grammars: Option<&dyn Grammars>) -> Vec<u32> {
        let mut found = vec![OUTSIDE; self.deltas.len()];
        let mut of_file: Vec<Vec<usize>> = vec![vec![]; self.files.len()];
        self.deltas.iter().enumerate().for_each(|(at, piece)| of_file[piece.file as usize].push(at));
        let mut next = 0;
        let super::Present { entries, bytes } = self.present(config);
        let candidate = Candidate::new(self.base.clone(), entries, bytes.clone(), 0);
        for (entry, pieces) in candidate.pieces() {
            let Entry { path, what: What::File { bytes: lines, .. } } = entry else { continue };
            let file = self.files.partition_point(|file| file.end <= lines.start);
            if self.files.get(file) != Some(lines) || of_file[file].is_empty() {
                continue;
            }
            let text = pieces.concat();
            let functions = function_ranges(path, &text, grammars);
            for at in std::mem::take(&mut of_file[file]) {
                let piece = &self.deltas[at];
                let Some(first) = piece.puts.iter().chain(&piece.takes).map(|range| range.start).min() else {
                    continue;
                };
                // What was taken out stood where what follows it stands now.
                let offset = bytes.count_within(lines.start..first);
                let function = functions.partition_point(|range| range.start <= offset).checked_sub(1);
                found[at] = function.filter(|at| offset < functions[*at].end).map_or(OUTSIDE, |at| next + at as u32);
            }
            next += functions.len() as u32;
        }
        found
    }
}

/// In no function.
const OUTSIDE: u32 = u32::MAX;

/// Returns the functions of a text, in their order and disjoint: of those within others only the
/// outer ones, of classes the methods.
fn function_ranges(path: &Path, text: &[u8], grammars: Option<&dyn Grammars>) -> Vec<Range<usize>> {
    match grammars.and_then(|grammars| grammars.parse(path, text)) {
        Some(tree) => functions(&tree),
        None => paragraphs(text),
    }
}

fn functions(tree: &Tree) -> Vec<Range<usize>> {
    let mut found = vec![];
    let mut at = 0;
    while at < tree.len() {
        let is_function = tree.is(at, Class::FUNCTION);
        if is_function {
            let range = tree.range(at);
            found.push(range.start as usize..range.end as usize);
        }
        at = if is_function { tree.node(at).after as usize } else { at + 1 };
    }
    found
}

/// Returns what begins with a line that is not indented and begins with a letter, as `diff -p` has it.
fn paragraphs(text: &[u8]) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut starts: Vec<usize> = vec![];
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte == b'$') {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| *start..end).collect()
}
