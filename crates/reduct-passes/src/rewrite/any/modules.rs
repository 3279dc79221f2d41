//! Puts the text of a file in the place of what loads it.
//!
//! ## What it tries
//! For each file that one statement of another one loads, as `import`, `require` or `#include`: the text of the file in its place, and the file
//! empty. Names are used as they are in the file then: without that of the module, and what says that they are exported goes.
//! Paths and modules that the text loads are named as from its new place.
//!
//! ## When it helps
//! A program of several files becomes one, which can be read and sent as a whole, and what a file has to say only to be loaded goes.
//! Passes that need to know all uses of a name, as `inline`, see them then.
//!
//! ## Before
//! ```text
//! ==> lib/prices.py <==
//! def total(of):
//!     return 1 / len(of)
//! ==> main.py <==
//! from lib.prices import total
//! total([])
//! ```
//! ## After
//! ```text
//! ==> lib/prices.py <==
//! ==> main.py <==
//! def total(of):
//!     return 1 / len(of)
//! total([])
//! ```

mod javascript;
mod lines;
mod lua;
mod paths;
mod python;

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_in_order;
use crate::text::is_blank;
use reduct_input::{Edit, Splice, Subject, Tree};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub(crate) const PASS: Pass =
    Pass::rewriting("modules", "puts the text of a file in the place of what loads it", 0.4, propose);

/// Of more files, most have nothing to do with the failure.
const MOST: usize = 256;

/// A statement that loads another file.
struct Load {
    /// What loads it: goes for the text of the file.
    at: Range<u32>,
    /// The file.
    file: usize,
    /// What comes in its place.
    text: Vec<u8>,
    /// What changes besides, in the file that loads.
    others: Vec<Splice>,
}

/// How files of a language load each other.
type Loads = fn(&Files, usize) -> Vec<Load>;

/// Languages by name.
const LANGUAGES: &[(&str, Loads)] = &[
    ("python", python::loads),
    ("javascript", javascript::loads),
    ("typescript", javascript::loads),
    ("tsx", javascript::loads),
    ("lua", lua::loads),
    ("ruby", lines::loads),
    ("php", lines::loads),
    ("bash", lines::loads),
    ("c", lines::loads),
    ("cpp", lines::loads),
    ("css", lines::loads),
    ("solidity", lines::loads),
];

fn propose(subject: &Subject) -> Proposals {
    let files = Files::of(subject);
    if !(2..=MOST).contains(&files.all.len()) {
        return vec![];
    }
    let loads: Vec<Load> = (0..files.all.len()).flat_map(|file| files.loads(file)).collect();
    let mut times: HashMap<usize, usize> = HashMap::new();
    loads.iter().for_each(|load| *times.entry(load.file).or_default() += 1);
    let once = loads.into_iter().filter(|load| times[&load.file] == 1);
    propose_in_order(subject, once.filter_map(|load| edit(&files, load)))
}

/// Returns the edit that moves the text of a file to where it is loaded.
fn edit(files: &Files, load: Load) -> Option<Edit> {
    let module = files.all[load.file].at.clone();
    let mut splices = load.others;
    splices.push(Splice { at: load.at, with: load.text.into() });
    splices.push(Splice { at: module, with: [].into() });
    Edit::new(splices)
}

/// A file with a tree.
struct File<'a> {
    path: &'a Path,
    at: Range<u32>,
    tree: &'a Tree,
}

/// The files that load each other.
struct Files<'a> {
    subject: &'a Subject,
    all: Vec<File<'a>>,
    by_path: HashMap<&'a Path, usize>,
}

impl<'a> Files<'a> {
    fn of(subject: &'a Subject) -> Files<'a> {
        let mut trees = subject.trees().iter().peekable();
        let with_tree = |(path, at, _): (&'a Path, Range<u32>, _)| {
            let tree = trees.next_if(|tree| at.contains(&tree.range(0).start))?;
            Some(File { path, at, tree })
        };
        let all: Vec<File> = subject.artifact().files().filter_map(with_tree).collect();
        let by_path = all.iter().enumerate().map(|(at, file)| (file.path, at)).collect();
        Files { subject, all, by_path }
    }

    /// Returns what loads another file in this one.
    fn loads(&self, file: usize) -> Vec<Load> {
        let language = self.all[file].tree.grammar.language;
        let loads = LANGUAGES.iter().find(|(name, _)| *name == language).map(|(_, loads)| loads);
        let mut found = loads.map(|loads| loads(self, file)).unwrap_or_default();
        found.retain(|load| load.file != file && self.all[load.file].tree.grammar.language == language);
        found
    }

    /// Returns the folder of a file.
    fn folder(&self, file: usize) -> &'a Path {
        self.all[file].path.parent().unwrap_or(Path::new(""))
    }

    /// Returns the first of these paths that is a file, and not this one.
    fn first(&self, paths: impl IntoIterator<Item = PathBuf>) -> Option<usize> {
        paths.into_iter().find_map(|path| self.by_path.get(path.as_path()).copied())
    }

    /// Returns the text at these addresses.
    fn text(&self, at: Range<u32>) -> &'a str {
        std::str::from_utf8(self.subject.text(at)).unwrap_or_default()
    }

    /// Returns the text of a node.
    fn node(&self, file: usize, at: usize) -> &'a str {
        self.text(self.all[file].tree.range(at))
    }

    /// Returns whether a statement can begin at this address, by what stands before it.
    fn begins_statement(&self, file: usize, at: u32) -> bool {
        let before = self.subject.text(self.all[file].at.start..at);
        let blanks = before.iter().rev().take_while(|byte| is_blank(**byte)).count();
        let before = &before[..before.len() - blanks];
        before.last().is_none_or(|last| b"\n;{}".contains(last)) || before.ends_with(b"<?php")
    }

    /// Returns the text of a file with other words in some places, without blanks at its ends.
    fn with(&self, file: usize, mut changes: Vec<(Range<u32>, String)>) -> Option<Vec<u8>> {
        let at = self.all[file].at.clone();
        changes.sort_by_key(|(at, _)| at.start);
        let (mut text, mut from) = (vec![], at.start);
        for (change, with) in changes {
            if change.start < from {
                return None;
            }
            text.extend_from_slice(self.subject.text(from..change.start));
            text.extend_from_slice(with.as_bytes());
            from = change.end;
        }
        text.extend_from_slice(self.subject.text(from..at.end));
        Some(text.trim_ascii().to_vec())
    }
}
