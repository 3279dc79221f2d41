//! What a project was when a run began: one copy, of which the copies for tests are made.
//!
//! What the user does to the project later is nobody's business: a log that grows, a file that is edited. At the end it
//! is said what the tests have not seen.

use super::entry::{Entry, Stands, modified, named, set_time};
use super::left_out::LeftOut;
use crate::Remark;
use reduct_system::permissions::set_below;
use rustix::fs::OFlags;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// A file that is written while it is copied is copied so many times; what the last of them got counts.
const TRIES: usize = 3;

/// So many files are named.
const MOST_NAMED: usize = 3;

/// A project as it was, which nothing changes any more.
#[derive(Debug)]
pub(super) struct Pristine {
    folder: PathBuf,
    entries: BTreeMap<PathBuf, Entry>,
    left_out: LeftOut,
}

impl Pristine {
    /// Copies what was found `from` the user's folder into a new one.
    pub(super) fn make(from: &Path, found: &BTreeMap<PathBuf, Entry>, folder: &Path) -> io::Result<Pristine> {
        let mut pristine =
            Pristine { folder: folder.to_owned(), entries: BTreeMap::new(), left_out: LeftOut::default() };
        let closed = |folder: &Path| DirBuilder::new().mode(0o700).create(folder);
        closed(folder).map_err(|error| named(error, folder))?;
        for (path, entry) in found {
            let (source, to) = (from.join(path), folder.join(path));
            let entry = match &entry.what {
                Stands::Folder { .. } => closed(&to).map(|()| Some(entry.clone())),
                Stands::Link { .. } => Ok(Some(entry.clone())),
                Stands::File { .. } => pristine.copy(path, &source, &to),
            };
            if let Some(entry) = entry.map_err(|error| named(error, &source))? {
                pristine.entries.insert(path.clone(), entry);
            }
        }
        Ok(pristine)
    }

    /// Copies a file, and says what it was then. `None` if it is left out.
    fn copy(&mut self, path: &Path, from: &Path, to: &Path) -> io::Result<Option<Entry>> {
        // A pipe that has come to its place is not waited for.
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
        let opened = OpenOptions::new().read(true).custom_flags(flags).open(from);
        let Some(source) = self.left_out.unless_read(path, opened)? else { return Ok(None) };
        let before = source.metadata()?;
        if before.is_file() {
            copy(&source, before, to).map(Some)
        } else {
            self.left_out.add(path);
            Ok(None)
        }
    }

    pub(super) fn entries(&self) -> &BTreeMap<PathBuf, Entry> {
        &self.entries
    }

    /// Lays a file or a link, or makes a folder, in which something may be put yet.
    pub(super) fn put(&self, folder: &Path, path: &Path, entry: &Entry) -> io::Result<()> {
        let to = folder.join(path);
        match &entry.what {
            Stands::Folder { .. } => return fs::create_dir(to),
            Stands::Link { target } => symlink(target, &to)?,
            Stands::File { mode, .. } => {
                fs::copy(self.folder.join(path), &to)?;
                set_below(folder, path, Permissions::from_mode(*mode))?;
            }
        }
        set_time(&to, entry.modified)
    }

    /// Returns what is to be said at the end: of what was left out, and of what stands otherwise in the user's folder
    /// now. Not of what is the run's `own`, nor of what version control keeps.
    pub(super) fn remarks(&self, from: &Path, own: &BTreeSet<PathBuf>) -> Vec<Remark> {
        let is_other = |(path, entry): &(&PathBuf, &Entry)| {
            let now = fs::symlink_metadata(from.join(path)).ok();
            !own.contains(*path) && !path.starts_with(".git") && !now.is_some_and(|now| entry.is(&now))
        };
        let changed: Vec<&PathBuf> = self.entries.iter().filter(is_other).map(|(path, _)| path).collect();
        let more = changed.len().saturating_sub(MOST_NAMED);
        let first: Vec<PathBuf> = changed.into_iter().take(MOST_NAMED).cloned().collect();
        let changed = (!first.is_empty()).then_some(Remark::ChangedSince { first, more });
        self.left_out.remark().into_iter().chain(changed).collect()
    }
}

impl Entry {
    /// Returns whether this is what it was.
    fn is(&self, now: &Metadata) -> bool {
        match self.what {
            Stands::Folder { .. } => now.is_dir(),
            Stands::Link { .. } => now.is_symlink() && modified(now) == self.modified,
            Stands::File { mode, size } => {
                let same_file = now.is_file() && now.ino() == self.inode && now.mode() & 0o777 == mode;
                same_file && now.len() == size && modified(now) == self.modified
            }
        }
    }
}

/// Copies a file, and says what it was then.
fn copy(source: &File, mut before: Metadata, to: &Path) -> io::Result<Entry> {
    for _ in 1..TRIES {
        let size = copy_contents(source, &before, to)?;
        let after = source.metadata()?;
        if size == before.len() && modified(&after) == modified(&before) {
            break;
        }
        before = after;
        fs::remove_file(to)?;
    }
    let size = match fs::symlink_metadata(to) {
        Ok(copied) => copied.len(),
        Err(_) => copy_contents(source, &before, to)?,
    };
    let what = Stands::File { mode: before.mode() & 0o777, size };
    Ok(Entry { what, modified: modified(&before), inode: before.ino() })
}

/// Copies as much as there is now: shares it where the file system can.
fn copy_contents(source: &File, now: &Metadata, to: &Path) -> io::Result<u64> {
    rustix::fs::seek(source, rustix::fs::SeekFrom::Start(0))?;
    let mut copied = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut source.take(now.len()), &mut copied)
}
