//! What is in a folder.

use crate::{RUNS, Remark};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What is left out at the top: it belongs to the place and not to what stands there.
const LEFT_OUT: &[&str] = &[".git", ".hg", ".svn", RUNS];

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    File { mode: u32, size: u64 },
    Link,
    Folder { mode: u32, empty: bool },
}

impl What {
    /// Returns whether two are the same as far as can be seen without reading them. Whether a folder is empty is told
    /// by what is in it.
    pub(super) fn alike(self, other: What) -> bool {
        match (self, other) {
            (What::Folder { mode, .. }, What::Folder { mode: other, .. }) => mode == other,
            _ => self == other,
        }
    }
}

/// Everything in a folder, by path; folders come before what is in them.
pub(crate) type Listing = BTreeMap<PathBuf, What>;

/// Returns everything in a folder, and what is to be said of what was left out.
pub(crate) fn walk(folder: &Path) -> Result<(Listing, Vec<Remark>), (PathBuf, io::Error)> {
    let mut listing = Listing::new();
    let mut left_out: Vec<(PathBuf, Remark)> = vec![];
    // The names, from the top, of folders that are still to be read.
    let mut todo = vec![PathBuf::new()];
    while let Some(inner) = todo.pop() {
        let full = folder.join(&inner);
        let entries = fs::read_dir(&full).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = entries.map_err(|error| (full.clone(), error))?;
        if let Some(What::Folder { empty, .. }) = listing.get_mut(&inner) {
            *empty = entries.is_empty();
        }
        for entry in entries {
            let (path, full) = (inner.join(entry.file_name()), entry.path());
            if inner.as_os_str().is_empty() && LEFT_OUT.iter().any(|name| path == Path::new(name)) {
                left_out.push((full.clone(), Remark::OfThePlace(full)));
                continue;
            }
            let meta = entry.metadata().map_err(|error| (full.clone(), error))?;
            let mode = meta.permissions().mode() & 0o777;
            if meta.is_file() {
                listing.insert(path, What::File { mode, size: meta.len() });
            } else if meta.is_symlink() {
                listing.insert(path, What::Link);
            } else if meta.is_dir() {
                listing.insert(path.clone(), What::Folder { mode, empty: true });
                todo.push(path);
            } else {
                left_out.push((full.clone(), Remark::Special(full)));
            }
        }
    }
    left_out.sort_by(|(one, _), (other, _)| one.as_os_str().cmp(other.as_os_str()));
    Ok((listing, left_out.into_iter().map(|(_, remark)| remark).collect()))
}
