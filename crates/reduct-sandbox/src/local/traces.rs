//! What tests leave in a folder that is kept from test to test, and how it is undone.
//!
//! The folder is watched, so that nothing has to be looked at that nobody touched. What was laid is laid again. What the
//! first test of all makes stays if no other makes it again, and if it stands in no folder that is reduced: it does not depend on
//! the candidate, as far as can be seen. All else that tests make may, and must not be found by another test. Nothing is touched through a link that a test has put in place of a folder.

mod looks;
mod made;
mod stands;
mod within;

use crate::faults::FolderFault;
use looks::Reasons;
pub(super) use made::Made;
use reduct_sources::{BaseTree, Laid};
use reduct_system::permissions::set_below;
use reduct_system::remove;
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;
use stands::Stands;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use within::is_within;

/// What changes something in a folder.
const TOUCHED: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::CLOSE_WRITE);

/// What the owner of a folder needs to do anything in it.
const OPEN: u32 = 0o700;

/// A folder that is watched.
pub(super) struct Traces {
    inotify: OwnedFd,
    folders: HashMap<i32, PathBuf>,
    /// What tests have made that stays.
    products: HashSet<PathBuf>,
    made: Arc<Made>,
    stands: Stands,
    /// The number of the watch over the folder for temporary files.
    beside: Option<i32>,
}

/// What was heard of.
#[derive(Default)]
struct Heard {
    /// What was touched, and what was made of it since.
    paths: BTreeSet<PathBuf>,
    /// Folders that tests have made.
    folders: Vec<PathBuf>,
    /// Folders whose modes or times may be others.
    altered: BTreeSet<PathBuf>,
    /// Files that were written to, by these names.
    written: HashSet<PathBuf>,
    /// Whether something was made in the folder for temporary files.
    beside: bool,
}

impl Traces {
    /// Watches these folders in `work`, in which a base tree was laid.
    pub(super) fn watch<'a>(
        work: &Path,
        folders: impl Iterator<Item = &'a PathBuf>,
        base_tree: &dyn BaseTree,
        made: Arc<Made>,
    ) -> io::Result<Traces> {
        let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let (folders_now, products, stands) = Default::default();
        let mut traces = Traces { inotify, folders: folders_now, products, made, stands, beside: None };
        for folder in folders {
            traces.add(work, folder.clone())?;
            traces.stands.files_in(work, folder, base_tree)?;
        }
        Ok(traces)
    }

    /// Watches a folder, too.
    pub(super) fn add(&mut self, work: &Path, folder: PathBuf) -> io::Result<()> {
        let full = if folder.as_os_str().is_empty() { work.to_owned() } else { work.join(&folder) };
        let flags = TOUCHED | WatchFlags::DONT_FOLLOW | WatchFlags::ONLYDIR | WatchFlags::EXCL_UNLINK;
        self.stands.folder(work, &folder)?;
        self.folders.insert(add_watch(&self.inotify, full, flags)?, folder);
        Ok(())
    }

    /// Watches for the first thing that is made in a folder beside it, which stands anew for each test.
    pub(super) fn watch_beside(&mut self, folder: &Path) -> io::Result<()> {
        let flags = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::ONESHOT | WatchFlags::ONLYDIR;
        self.beside = Some(add_watch(&self.inotify, folder, flags)?);
        Ok(())
    }

    /// Forgets what was done since: it was no test that did it.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        self.hear().map(drop)
    }

    /// Undoes what a test did, but for what `varies`, which is seen to elsewhere. What was made in a folder that is reduced never stays.
    pub(super) fn undo(
        &mut self,
        work: &Path,
        base_tree: &dyn BaseTree,
        varies: &dyn Fn(&Path) -> bool,
        end: bool,
    ) -> io::Result<()> {
        let Heard { mut paths, folders, mut altered, written, beside } = self.hear()?;
        altered.retain(|folder| !varies(folder));
        self.stands.restore_modes(work, &altered)?;
        let is_gone = |path: &PathBuf| fs::symlink_metadata(work.join(path)).is_err();
        let reasons = Reasons { gone: written.iter().any(is_gone), folder: !folders.is_empty(), beside };
        // A folder of the candidate that a test has made anew is not the one that was watched.
        for folder in folders {
            self.enter(work, folder, &mut paths)?;
        }
        let (linked, names) = self.stands.linked(work, &paths)?;
        paths.extend(self.stands.others(work, &paths, reasons));
        for name in names.into_iter().filter(|name| !varies(name) && base_tree.lays(name).is_none()) {
            fs::remove_file(work.join(&name))?;
        }
        paths.extend(linked);
        if end && !self.made.has_begun() {
            let is_new =
                |path: &&PathBuf| !varies(path) && !base_tree.is_in_candidate(path) && base_tree.lays(path).is_none();
            self.made.begin(paths.iter().filter(is_new).cloned());
        }
        let mut own = vec![];
        for path in paths.iter().filter(|path| !varies(path)) {
            if self.undo_one(work, path, base_tree, end)? {
                own.push(path);
            }
        }
        // What is in a folder comes behind it. One that keeps something stays.
        for path in own.into_iter().rev() {
            match fs::remove_dir(work.join(path)) {
                Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => return Err(error),
                _ => {}
            }
        }
        altered.extend(paths.iter().filter_map(|path| path.parent()).map(Path::to_owned));
        self.stands.restore_times(work, &altered)?;
        self.forget()
    }

    /// Undoes what was done at a path. Whether a folder stands there that tests have made, which is to go if it is empty.
    fn undo_one(&mut self, work: &Path, path: &Path, base_tree: &dyn BaseTree, end: bool) -> io::Result<bool> {
        if !is_within(work, path) {
            self.products.remove(path);
            return Ok(false);
        }
        let full = work.join(path);
        let there = fs::symlink_metadata(&full).ok();
        let is_folder = there.as_ref().is_some_and(fs::Metadata::is_dir);
        let laid = base_tree.lays(path);
        match there {
            // What was laid as a folder, or made as one, has only other times.
            Some(_) if is_folder && laid != Some(Laid::Other) => return Ok(laid.is_none()),
            Some(_) if laid.is_none() => return self.note_product(path, &full, end).map(|()| false),
            Some(_) if is_folder => remove::tree(&full)?,
            Some(_) => fs::remove_file(&full)?,
            None => {}
        }
        if !base_tree.lay_again(work, path)? {
            return Ok(false);
        }
        if fs::symlink_metadata(&full)?.is_dir() {
            // What was in it is gone, too, and was heard of: it comes behind it.
            self.add(work, path.to_owned())?;
        } else {
            self.stands.file(work, path.to_owned())?;
        }
        Ok(false)
    }

    /// Notes a file that a test has made; it goes if tests make another one each time.
    fn note_product(&mut self, path: &Path, full: &Path, end: bool) -> io::Result<()> {
        if !self.products.insert(path.to_owned()) || !end {
            self.made.add(path);
        }
        if self.made.varies(path) {
            fs::remove_file(full)?;
            self.products.remove(path);
            self.made.add(path);
        }
        Ok(())
    }

    /// Removes, before a test, what tests make again and again, which this one may fail to make.
    pub(super) fn clear(&mut self, work: &Path) -> io::Result<()> {
        let made: Vec<PathBuf> = self.products.iter().filter(|path| self.made.varies(path)).cloned().collect();
        for path in made {
            if !is_within(work, &path) {
                self.products.remove(&path);
                continue;
            }
            match fs::remove_file(work.join(&path)) {
                Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                    return Err(error);
                }
                _ => self.products.remove(&path),
            };
        }
        Ok(())
    }

    /// Watches a folder that tests have made, and all in it.
    fn enter(&mut self, work: &Path, folder: PathBuf, paths: &mut BTreeSet<PathBuf>) -> io::Result<()> {
        let mut todo = vec![folder];
        while let Some(folder) = todo.pop() {
            let full = work.join(&folder);
            if !is_within(work, &folder) || !fs::symlink_metadata(&full).is_ok_and(|meta| meta.is_dir()) {
                continue;
            }
            let mode = fs::symlink_metadata(&full)?.mode() & 0o7777;
            if mode & OPEN != OPEN {
                // Closed to the process that has to look into it.
                set_below(work, &folder, fs::Permissions::from_mode(mode | OPEN))?;
            }
            self.add(work, folder.clone())?;
            for entry in fs::read_dir(&full)? {
                let entry = entry?;
                let path = folder.join(entry.file_name());
                if entry.file_type()?.is_dir() {
                    todo.push(path);
                } else {
                    paths.insert(path);
                }
            }
        }
        Ok(())
    }

    /// Returns what was touched since it was asked last.
    fn hear(&mut self) -> io::Result<Heard> {
        let mut heard = Heard::default();
        let mut room = [MaybeUninit::uninit(); 1 << 14];
        let mut reader = Reader::new(&self.inotify, &mut room);
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => return Ok(heard),
                Err(error) => return Err(error.into()),
            };
            let what = event.events();
            if what.contains(ReadFlags::QUEUE_OVERFLOW) {
                return Err(io::Error::other(FolderFault::TooMuch));
            }
            if self.beside == Some(event.wd()) {
                heard.beside |= !what.contains(ReadFlags::IGNORED);
                continue;
            }
            if what.contains(ReadFlags::IGNORED) {
                self.folders.remove(&event.wd());
                continue;
            }
            let Some(folder) = self.folders.get(&event.wd()) else { continue };
            let Some(name) = event.file_name() else { continue };
            let path = folder.join(OsStr::from_bytes(name.to_bytes()));
            if what.contains(ReadFlags::ISDIR) {
                if what.intersects(ReadFlags::ATTRIB | ReadFlags::CREATE) {
                    heard.altered.insert(path.clone());
                }
                if what.intersects(ReadFlags::MOVED_FROM | ReadFlags::MOVED_TO) {
                    return Err(io::Error::other("a folder was moved"));
                }
                if what.contains(ReadFlags::CREATE) {
                    heard.folders.push(path.clone());
                }
            }
            if what.intersects(ReadFlags::MODIFY | ReadFlags::CLOSE_WRITE | ReadFlags::ATTRIB) {
                heard.written.insert(path.clone());
            }
            heard.paths.insert(path);
        }
    }
}
