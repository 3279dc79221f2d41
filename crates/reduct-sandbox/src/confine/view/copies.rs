//! Copies of folders of which only what is changed is really copied, and what tests have changed in them.

use super::mounts::{Opened, overlay};
use crate::confine::untouched::{Untouched, Watched};
use reduct_system::remove;
use rustix::fs::{Access, AtFlags, CWD, Gid, Mode, Timespec, Timestamps, Uid, accessat, chmod, chown, utimensat};
use rustix::process::geteuid;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// So many changed files are told of.
const CHANGED: usize = 100;

/// The names of the attributes of a folder are looked at if they are no longer than this, in bytes.
const ATTRIBUTES: usize = 1024;

/// A copy that stands in the place of its folder.
pub(super) struct Copy {
    /// The folder as all others see it.
    original: Opened,
    /// The name of the folder that takes the changes.
    name: String,
    /// The folder itself, as it is seen at the beginning.
    itself: Itself,
    /// The folder that takes the changes, if it is watched.
    watched: Watched,
}

/// What a test can change of a folder besides what stands in it.
#[derive(PartialEq, Eq)]
struct Itself {
    mode: u32,
    owner: (u32, u32),
    attributes: Vec<u8>,
}

impl Itself {
    fn of(folder: &Path) -> io::Result<Itself> {
        let about = fs::metadata(folder)?;
        let mut attributes = vec![0; ATTRIBUTES];
        // More than that, and no file system that has any, is taken for the same each time.
        let length = rustix::fs::llistxattr(folder, &mut attributes[..]).unwrap_or(0);
        attributes.truncate(length);
        Ok(Itself { mode: about.mode(), owner: (about.uid(), about.gid()), attributes })
    }
}

impl Copy {
    /// Puts a copy in the place of a folder. What it needs is made in `base`, under `name`.
    ///
    /// # Errors
    /// If the system or the file system of the folder refuses it.
    pub fn mount(original: Opened, base: &Path, name: String) -> io::Result<Copy> {
        let [upper, work] = ["", "-work"].map(|end| base.join(format!("{name}{end}")));
        folder(&upper)?;
        folder(&work)?;
        // The folder itself is seen with the mode and the owner of what takes its changes.
        let like = fs::metadata(original.link())?;
        let is_writable = accessat(CWD, original.link(), Access::WRITE_OK, AtFlags::EACCESS).is_ok();
        let mode = if is_writable { like.mode() } else { like.mode() & !0o222 };
        if geteuid().is_root() {
            chown(&upper, Some(Uid::from_raw(like.uid())), Some(Gid::from_raw(like.gid())))?;
        }
        chmod(&upper, Mode::from_raw_mode(mode & 0o7777))?;
        overlay(&original, &upper, &work)?;
        let itself = Itself::of(&original.path)?;
        let copy = Copy { original, name, itself, watched: Watched::default() };
        copy.put_times_back();
        Ok(copy)
    }

    /// Gives the folder itself the times that the original has, which are lost when something in it is made or removed.
    fn put_times_back(&self) {
        let Ok(like) = rustix::fs::stat(self.original.link()) else { return };
        if rustix::fs::stat(self.path())
            .is_ok_and(|it| (it.st_mtime, it.st_mtime_nsec) == (like.st_mtime, like.st_mtime_nsec))
        {
            return;
        }
        let last_access = Timespec { tv_sec: like.st_atime, tv_nsec: like.st_atime_nsec as _ };
        let last_modification = Timespec { tv_sec: like.st_mtime, tv_nsec: like.st_mtime_nsec as _ };
        let _ = utimensat(CWD, self.path(), &Timestamps { last_access, last_modification }, AtFlags::empty());
    }

    pub fn path(&self) -> &Path {
        &self.original.path
    }

    /// Returns the folder that takes the changes. `base` is the one of [`Copy::mount`].
    pub fn upper(&self, base: &Path) -> PathBuf {
        base.join(&self.name)
    }

    /// Has it be heard whether the copy is touched. `base` is the one of [`Copy::mount`].
    pub fn watch(&mut self, base: &Path, untouched: &Untouched) {
        self.watched = untouched.watch(&self.upper(base));
    }

    /// Returns whether nothing of it was changed yet, which is looked for only if something was done since it was so. `base` is the
    /// one of [`Copy::mount`].
    pub fn is_empty(&self, base: &Path, untouched: &mut Untouched) -> bool {
        if untouched.contains(self.watched) {
            return true;
        }
        let is_empty = fs::read_dir(self.upper(base)).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty {
            untouched.insert(self.watched);
        }
        is_empty
    }

    /// Removes the new files that stand in the folder itself, and returns whether the copy is as the folder is again.
    /// Adds the files that were changed to `changed`. `base` is the one of [`Copy::mount`].
    pub fn clear(&self, base: &Path, untouched: &mut Untouched, changed: &mut Vec<PathBuf>) -> bool {
        if untouched.contains(self.watched) {
            return true;
        }
        let mut is_clean = true;
        for entry in fs::read_dir(self.upper(base)).into_iter().flatten() {
            let Ok(entry) = entry else { return false };
            let is_new = fs::symlink_metadata(self.original.link().join(entry.file_name())).is_err();
            let name = PathBuf::from(entry.file_name());
            let files = if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                files_below(&entry.path()).into_iter().map(|file| name.join(file)).collect()
            } else {
                vec![name.clone()]
            };
            for file in files.into_iter().map(|file| self.path().join(file)) {
                if changed.len() < CHANGED && !changed.contains(&file) {
                    changed.push(file);
                }
            }
            // It is removed where it is seen: what takes the changes is the system's to write to.
            is_clean &= is_new && remove_any(&self.path().join(&name)).is_ok();
        }
        is_clean &= Itself::of(self.path()).is_ok_and(|itself| itself == self.itself);
        if is_clean {
            self.put_times_back();
            untouched.insert(self.watched);
        }
        is_clean
    }
}

fn remove_any(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() { Ok(remove::tree(path)?) } else { fs::remove_file(path) }
}

/// Returns the paths of the files below a folder, relative to it, at most [`CHANGED`].
fn files_below(top: &Path) -> Vec<PathBuf> {
    let mut folders = vec![top.to_owned()];
    let mut files = vec![];
    while let Some(folder) = folders.pop().filter(|_| files.len() < CHANGED) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            } else {
                files.extend(entry.path().strip_prefix(top).map(Path::to_owned));
            }
        }
    }
    files.truncate(CHANGED);
    files
}

/// Makes a folder for this user alone.
pub(super) fn folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}
