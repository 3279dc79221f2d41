//! Reads files and folders into an artifact, and writes a candidate out again.

pub mod archives;
mod base_tree;
pub mod folders;
mod furnished;
pub mod git;
pub mod patches;
pub mod project;
#[doc(hidden)]
pub mod readers;
mod remark;
mod versions;
mod workshop;
pub mod write;

pub use base_tree::{BaseTree, Laid};
pub use furnished::Furnished;
pub use project::{Bounds, Excess, Project, ProjectError};
pub use remark::{NoHistory, NoWay, Remark};
pub use versions::Versions;

use reduct_input::{Artifact, ArtifactBuilder, Candidate, TooLarge};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Why an input cannot be reduced.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// What was read.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A link to what is not there.
    #[error("{path} is a link that leads nowhere: to {to}")]
    Nowhere {
        /// The link.
        path: PathBuf,
        /// What it holds.
        to: PathBuf,
    },
    /// Two inputs would stand under one name in the folder of the test.
    #[error("two inputs are called {0}: the test could not tell them apart")]
    SameName(PathBuf),
    /// The same input twice.
    #[error("{0} is given twice")]
    Twice(PathBuf),
    /// A socket, pipe or device.
    #[error("{0} is neither a file nor a folder nor a link")]
    Special(PathBuf),
    /// A path without a name of its own, such as `/` or `..`.
    #[error("{0} has no name under which the test could find it")]
    NoName(PathBuf),
    /// More than can be addressed.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// The folder in which reduct keeps its runs; it is never part of an input.
pub const RUNS: &str = ".reduct";

/// Reads inputs. Each stands under its own name, as a test will find it in its folder.
///
/// # Errors
/// If one cannot be read, or two have the same name.
pub fn load(inputs: &[PathBuf]) -> Result<Artifact, LoadError> {
    let mut named: Vec<(PathBuf, &PathBuf)> = vec![];
    for input in inputs {
        let name = name_of(input)?;
        if let Some((_, other)) = named.iter().find(|(other, _)| *other == name) {
            let is_same = input.canonicalize().is_ok_and(|here| other.canonicalize().is_ok_and(|there| here == there));
            return Err(if is_same { LoadError::Twice(input.clone()) } else { LoadError::SameName(name) });
        }
        named.push((name, input));
    }
    named.sort();
    let mut builder = ArtifactBuilder::default();
    for (name, input) in named {
        // An input that is a link is what it points to; links within a folder stay links.
        let meta = fs::metadata(input).map_err(|error| nowhere(input).unwrap_or_else(|| wrap(input)(error)))?;
        add(&mut builder, name, input, &meta)?;
    }
    Ok(builder.finish())
}

/// Returns what is to be said of a path that is a link to nothing, if it is.
pub fn nowhere(path: &Path) -> Option<LoadError> {
    let to = fs::read_link(path).ok()?;
    let is_gone = fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    is_gone.then(|| LoadError::Nowhere { path: path.to_owned(), to })
}

/// Reads back what was published at `out`: the subject of this name, or a folder that holds all.
///
/// # Errors
/// If it cannot be read.
pub fn load_published(out: &Path, subject: Option<&Path>) -> Result<Artifact, LoadError> {
    let Some(subject) = subject else {
        let entries = fs::read_dir(out).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(wrap(out))?;
        return load(&entries.iter().map(fs::DirEntry::path).collect::<Vec<_>>());
    };
    let mut builder = ArtifactBuilder::default();
    let meta = fs::metadata(out).map_err(wrap(out))?;
    add(&mut builder, subject.into(), out, &meta)?;
    Ok(builder.finish())
}

/// Returns under which name an input stands in the folder of the test.
///
/// # Errors
/// If it has none, or its folder cannot be found.
pub fn name_of(input: &Path) -> Result<PathBuf, LoadError> {
    match input.file_name() {
        Some(name) => Ok(name.into()),
        // `.` and the like: the name of the folder it is.
        None => {
            let full = input.canonicalize().map_err(wrap(input))?;
            full.file_name().map(PathBuf::from).ok_or_else(|| LoadError::NoName(input.into()))
        }
    }
}

fn add(builder: &mut ArtifactBuilder, name: PathBuf, path: &Path, meta: &fs::Metadata) -> Result<(), LoadError> {
    // Without set-id bits: a copy belongs to the user who reduces, not to the owner of the original.
    let mode = meta.permissions().mode() & 0o777;
    if meta.is_file() {
        // A sparse file is as long as a full one, and would be read to its end first.
        builder.check_room(meta.len())?;
        builder.file(name, mode, &fs::read(path).map_err(wrap(path))?)?;
    } else if meta.is_symlink() {
        builder.link(name, fs::read_link(path).map_err(wrap(path))?);
    } else if meta.is_dir() {
        // Nesting is bounded by the longest path the system takes, so this may recurse.
        builder.folder(name.clone(), mode);
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(wrap(path))?;
        let mut entries: Vec<_> = entries.into_iter().filter(|e| e.file_name() != OsStr::new(RUNS)).collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let meta = entry.metadata().map_err(wrap(&entry.path()))?;
            add(builder, name.join(entry.file_name()), &entry.path(), &meta)?;
        }
    } else {
        return Err(LoadError::Special(path.into()));
    }
    Ok(())
}

fn wrap(path: &Path) -> impl FnOnce(io::Error) -> LoadError {
    let path = path.to_owned();
    move |source| LoadError::Io { path, source }
}

/// Makes of a folder, in which other entries of the base of a candidate may stand, one in which it stands.
///
/// # Errors
/// If something cannot be removed or written.
pub fn update_folder(folder: &Path, candidate: &Candidate) -> io::Result<()> {
    let candidate = &*archives::packed(candidate)?;
    for entry in candidate.base().entries() {
        let path = folder.join(&entry.path);
        if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_dir()) {
            fs::remove_file(&path)?;
        }
    }
    // Folders may be missing in which something varies, and be there that do.
    for (entry, _) in candidate.pieces() {
        let path = folder.join(&entry.path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
    }
    write_below(candidate, folder)
}

/// Writes all entries of a candidate below `folder`, which must exist and hold none of its files.
///
/// # Errors
/// If something cannot be written.
pub fn write_below(candidate: &Candidate, folder: &Path) -> io::Result<()> {
    write::whole(candidate, folder)
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
