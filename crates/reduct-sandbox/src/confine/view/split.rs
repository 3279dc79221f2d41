//! A copy in parts, of a folder below which something is mounted: a user that is not root can have no copy of it as a whole, for
//! what is hidden below a mount must stay hidden (mount_namespaces(7), on locked mounts).
//!
//! The folder is stood in for by one with the same entries, and each folder in it has a copy of its own, which may be one in
//! parts again. What is mounted is not copied.

use super::copies::{Copy, folder};
use super::mounts::Opened;
use rustix::fs::{AtFlags, CWD, Mode, Timespec, Timestamps, chmod, utimensat};
use rustix::mount::{UnmountFlags, mount_bind, unmount};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

/// Files in the folder itself that are larger than this can only be read, in bytes.
const LARGE: u64 = 1 << 20;

/// A folder with more entries than this has no copy in parts, and there are no more parts than so many.
const ENTRIES: usize = 10_000;
const PARTS: usize = 4096;

/// What is to be done to see a copy in parts.
struct Parts<'a> {
    /// Where something is mounted.
    mounted: &'a [PathBuf],
    /// Where that is made which stands in for folders.
    base: &'a Path,
    name: &'a str,
    copies: Vec<Copy>,
}

/// Puts a copy in parts in the place of a folder. What it needs is made in `base`, under names that begin with `name`.
///
/// # Errors
/// If one of the parts cannot be copied, or there are too many.
pub(super) fn mount(original: &Opened, mounted: &[PathBuf], base: &Path, name: &str) -> io::Result<Vec<Copy>> {
    let mut parts = Parts { mounted, base, name, copies: vec![] };
    if let Err(error) = parts.mount(original) {
        // Nothing is seen of what was begun.
        for copy in parts.copies.iter().rev() {
            let _ = unmount(copy.path(), UnmountFlags::DETACH);
        }
        return Err(error);
    }
    Ok(parts.copies)
}

impl Parts<'_> {
    fn mount(&mut self, original: &Opened) -> io::Result<()> {
        let name = self.next()?;
        let stand_in = self.base.join(format!("{name}-in"));
        let (folders, large) = make(original, self.mounted, &stand_in)?;
        self.copies.push(Copy::mount(Opened::standing_for(&stand_in, &original.path)?, self.base, name)?);
        for file in &large {
            mount_bind(file.link(), &file.path)?;
        }
        for folder in folders {
            if self.mounted.iter().any(|point| point.starts_with(&folder.path)) {
                self.mount(&folder)?;
            } else {
                let name = self.next()?;
                self.copies.push(Copy::mount(folder, self.base, name)?);
            }
        }
        Ok(())
    }

    /// Returns the name of the next part.
    fn next(&self) -> io::Result<String> {
        let number = self.copies.len();
        if number < PARTS { Ok(format!("{}-{number}", self.name)) } else { Err(io::ErrorKind::QuotaExceeded.into()) }
    }
}

/// Makes a folder with the entries of another one: small files are copied, links made again, sockets and pipes left out.
/// Returns the folders in it, which are empty, and the large files, which are, too.
fn make(of: &Opened, mounted: &[PathBuf], to: &Path) -> io::Result<(Vec<Opened>, Vec<Opened>)> {
    folder(to)?;
    let (mut folders, mut large) = (vec![], vec![]);
    let entries = fs::read_dir(of.link())?.take(ENTRIES + 1).collect::<Result<Vec<_>, _>>()?;
    if entries.len() > ENTRIES {
        return Err(io::ErrorKind::QuotaExceeded.into());
    }
    for entry in entries {
        let (from, to, seen) = (entry.path(), to.join(entry.file_name()), of.path.join(entry.file_name()));
        // Of what goes away meanwhile, nothing is left.
        let Ok(about) = entry.metadata() else { continue };
        let is_mounted = mounted.contains(&seen);
        match about.file_type() {
            kind if kind.is_dir() => {
                folder(&to)?;
                if !is_mounted {
                    folders.push(Opened::standing_for(&from, &seen)?);
                }
            }
            kind if kind.is_symlink() => symlink(fs::read_link(&from)?, &to)?,
            kind if kind.is_file() => {
                // What cannot be read cannot be copied, and a test cannot read it either.
                if is_mounted || about.len() > LARGE || fs::copy(&from, &to).is_err() {
                    fs::write(&to, "")?;
                    large.extend(Opened::standing_for(&from, &seen).ok().filter(|_| !is_mounted));
                }
            }
            _ => continue,
        }
        if !about.is_symlink() {
            look_like(&to, &about);
        }
    }
    look_like(to, &fs::metadata(of.link())?);
    Ok((folders, large))
}

/// Gives a file or folder the mode and the times of another one, as far as the system allows it.
fn look_like(path: &Path, about: &Metadata) {
    let _ = chmod(path, Mode::from_raw_mode(about.mode() & 0o7777));
    let last_access = Timespec { tv_sec: about.atime(), tv_nsec: about.atime_nsec() as _ };
    let last_modification = Timespec { tv_sec: about.mtime(), tv_nsec: about.mtime_nsec() as _ };
    let _ = utimensat(CWD, path, &Timestamps { last_access, last_modification }, AtFlags::empty());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn a_folder_is_stood_in_for_without_its_sockets() {
        let top = tempfile::tempdir().unwrap();
        let of = top.path().join("of");
        for name in ["a", "mounted"] {
            fs::create_dir_all(of.join(name)).unwrap();
        }
        fs::write(of.join("number"), "17").unwrap();
        fs::write(of.join("large"), vec![1; LARGE as usize + 1]).unwrap();
        symlink("number", of.join("link")).unwrap();
        let _open = UnixListener::bind(of.join("socket")).unwrap();
        let to = top.path().join("to");
        let (folders, large) = make(&Opened::new(&of).unwrap(), &[of.join("mounted")], &to).unwrap();
        assert_eq!(folders.iter().map(|it| it.path.clone()).collect::<Vec<_>>(), [of.join("a")]);
        assert_eq!(large.iter().map(|it| it.path.clone()).collect::<Vec<_>>(), [of.join("large")]);
        assert_eq!(fs::read(to.join("link")).unwrap(), b"17");
        assert!(to.join("a").is_dir() && to.join("mounted").is_dir() && !to.join("socket").exists());
        assert_eq!(fs::metadata(&to).unwrap().mtime(), fs::metadata(&of).unwrap().mtime());
    }
}
