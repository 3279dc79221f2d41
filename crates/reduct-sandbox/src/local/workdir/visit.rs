//! What is found in a folder when the next candidate is brought, and how some of it is removed.

use crate::local::stamp::Stamp;
use crate::local::wanted::Wanted;
use reduct_system::remove;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What was found in a folder, and what is done about it.
pub(super) struct Visit<'a> {
    pub(super) work: &'a Path,
    pub(super) wanted: BTreeMap<PathBuf, Wanted<'a>>,
    pub(super) found: HashMap<PathBuf, Stamp>,
    /// What stands already as it is wanted.
    pub(super) kept: HashSet<PathBuf>,
    /// Folders that are not needed any more for what is in them: they go if they are empty.
    pub(super) thinned: HashSet<PathBuf>,
    /// Folders that were made.
    pub(super) folders: Vec<PathBuf>,
    pub(super) changed: bool,
}

impl Visit<'_> {
    pub(super) fn remove(&mut self, path: &Path, stamp: Stamp) -> io::Result<()> {
        let full = self.work.join(path);
        if stamp.is_folder() {
            remove::tree(&full)?
        } else {
            fs::remove_file(&full)?
        }
        self.is_gone(path);
        Ok(())
    }

    pub(super) fn remove_if_empty(&mut self, path: &Path) -> io::Result<()> {
        match fs::remove_dir(self.work.join(path)) {
            Ok(()) => self.is_gone(path),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn is_gone(&mut self, path: &Path) {
        self.changed = true;
        self.thinned.extend(path.parent().map(Path::to_owned));
    }
}

/// Returns all folders in `top`, itself as the empty path included, and their modes.
pub(super) fn folders(top: &Path) -> io::Result<HashMap<PathBuf, u32>> {
    let mut found = HashMap::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(folder) = waiting.pop() {
        let full = top.join(&folder);
        for entry in fs::read_dir(&full)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                waiting.push(folder.join(entry.file_name()));
            }
        }
        found.insert(folder, fs::symlink_metadata(&full)?.mode() & 0o7777);
    }
    Ok(found)
}
