//! What is done to the tree of mounts of a mount namespace: the calls, and what is mounted where.

use rustix::fs::{AtFlags, CWD, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MoveMountFlags, OpenTreeFlags, mount, mount_bind_recursive, mount_remount, move_mount, open_tree,
};
use rustix::process::geteuid;
use std::ffi::{CString, OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A place in the file system that stays the same, whatever is mounted over its path.
pub(super) struct Opened {
    pub path: PathBuf,
    descriptor: OwnedFd,
    link: PathBuf,
}

impl Opened {
    /// Opens a file or folder as it is seen now.
    ///
    /// # Errors
    /// If it is not there.
    pub fn new(path: &Path) -> io::Result<Opened> {
        Opened::standing_for(path, path)
    }

    /// Opens a file or folder that is to be seen at the path of another one.
    ///
    /// # Errors
    /// If it is not there.
    pub fn standing_for(real: &Path, seen: &Path) -> io::Result<Opened> {
        let descriptor = rustix::fs::openat(CWD, real, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        let link = format!("/proc/self/fd/{}", descriptor.as_raw_fd()).into();
        Ok(Opened { path: seen.to_owned(), descriptor, link })
    }

    /// Returns a path that leads there as long as this value lives.
    pub fn link(&self) -> &Path {
        &self.link
    }

    /// Returns what is known of what has this name in it: sooner than by the link, which leads through `/proc`.
    ///
    /// # Errors
    /// If it is not there.
    pub fn look_at(&self, name: &OsStr) -> io::Result<Stat> {
        Ok(rustix::fs::statat(&self.descriptor, name, AtFlags::empty())?)
    }

    /// Shows it at its path again, with all that was mounted below it, writable or as it was.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn show_again(&self) -> io::Result<()> {
        Ok(mount_bind_recursive(self.link(), &self.path)?)
    }
}

/// A file or folder, with all that is mounted below it, as it is: each mount keeps whether it can only be read, whatever
/// happens to the ones that are seen.
pub(super) struct KeptApart {
    path: PathBuf,
    tree: OwnedFd,
}

impl KeptApart {
    /// Takes what is at a path.
    ///
    /// # Errors
    /// If it is not there, or the system refuses it.
    pub fn take(path: &Path) -> io::Result<KeptApart> {
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
        Ok(KeptApart { path: path.to_owned(), tree: open_tree(CWD, path, flags)? })
    }

    /// Shows it at its path again.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn show(&self) -> io::Result<()> {
        Ok(move_mount(&self.tree, "", CWD, &self.path, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
    }
}

/// Puts a copy of a folder in its place, of which only what is changed is really copied, to `upper`. `work` is an empty
/// folder on the same file system.
///
/// # Errors
/// If the file system of one of them cannot be used for that.
pub(super) fn overlay(of: &Opened, upper: &Path, work: &Path) -> io::Result<()> {
    let options = [("lowerdir=", of.link()), (",upperdir=", upper), (",workdir=", work)];
    let options = options.iter().map(|(name, path)| [name.as_bytes(), &escaped(path.as_os_str())].concat());
    let mut data: Vec<u8> = options.flatten().collect();
    if !geteuid().is_root() {
        data.extend(b",userxattr");
    }
    let mount = |data: Vec<u8>| -> io::Result<()> {
        Ok(mount("overlay", &of.path, "overlay", MountFlags::empty(), CString::new(data)?.as_c_str())?)
    };
    // What is thrown away need not be flushed, neither when a test asks for it nor at the end (since Linux 5.10).
    mount([&data[..], b",volatile"].concat()).or_else(|_| mount(data))
}

/// Returns a path as a value of an option of a mount.
fn escaped(path: &OsStr) -> Vec<u8> {
    path.as_bytes()
        .iter()
        .flat_map(|byte| if b"\\,:".contains(byte) { vec![b'\\', *byte] } else { vec![*byte] })
        .collect()
}

/// Returns where something is mounted below the folders, what is mounted first before what is mounted on it.
///
/// # Errors
/// If the system does not tell.
pub(in super::super) fn below(folders: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = vec![];
    for line in fs::read("/proc/self/mountinfo")?.split(|byte| *byte == b'\n') {
        let Some(point) = line.split(|byte| *byte == b' ').nth(4) else { continue };
        let point = PathBuf::from(OsString::from_vec(unescaped(point)));
        if folders.iter().any(|folder| point != *folder && point.starts_with(folder)) && !found.contains(&point) {
            found.push(point);
        }
    }
    Ok(found)
}

/// Returns the text of a field of the list of mounts, in which some bytes are written as three octal digits.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut rest = field;
    let mut text = vec![];
    while let [first, more @ ..] = rest {
        let octal = more.get(..3).filter(|digits| *first == b'\\' && digits.iter().all(|it| (b'0'..b'8').contains(it)));
        match octal {
            Some(digits) => {
                text.push(digits.iter().fold(0u8, |value, digit| value.wrapping_mul(8).wrapping_add(digit - b'0')));
                rest = &more[3..];
            }
            None => {
                text.push(*first);
                rest = more;
            }
        }
    }
    text
}

/// Has all mounts below a path, or that one alone, be only readable, or writable again.
///
/// # Errors
/// If the system refuses it.
pub(super) fn set_read_only(path: &Path, read_only: bool, below: bool) -> io::Result<()> {
    let (set, clear) = if read_only { (libc::MOUNT_ATTR_RDONLY, 0) } else { (0, libc::MOUNT_ATTR_RDONLY) };
    set_attributes(path, (set, clear), below)
}

/// Has no device be opened in any mount below a path.
///
/// # Errors
/// If the system refuses it.
pub(super) fn forbid_devices(path: &Path) -> io::Result<()> {
    set_attributes(path, (libc::MOUNT_ATTR_NODEV, 0), true)
}

fn set_attributes(path: &Path, (set, clear): (u64, u64), below: bool) -> io::Result<()> {
    let path_of = path;
    let path = CString::new(path.as_os_str().as_bytes())?;
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
    match io::Error::last_os_error() {
        _ if result == 0 => Ok(()),
        error if error.raw_os_error() == Some(libc::ENOSYS) => remount(path_of, (set, clear), below),
        error => Err(error),
    }
}

/// Does the same where there is no such call (before Linux 5.12): one mount after the other.
fn remount(path: &Path, (set, clear): (u64, u64), and_below: bool) -> io::Result<()> {
    let mut points = if and_below { below(&[path.to_owned()])? } else { vec![] };
    points.push(path.to_owned());
    for point in points {
        let now = match rustix::fs::statvfs(&point) {
            Ok(about) => about.f_flag.bits(),
            // Something else is mounted above it: nobody gets there.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => continue,
            Err(error) => return Err(error.into()),
        };
        // The numbers are the same for this call, the other one, and what is told of a mount.
        let kept = now & (libc::ST_RDONLY | libc::ST_NOSUID | libc::ST_NODEV | libc::ST_NOEXEC);
        // How a mount keeps times stays as it is where nothing is said of it.
        let flags = MountFlags::BIND | MountFlags::from_bits_retain(((kept | set) & !clear) as u32);
        mount_remount(&point, flags, c"")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_the_list_of_mounts_are_written_in_octal() {
        // As proc(5) has it: blank, tab, line feed and backslash are \040, \011, \012 and \134.
        assert_eq!(unescaped(b"/a\\040b\\011c\\012d\\134e"), b"/a b\tc\nd\\e");
        assert_eq!(unescaped(b"/plain\\04"), b"/plain\\04");
    }

    #[test]
    fn the_root_has_mounts_below_it() {
        let found = below(&[PathBuf::from("/")]).unwrap();
        assert!(found.contains(&PathBuf::from("/proc")), "{found:?}");
        assert!(below(&[PathBuf::from("/proc/self/no-such")]).unwrap().is_empty());
    }
}
