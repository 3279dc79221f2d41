//! The folders tests run in: where they are made, and how they are filled and emptied.
//!
//! `<base>/reduct-<user>-<process>-<start time>/<slot>/{work,tmp}`, all of mode 0700. The name says
//! whose it is, so that a later start can tell what is left over: see [`super::sweep`].

use super::{SetupError, remove, sweep, trouble};
use crate::executor::Trouble;
use crate::warden::family::start_time;
use reduct_circumstances::{Candidate, What};
use rustix::fs::{Access, FlockOperation, Mode, OFlags, StatVfsMountFlags, access, flock, statfs, statvfs};
use rustix::process::{geteuid, getpid};
use std::collections::BTreeSet;
use std::fs::{DirBuilder, File, OpenOptions, Permissions, set_permissions};
use std::io::{self, IoSlice, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// What has to be free in memory for the scratch folder to be there, besides the candidates.
const SPARE: u64 = 64 << 20;

/// With less than this left after a test, nobody knows what the test could not write.
const FULL: u64 = 1 << 20;

/// As many pieces as one call takes (IOV_MAX).
const PIECES: usize = 1024;

/// The scratch folder of a session. Removed in the end.
pub(super) struct Scratch {
    root: PathBuf,
    /// Locked for as long as this process lives: even in a container that cannot see it, nobody
    /// takes the folder for a leftover.
    _lock: Option<OwnedFd>,
}

impl Scratch {
    /// Sweeps what dead sessions have left, and makes a new folder in the best place there is.
    pub(super) fn claim(wanted: Option<&Path>, jobs: usize, room: u64) -> Result<Scratch, SetupError> {
        let temporary = std::env::temp_dir();
        let memory = Path::new("/dev/shm");
        let wanted_exists = wanted.map(|wanted| folder_builder(true).create(wanted));
        let bases = [wanted, Some(memory), Some(&temporary), Some(Path::new("/tmp"))];
        let bases: BTreeSet<PathBuf> = bases.into_iter().flatten().flat_map(Path::canonicalize).collect();
        bases.iter().for_each(|base| sweep::sweep(base));

        let need = SPARE.saturating_add(room.saturating_mul(4).saturating_mul(jobs as u64));
        let base = match wanted {
            Some(wanted) => wanted,
            None if is_good_memory(memory, need) => memory,
            None => &temporary,
        };
        let made = wanted_exists.unwrap_or(Ok(())).and_then(|()| Scratch::make(&base.canonicalize()?));
        made.map_err(|why| SetupError::Scratch { base: base.to_owned(), why })
    }

    fn make(base: &Path) -> io::Result<Scratch> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let me = getpid();
        let name = format!("reduct-{}-{me}-{}", geteuid(), start_time(me).unwrap_or(0));
        let root = match COUNT.fetch_add(1, Ordering::Relaxed) {
            0 => base.join(name),
            n => base.join(format!("{name}-{n}")),
        };
        folder_builder(false).create(&root)?;
        let lock = rustix::fs::open(&root, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        // Some network file systems cannot lock folders; there, the name has to do.
        let locked = flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok();
        Ok(Scratch { root, _lock: locked.then_some(lock) })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of a slot. Names are of one length, so that no test sees which slot it runs in by
    /// the length of its messages.
    pub(super) fn slot(&self, n: usize) -> SlotFolder {
        let path = self.root.join(format!("{n:03}"));
        SlotFolder { first: path.clone(), path, attempt: 0 }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now, the next session sweeps.
        let _ = remove::tree(&self.root);
    }
}

/// Whether `base` is in memory and has `need` bytes free for files that can be executed.
fn is_good_memory(base: &Path, need: u64) -> bool {
    let (Ok(kind), Ok(space)) = (statfs(base), statvfs(base)) else { return false };
    let forbidden = StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY;
    kind.f_type as libc::c_long == libc::TMPFS_MAGIC
        && !space.f_flag.intersects(forbidden)
        && space.f_bavail.saturating_mul(space.f_frsize) >= need
        && access(base, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

fn folder_builder(recursive: bool) -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700).recursive(recursive);
    builder
}

/// The folder of a slot, which is filled and emptied for each test.
pub(super) struct SlotFolder {
    first: PathBuf,
    path: PathBuf,
    attempt: u32,
}

impl SlotFolder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a candidate.
    pub(super) fn fill(&self, candidate: &Candidate) -> Result<(), Trouble> {
        let work = self.path.join("work");
        folder_builder(true).create(&self.path).map_err(|error| trouble(&self.path, &error))?;
        for folder in [&work, &self.path.join("tmp")] {
            folder_builder(false).create(folder).map_err(|error| trouble(folder, &error))?;
        }
        write(candidate, &work).map_err(|error| trouble(&work, &error))
    }

    /// Removes everything. If that cannot be done, there is a fresh folder for the next test.
    pub(super) fn clear(&mut self) {
        if remove::contents(&self.path).is_err() {
            self.abandon();
        }
    }

    /// Leaves the folder to those who are still in it, and goes on in a fresh one.
    pub(super) fn abandon(&mut self) {
        self.attempt += 1;
        self.path = self.first.with_extension(self.attempt.to_string());
    }

    /// Whether the file system is so full that what a test did in it means nothing.
    pub(super) fn is_full(&self) -> bool {
        statvfs(&self.path).is_ok_and(|space| {
            let bytes = space.f_bavail.saturating_mul(space.f_frsize);
            // Some file systems do not count blocks, or files, and say 0.
            (space.f_blocks > 0 && bytes < FULL) || (space.f_files > 0 && space.f_favail == 0)
        })
    }
}

/// Writes a candidate into the empty folder `work`.
fn write(candidate: &Candidate, work: &Path) -> io::Result<()> {
    let (mut links, mut folders) = (vec![], vec![]);
    for (entry, pieces) in candidate.pieces() {
        let inside = entry.path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside {
            return Err(io::Error::other(format!("{} leads out of the scratch folder", entry.path.display())));
        }
        let path = work.join(&entry.path);
        match &entry.what {
            What::File { mode, .. } => write_file(&path, *mode, pieces)?,
            What::Folder { mode } => {
                folder_builder(true).create(&path)?;
                folders.push((path, *mode));
            }
            What::Link { target } => links.push((path, target)),
        }
    }
    // Links come last, so that nothing is written through them.
    for (path, target) in links {
        in_its_folder(&path, || symlink(target, &path))?;
    }
    // And the modes of folders after that, or a folder that is not writable could not be filled.
    for (path, mode) in folders.into_iter().rev() {
        set_permissions(path, Permissions::from_mode(mode))?;
    }
    Ok(())
}

fn write_file(path: &Path, mode: u32, pieces: Vec<&[u8]>) -> io::Result<()> {
    let create = || OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let mut file = in_its_folder(path, create)?;
    let mut slices: Vec<IoSlice<'_>> = pieces.into_iter().map(IoSlice::new).collect();
    let mut rest = &mut slices[..];
    while rest.iter().any(|slice| !slice.is_empty()) {
        let most = rest.len().min(PIECES);
        match file.write_vectored(&rest[..most]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => IoSlice::advance_slices(&mut rest, n),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    set_mode(&file, mode)
}

/// Sets the mode as it is, whatever the umask.
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// Makes something, and first the folder it stands in if that is missing.
fn in_its_folder<T>(path: &Path, make: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match (make(), path.parent()) {
        (Err(error), Some(parent)) if error.kind() == io::ErrorKind::NotFound => {
            folder_builder(true).create(parent)?;
            make()
        }
        (made, _) => made,
    }
}
