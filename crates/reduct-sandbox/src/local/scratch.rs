//! The scratch folder of a session: where it is made.
//!
//! `<base>/reduct-<user>-<process>-<start time>/<slot>/{work,tmp}`, all of mode 0700. The name says
//! whose it is, so that a later start can tell what is left over: see [`super::sweep`].

use super::folder::SlotFolder;
use super::setup::SetupError;
use super::sweep;
use super::traces::Made;
use reduct_sources::BaseTree;
use reduct_sources::write::folder_builder;
use reduct_system::family::start_time;
use rustix::fs::{Access, FlockOperation, Mode, OFlags, StatVfsMountFlags, access, flock, statfs, statvfs};
use rustix::process::{geteuid, getpid};
use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The folder in memory.
const MEMORY: &str = "/dev/shm";

/// What has to be free in memory for the scratch folder to be there, besides the candidates.
const SPARE: u64 = 64 << 20;

/// How many times the size of a candidate has to be free for each slot; with a base tree, whose products stay and
/// are often larger than itself, how many times its size.
const TIMES: [u64; 2] = [4, 8];

/// The scratch folder of a session. Removed in the end.
pub(super) struct Scratch {
    root: PathBuf,
    /// Locked for as long as this process lives: even in a container that cannot see it, nobody
    /// takes the folder for a leftover.
    _lock: Option<OwnedFd>,
}

impl Scratch {
    /// Sweeps what dead sessions have left, and makes a new folder in the best place there is.
    pub(super) fn claim(wanted: Option<&Path>, jobs: usize, room: u64, base_tree: bool) -> Result<Scratch, SetupError> {
        let temporary = std::env::temp_dir();
        let memory = Path::new(MEMORY);
        let wanted_exists = wanted.map(|wanted| folder_builder(true).create(wanted));
        sweep_all(wanted);

        // One more of a base tree is that of which the others are made.
        let times = TIMES[usize::from(base_tree)].saturating_mul(jobs as u64).saturating_add(u64::from(base_tree));
        let need = SPARE.saturating_add(room.saturating_mul(times));
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
        let (pid, count) = (me.as_raw_nonzero(), COUNT.fetch_add(1, Ordering::Relaxed));
        // Always as long: variables with this path lie on the stack of a test, and what overflows it would else do so
        // a little earlier or later in another session.
        let name = format!("reduct-{}-{pid:010}-{:012}-{count:04}", geteuid(), start_time(me).unwrap_or(0));
        let root = base.join(name);
        folder_builder(false).create(&root)?;
        let lock = rustix::fs::open(&root, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        // Some network file systems cannot lock folders; there, the name has to do.
        let locked = flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok();
        Ok(Scratch { root, _lock: locked.then_some(lock) })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of a slot. Names are of one length, so that no test sees which slot it runs in by the length
    /// of its messages.
    pub(super) fn slot(&self, n: usize, base_tree: Option<Arc<dyn BaseTree>>, made: Arc<Made>) -> SlotFolder {
        SlotFolder::new(self.root.join(format!("{n:03}")), base_tree, made)
    }
}

/// Removes what dead sessions have left, where scratch folders are usually made and where they are wanted. A session does it
/// before it makes its own.
pub fn sweep_all(wanted: Option<&Path>) {
    let temporary = std::env::temp_dir();
    let bases = [wanted, Some(Path::new(MEMORY)), Some(&temporary), Some(Path::new("/tmp"))];
    let bases: BTreeSet<PathBuf> = bases.into_iter().flatten().flat_map(Path::canonicalize).collect();
    bases.iter().for_each(|base| sweep::sweep(base));
}

/// A folder of this process, for files that are read and written by others. Removed in the end, or by the next session.
pub struct OwnFolder(Scratch);

impl OwnFolder {
    /// Makes it where temporary files go.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn make() -> io::Result<OwnFolder> {
        Scratch::make(&std::env::temp_dir().canonicalize()?).map(OwnFolder)
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        self.0.root()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now, the next session sweeps.
        sweep::remove_with_others(&self.root);
    }
}

/// Returns whether a folder is in memory.
pub(super) fn is_in_memory(folder: &Path) -> bool {
    statfs(folder).is_ok_and(|kind| kind.f_type as libc::c_long == libc::TMPFS_MAGIC)
}

/// Returns whether `base` is in memory and has `need` bytes free for files that can be executed.
fn is_good_memory(base: &Path, need: u64) -> bool {
    let Ok(space) = statvfs(base) else { return false };
    let forbidden = StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY;
    is_in_memory(base)
        && !space.f_flag.intersects(forbidden)
        && space.f_bavail.saturating_mul(space.f_frsize) >= need
        && access(base, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}
