//! What is in a working tree and not in its last commit.

use super::GitError;
use super::run::Git;
use crate::load::RUNS;
use crate::load::versions::MOST;
use reduct_circumstances::{Content, Touched};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What is not committed, by path, and what is to be said of it.
#[derive(Default)]
pub(super) struct Dirt {
    pub(super) touched: BTreeMap<PathBuf, Touched>,
    pub(super) notes: Vec<String>,
    bytes: u64,
}

/// Everything in which the working tree differs from its last commit, staged or not; ignored files are left out.
pub(super) fn dirt(git: &Git, tree: &Path) -> Result<Dirt, GitError> {
    let flags = ["--porcelain=v2", "-z", "--untracked-files=all", "--find-renames", "--ignore-submodules=dirty"];
    let text = git.read(&[&["status"], &flags[..]].concat())?;
    let mut dirt = Dirt::default();
    let mut lines = text.split(|byte| *byte == 0).filter(|line| !line.is_empty());
    while let Some(line) = lines.next() {
        dirt.add(tree, line, &mut lines)?.ok_or(GitError::Garbled("git status"))?;
    }
    Ok(dirt)
}

impl Dirt {
    /// A line of `status`: `1 XY SUB MODE MODE MODE OBJECT OBJECT PATH`, where a rename has one word more and the
    /// old path as a line of its own, a conflict two words more, and what git does not know is `? PATH`.
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
            self.notes
                .push(format!("{} has conflicts that are not resolved: it is taken as it stands", path.display()));
        }
        if line[0] == b'?' && path.components().any(|part| part.as_os_str() == RUNS) {
            return Ok(Some(()));
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

    /// What stands at a path. `mode` is what git takes its mode to be, where that is not simply what it is.
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
            let what = if meta.is_dir() { "a repository of its own" } else { "neither a file nor a folder nor a link" };
            self.notes.push(format!("{} is {what}: it is left out", path.display()));
            return Ok(None);
        }
        let mode = mode.filter(|mode| *mode != 0).unwrap_or_else(|| meta.permissions().mode());
        let mode = if mode & 0o111 == 0 { 0o644 } else { 0o755 };
        Ok(Some(Content::File { mode, bytes: fs::read(&full).map_err(GitError::io(full))? }))
    }
}

/// Whether nothing stands there, perhaps because a file stands where its folder was.
fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}
