//! Files that arguments name by absolute paths: a test has to find copies of them, not what the user has.

use super::place::{self, Laid};
use crate::errors::Refusal;
use reduct_input::Candidate;
use reduct_input::situation::{Given, SituationRole};
use reduct_report::situation::{FileChoice, NamedFile, NamedFiles, NotCopied};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// Larger files that stand elsewhere are not copied for every test.
const LARGEST: u64 = 16 << 20;

/// An argument that can be said so that it names a copy.
#[derive(Clone)]
pub(super) struct Rewording {
    /// The number of the argument.
    at: usize,
    /// What it is then.
    text: OsString,
    /// The path that it names now.
    pub(super) path: PathBuf,
    /// What the copy is called; what stands in the folder has one anyway.
    pub(super) copy: Option<PathBuf>,
}

/// What can be changed, and what is to be said of that which cannot.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) changes: Vec<Rewording>,
    pub(super) says: Vec<FileChoice>,
}

impl Plan {
    /// Plans for a command that runs in `folder`; `elsewhere` if files that do not stand in it may be copied.
    pub(super) fn of(all: &Candidate, laid: &Laid, folder: &Path, elsewhere: bool) -> Plan {
        let known: BTreeSet<&Path> =
            all.pieces().chain(laid.files().pieces()).map(|(entry, _)| entry.path.as_path()).collect();
        let mut taken: BTreeSet<OsString> =
            known.iter().filter_map(|path| path.iter().next().map(OsStr::to_owned)).collect();
        let mut copies: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        let mut plan = Plan::default();
        for (at, word) in Given::of(all).arguments {
            let Some((before, path)) = absolute(&word) else { continue };
            let mut change = |name: &Path, copy| {
                let text = [before, plain(name).as_os_str().as_bytes()].concat();
                plan.changes.push(Rewording { at, text: OsString::from_vec(text), path: path.to_owned(), copy });
            };
            if let Some(inner) = below(path, folder) {
                if inner.as_os_str().is_empty() || known.contains(inner.as_path()) {
                    change(&inner, None);
                }
                continue;
            }
            match is_to_be_copied(path) {
                Some(Ok(())) if elsewhere => {
                    let name = path.file_name().unwrap_or_default();
                    let copy = copies.entry(path.to_owned()).or_insert_with(|| free(name, &mut taken).into()).clone();
                    change(&copy, Some(copy.clone()));
                }
                Some(Err(why)) if elsewhere => plan.says.push(FileChoice::LeftWhereItIs(path.to_owned(), why)),
                _ => {}
            }
        }
        plan
    }
}

/// Returns the command with these changes.
pub(super) fn changed(all: &Candidate, laid: &Laid, changes: &[Rewording]) -> Result<Candidate, Refusal> {
    let given = Given::of(all);
    let new = |at: usize| changes.iter().find(|change| change.at == at).map(|change| change.text.clone());
    let arguments =
        given.arguments.into_iter().map(|(at, text)| (SituationRole::Argument(at), new(at).unwrap_or(text)));
    let variables = given.variables.into_iter().map(|(name, value)| (SituationRole::Variable(name), value));
    let copies: BTreeMap<PathBuf, PathBuf> =
        changes.iter().filter_map(|change| Some((change.path.clone(), change.copy.clone()?))).collect();
    let files = place::with_copies(all.files_only(), &copies.into_iter().collect::<Vec<_>>())?;
    place::assembled(arguments.chain(variables), &files, laid)
}

/// Returns what was changed, and what was not.
pub(super) fn said(changes: &[Rewording], accepted: &[Rewording]) -> Vec<FileChoice> {
    let is_accepted = |change: &Rewording| accepted.iter().any(|other| other.at == change.at);
    let line = |what: NamedFiles, is_meant: &dyn Fn(&Rewording) -> bool| {
        let mut files: Vec<NamedFile> = vec![];
        for change in changes.iter().filter(|change| is_meant(change)) {
            let renamed = change.copy.as_deref().filter(|copy| Some(copy.as_os_str()) != change.path.file_name());
            let renamed = renamed.filter(|_| is_accepted(change));
            let file = NamedFile { path: change.path.clone(), renamed: renamed.map(Path::to_owned) };
            if !files.contains(&file) {
                files.push(file);
            }
        }
        (!files.is_empty()).then_some(FileChoice::Named(what, files))
    };
    let lines = [
        line(NamedFiles::Copied, &|change| is_accepted(change) && change.copy.is_some()),
        line(NamedFiles::Relative, &|change| is_accepted(change) && change.copy.is_none()),
        line(NamedFiles::Left, &|change| !is_accepted(change)),
    ];
    lines.into_iter().flatten().collect()
}

/// Returns the absolute path that a word is, or that stands behind its first `=`, and what stands before it.
fn absolute(word: &OsStr) -> Option<(&[u8], &Path)> {
    let bytes = word.as_bytes();
    let behind = bytes.iter().position(|byte| *byte == b'=').map_or(0, |at| at + 1);
    let at = if bytes.starts_with(b"/") { 0 } else { behind };
    let (before, path) = bytes.split_at(at);
    path.starts_with(b"/").then(|| (before, Path::new(OsStr::from_bytes(path))))
}

/// Returns the path of what exists below a folder, relative to it.
fn below(path: &Path, folder: &Path) -> Option<PathBuf> {
    let meta = fs::symlink_metadata(path).ok()?;
    let is_plain = |inner: &&Path| inner.components().all(|part| matches!(part, Component::Normal(_)));
    if let Some(inner) = path.strip_prefix(folder).ok().filter(is_plain) {
        return Some(inner.to_owned());
    }
    let folder = folder.canonicalize().ok()?;
    // A link is named as itself, not as what it leads to.
    let full = match path.file_name().filter(|_| !meta.is_dir()) {
        Some(name) => path.parent()?.canonicalize().ok()?.join(name),
        None => path.canonicalize().ok()?,
    };
    full.strip_prefix(folder).ok().map(Path::to_owned)
}

/// Returns a path as a word that is not an option.
fn plain(path: &Path) -> PathBuf {
    match path.as_os_str().as_bytes().first() {
        None => ".".into(),
        Some(b'-') => Path::new(".").join(path),
        Some(_) => path.to_owned(),
    }
}

/// Returns a name that nothing has in the folder of the test.
fn free(name: &OsStr, taken: &mut BTreeSet<OsString>) -> OsString {
    let numbered = (2_u32..).map(|number| {
        let mut numbered = OsString::from(format!("{number}-"));
        numbered.push(name);
        numbered
    });
    let found = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name));
    let found = found.unwrap_or_else(|| name.to_owned());
    taken.insert(found.clone());
    found
}

/// Returns whether a file that stands elsewhere is to be copied, or why not; `None` if it is none of the user's.
fn is_to_be_copied(path: &Path) -> Option<Result<(), NotCopied>> {
    let meta = fs::metadata(path).ok().filter(|meta| meta.uid() == rustix::process::geteuid().as_raw())?;
    match () {
        () if meta.is_dir() => Some(Err(NotCopied::Folder)),
        () if !meta.is_file() => None,
        () if meta.len() > LARGEST => Some(Err(NotCopied::Large)),
        () => Some(Ok(())),
    }
}
