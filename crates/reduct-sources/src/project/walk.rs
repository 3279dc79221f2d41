//! Reads what stands in a folder.

use super::entry::{Bounds, Entry, Excess, HISTORY, ProjectError, Stands, modified};
use super::left_out::LeftOut;
use super::repository;
use crate::{NoHistory, RUNS, Remark};
use rustix::fs::{Access, access};
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// What of version control is copied at most; a larger history stays where it is.
const MOST_HISTORY: Bounds = Bounds { files: 10_000, bytes: 64 << 20, time: Duration::from_millis(500) };

impl Bounds {
    /// Returns the same, if so much has been counted already.
    fn after(self, files: usize, bytes: u64) -> Bounds {
        Bounds { files: self.files.saturating_add(files), bytes: self.bytes.saturating_add(bytes), ..self }
    }
}

/// Reads a folder.
pub(super) struct Walk<'a> {
    pub(super) from: &'a Path,
    pub(super) but: &'a [PathBuf],
    pub(super) entries: BTreeMap<PathBuf, Entry>,
    pub(super) files: usize,
    pub(super) bytes: u64,
    pub(super) left_out: LeftOut,
    pub(super) notes: Vec<Remark>,
}

impl Walk<'_> {
    /// Adds the repository: tests may ask git; what they do to it there, they do to a copy. It is whole, or left out.
    pub(super) fn history(&mut self) -> Result<(), ProjectError> {
        let history = Path::new(HISTORY);
        let full = self.from.join(history);
        let (files, bytes, entries, left_out) = (self.files, self.bytes, self.entries.clone(), self.left_out.count());
        let why = match fs::symlink_metadata(&full) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => NoHistory::Unreadable(error.to_string()),
            Ok(meta) if meta.is_dir() => {
                let added = self.add(history, &meta);
                match added.and_then(|()| self.below(history, MOST_HISTORY.after(files, bytes))) {
                    Err(ProjectError::TooLarge { what, .. }) => NoHistory::TooLarge(what),
                    Err(ProjectError::Io { path, source }) => {
                        NoHistory::UnreadablePart { path, said: Some(source.to_string()) }
                    }
                    Ok(()) => match (self.left_out.first_after(left_out), repository::elsewhere(self.from)) {
                        (Some(first), _) => NoHistory::UnreadablePart { path: first.to_owned(), said: None },
                        (None, Some(place)) => NoHistory::OfAnotherFolder(place),
                        (None, None) => return Ok(()),
                    },
                }
            }
            // A linked worktree, or a submodule: a copy of the link would lead to the user's own repository.
            Ok(_) => NoHistory::Link,
        };
        self.notes.push(Remark::NoHistory { path: history.to_owned(), why });
        (self.files, self.bytes, self.entries) = (files, bytes, entries);
        self.left_out.truncate(left_out);
        Ok(())
    }

    /// Does without what cannot be read, or is gone meanwhile; other errors stay.
    fn got<T>(&mut self, path: &Path, of: io::Result<T>) -> Result<Option<T>, ProjectError> {
        let got = self.left_out.unless_read_or_gone(path, of);
        let got = got.map_err(|source| ProjectError::Io { path: self.from.join(path), source })?;
        if got.is_none() {
            self.entries.remove(path);
        }
        Ok(got)
    }

    /// Adds all below a folder, `.git` at the top not among it.
    pub(super) fn below(&mut self, top: &Path, bounds: Bounds) -> Result<(), ProjectError> {
        let begin = Instant::now();
        let mut todo = vec![top.to_owned()];
        while let Some(inner) = todo.pop() {
            let full = self.from.join(&inner);
            let io = |source| ProjectError::Io { path: full.clone(), source };
            let listed = fs::read_dir(&full);
            // Without the folder itself there is nothing.
            let listed = if inner == top { Some(listed.map_err(io)?) } else { self.got(&inner, listed)? };
            for entry in listed.into_iter().flatten() {
                let entry = entry.map_err(io)?;
                let path = inner.join(entry.file_name());
                let is_ours = entry.file_name() == RUNS || path == Path::new(HISTORY);
                if is_ours || self.but.contains(&path) {
                    continue;
                }
                let Some(meta) = self.got(&path, entry.metadata())? else { continue };
                if meta.is_file() && self.got(&path, may_read(&entry.path()))?.is_none() {
                    continue;
                }
                // A submodule's, which may lead to the user's own repository.
                if entry.file_name() == ".git" && !meta.is_dir() {
                    continue;
                }
                self.add(&path, &meta)?;
                if meta.is_dir() {
                    todo.push(path);
                }
                self.check(bounds, begin.elapsed())?;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, meta: &Metadata) -> Result<(), ProjectError> {
        let mode = meta.permissions().mode() & 0o777;
        let what = if meta.is_dir() {
            Stands::Folder { mode }
        } else if meta.is_file() {
            self.bytes += meta.len();
            Stands::File { mode, size: meta.len() }
        } else if meta.is_symlink() {
            let full = self.from.join(path);
            let target = fs::read_link(&full).map_err(|source| ProjectError::Io { path: full, source })?;
            Stands::Link { target: self.target(path, target) }
        } else {
            self.notes.push(Remark::Special(path.to_owned()));
            return Ok(());
        };
        self.files += 1;
        self.entries.insert(path.to_owned(), Entry { what, modified: modified(meta), inode: meta.ino() });
        Ok(())
    }

    /// Returns where a link leads in a copy: within the folder to the copy, elsewhere to where it led.
    fn target(&self, path: &Path, target: PathBuf) -> PathBuf {
        let above = path.parent().unwrap_or(Path::new(""));
        // However it is spelled: through a link to the folder, or out of it and in again.
        let real = self.from.join(above).join(&target).canonicalize();
        let inner = real.ok().and_then(|real| Some(real.strip_prefix(self.from).ok()?.to_owned()));
        let inner = inner.map(|inner| up(above.components().count()).join(inner));
        if target.is_absolute() {
            let spelled = target.strip_prefix(self.from).ok();
            let spelled = spelled.map(|spelled| up(above.components().count()).join(spelled));
            return spelled.or(inner).unwrap_or(target);
        }
        // By how it is spelled: what it leads through may be links, too.
        let mut depth = above.components().count() as i64;
        for part in target.components() {
            depth += if part == Component::ParentDir { -1 } else { i64::from(matches!(part, Component::Normal(_))) };
            if depth < 0 {
                return inner.unwrap_or_else(|| self.from.join(above).join(target));
            }
        }
        target
    }

    fn check(&self, bounds: Bounds, elapsed: Duration) -> Result<(), ProjectError> {
        let what = match () {
            () if self.files > bounds.files => Excess::Files(bounds.files),
            () if self.bytes > bounds.bytes => Excess::Megabytes(bounds.bytes >> 20),
            () if elapsed > bounds.time => Excess::Time(bounds.time),
            () => return Ok(()),
        };
        Err(ProjectError::TooLarge { folder: self.from.to_owned(), what })
    }
}

/// Returns so many folders up.
fn up(depth: usize) -> PathBuf {
    if depth == 0 { PathBuf::from(".") } else { std::iter::repeat_n("..", depth).collect() }
}

/// Checks whether the user may read a file.
fn may_read(path: &Path) -> io::Result<()> {
    Ok(access(path, Access::READ_OK)?)
}
