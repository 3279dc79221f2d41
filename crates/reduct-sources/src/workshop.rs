//! A folder to work in while something is loaded, removed in the end.

use reduct_system::family::start_time;
use reduct_system::remove;
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::process::{geteuid, getpid};
use std::fs::DirBuilder;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Where the numbers begin, above those of the scratch folders of sessions.
const FIRST: u32 = 1 << 30;

/// A folder that nobody else uses. It has the name of a scratch folder, so that the next session sweeps it if
/// this process is killed.
pub(super) struct Workshop {
    root: PathBuf,
    _lock: Option<OwnedFd>,
}

impl Workshop {
    pub(super) fn open() -> io::Result<Workshop> {
        static COUNT: AtomicU32 = AtomicU32::new(FIRST);
        let me = getpid();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("reduct-{}-{me}-{}-{count}", geteuid(), start_time(me).unwrap_or(0));
        // Without links, because git compares it with where it finds itself to be.
        let root = std::env::temp_dir().canonicalize()?.join(name);
        DirBuilder::new().mode(0o700).create(&root)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let lock = rustix::fs::open(&root, flags, Mode::empty()).ok();
        let lock = lock.filter(|folder| flock(folder, FlockOperation::NonBlockingLockExclusive).is_ok());
        Ok(Workshop { root, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.root
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // What cannot be removed now, the next session sweeps.
        let _ = remove::tree(&self.root);
    }
}
