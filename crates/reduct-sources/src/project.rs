//! A project: the folder of the user's that an input belongs to, of which each slot gets a copy.
//!
//! Nothing in a copy is shared with the original: files are copied, links that lead into the folder lead into the
//! copy. It is read once, into one copy: all others are made of that, or tests would differ by when each copy was made.

mod entry;
mod left_out;
mod pristine;
mod repository;
mod walk;

use crate::{BaseTree, Laid, Remark};
pub use entry::{Bounds, Excess, ProjectError};
use entry::{Entry, HISTORY, NotCopied, Stands, named, set_time};
use left_out::LeftOut;
use pristine::Pristine;
use reduct_system::permissions::set_below;
use rustix::time::{ClockId, clock_gettime};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use walk::Walk;

/// An empty file that was made so many seconds before a run began may be its log.
const JUST_BEFORE: i64 = 1;

/// A folder without what varies in it.
#[derive(Debug)]
pub struct Project {
    from: PathBuf,
    /// Folders come before what is in them.
    entries: BTreeMap<PathBuf, Entry>,
    /// What inputs are called in candidates, and where they stand in it.
    places: Vec<(PathBuf, PathBuf)>,
    bytes: u64,
    notes: Vec<Remark>,
    /// What is written while the run goes on, as its log: another one each time.
    own: BTreeSet<PathBuf>,
    /// What of it is laid.
    pristine: OnceLock<Pristine>,
}

impl Project {
    /// Reads a folder for a run that began at a time `since`, in seconds and nanoseconds. `but` are paths below it that
    /// are left out: what varies, and results. `places` says where the inputs, by what they are called in candidates,
    /// stand in it.
    ///
    /// # Errors
    /// If something cannot be read, or it is more than the bounds allow.
    pub fn read(
        folder: &Path,
        but: &[PathBuf],
        places: Vec<(PathBuf, PathBuf)>,
        (since, bounds): ((i64, i64), Bounds),
    ) -> Result<Project, ProjectError> {
        let io = |source| ProjectError::Io { path: folder.to_owned(), source };
        let from = folder.canonicalize().map_err(io)?;
        let mut walk = Walk {
            from: &from,
            but,
            entries: BTreeMap::new(),
            files: 0,
            bytes: 0,
            left_out: LeftOut::default(),
            notes: vec![],
        };
        walk.below(Path::new(""), bounds)?;
        walk.history()?;
        let Walk { entries, bytes, mut notes, left_out, .. } = walk;
        notes.extend(left_out.remark());
        let now = clock_gettime(ClockId::Realtime);
        let now = (now.tv_sec, now.tv_nsec);
        let own =
            entries.iter().filter(|(_, entry)| entry.is_of_a_run(since, now)).map(|(path, _)| path.clone()).collect();
        Ok(Project { from, entries, places, bytes, notes, own, pristine: OnceLock::new() })
    }

    /// Returns the same as it was read, of which nothing was copied yet.
    pub fn again(&self) -> Project {
        Project {
            from: self.from.clone(),
            entries: self.entries.clone(),
            places: self.places.clone(),
            bytes: self.bytes,
            notes: self.notes.clone(),
            own: self.own.clone(),
            pristine: OnceLock::new(),
        }
    }

    /// Returns the same, where the files with these devices and inodes are the run's own, too.
    pub fn with_own(mut self, files: &HashSet<(u64, u64)>) -> Project {
        let has_inode = |entry: &Entry| files.iter().any(|(_, inode)| *inode == entry.inode);
        let is_own = |path: &Path| {
            fs::symlink_metadata(self.from.join(path)).is_ok_and(|meta| files.contains(&(meta.dev(), meta.ino())))
        };
        let found = self.entries.iter().filter(|(path, entry)| has_inode(entry) && is_own(path));
        let found: Vec<PathBuf> = found.map(|(path, _)| path.clone()).collect();
        self.own.extend(found);
        self
    }

    /// Returns the files and links there are, but for those of version control.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.all().filter(|path| !path.starts_with(HISTORY))
    }

    /// Returns all files and links, those of version control among them.
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        let is_file = |(_, entry): &(&PathBuf, &Entry)| !matches!(entry.what, Stands::Folder { .. });
        self.entries.iter().filter(is_file).map(|(path, _)| path.as_path())
    }

    /// Returns how many those are.
    pub fn files(&self) -> usize {
        self.paths().count()
    }

    /// Returns the folder, in full.
    pub fn top(&self) -> &Path {
        &self.from
    }

    /// Returns how many bytes they have together.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns what was left out, and why.
    pub fn notes(&self) -> &[Remark] {
        &self.notes
    }

    fn pristine(&self) -> io::Result<&Pristine> {
        self.pristine.get().ok_or_else(|| io::Error::other(NotCopied))
    }

    /// Returns what stands where: as it was copied, or as it was found if it was not copied yet.
    fn entries(&self) -> &BTreeMap<PathBuf, Entry> {
        self.pristine.get().map_or(&self.entries, Pristine::entries)
    }

    /// Returns the files and links but for these, what tells each from what it was, and whether it is a file.
    fn stamps(&self, own: &[PathBuf]) -> impl Iterator<Item = (&PathBuf, String, bool)> {
        let own: HashSet<PathBuf> = own.iter().cloned().collect();
        let others = self.entries().iter().filter(move |(path, _)| !self.own.contains(*path) && !own.contains(*path));
        others.filter_map(|(path, entry)| match &entry.what {
            Stands::File { mode, size } => {
                Some((path, format!("\0{mode} {size} {:?} {}\n", entry.modified, entry.inode), true))
            }
            Stands::Link { target } => Some((path, format!("\0{}\n", target.display()), false)),
            Stands::Folder { .. } => None,
        })
    }

    fn close(&self, folder: &Path, path: &Path, entry: &Entry) -> io::Result<()> {
        let Stands::Folder { mode } = entry.what else { return Ok(()) };
        let to = folder.join(path);
        set_time(&to, entry.modified)?;
        // What varies may stand in any of them.
        set_below(folder, path, Permissions::from_mode(mode | 0o700))
    }
}

impl Entry {
    /// Returns whether it is written while the run that began at that time goes on: since, or it is empty and was made
    /// at once before that, as a log is whose writer was started with the run. A time in the future says nothing.
    fn is_of_a_run(&self, (seconds, nanoseconds): (i64, i64), now: (i64, i64)) -> bool {
        let Stands::File { size, .. } = self.what else { return false };
        let since = (seconds - if size == 0 { JUST_BEFORE } else { 0 }, nanoseconds);
        (since..=now).contains(&self.modified)
    }
}

impl BaseTree for Project {
    fn take_in(&self, place: &Path) -> io::Result<()> {
        if self.pristine.get().is_none() {
            let pristine = Pristine::make(&self.from, &self.entries, place)?;
            self.pristine.get_or_init(|| pristine);
        }
        Ok(())
    }

    fn populate(&self, folder: &Path) -> io::Result<()> {
        let pristine = self.pristine()?;
        for (path, entry) in pristine.entries() {
            pristine.put(folder, path, entry).map_err(|error| named(error, path))?;
        }
        // Inner folders first: what is done in one changes its time.
        for (path, entry) in pristine.entries().iter().rev() {
            self.close(folder, path, entry).map_err(|error| named(error, path))?;
        }
        Ok(())
    }

    fn identity(&self) -> Vec<u8> {
        self.identity_but(&[])
    }

    fn own(&self) -> Vec<PathBuf> {
        self.own.iter().cloned().collect()
    }

    fn identity_but(&self, own: &[PathBuf]) -> Vec<u8> {
        let mut identity = vec![];
        for (path, what, _) in self.stamps(own) {
            identity.extend_from_slice(path.as_os_str().as_encoded_bytes());
            identity.extend_from_slice(what.as_bytes());
        }
        identity
    }

    fn changed_since(&self, identity: &[u8], own: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let (mut rest, mut changed) = (identity, vec![]);
        for (path, what, is_file) in self.stamps(own) {
            rest = rest.strip_prefix(path.as_os_str().as_encoded_bytes())?;
            if let Some(same) = rest.strip_prefix(what.as_bytes()) {
                rest = same;
                continue;
            }
            rest = rest.strip_prefix(&[0]).filter(|_| is_file)?;
            rest = &rest[rest.iter().position(|byte| *byte == b'\n')? + 1..];
            changed.push(path.clone());
        }
        rest.is_empty().then_some(changed)
    }

    fn place(&self, path: &Path) -> PathBuf {
        let inner = |(name, place): &(PathBuf, PathBuf)| {
            let rest = path.strip_prefix(name).ok()?;
            // Joined with nothing, a path gets a slash at its end.
            Some(if rest.as_os_str().is_empty() { place.clone() } else { place.join(rest) })
        };
        self.places.iter().find_map(inner).unwrap_or_else(|| path.to_owned())
    }

    fn is_in_candidate(&self, path: &Path) -> bool {
        self.places.iter().any(|(_, place)| path != place && path.starts_with(place))
    }

    fn lays_again(&self) -> bool {
        true
    }

    fn lays(&self, path: &Path) -> Option<Laid> {
        let entry = self.entries().get(path)?;
        Some(if matches!(entry.what, Stands::Folder { .. }) { Laid::Folder } else { Laid::Other })
    }

    fn lay_again(&self, folder: &Path, path: &Path) -> io::Result<bool> {
        let pristine = self.pristine()?;
        let Some(entry) = pristine.entries().get(path) else { return Ok(false) };
        pristine.put(folder, path, entry).map_err(|error| named(error, path))?;
        self.close(folder, path, entry)?;
        Ok(true)
    }

    fn remarks(&self) -> Vec<Remark> {
        self.pristine.get().map(|pristine| pristine.remarks(&self.from, &self.own)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn files_that_have_changed_are_named_and_others_make_it_another_project() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        // A name may hold what ends a line, or be the beginning of another one.
        let names = ["a", "a\nb 1", "ab"];
        names.iter().for_each(|name| fs::write(place(name), "1").unwrap());
        symlink("a", place("link")).unwrap();
        let read = || Project::read(folder.path(), &[], vec![], ((i64::MAX, 0), Bounds::NONE)).unwrap();
        let then = read().identity();
        assert_eq!(read().changed_since(&then, &[]), Some(vec![]));
        for name in names {
            fs::write(place(name), "12").unwrap();
        }
        assert_eq!(read().changed_since(&then, &[]), Some(names.map(PathBuf::from).to_vec()));
        let without = read().identity_but(&["a".into()]);
        assert_eq!(read().changed_since(&without, &["a".into()]), Some(vec![]));
        let now = read().identity();
        for cut in 0..now.len() {
            assert_eq!(read().changed_since(&now[..cut], &[]), None, "{cut} bytes");
        }
        fs::write(place("new"), "").unwrap();
        assert_eq!(read().changed_since(&now, &[]), None);
        fs::remove_file(place("new")).unwrap();
        fs::remove_file(place("link")).unwrap();
        assert_eq!(read().changed_since(&now, &[]), None);
        symlink("ab", place("link")).unwrap();
        assert_eq!(read().changed_since(&now, &[]), None);
    }
}
