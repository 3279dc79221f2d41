//! What tests have for themselves in place of what all programs share: a folder in memory, terminals, the list of processes.

use super::copies::folder;
use super::mounts::{KeptApart, forbid_devices};
use crate::confine::order::{DEVICES, Order};
use crate::confine::untouched::{Untouched, Watched};
use reduct_system::remove;
use rustix::fs::{Mode, chmod};
use rustix::mount::{MountFlags, mount, mount_bind, mount_move};
use rustix::process::geteuid;
use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

/// A folder in memory that tests have for themselves.
pub(super) const MEMORY: &str = "/dev/shm";

/// The name of the folder that stands in its place.
pub(super) const FOLDER: &str = "memory";

/// The mode that it has at the beginning: anybody may make files in it.
const MODE: u32 = 0o1777;

/// Since this version of Landlock's interface, what can be done to a device is confined however it is opened.
const KNOWS_DEVICES: u8 = 5;

/// Where terminals are, and the file by which one is made.
const TERMINALS: [&str; 2] = ["/dev/pts", "/dev/ptmx"];

/// The folder in memory that tests have for themselves.
pub(super) struct Memory {
    /// The names in it that stay.
    kept: Vec<CString>,
    watched: Watched,
}

impl Memory {
    /// Removes what tests have made in it.
    pub fn clear(&self, untouched: &mut Untouched) {
        if untouched.contains(self.watched) {
            return;
        }
        let memory = Path::new(MEMORY);
        if self.is_clear(memory) {
            untouched.insert(self.watched);
            return;
        }
        // What cannot be removed, the next test sees. It can be nothing but what the kernel holds.
        let _ = remove::contents_but(memory, &self.kept);
        put_mode_back(memory);
    }

    fn is_clear(&self, memory: &Path) -> bool {
        let is_kept = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| self.kept.iter().any(|name| name.as_bytes() == entry.file_name().as_bytes()))
        };
        fs::metadata(memory).is_ok_and(|it| it.mode() & 0o7777 == MODE)
            && fs::read_dir(memory).is_ok_and(|mut entries| entries.all(is_kept))
    }
}

/// Puts a folder of the tests' own in the place of the one in memory that all share, in which nothing stands but what leads
/// to the scratch folder, and to what may be written to. Returns it; `None` if it stays what it is.
///
/// # Errors
/// If the system refuses it.
pub(super) fn memory(order: &Order, base: &Path, untouched: &Untouched) -> io::Result<Option<Memory>> {
    let path = Path::new(MEMORY);
    if !path.is_dir() || order.confinement.writable.iter().any(|writable| writable == path) {
        return Ok(None);
    }
    let own = base.join(FOLDER);
    folder(&own)?;
    // Anybody may make files in it, as in the one it stands for.
    put_mode_back(&own);
    mount_bind(&own, &own)?;
    let leads_to = |entry: &Path| {
        let writable = &order.confinement.writable;
        order.scratch.starts_with(entry) || writable.iter().any(|path| path.starts_with(entry))
    };
    let mut kept = vec![];
    for entry in fs::read_dir(path)?.flatten().map(|entry| entry.path()).filter(|entry| leads_to(entry)) {
        let name = entry.file_name().unwrap_or_default();
        if entry.is_dir() {
            folder(&own.join(name))?
        } else {
            fs::write(own.join(name), "")?
        }
        // With what is mounted below it, it would lead to itself.
        mount_bind(&entry, own.join(name))?;
        kept.extend(CString::new(OsStr::as_bytes(name)));
    }
    mount_move(&own, path)?;
    Ok(Some(Memory { kept, watched: untouched.watch(path) }))
}

/// Gives the folder in memory the mode again that it has at the beginning.
fn put_mode_back(memory: &Path) {
    let _ = chmod(memory, Mode::from_raw_mode(MODE));
}

/// Lists the processes of this namespace where all others see theirs.
///
/// # Errors
/// If the system refuses it, as it does where some of the other list is hidden.
pub(super) fn list_of_processes() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    Ok(mount("proc", "/proc", "proc", flags, None)?)
}

/// Has tests open no devices but those that anybody may write to, where Landlock does not see to it. A user that is not root
/// is kept from the others by their modes.
///
/// # Errors
/// If the system refuses it.
pub(super) fn devices(order: &Order) -> io::Result<()> {
    if !geteuid().is_root() || order.strength.landlock >= KNOWS_DEVICES {
        return Ok(());
    }
    // A link leads to one of them, or to what is none of them.
    let all = DEVICES.map(Path::new).into_iter().filter(|path| !path.is_symlink());
    let all: Vec<KeptApart> = all.filter_map(|path| KeptApart::take(path).ok()).collect();
    forbid_devices(Path::new("/"))?;
    all.iter().try_for_each(KeptApart::show)
}

/// Shows tests terminals of their own only: what they open and write to is none of the user's. Where the system refuses it,
/// the ones of the user stay, which the modes of their files protect.
pub(super) fn terminals() {
    let [folder, maker] = TERMINALS.map(Path::new);
    // A system without a group for terminals gives them the user's own.
    let options: [&CStr; 2] = [c"newinstance,ptmxmode=0666,mode=0620,gid=5", c"newinstance,ptmxmode=0666,mode=0620"];
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    let is_file = maker.symlink_metadata().is_ok_and(|it| it.file_type().is_char_device());
    let made = options.iter().any(|options| mount("devpts", folder, "devpts", flags, *options).is_ok());
    // OutsideChanges it is a link into the folder.
    if made && is_file {
        let _ = mount_bind(folder.join("ptmx"), maker);
    }
}
