//! Removes folders, whatever a test has made of them.
//!
//! Never follows a symbolic link, opens folders without permissions, and needs neither stack nor open
//! files in proportion to the depth: what a nested folder holds is first moved up to the top.

use crate::permissions;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, SeekFrom, fchmod, openat, renameat, seek, unlinkat};
use rustix::io::{Errno, Result};
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// So many bytes of a list of names are read at a time.
const ROOM: usize = 1 << 13;

/// Removes `folder` and everything in it. It is no error if it is not there.
pub fn tree(folder: &Path) -> Result<()> {
    contents(folder)?;
    match rustix::fs::rmdir(folder) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Removes everything in `folder`. It is no error if `folder` is not there.
pub fn contents(folder: &Path) -> Result<()> {
    contents_but(folder, &[])
}

/// Removes everything in `folder` except for what has one of the names `kept`. It is no error if `folder` is not there.
pub fn contents_but(folder: &Path, kept: &[CString]) -> Result<()> {
    let top = match open(CWD, folder) {
        Err(Errno::NOENT) => return Ok(()),
        // Only a folder, not a link to one, fails to be opened in this way.
        Err(Errno::ACCESS) => permissions::set_at(CWD, folder, Mode::RWXU).and_then(|()| open(CWD, folder))?,
        other => other?,
    };
    // The test may have taken the right to write from the folder itself.
    fchmod(&top, Mode::RWXU)?;
    empty(&mut Up { top, names_tried: 0 }, kept)
}

/// Removes everything at the top but what is kept.
fn empty(up: &mut Up, kept: &[CString]) -> Result<()> {
    let mut listing = Listing::Whole;
    loop {
        let mut again = false;
        let mut result = Ok(());
        for (name, kind) in names(&up.top, listing)?.into_iter().filter(|(name, _)| !kept.contains(name)) {
            match remove(up, &name, kind) {
                // Somebody else may remove it, too.
                Ok(Removed::All) | Err(Errno::NOENT) => {}
                Ok(Removed::MovedUp) => again = true,
                Err(error) => result = Err(error),
            }
        }
        if !again {
            return result;
        }
        listing = Listing::Again;
    }
}

/// How far the removal of one name came.
enum Removed {
    /// It is gone.
    All,
    /// It is gone, but what was in it now stands at the top.
    MovedUp,
}

/// The folder at the top, to which nested folders are moved up.
struct Up {
    top: OwnedFd,
    /// How many names were tried there. None is tried twice: what was moved up before may still have it.
    names_tried: u64,
}

fn remove(up: &mut Up, name: &CStr, kind: FileType) -> Result<Removed> {
    if unlink(&up.top, name, kind)? {
        return Ok(Removed::All);
    }
    // A folder that is not empty.
    let folder = match open(&up.top, name) {
        Err(Errno::ACCESS) => permissions::set_at(&up.top, name, Mode::RWXU).and_then(|()| open(&up.top, name))?,
        other => other?,
    };
    // What one call does not list is seen by that the folder is not empty after that.
    let mut moved = empty_nested(up, &folder, Listing::Begin)?;
    for listing in [Some(Listing::Again), None] {
        match (unlinkat(&up.top, name, AtFlags::REMOVEDIR), listing) {
            (Ok(()) | Err(Errno::NOENT), _) => break,
            (Err(Errno::NOTEMPTY | Errno::EXIST), Some(listing)) => moved |= empty_nested(up, &folder, listing)?,
            (Err(error), _) => return Err(error),
        }
    }
    Ok(if moved { Removed::MovedUp } else { Removed::All })
}

/// Removes what stands in a folder, as far as it is listed. Folders there that are not empty are moved up; returns whether there are any.
fn empty_nested(up: &mut Up, folder: &OwnedFd, listing: Listing) -> Result<bool> {
    let mut moved = false;
    for (inner, kind) in names(folder, listing)? {
        let is_gone = match unlink(folder, &inner, kind) {
            // It may be closed to writers.
            Err(Errno::ACCESS) => fchmod(folder, Mode::RWXU).and_then(|()| unlink(folder, &inner, kind)),
            unlinked => unlinked,
        };
        if !is_gone? {
            // A folder can be moved only where this process may write into it, for its `..` changes; and out of one where it may, too.
            let changed = fchmod(folder, Mode::RWXU).and_then(|()| permissions::set_at(folder, &inner, Mode::RWXU));
            match changed.and_then(|()| up.bring(folder, &inner)) {
                Ok(()) => moved = true,
                Err(Errno::NOENT) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(moved)
}

/// Removes anything but a folder that is not empty. Returns whether it is gone. `kind` is what it was when it was looked at.
fn unlink(folder: &OwnedFd, name: &CStr, kind: FileType) -> Result<bool> {
    let mut is_folder = kind == FileType::Directory;
    for _ in 0..2 {
        let flags = if is_folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        match unlinkat(folder, name, flags) {
            Ok(()) | Err(Errno::NOENT) => return Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST) => return Ok(false),
            // It is the other one: not every file system says, and somebody may have put another one there.
            Err(Errno::ISDIR | Errno::PERM) if !is_folder => is_folder = true,
            Err(Errno::NOTDIR) if is_folder => is_folder = false,
            Err(error) => return Err(error),
        }
    }
    // Nobody else is to change it meanwhile.
    Err(Errno::BUSY)
}

impl Up {
    /// Moves a nested folder to the top, under a name that is free.
    fn bring(&mut self, folder: &OwnedFd, name: &CStr) -> Result<()> {
        loop {
            let free = format!(".moved-up-{}", self.names_tried);
            self.names_tried += 1;
            match renameat(folder, name, &self.top, free.as_str()) {
                // That name is taken.
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
                result => return result,
            }
        }
    }
}

fn open(at: impl AsFd, name: impl rustix::path::Arg) -> Result<OwnedFd> {
    openat(at, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// How much of the names in a folder is listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listing {
    /// All, of a folder that was not read before.
    Whole,
    /// What one call lists, which is all of a small folder, of one that was not read before.
    Begin,
    /// All, whatever was read before.
    Again,
}

/// Returns what stands in a folder, and of which kinds, as far as the file system says.
fn names(folder: &OwnedFd, listing: Listing) -> Result<Vec<(CString, FileType)>> {
    if listing == Listing::Again {
        seek(folder, SeekFrom::Start(0))?;
    }
    let mut room = [MaybeUninit::uninit(); ROOM];
    let mut entries = RawDir::new(folder, &mut room);
    let mut names = Vec::new();
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push((entry.file_name().to_owned(), entry.file_type()));
        }
        if listing == Listing::Begin && entries.is_buffer_empty() {
            break;
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn removes_what_is_closed_and_leaves_what_is_linked() {
        let home = tempfile::tempdir().unwrap();
        let (kept, gone) = (home.path().join("kept"), home.path().join("gone"));
        fs::create_dir_all(gone.join("a/b")).unwrap();
        fs::create_dir_all(&kept).unwrap();
        fs::write(kept.join("file"), "x").unwrap();
        fs::write(gone.join("a/b/file"), "x").unwrap();
        fs::write(gone.join(".moved-up-0"), "in the way").unwrap();
        symlink(&kept, gone.join("a/link")).unwrap();
        symlink(&kept, gone.join("link")).unwrap();
        for closed in ["a/b", "a", ""] {
            fs::set_permissions(gone.join(closed), fs::Permissions::from_mode(0o000)).unwrap();
        }
        contents_but(&gone, &[c"a".to_owned()]).unwrap();
        let left: Vec<_> = fs::read_dir(&gone).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["a"]);
        tree(&gone).unwrap();
        assert!(!gone.exists());
        assert!(kept.join("file").exists());
        tree(&gone).unwrap();
    }

    #[test]
    fn two_may_remove_the_same() {
        let home = tempfile::tempdir().unwrap();
        let top = home.path().join("top");
        for _ in 0..30 {
            for n in 0..20 {
                fs::create_dir_all(top.join(format!("{n}/a/b/c"))).unwrap();
                fs::write(top.join(format!("{n}/a/file")), "x").unwrap();
            }
            // The first may find what the other one has just moved up; the last finds nothing.
            std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(|| tree(&top)))));
            assert!(!top.exists());
        }
    }

    #[test]
    fn each_folder_is_moved_up_once() {
        let home = tempfile::tempdir().unwrap();
        for n in 0..50 {
            fs::create_dir_all(home.path().join(format!("top/{n}/a/b"))).unwrap();
            // What stands in the way takes one more try, not one for each that is moved.
            fs::write(home.path().join(format!("top/.moved-up-{n}")), "").unwrap();
        }
        let mut up = Up { top: open(CWD, home.path().join("top")).unwrap(), names_tried: 0 };
        empty(&mut up, &[]).unwrap();
        assert_eq!(fs::read_dir(home.path().join("top")).unwrap().count(), 0);
        // Only folders that are not empty are moved: `a`, but not `b`.
        assert!((50..=100).contains(&up.names_tried), "{}", up.names_tried);
    }

    #[test]
    fn depth_does_not_matter() {
        let home = tempfile::tempdir().unwrap();
        let top = home.path().join("top");
        fs::create_dir(&top).unwrap();
        let mut folder = open(CWD, &top).unwrap();
        for _ in 0..500 {
            rustix::fs::mkdirat(&folder, "d", Mode::RWXU).unwrap();
            folder = open(&folder, "d").unwrap();
        }
        drop(folder);
        tree(&top).unwrap();
        assert!(!top.exists());
    }
}
