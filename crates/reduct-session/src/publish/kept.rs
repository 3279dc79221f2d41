//! What somebody else has put at the place of the result is kept before it is replaced.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What stands at a place: which file or folder, and whether it was changed. What is in the folders of a folder is not
/// looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stands {
    file: (u64, u64),
    size: u64,
    modified: (i64, i64),
}

impl Stands {
    /// Returns what stands at this path. `None` if nothing does.
    pub fn at(path: &Path) -> Option<Stands> {
        let meta = fs::symlink_metadata(path).ok()?;
        // The size of a folder is that of its list of names.
        let size = if meta.is_dir() { 0 } else { meta.size() };
        Some(Stands { file: (meta.dev(), meta.ino()), size, modified: (meta.mtime(), meta.mtime_nsec()) })
    }
}

/// Moves what stands at a path into a folder, unless it is what is expected there, and returns where to. An empty folder
/// is not worth it.
///
/// # Errors
/// If it cannot be moved; it stays then.
pub fn keep_unless(expected: Option<Stands>, path: &Path, folder: &Path) -> io::Result<Option<PathBuf>> {
    let is_empty = || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    match Stands::at(path) {
        None => return Ok(None),
        there if there == expected || is_empty() => return Ok(None),
        Some(_) => {}
    }
    let found = |number: u32| folder.join(format!("found-{number}"));
    let aside = free(found)?;
    match fs::rename(path, &aside) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        moved => return moved.map(|()| Some(aside)),
    }
    // On another file system, it is kept beside itself.
    let beside = |number: u32| path.with_file_name(format!("reduct-found-{number}"));
    let aside = free(beside)?;
    fs::rename(path, &aside).map(|()| Some(aside))
}

/// Returns the first path at which nothing stands.
fn free(path: impl Fn(u32) -> PathBuf) -> io::Result<PathBuf> {
    for number in 1..=u32::MAX {
        match fs::symlink_metadata(path(number)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path(number)),
            Err(error) => return Err(error),
            Ok(_) => {}
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_put_there_is_kept() {
        let home = tempfile::tempdir().unwrap();
        let (out, aside) = (home.path().join("out"), home.path().join("run"));
        let keep = |expected| keep_unless(expected, &out, &aside).unwrap();
        fs::create_dir(&aside).unwrap();
        assert_eq!(keep(None), None);
        fs::create_dir(&out).unwrap();
        assert_eq!(keep(None), None, "nothing is lost with an empty folder");
        fs::write(out.join("file"), "").unwrap();
        assert_eq!(keep(Stands::at(&out)), None);
        let before = Stands::at(&out);
        fs::rename(&out, home.path().join("elsewhere")).unwrap();
        fs::write(&out, "mine").unwrap();
        assert_eq!(keep(before), Some(aside.join("found-1")));
        fs::write(&out, "mine, too").unwrap();
        assert_eq!(keep(before), Some(aside.join("found-2")));
        assert_eq!(fs::read(aside.join("found-1")).unwrap(), b"mine");
        assert!(!out.exists());
    }
}
