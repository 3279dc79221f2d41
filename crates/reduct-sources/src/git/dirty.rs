//! What is in a working tree and not in its last commit.

use super::GitError;
use super::raw::LINK;
use super::run::{Git, read};
use crate::versions::MOST;
use crate::{RUNS, Remark};
use reduct_input::{Content, Touched};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What is not committed, by path, and what is to be said of it.
#[derive(Default)]
pub(super) struct Dirt {
    pub(super) touched: BTreeMap<PathBuf, Touched>,
    pub(super) notes: Vec<Remark>,
    bytes: u64,
    staged: Vec<Staged>,
}

/// A path that the index has otherwise than the last commit: mode and object on either side, nothing if it is not there.
struct Staged {
    path: PathBuf,
    from: Option<PathBuf>,
    committed: Option<(u32, String)>,
    index: Option<(u32, String)>,
}

/// Returns everything in which the working tree differs from its last commit, staged or not; ignored files are left out. A path
/// at which it does not differ, but the index does, is taken as the index has it.
pub(super) fn dirt(git: &Git, tree: &Path) -> Result<Dirt, GitError> {
    let flags = ["--porcelain=v2", "-z", "--untracked-files=all", "--find-renames", "--ignore-submodules=dirty"];
    let text = git.read(&[&["status"], &flags[..]].concat())?;
    let mut dirt = Dirt::default();
    let mut lines = text.split(|byte| *byte == 0).filter(|line| !line.is_empty());
    while let Some(line) = lines.next() {
        dirt.add(tree, line, &mut lines)?.ok_or(GitError::Garbled("git status"))?;
    }
    for staged in std::mem::take(&mut dirt.staged) {
        dirt.take_index(git, tree, staged)?;
    }
    Ok(dirt)
}

impl Dirt {
    /// Returns a line of `status`: `1 XY SUB MODE MODE MODE OBJECT OBJECT PATH`, where a rename has one word more and
    /// the old path as a line of its own, a conflict two words more, and what git does not know is `? PATH`.
    fn add<'a>(
        &mut self,
        tree: &Path,
        line: &[u8],
        lines: &mut impl Iterator<Item = &'a [u8]>,
    ) -> Result<Option<()>, GitError> {
        let (words, mode) = match line.first() {
            Some(b'1') => (8, Some(5)),
            Some(b'2') => (9, Some(5)),
            Some(b'u') => (10, Some(6)),
            Some(b'?') => (1, None),
            _ => return Ok(None),
        };
        let parts: Vec<&[u8]> = line.splitn(words + 1, |byte| *byte == b' ').collect();
        let Some(path) = parts.get(words).map(|bytes| PathBuf::from(OsStr::from_bytes(bytes))) else {
            return Ok(None);
        };
        if parts.get(2).is_some_and(|submodule| submodule.starts_with(b"S")) {
            return Err(GitError::Submodule(path));
        }
        let from =
            if line[0] == b'2' { lines.next().map(|bytes| PathBuf::from(OsStr::from_bytes(bytes))) } else { None };
        if line[0] == b'u' {
            self.notes.push(Remark::Conflicts(path.clone()));
        }
        if line[0] == b'?' && path.components().any(|part| part.as_os_str() == RUNS) {
            return Ok(Some(()));
        }
        if matches!(line[0], b'1' | b'2') && !parts[1].starts_with(b".") {
            self.stage(&parts, &path, from.as_ref()).ok_or(GitError::Garbled("git status"))?;
        }
        let mode = mode.and_then(|at| u32::from_str_radix(std::str::from_utf8(parts[at]).ok()?, 8).ok());
        let becomes = self.read(tree, &path, mode)?;
        // What stands at the old path now, if anything does, has a line of its own.
        if let Some(old) = &from {
            let gone = || Touched { path: old.clone(), from: None, becomes: None };
            self.touched.entry(old.clone()).or_insert_with(gone);
        }
        if becomes.is_some() || line[0] != b'?' {
            let from = from.filter(|_| becomes.is_some());
            self.touched.insert(path.clone(), Touched { path, from, becomes });
        }
        Ok(Some(()))
    }

    /// Notes what a line says of the index.
    fn stage(&mut self, parts: &[&[u8]], path: &Path, from: Option<&PathBuf>) -> Option<()> {
        let text = |at: usize| std::str::from_utf8(parts.get(at)?).ok();
        let state = |mode: usize, object: usize| -> Option<Option<(u32, String)>> {
            let mode = u32::from_str_radix(text(mode)?, 8).ok()?;
            Some((mode != 0).then_some((mode, text(object)?.to_owned())))
        };
        let (committed, index) = (state(3, 6)?, state(4, 7)?);
        let Some(old) = from else {
            self.staged.push(Staged { path: path.into(), from: None, committed, index });
            return Some(());
        };
        self.staged.push(Staged { path: old.clone(), from: None, committed, index: None });
        self.staged.push(Staged { path: path.into(), from: Some(old.clone()), committed: None, index });
        Some(())
    }

    /// Takes a path as the index has it, if it stands in the working tree as in the last commit.
    fn take_index(&mut self, git: &Git, tree: &Path, staged: Staged) -> Result<(), GitError> {
        let Staged { path, from, committed, index } = staged;
        if standing(git, tree, &path)? != committed {
            return Ok(());
        }
        let becomes = index.map(|(mode, object)| of_index(git, &path, mode, &object)).transpose()?;
        self.notes.push(Remark::FromIndex(path.clone()));
        let from =
            from.filter(|old| becomes.is_some() && self.touched.get(old).is_some_and(|old| old.becomes.is_none()));
        self.touched.insert(path.clone(), Touched { path, from, becomes });
        Ok(())
    }

    /// Returns what stands at a path. `mode` is what git takes its mode to be, where that is not simply what it is.
    fn read(&mut self, tree: &Path, path: &Path, mode: Option<u32>) -> Result<Option<Content>, GitError> {
        let full = tree.join(path);
        let meta = match fs::symlink_metadata(&full) {
            Ok(meta) => meta,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(GitError::io(full)(error)),
        };
        self.bytes = self.bytes.saturating_add(meta.len());
        if self.bytes > MOST {
            return Err(GitError::TooLarge);
        }
        if meta.is_symlink() {
            let target = fs::read_link(&full).map_err(GitError::io(full))?;
            return Ok(Some(Content::Link { target }));
        }
        if !meta.is_file() {
            let remark = if meta.is_dir() { Remark::Repository } else { Remark::Special };
            self.notes.push(remark(path.to_owned()));
            return Ok(None);
        }
        let mode = mode.filter(|mode| *mode != 0).unwrap_or_else(|| meta.permissions().mode());
        let mode = if mode & 0o111 == 0 { 0o644 } else { 0o755 };
        Ok(Some(Content::File { mode, bytes: fs::read(&full).map_err(GitError::io(full))? }))
    }
}

/// Returns what stands at a path of the working tree, as a commit would have it: its mode, and the name of its object.
fn standing(git: &Git, tree: &Path, path: &Path) -> Result<Option<(u32, String)>, GitError> {
    let full = tree.join(path);
    let meta = match fs::symlink_metadata(&full) {
        Ok(meta) if meta.is_file() || meta.is_symlink() => meta,
        Ok(_) => return Ok(None),
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(GitError::io(full)(error)),
    };
    let (mode, mut command) = if meta.is_symlink() {
        (LINK, git.command(&["hash-object", "--stdin"]))
    } else {
        let mode = if meta.permissions().mode() & 0o111 == 0 { 0o100_644 } else { 0o100_755 };
        (mode, git.command(&["hash-object", "--"]))
    };
    let object = if mode == LINK {
        read(command, fs::read_link(&full).map_err(GitError::io(full))?.into_os_string().into_vec())?
    } else {
        // By its path from the top, as on it depends how it is converted.
        command.arg(path);
        read(command, vec![])?
    };
    Ok(Some((mode, String::from_utf8_lossy(object.trim_ascii_end()).into_owned())))
}

/// Returns what the index has at a path, as a checkout would write it.
fn of_index(git: &Git, path: &Path, mode: u32, object: &str) -> Result<Content, GitError> {
    if mode == LINK {
        let target = git.read(&["cat-file", "blob", object])?;
        return Ok(Content::Link { target: OsStr::from_bytes(&target).into() });
    }
    let mut command = git.command(&["cat-file", "--filters"]);
    command.arg(OsStr::from_bytes(&[b"--path=", path.as_os_str().as_bytes()].concat())).arg(object);
    let mode = if mode & 0o111 == 0 { 0o644 } else { 0o755 };
    Ok(Content::File { mode, bytes: read(command, vec![])? })
}

/// Returns whether nothing stands there, perhaps because a file stands where its folder was.
fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}
