//! What processes of a machine share without a file: memory, queues and semaphores of System V, queues of POSIX.
//!
//! A test has a namespace of them for itself. It is made anew after a test that has left something.

use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the queues of POSIX are seen as files.
const QUEUES: &str = "/dev/mqueue";

/// A namespace of them.
pub(super) struct Ipc {
    /// Where its queues are seen.
    queues: Option<PathBuf>,
}

impl Ipc {
    /// Makes one for this process and its children. `spare` is where its queues are seen if this system shows them nowhere;
    /// it need not be there.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn new(spare: &Path) -> io::Result<Ipc> {
        // SAFETY: no descriptors are parted with, and this process has one thread.
        unsafe { unshare_unsafe(UnshareFlags::NEWIPC)? };
        let shown = Path::new(QUEUES);
        let queues = if shown.is_dir() { shown } else { spare };
        if queues == spare && !spare.is_dir() {
            fs::create_dir(spare)?;
        }
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        let is_shown = mount("mqueue", queues, "mqueue", flags, None).is_ok();
        Ok(Ipc { queues: is_shown.then(|| queues.to_owned()) })
    }

    /// Leaves it for a new one, if something is left in it.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn clear(&mut self) -> io::Result<()> {
        let has_queues = self.queues.as_ref().is_some_and(|queues| {
            // What cannot be read may hold something.
            fs::read_dir(queues).map_or(true, |mut entries| entries.next().is_some())
        });
        if !has_queues && is_empty() {
            return Ok(());
        }
        if let Some(queues) = self.queues.take() {
            let _ = unmount(&queues, UnmountFlags::DETACH);
            *self = Ipc::new(&queues)?;
        }
        Ok(())
    }
}

/// Returns whether no memory, queue or semaphore of System V is there: what the system lists has a line of titles only.
fn is_empty() -> bool {
    let list = |name: &str| fs::read(format!("/proc/sysvipc/{name}"));
    let lines = |text: Vec<u8>| text.iter().filter(|byte| **byte == b'\n').count();
    ["shm", "msg", "sem"].iter().all(|name| list(name).map_or(0, lines) <= 1)
}
