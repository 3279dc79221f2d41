//! The file system as the tests of a supervisor see it: readable as a whole, and not to be changed but for a few folders.
//!
//! All of it is set up once for each supervisor, in a mount namespace of its own, and costs a test nothing but a look
//! whether its `/tmp` is empty again. Nobody else sees any of it, and it is gone with the last process that lives in it.

use super::order::Order;
use reduct_system::remove;
use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive, mount_change, mount_move,
    unmount,
};
use rustix::process::{getegid, geteuid, getpid};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::ffi::{CString, OsStr};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

/// Folders that tests have for themselves, and whether they see what stands in them for all others.
const OWN: [(&str, Shared); 2] = [("/tmp", Shared::All), ("/dev/shm", Shared::Scratch)];

/// What tests see of a folder of which they have one of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shared {
    /// All that stands in it, to be read.
    All,
    /// What leads to the scratch folder.
    Scratch,
}

/// Of a folder with more entries than this, tests have none of their own: each one costs some system calls.
const ENTRIES: usize = 512;

/// So many changed files of a copy are told of.
const CHANGED: usize = 100;

/// Sockets by which programs of the system do what they are asked for, as if the user had asked. A display is one, too.
const DOORS: [&str; 6] =
    ["/run/docker.sock", "/run/containerd", "/run/podman", "/run/dbus", "/run/user", "/tmp/.X11-unix"];

/// What has to be known before this process parts from the others.
pub(crate) struct Before {
    /// The folder of the scratch folder, as all others see it.
    outside: OwnedFd,
}

/// The view of the tests of a supervisor.
pub(crate) struct View {
    before: Before,
    scratch: PathBuf,
    /// What stands in the scratch folder for it.
    base: PathBuf,
    /// The folders that are the tests' own, and the names in them that stay.
    own: Vec<(PathBuf, Vec<CString>)>,
}

/// Parts from the namespaces of the others. Who is not root becomes the root of a namespace of users, with the same
/// number, and no right outside.
///
/// # Errors
/// If the system refuses it.
pub(super) fn unshare(view: bool, network: bool) -> io::Result<()> {
    let mut flags = UnshareFlags::empty();
    flags.set(UnshareFlags::NEWNS, view);
    flags.set(UnshareFlags::NEWNET, network);
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    // SAFETY: no descriptors are parted with, and this process has one thread.
    if user == 0 && unsafe { unshare_unsafe(flags) }.is_ok() {
        return Ok(());
    }
    // SAFETY: as above.
    unsafe { unshare_unsafe(flags | UnshareFlags::NEWUSER)? };
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

impl Before {
    pub(super) fn look(order: &Order) -> io::Result<Before> {
        let parent = order.scratch.parent().unwrap_or(Path::new("/"));
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Before { outside: rustix::fs::openat(CWD, parent, flags, Mode::empty())? })
    }

    /// Makes the view, in a mount namespace that is this process's own.
    ///
    /// # Errors
    /// If the system refuses something that it cannot do without.
    pub(super) fn make(self, order: &Order) -> io::Result<View> {
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        let scratch = order.scratch.clone();
        let base = base(&scratch, getpid().as_raw_nonzero().get());
        folder(&base)?;
        let mut view = View { before: self, scratch, base, own: vec![] };
        view.hide(order)?;
        let is_shared = |folder: &Path| order.confinement.writable.iter().any(|path| path == folder);
        for (path, shared) in OWN {
            let path = Path::new(path);
            if path.is_dir() && !is_shared(path) {
                view.make_own(path, shared)?;
            }
        }
        let copied = view.copy(order);
        set_read_only(Path::new("/"), true, true)?;
        for path in view.own.iter().map(|(path, _)| path).chain(&copied) {
            set_read_only(path, false, false)?;
        }
        for path in std::iter::once(&view.scratch).chain(&order.confinement.writable) {
            // What is not there cannot be written to, and is told of before anything is run.
            if path.exists() {
                mount_bind_recursive(path, path)?;
                // What can only be read for all others stays so.
                let _ = set_read_only(path, false, true);
            }
        }
        Ok(view)
    }
}

impl View {
    /// Returns the folders that are the tests' own.
    pub(super) fn own(&self) -> Vec<PathBuf> {
        self.own.iter().map(|(path, _)| path.clone()).collect()
    }

    /// Removes what a test has left in the folders that are its own.
    pub(crate) fn clear(&self) {
        for (path, kept) in &self.own {
            // What cannot be removed, the next test sees. It can be nothing but what the kernel holds.
            let _ = remove::contents_but(path, kept);
        }
    }

    /// Ends it, and returns the scratch folder as all others see it.
    pub(crate) fn end(self) -> PathBuf {
        let own = self.own.iter().map(|(path, _)| path);
        for path in own.chain([&self.scratch]) {
            let _ = unmount(path, UnmountFlags::DETACH);
        }
        let outside = PathBuf::from(format!("/proc/self/fd/{}", self.before.outside.as_raw_fd()));
        let scratch = outside.join(self.scratch.file_name().unwrap_or_default());
        let _ = remove::tree(&scratch.join(self.base.file_name().unwrap_or_default()));
        // The path leads there as long as the descriptor is open, which is until this process ends.
        std::mem::forget(self.before.outside);
        scratch
    }

    /// Puts nothing in the place of what is not to be seen.
    fn hide(&self, order: &Order) -> io::Result<()> {
        let (no_folder, no_file) = (self.base.join("no-folder"), self.base.join("no-file"));
        folder(&no_folder)?;
        fs::write(&no_file, "")?;
        let writable = &order.confinement.writable;
        let doors = DOORS.iter().map(PathBuf::from).filter(|door| !writable.contains(door));
        for path in doors.chain(order.confinement.hidden.iter().cloned()) {
            let Ok(kind) = fs::metadata(&path) else { continue };
            mount_bind(if kind.is_dir() { &no_folder } else { &no_file }, &path)?;
        }
        Ok(())
    }

    /// Puts a folder of their own in the place of one that all share. A folder with very many entries stays as it is.
    fn make_own(&mut self, path: &Path, shared: Shared) -> io::Result<()> {
        let own = self.base.join(path.file_name().unwrap_or_default());
        folder(&own)?;
        // Anybody may make files in it, as in the one it stands for.
        rustix::fs::chmod(&own, Mode::from_raw_mode(0o1777))?;
        let leads_to_scratch = |entry: &Path| self.scratch.starts_with(entry);
        let mut entries = vec![];
        for entry in fs::read_dir(path)? {
            let entry = entry?.path();
            if shared == Shared::All || leads_to_scratch(&entry) {
                entries.push(entry);
            }
        }
        if entries.len() > ENTRIES {
            return Ok(());
        }
        mount_bind(&own, &own)?;
        let mut kept = vec![];
        for entry in entries {
            let name = entry.file_name().unwrap_or_default();
            let is_scratch = leads_to_scratch(&entry);
            // What goes away meanwhile, or cannot be looked at, is not there for tests either.
            if show(&entry, &own.join(name), entry == self.scratch).is_ok() || is_scratch {
                kept.extend(CString::new(name.as_bytes()));
            }
        }
        mount_move(&own, path)?;
        self.own.push((path.to_owned(), kept));
        Ok(())
    }

    /// Puts copies in the place of folders, of which only what is changed is really copied. Returns those of which that
    /// could be done.
    fn copy(&self, order: &Order) -> Vec<PathBuf> {
        let is_root = geteuid().is_root();
        let mut done = vec![];
        for (n, path) in order.confinement.copied.iter().enumerate().filter(|(_, path)| path.is_dir()) {
            let [upper, work] = [upper(n), format!("copy-{n}-work")].map(|name| self.base.join(name));
            if folder(&upper).and_then(|()| folder(&work)).is_err() {
                continue;
            }
            let options = [("lowerdir=", path), (",upperdir=", &upper), (",workdir=", &work)];
            let mut data: Vec<u8> =
                options.iter().flat_map(|(name, path)| [name.as_bytes(), &escaped(path)].concat()).collect();
            if !is_root {
                data.extend(b",userxattr");
            }
            let Ok(data) = CString::new(data) else { continue };
            if mount("overlay", path, "overlay", MountFlags::empty(), data.as_c_str()).is_ok() {
                done.push(path.clone());
            }
        }
        done
    }
}

/// Returns the files that tests of a session have changed in the copies of these folders, by the paths of the originals, at
/// most [`CHANGED`] of each.
pub(crate) fn changed(scratch: &Path, copied: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(scratch) else { return vec![] };
    let bases: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let mut changed = vec![];
    for (n, original) in copied.iter().enumerate() {
        for upper in bases.iter().map(|base| base.join(upper(n))) {
            changed.extend(files_below(&upper).map(|file| original.join(file)));
        }
    }
    changed.sort();
    changed.dedup();
    changed
}

/// Returns the paths of the files below a folder, relative to it, at most [`CHANGED`].
fn files_below(top: &Path) -> impl Iterator<Item = PathBuf> {
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
    files.into_iter()
}

/// Returns the name of the folder that takes the changes of the copy of this number.
fn upper(n: usize) -> String {
    format!("copy-{n}-upper")
}

/// Returns a path as a value of an option of a mount.
fn escaped(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_bytes().iter();
    bytes.flat_map(|byte| if b"\\,:".contains(byte) { vec![b'\\', *byte] } else { vec![*byte] }).collect()
}

/// Returns what stands in a scratch folder for the view of the process of this number.
pub(super) fn base(scratch: &Path, process: i32) -> PathBuf {
    scratch.join(format!("own-{process}"))
}

/// Makes a folder for this user alone.
fn folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}

/// Shows an entry at another place: a link as a link, anything else with all that is mounted below it, unless `alone`.
fn show(entry: &Path, at: &Path, alone: bool) -> io::Result<()> {
    let kind = fs::symlink_metadata(entry)?.file_type();
    if kind.is_symlink() {
        return symlink(fs::read_link(entry)?, at);
    }
    if kind.is_dir() {
        folder(at)?
    } else {
        fs::write(at, "")?
    }
    if alone {
        mount_bind(entry, at)?
    } else {
        mount_bind_recursive(entry, at)?
    }
    Ok(())
}

/// Has all mounts below a path, or that one alone, be only readable, or writable again.
fn set_read_only(path: &Path, read_only: bool, below: bool) -> io::Result<()> {
    let path = CString::new(OsStr::as_bytes(path.as_os_str()))?;
    let (set, clear) = if read_only { (libc::MOUNT_ATTR_RDONLY, 0) } else { (0, libc::MOUNT_ATTR_RDONLY) };
    let attributes = libc::mount_attr { attr_set: set, attr_clr: clear, propagation: 0, userns_fd: 0 };
    let flags = if below { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: path and attributes are whole and live until the call returns, which only reads them; the size is theirs.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags as libc::c_uint,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
