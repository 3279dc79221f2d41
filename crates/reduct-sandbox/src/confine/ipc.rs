//! What processes of a machine share without a file: memory, queues and semaphores of System V, queues of POSIX.
//!
//! A test has a namespace of them for itself. It is made anew after a test that has left something.

use super::untouched::{Untouched, Watched};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Where the queues of POSIX are seen as files.
const QUEUES: &str = "/dev/mqueue";

/// The lists of what there is of System V: a line of titles, and one for each.
const LISTS: [&str; 3] = ["/proc/sysvipc/shm", "/proc/sysvipc/msg", "/proc/sysvipc/sem"];

/// A namespace of them.
pub(super) struct Ipc {
    /// Where its queues are seen.
    queues: Option<PathBuf>,
    watched: Watched,
    /// The lists, which are those of the namespace in which they were opened.
    lists: Vec<File>,
}

impl Ipc {
    /// Makes one for this process and its children. `spare` is where its queues are seen if this system shows them nowhere;
    /// it need not be there.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn new(spare: &Path, untouched: &Untouched) -> io::Result<Ipc> {
        // SAFETY: the flags unshare no table of descriptors, and this process has one thread.
        unsafe { unshare_unsafe(UnshareFlags::NEWIPC)? };
        let shown = Path::new(QUEUES);
        let queues = if shown.is_dir() { shown } else { spare };
        if queues == spare && !spare.is_dir() {
            fs::create_dir(spare)?;
        }
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        let is_shown = mount("mqueue", queues, "mqueue", flags, None).is_ok();
        let lists = LISTS.iter().filter_map(|list| File::open(list).ok()).collect();
        let watched = if is_shown { untouched.watch(queues) } else { Watched::default() };
        Ok(Ipc { queues: is_shown.then(|| queues.to_owned()), watched, lists })
    }

    /// Leaves it for a new one, if something is left in it. Returns whether it did.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn clear(&mut self, untouched: &mut Untouched) -> io::Result<bool> {
        if !self.has_queues(untouched) && self.lists.iter().all(is_empty) {
            return Ok(false);
        }
        let Some(queues) = self.queues.take() else { return Ok(false) };
        let _ = unmount(&queues, UnmountFlags::DETACH);
        *self = Ipc::new(&queues, untouched)?;
        Ok(true)
    }

    fn has_queues(&self, untouched: &mut Untouched) -> bool {
        let Some(queues) = self.queues.as_ref().filter(|_| !untouched.contains(self.watched)) else { return false };
        // What cannot be read may hold something.
        let has_some = fs::read_dir(queues).map_or(true, |mut entries| entries.next().is_some());
        if !has_some {
            untouched.insert(self.watched);
        }
        has_some
    }
}

/// Returns whether a list has a line of titles only.
fn is_empty(list: &File) -> bool {
    // More than the titles.
    let mut text = [0; 1024];
    let length = list.read_at(&mut text, 0).unwrap_or(0);
    text[..length].iter().filter(|byte| **byte == b'\n').count() <= 1
}
