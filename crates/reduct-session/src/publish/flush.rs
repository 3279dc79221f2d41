//! Flushes what was written to the disk before it takes its place: a folder by one call, whatever the number of its files.

use rustix::fs::{FsWord, fstatfs, syncfs};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// File systems in another process, which is not told of [`syncfs`] by the kernel.
const FUSE: FsWord = 0x6573_5546;

/// A folder that is flushed when all in it is written.
pub(super) struct Flush {
    /// Opened before anything is written there: what cannot be written from then on is an error of the flush.
    folder: File,
}

impl Flush {
    /// Begins with an empty folder.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn of(folder: &Path) -> io::Result<Flush> {
        Ok(Flush { folder: File::open(folder)? })
    }

    /// Flushes a file, or a folder with all that is in it, which stands in the folder or is the folder.
    ///
    /// # Errors
    /// If the disk says so.
    pub(super) fn all(&self, path: &Path) -> io::Result<()> {
        if !fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir()) {
            return one_by_one(path);
        }
        if has_few(path)? {
            return one_by_one(path);
        }
        let is_fuse = fstatfs(&self.folder).is_ok_and(|about| about.f_type == FUSE);
        match if is_fuse { Err(Errno::NOSYS) } else { syncfs(&self.folder) } {
            Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP | Errno::PERM) => one_by_one(path),
            flushed => Ok(flushed?),
        }
    }
}

/// Flushes a file, or a folder with all that is in it.
///
/// # Errors
/// If it cannot be opened, or the disk says so.
pub fn flush(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Flush::of(parent.unwrap_or(Path::new(".")))?.all(path)
}

/// Returns whether a folder has so little in it that a call for each costs less than one that also flushes what other programs
/// have written.
fn has_few(folder: &Path) -> io::Result<bool> {
    const FEW: usize = 16;
    let (mut todo, mut seen) = (vec![folder.to_owned()], 0);
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            seen += 1;
            if seen > FEW {
                return Ok(false);
            }
            if entry.file_type()?.is_dir() {
                todo.push(entry.path());
            }
        }
    }
    Ok(true)
}

/// Flushes a file, or a folder with all that is in it, by a call for each.
fn one_by_one(path: &Path) -> io::Result<()> {
    let mut todo = vec![path.to_owned()];
    while let Some(path) = todo.pop() {
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_symlink() {
            continue;
        }
        File::open(&path)?.sync_all()?;
        if kind.is_dir() {
            for entry in fs::read_dir(&path)? {
                todo.push(entry?.path());
            }
        }
    }
    Ok(())
}
