//! A copy of a project with guards in its files, as it is built.
//!
//! A file is tried with guards in all of its functions. What a compiler complains about then is left as it is: the function in which the
//! line of the complaint stands, or the file.

use crate::compiled::is_users;
use crate::driver::{BUILT, BuiltLanguage, Driving, Prepared, built_language};
use crate::error::{StepError, write};
use crate::plan::Place;
use crate::recording::{STATEMENTS as BESIDE, beside, read_described};
use crate::tree_digest::digest_of_tree;
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::UNIX_EPOCH;

/// In the folder of a tree: the copy, the statements, and what else is known. The last one is written when all others are there, also what
/// the driver needs.
const TREE: &str = "tree";
const STATEMENTS: &str = "statements";

/// In the folder of a tree, while it gets its guards: the types of variables.
const TYPES: &str = "types";
const ABOUT: &str = "about.json";

/// A complaint of a compiler: the file and the line.
static COMPLAINT: LazyLock<Regex> = LazyLock::new(|| {
    // Of compilers, also called by ant, of maven, and of Go.
    let line = r"(?m)^(?:\s*\[javac\] )?([^\s:\[][^:\n]*):(\d+):(?:\d+:)? (?:fatal )?error:|^\[ERROR\] (/[^:\n]*):\[(\d+),|^([^\s:#][^:\n]*\.go):(\d+):\d+: ";
    Regex::new(line).unwrap_or_else(|error| unreachable!("a complaint: {error}"))
});

/// What sets colours on a terminal.
static COLOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1b\[[0-9;:]*[mK]").unwrap_or_else(|error| unreachable!("a colour: {error}")));

/// A text with guards.
#[derive(Clone, Debug, Default)]
pub struct GuardedSource {
    /// The text.
    pub text: Vec<u8>,
    /// Its statements: where they stand, and in which function.
    pub statements: Vec<(u32, u32, bool, String)>,
    /// The lines of each function, from 1.
    pub functions: Vec<Range<u32>>,
}

/// Puts guards into a text in a language, but for functions that begin on these lines. Its statements have numbers from this one on.
/// Where variables are declared, the last argument has their types, if they are known.
pub type PutGuardsInSource = fn(&str, &[u8], usize, &[u32], &VariableTypes) -> Option<GuardedSource>;

/// The types of the variables of a file, by the line and the column, from 1, where they are declared.
pub type VariableTypes = HashMap<(u32, u32), String>;

/// A copy of a project, while it gets its guards.
pub struct GuardedTree {
    folder: PathBuf,
    language: &'static BuiltLanguage,
    guards: PutGuardsInSource,
    files: Vec<SourceFile>,
    prepared: Prepared,
    types: HashMap<String, VariableTypes>,
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
    /// Whether a build has read it, as far as the system notes that.
    is_read: bool,
}

/// What is known of a tree that was built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutTree {
    /// The folder that it is a copy of.
    pub of: PathBuf,
    /// The language of the files with guards, as plans have it.
    #[serde(default)]
    pub language: String,
    /// What tells it from copies of other projects, and from those that are built otherwise.
    #[serde(default)]
    pub key: String,
    /// How many files have guards, and how many statements in them.
    pub files: usize,
    /// How many statements have guards.
    pub statements: usize,
    /// How many more files have guards, and are not counted: the build did not read them.
    #[serde(default)]
    pub files_unread: usize,
    /// The files that are left as they are, as a compiler did not take them with guards.
    pub files_left: Vec<String>,
    /// How many functions of other files are left.
    pub functions_left: usize,
    /// The digest of the copy when it was built. A program that runs in it may change it.
    #[serde(default)]
    pub digest: String,
}

impl GuardedTree {
    /// Takes the files of a copy that stands in `folder`: those that are, or are below, one of these paths of the project, in the language
    /// in which most are. Writes what the program calls beside the copy.
    ///
    /// # Errors
    /// If they cannot be read, or that cannot be made.
    pub fn of(folder: &Path, only: &[PathBuf], guards: PutGuardsInSource) -> Result<GuardedTree, StepError> {
        let top = folder.join(TREE);
        let named = sources(&top, only)?;
        let of = |language: &BuiltLanguage, name: &str| {
            let is_foreign = Path::new(name).iter().any(|part| language.foreign.iter().any(|it| part == *it));
            Path::new(name).extension().is_some_and(|it| it == language.extension) && !is_foreign
        };
        let count = |language: &BuiltLanguage| named.iter().filter(|name| of(language, name)).count();
        // Of several, the first one.
        let language = BUILT.iter().rev().max_by_key(|language| count(language)).copied().ok_or(StepError::NoBuild)?;
        let mut files = vec![];
        for path in named.into_iter().filter(|name| of(language, name)) {
            let from = top.join(&path);
            let text = fs::read(&from).map_err(|why| StepError::Unreadable { path: from, why })?;
            let (without, guarded) = (BTreeSet::new(), GuardedSource::default());
            files.push(SourceFile { path, text, is_left: false, without, guarded, is_read: false });
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let prepared = if files.is_empty() { Prepared::default() } else { (language.prepare)(folder)? };
        Ok(GuardedTree { folder: folder.to_owned(), language, guards, files, prepared, types: HashMap::new() })
    }

    /// Returns the variables that a build has besides.
    pub fn variables(&self) -> &[(&'static str, OsString)] {
        &self.prepared.variables
    }

    /// Returns a program that tells the types of variables, and the file that it is to write, if there is one. It is run in the copy.
    pub fn asks_types(&self) -> Option<[OsString; 2]> {
        let program = self.prepared.types.clone()?;
        Some([program.into(), self.folder.join(TYPES).into()])
    }

    /// Reads the types of variables that were told.
    pub fn take_types(&mut self) {
        let text = fs::read_to_string(self.folder.join(TYPES)).unwrap_or_default();
        for line in text.lines() {
            if let [file, line, column, kind] = line.split('\t').collect::<Vec<_>>()[..]
                && let (Ok(line), Ok(column)) = (line.parse(), column.parse())
            {
                self.types.entry(file.to_owned()).or_default().insert((line, column), kind.to_owned());
            }
        }
    }

    /// Returns whether there is no file that can have guards.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the files, with guards where they may have them. Returns how many statements have one.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self) -> Result<usize, StepError> {
        let (mut statements, language, none) = (0, self.language.driver.language, VariableTypes::new());
        for file in &mut self.files {
            let without: Vec<u32> = file.without.iter().copied().collect();
            let types = self.types.get(&file.path).unwrap_or(&none);
            let put = || (self.guards)(language, &file.text, statements + 1, &without, types);
            let guarded = (!file.is_left).then(put).flatten();
            let is_guarded = guarded.is_some();
            file.guarded = guarded.unwrap_or_default();
            statements += file.guarded.statements.len();
            let text = if is_guarded { &file.guarded.text } else { &file.text };
            let path = self.folder.join(TREE).join(&file.path);
            // What was built of the same text stays.
            if fs::read(&path).ok().as_ref() != Some(text) {
                replace(&path, text).map_err(|why| StepError::Unwritable { path: path.clone(), why })?;
            }
            if is_guarded {
                let times = FileTimes::new().set_accessed(UNIX_EPOCH);
                // Where it cannot be, the file counts as read.
                let _ = File::open(&path).and_then(|it| it.set_times(times));
            }
        }
        Ok(statements)
    }

    /// Notes which files the last build has read: the time of access of others is the one that they got before. Files in Java may be read
    /// later, by `java`.
    pub fn note_read(&mut self) {
        let top = self.folder.join(TREE);
        for file in &mut self.files {
            let read = fs::metadata(top.join(&file.path)).and_then(|it| it.accessed());
            file.is_read |= self.language.driver.language == "java" || read.is_ok_and(|at| at != UNIX_EPOCH);
        }
    }

    /// Leaves out the functions and files that a compiler complains about. Returns whether there are more than before.
    pub fn leave_out(&mut self, said: &str) -> bool {
        let mut more = false;
        let top = self.folder.join(TREE);
        let said = COLOR.replace_all(said, "");
        for found in COMPLAINT.captures_iter(&said) {
            let part = |of: [usize; 3]| of.into_iter().find_map(|at| found.get(at)).map_or("", |part| part.as_str());
            let (path, line) = (Path::new(part([1, 3, 5])), part([2, 4, 6]).parse().unwrap_or(0));
            let path = path.strip_prefix(&top).unwrap_or(path);
            let path: PathBuf = path.components().filter(|it| matches!(it, std::path::Component::Normal(_))).collect();
            let is_meant = |file: &&mut SourceFile| {
                !path.as_os_str().is_empty() && Path::new(&file.path).ends_with(&path) && !file.guarded.text.is_empty()
            };
            for file in self.files.iter_mut().filter(is_meant) {
                // Of functions in each other, the innermost one.
                let around = file.guarded.functions.iter().filter(|lines| lines.contains(&line));
                let function = around.min_by_key(|lines| lines.end - lines.start);
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

    /// Writes what is known of the tree, which is built now. `of` is the project, `key` what tells it from other copies.
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
        // Where the system notes no time of access, no file seems to be read.
        let notes = self.files.iter().any(|file| file.is_read);
        let read = || self.files.iter().filter(|file| file.is_read || !notes);
        let guarded = || read().filter(|file| !file.guarded.statements.is_empty());
        let all = self.files.iter().filter(|file| !file.guarded.statements.is_empty()).count();
        let about = AboutTree {
            of: of.to_owned(),
            language: self.language.driver.language.to_owned(),
            key: key.to_owned(),
            files: guarded().count(),
            statements: guarded().map(|file| file.guarded.statements.len()).sum(),
            files_unread: all - guarded().count(),
            files_left: read().filter(|file| file.is_left).map(|file| file.path.clone()).collect(),
            functions_left: read().filter(|file| !file.is_left).map(|file| file.without.len()).sum(),
            digest: digest_of_tree(&BuiltTree::tree_in(&self.folder))?,
        };
        write(&self.folder, ABOUT, &serde_json::to_vec(&about).unwrap_or_default())?;
        BuiltTree::at(&self.folder)
    }
}

/// Returns the names of the files below a folder, as far as they are, or are below, one of these paths, and are text.
fn sources(top: &Path, only: &[PathBuf]) -> Result<Vec<String>, StepError> {
    let mut names = vec![];
    let mut open = vec![top.to_owned()];
    while let Some(below) = open.pop() {
        let unreadable = |why| StepError::Unreadable { path: below.clone(), why };
        for entry in fs::read_dir(&below).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            let name = path.strip_prefix(top).unwrap_or(&path);
            let is_meant = only.is_empty() || only.iter().any(|it| name.starts_with(it));
            if meta.is_dir() && !path.ends_with(".git") {
                open.push(path);
            } else if let (true, Some(name)) = (meta.is_file() && is_meant, name.to_str()) {
                names.push(name.to_owned());
            }
        }
    }
    Ok(names)
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

    /// Returns the language of the files with guards.
    pub(crate) fn language(&self) -> Option<&'static BuiltLanguage> {
        built_language(&self.about.language)
    }

    /// Writes what a program is told, and beside what it writes the statements. Returns where the former is.
    pub(crate) fn instruct(&self, driving: &Driving<'_>) -> Result<PathBuf, StepError> {
        let told = driving.instructions.to_records(driving.own, Some(&self.numbers()?))?;
        if let Some(written) = driving.instructions.record.as_ref().or(driving.instructions.values.as_ref()) {
            let to = beside(written, BESIDE);
            fs::copy(self.folder.join(STATEMENTS), &to).map_err(|why| StepError::Unwritable { path: to, why })?;
        }
        Ok(told)
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
