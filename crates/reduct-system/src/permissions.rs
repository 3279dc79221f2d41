//! Sets permissions of files and folders, and never those of what a link leads to.
//!
//! Whatever a test has left running may put a link in the place of a folder at any time, also in the middle of a path.
//! So what is changed is opened first, name by name, and none of them may be a link.

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, chmod, fstat, openat, statat};
use rustix::io::{Errno, Result};
use rustix::path::Arg;
use std::fs::Permissions;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path};

/// Opens what stands in a folder only to name it: that needs no permission for it, and has no effect on a pipe.
const NAMED: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Sets the permissions of a file or folder in the folder `at`.
///
/// # Errors
/// If they cannot be set; [`Errno::LOOP`] for a link.
pub fn set_at(at: impl AsFd, name: impl Arg, mode: Mode) -> Result<()> {
    set_of(&openat(at, name, NAMED, Mode::empty())?, mode)
}

/// Sets the permissions of what stands at a path below `top`, where no part of that path is a link. An empty path is
/// `top` itself, which may be reached by links.
///
/// # Errors
/// If they cannot be set; `ELOOP` or `ENOTDIR` if a part of the path is a link.
pub fn set_below(top: &Path, path: &Path, permissions: Permissions) -> io::Result<()> {
    let mode = Mode::from_raw_mode(permissions.mode() & 0o7777);
    let mut file = openat(CWD, top, NAMED.difference(OFlags::NOFOLLOW).union(OFlags::DIRECTORY), Mode::empty())?;
    for part in path.components() {
        match part {
            Component::Normal(name) => file = openat(&file, name, NAMED, Mode::empty())?,
            Component::CurDir => {}
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        }
    }
    Ok(set_of(&file, mode)?)
}

/// Sets the permissions of what is open. `fchmod` does not take a descriptor that only names a file, so it is named again
/// by its entry in `/proc`, which leads to just that file.
fn set_of(file: &OwnedFd, mode: Mode) -> Result<()> {
    if FileType::from_raw_mode(fstat(file)?.st_mode) == FileType::Symlink {
        return Err(Errno::LOOP);
    }
    let entry = format!("/proc/self/fd/{}", file.as_raw_fd());
    chmod(entry.as_str(), mode).map_err(|error| match error {
        // No `/proc`: not to be taken for a file that is gone.
        Errno::NOENT if statat(file, "", AtFlags::EMPTY_PATH).is_ok() => Errno::ACCESS,
        error => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_is_changed_through_a_link() {
        let home = tempfile::tempdir().unwrap();
        let mode = |name: &str| fs::symlink_metadata(home.path().join(name)).unwrap().permissions().mode() & 0o7777;
        let set = |path: &str, mode: u32| set_below(home.path(), Path::new(path), Permissions::from_mode(mode));
        fs::create_dir_all(home.path().join("top/a/b")).unwrap();
        symlink("top", home.path().join("link")).unwrap();
        set("top/a", 0o700).unwrap();
        set("top", 0o000).unwrap();
        assert_eq!((mode("top"), set("link", 0o777).is_err(), mode("top")), (0, true, 0));
        set("./top", 0o755).unwrap();
        assert!(set("link/a", 0o777).is_err());
        assert!(set("top/../top/a", 0o777).is_err());
        assert_eq!((mode("top"), mode("top/a")), (0o755, 0o700));
        // The folder from which a path is read is the caller's: that may be a link.
        set_below(&home.path().join("link"), Path::new("a"), Permissions::from_mode(0o500)).unwrap();
        set_below(&home.path().join("link"), Path::new(""), Permissions::from_mode(0o711)).unwrap();
        assert_eq!((mode("top"), mode("top/a")), (0o711, 0o500));
        assert_eq!(set_at(CWD, home.path().join("link"), Mode::RWXU), Err(Errno::LOOP));
    }
}
