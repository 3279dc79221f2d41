//! The digest of a folder: of the names in it, and of the sizes, permissions and times of files. No file is read.

use crate::error::StepError;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Returns the digest of a folder.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn digest_of_tree(top: &Path) -> Result<String, StepError> {
    let mut digest = blake3::Hasher::new();
    let mut open = vec![top.to_owned()];
    while let Some(folder) = open.pop() {
        let unreadable = |why| StepError::Unreadable { path: folder.clone(), why };
        let mut inside = vec![];
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            inside.push(entry.map_err(unreadable)?.path());
        }
        inside.sort();
        for path in inside {
            let meta = fs::symlink_metadata(&path).map_err(unreadable)?;
            let name = path.strip_prefix(top).unwrap_or(&path);
            digest.update(name.as_os_str().as_bytes()).update(&[0]).update(&meta.mode().to_le_bytes());
            if meta.is_dir() {
                open.push(path);
            } else {
                for number in [meta.size() as i64, meta.mtime(), meta.mtime_nsec()] {
                    digest.update(&number.to_le_bytes());
                }
            }
        }
    }
    Ok(digest.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_of_a_file_changes_it_and_reading_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        fs::create_dir(top.join("a")).unwrap();
        fs::write(top.join("a/b"), "x").unwrap();
        let mut seen = vec![digest_of_tree(top).unwrap()];
        fs::read(top.join("a/b")).unwrap();
        assert_eq!(digest_of_tree(top).unwrap(), seen[0]);
        let changes: [&dyn Fn(); 4] = [
            &|| fs::write(top.join("a/b"), "xy").unwrap(),
            &|| fs::write(top.join("c"), "").unwrap(),
            &|| fs::rename(top.join("c"), top.join("d")).unwrap(),
            &|| fs::create_dir(top.join("e")).unwrap(),
        ];
        for change in changes {
            change();
            let now = digest_of_tree(top).unwrap();
            assert!(!seen.contains(&now));
            seen.push(now);
        }
        assert!(digest_of_tree(&top.join("nowhere")).is_err());
    }
}
