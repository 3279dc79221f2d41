//! A copy of a project in C with guards in its files, as it is built.
//!
//! A file is tried with guards in all of its functions. What a compiler complains about then is left as it is: the function in which the
//! line of the complaint stands, or the file.

use crate::compiled::is_users;
use crate::error::{StepError, write};
use crate::plan::Place;
use crate::recording::read_described;
use crate::tree_digest::digest_of_tree;
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// In the folder of a tree: the copy, what is preloaded into programs, the statements, and what else is known. The last one is written
/// when all others are there.
const TREE: &str = "tree";
const LIBRARY: &str = "guards.so";
pub(crate) const STATEMENTS: &str = "statements";
const ABOUT: &str = "about.json";

/// A complaint of a compiler: the file and the line.
static COMPLAINT: LazyLock<Regex> = LazyLock::new(|| {
    let line = r"(?m)^([^\s:][^:\n]*):(\d+):(?:\d+:)? (?:fatal )?error:";
    Regex::new(line).unwrap_or_else(|error| unreachable!("a complaint: {error}"))
});

/// What sets colours on a terminal.
static COLOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1b\[[0-9;:]*[mK]").unwrap_or_else(|error| unreachable!("a colour: {error}")));

/// A text in C with guards.
#[derive(Clone, Debug, Default)]
pub struct GuardedSource {
    /// The text.
    pub text: Vec<u8>,
    /// Its statements: where they stand, and in which function.
    pub statements: Vec<(u32, u32, bool, String)>,
    /// The lines of each function, from 1.
    pub functions: Vec<Range<u32>>,
}

/// Puts guards into a text in C, but for functions that begin on these lines. Its statements have numbers from this one on.
pub type PutGuardsInC = fn(&[u8], usize, &[u32]) -> Option<GuardedSource>;

/// A copy of a project, while it gets its guards.
#[derive(Debug)]
pub struct GuardedTree {
    folder: PathBuf,
    guards: PutGuardsInC,
    files: Vec<SourceFile>,
}

#[derive(Debug)]
struct SourceFile {
    /// Below the top of the project.
    path: String,
    text: Vec<u8>,
    /// Whether it is left as it is, and the functions that are.
    is_left: bool,
    without: BTreeSet<u32>,
    guarded: GuardedSource,
}

/// What is known of a tree that was built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutTree {
    /// The folder that it is a copy of.
    pub of: PathBuf,
    /// What tells it from copies of other projects, and from those that are built otherwise.
    #[serde(default)]
    pub key: String,
    /// How many files have guards, and how many statements in them.
    pub files: usize,
    /// How many statements have guards.
    pub statements: usize,
    /// The files that are left as they are, as a compiler did not take them with guards.
    pub files_left: Vec<String>,
    /// How many functions of other files are left.
    pub functions_left: usize,
    /// The digest of the copy when it was built. A program that runs in it may change it.
    #[serde(default)]
    pub digest: String,
}

impl GuardedTree {
    /// Takes the files in C of a copy that stands in `folder`: those that are, or are below, one of these paths of the project.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn of(folder: &Path, only: &[PathBuf], guards: PutGuardsInC) -> Result<GuardedTree, StepError> {
        let top = folder.join(TREE);
        let mut files = vec![];
        let mut open = vec![top.clone()];
        while let Some(below) = open.pop() {
            let unreadable = |why| StepError::Unreadable { path: below.clone(), why };
            let mut inside: Vec<PathBuf> = vec![];
            for entry in fs::read_dir(&below).map_err(unreadable)? {
                inside.push(entry.map_err(unreadable)?.path());
            }
            inside.sort();
            for path in inside {
                let Ok(meta) = fs::symlink_metadata(&path) else { continue };
                let name = path.strip_prefix(&top).unwrap_or(&path);
                let is_meant = only.is_empty() || only.iter().any(|it| name.starts_with(it));
                if meta.is_dir() && !path.ends_with(".git") {
                    open.push(path);
                } else if let (true, true, Some(name)) =
                    (meta.is_file() && is_meant, path.extension().is_some_and(|it| it == "c"), name.to_str())
                {
                    let text = fs::read(&path).map_err(|why| StepError::Unreadable { path: path.clone(), why })?;
                    let (path, guarded) = (name.to_owned(), GuardedSource::default());
                    files.push(SourceFile { path, text, is_left: false, without: BTreeSet::new(), guarded });
                }
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(GuardedTree { folder: folder.to_owned(), guards, files })
    }

    /// Returns whether there is no file in C.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the files, with guards where they may have them. Returns how many statements have one.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self) -> Result<usize, StepError> {
        let mut statements = 0;
        for file in &mut self.files {
            let without: Vec<u32> = file.without.iter().copied().collect();
            let guarded = (!file.is_left).then(|| (self.guards)(&file.text, statements + 1, &without)).flatten();
            let is_guarded = guarded.is_some();
            file.guarded = guarded.unwrap_or_default();
            statements += file.guarded.statements.len();
            let text = if is_guarded { &file.guarded.text } else { &file.text };
            let path = self.folder.join(TREE).join(&file.path);
            // What was built of the same text stays.
            if fs::read(&path).ok().as_ref() != Some(text) {
                replace(&path, text).map_err(|why| StepError::Unwritable { path, why })?;
            }
        }
        Ok(statements)
    }

    /// Leaves out the functions and files that a compiler complains about. Returns whether there are more than before.
    pub fn leave_out(&mut self, said: &str) -> bool {
        let mut more = false;
        let top = self.folder.join(TREE);
        let said = COLOR.replace_all(said, "");
        for found in COMPLAINT.captures_iter(&said) {
            let (path, line) = (Path::new(&found[1]), found[2].parse().unwrap_or(0));
            let path = path.strip_prefix(&top).unwrap_or(path);
            let path: PathBuf = path.components().filter(|it| matches!(it, std::path::Component::Normal(_))).collect();
            let is_meant = |file: &&mut SourceFile| {
                !path.as_os_str().is_empty() && Path::new(&file.path).ends_with(&path) && !file.guarded.text.is_empty()
            };
            for file in self.files.iter_mut().filter(is_meant) {
                let function = file.guarded.functions.iter().find(|lines| lines.contains(&line));
                more |= match function {
                    Some(lines) => file.without.insert(lines.start),
                    None => !std::mem::replace(&mut file.is_left, true),
                };
            }
        }
        more
    }

    /// Leaves all files as they are.
    pub fn leave_all(&mut self) {
        self.files.iter_mut().for_each(|file| file.is_left = true);
    }

    /// Writes what is known of the tree, which is built now, and what is preloaded into its programs. `of` is the project, `key` what tells
    /// it from other copies.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn finish(&self, of: &Path, key: &str) -> Result<BuiltTree, StepError> {
        let mut lines = String::new();
        let mut number = 0;
        for file in &self.files {
            let text = String::from_utf8_lossy(&file.text);
            let texts: Vec<&str> = text.split('\n').collect();
            for (line, nth, is_iteration, function) in &file.guarded.statements {
                number += 1;
                let text = texts.get(*line as usize - 1).map_or("", |text| text.trim_end());
                let described = (number, &file.path, line, nth, is_iteration, text, function);
                // Strings and numbers can be written.
                lines += &serde_json::to_string(&described).unwrap_or_default();
                lines.push('\n');
            }
        }
        write(&self.folder, STATEMENTS, lines.as_bytes())?;
        let library = self.folder.join(LIBRARY);
        let made = crate::driver::c_library()?;
        fs::copy(&made, &library).map_err(|why| StepError::Unwritable { path: library, why })?;
        let guarded = || self.files.iter().filter(|file| !file.guarded.statements.is_empty());
        let about = AboutTree {
            of: of.to_owned(),
            key: key.to_owned(),
            files: guarded().count(),
            statements: number,
            files_left: self.files.iter().filter(|file| file.is_left).map(|file| file.path.clone()).collect(),
            functions_left: self.files.iter().filter(|file| !file.is_left).map(|file| file.without.len()).sum(),
            digest: digest_of_tree(&BuiltTree::tree_in(&self.folder))?,
        };
        write(&self.folder, ABOUT, &serde_json::to_vec(&about).unwrap_or_default())?;
        BuiltTree::at(&self.folder)
    }
}

/// Writes a file of the copy anew: it may be one that can only be read.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let permissions = fs::symlink_metadata(path)?.permissions();
    fs::remove_file(path)?;
    fs::write(path, text)?;
    fs::set_permissions(path, permissions)
}

/// A copy of a project with guards, which was built.
#[derive(Clone, Debug)]
pub struct BuiltTree {
    pub(crate) folder: PathBuf,
    /// What is known of it.
    pub about: AboutTree,
}

impl BuiltTree {
    /// Returns the tree in a folder.
    ///
    /// # Errors
    /// If none was built there, or somebody else may have built it.
    pub fn at(folder: &Path) -> Result<BuiltTree, StepError> {
        if fs::symlink_metadata(folder).is_ok() && !BuiltTree::is_own(folder) {
            return Err(StepError::NotOwn(folder.to_owned()));
        }
        let about = fs::read(folder.join(ABOUT)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let about = about.ok_or_else(|| StepError::NotBuilt(folder.to_owned()))?;
        Ok(BuiltTree { folder: folder.to_owned(), about })
    }

    /// Returns whether a folder is this user's, and nobody else may write to it.
    pub fn is_own(folder: &Path) -> bool {
        is_users(folder) && folder.is_dir()
    }

    /// Returns whether the copy is what it was when it was built.
    pub fn is_as_built(&self) -> bool {
        digest_of_tree(&self.tree()).is_ok_and(|digest| digest == self.about.digest)
    }

    /// Removes a tree, or what is left of one, but for its folder. What is known of it goes first: nobody takes half a tree for a whole one.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn clear(folder: &Path) -> io::Result<()> {
        let _ = fs::remove_file(folder.join(ABOUT));
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let is_folder = fs::symlink_metadata(&path)?.is_dir();
            if is_folder { fs::remove_dir_all(&path)? } else { fs::remove_file(&path)? }
        }
        Ok(())
    }

    /// Returns the folder of the copy in the folder of a tree.
    pub fn tree_in(folder: &Path) -> PathBuf {
        folder.join(TREE)
    }

    pub(crate) fn tree(&self) -> PathBuf {
        BuiltTree::tree_in(&self.folder)
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.folder.join(LIBRARY)
    }

    /// Returns where the copy has what the command names.
    pub(crate) fn place_of(&self, named: &Path) -> PathBuf {
        let inside = named.strip_prefix(&self.about.of).ok();
        inside.map_or_else(|| named.to_owned(), |inside| self.tree().join(inside))
    }

    /// Returns the numbers of the statements.
    pub(crate) fn numbers(&self) -> Result<HashMap<Place, u32>, StepError> {
        let statements = read_described(&self.folder.join(STATEMENTS));
        let statements = statements.map_err(|_| StepError::NotBuilt(self.folder.clone()))?;
        Ok(statements.into_iter().map(|(number, it)| (it.place, number)).collect())
    }
}
