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
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

pub(crate) const PASS: Pass =
    Pass::rewriting("modules", "puts the text of a file in the place of what loads it", 0.4, propose);

/// Of more files, most have nothing to do with the failure.
const MOST: usize = 256;

/// A longer statement does more than to load a file.
const LONGEST: usize = 256;

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
struct Language {
    name: &'static str,
    /// Returns the files that one loads, each as often as it does, also where nothing can take the place of what loads it.
    loaded: fn(&Files, usize) -> Vec<usize>,
    /// Returns the loads of those files that are loaded once.
    loads: fn(&Files, usize) -> Vec<Load>,
}

impl Language {
    const fn of_lines(name: &'static str) -> Language {
        Language { name, loaded: lines::loaded, loads: lines::loads }
    }

    const fn of_javascript(name: &'static str) -> Language {
        Language { name, loaded: javascript::loaded, loads: javascript::loads }
    }
}

const LANGUAGES: &[Language] = &[
    Language { name: "python", loaded: python::loaded, loads: python::loads },
    Language { name: "lua", loaded: lua::loaded, loads: lua::loads },
    Language::of_javascript("javascript"),
    Language::of_javascript("typescript"),
    Language::of_javascript("tsx"),
    Language::of_lines("ruby"),
    Language::of_lines("php"),
    Language::of_lines("bash"),
    Language::of_lines("c"),
    Language::of_lines("cpp"),
    Language::of_lines("css"),
    Language::of_lines("solidity"),
];

fn propose(subject: &Subject) -> Proposals {
    let mut files = Files::of(subject);
    if !(2..=MOST).contains(&files.all.len()) {
        return vec![];
    }
    files.count_loads();
    let loads = (0..files.all.len()).flat_map(|file| files.loads(file));
    propose_in_order(subject, loads.filter_map(|load| edit(&files, load)))
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
    /// The folders in which files are, and those around them.
    folders: HashSet<&'a Path>,
    /// By file, whether one statement loads it, in another file of its language.
    is_loaded_once: Vec<bool>,
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
        let folders = all.iter().flat_map(|file| file.path.ancestors().skip(1)).collect();
        let is_loaded_once = vec![false; all.len()];
        Files { subject, all, by_path, folders, is_loaded_once }
    }

    /// Returns how a file loads others.
    fn language(&self, file: usize) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.name == self.all[file].tree.grammar.language)
    }

    /// Finds out which files are loaded once.
    fn count_loads(&mut self) {
        let mut times = vec![0; self.all.len()];
        for (file, language) in (0..self.all.len()).filter_map(|file| Some((file, self.language(file)?))) {
            for loaded in (language.loaded)(self, file) {
                // What loads itself, or is of another language, is not for this.
                let other = self.all[loaded].tree.grammar.language;
                times[loaded] += if loaded == file || other != language.name { 2 } else { 1 };
            }
        }
        self.is_loaded_once = times.into_iter().map(|times| times == 1).collect();
    }

    /// Returns what loads another file in this one, if nothing else does.
    fn loads(&self, file: usize) -> Vec<Load> {
        self.language(file).map(|language| (language.loads)(self, file)).unwrap_or_default()
    }

    /// Returns the folder of a file.
    fn folder(&self, file: usize) -> &'a Path {
        self.all[file].path.parent().unwrap_or(Path::new(""))
    }

    /// Returns the first of these paths that is a file.
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

    /// Returns the changes that take the name of a module off from what a file uses of it, in nodes of this kind: of `a.b`, `b` stays.
    fn unqualified(&self, file: usize, kind: &str, module: &str) -> Vec<Splice> {
        let tree = self.all[file].tree;
        let splice = |at: usize| {
            let object = tree.child(at, "object")?;
            let member = tree.children(at).filter(|child| tree.is_named(*child)).last()?;
            let is_module = self.subject.text(tree.range(object)) == module.as_bytes();
            is_module.then(|| Splice { at: tree.range(at).start..tree.range(member).start, with: [].into() })
        };
        (1..tree.len()).filter(|at| tree.kind(*at) == kind).filter_map(splice).collect()
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
