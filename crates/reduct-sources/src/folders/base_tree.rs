//! What is left of a folder without what is touched: copied wherever it is laid.

use super::walk::{Listing, What};
use crate::BaseTree;
use crate::base_tree::stamp;
use reduct_system::permissions::set_below;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::collections::HashSet;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Files, links and folders that are copied from a folder.
#[derive(Debug)]
pub(crate) struct Rest {
    from: PathBuf,
    /// Folders before what is in them.
    entries: Vec<(PathBuf, What)>,
    /// Folders in which something is touched.
    open: HashSet<PathBuf>,
}

impl Rest {
    /// Returns all in `folder` but what is touched, and the folders that are there only for that unless they are to be
    /// kept.
    pub(crate) fn new<'a>(
        folder: &Path,
        listing: Listing,
        touched: impl Iterator<Item = &'a PathBuf>,
        keep: impl Fn(&Path) -> bool,
    ) -> io::Result<Rest> {
        let touched: HashSet<&PathBuf> = touched.collect();
        let open = touched.iter().filter_map(|path| path.parent()).map(Path::to_path_buf).collect();
        let mut needed: HashSet<PathBuf> = HashSet::new();
        let mut entries = vec![];
        for (path, what) in listing.into_iter().rev() {
            let wanted = match what {
                What::Folder { empty, .. } => {
                    needed.contains(&path) || (!touched.contains(&path) && (empty || keep(&path)))
                }
                _ => !touched.contains(&path),
            };
            if wanted {
                needed.extend(path.parent().map(Path::to_path_buf));
                entries.push((path, what));
            }
        }
        entries.reverse();
        Ok(Rest { from: folder.canonicalize()?, entries, open })
    }
}

impl BaseTree for Rest {
    fn populate(&self, folder: &Path) -> io::Result<()> {
        for (path, what) in &self.entries {
            lay_one(&self.from.join(path), (folder, path), what).map_err(|error| named(error, path))?;
        }
        // Inner folders first: the mode of an outer one may close them, and what is done in one changes its time.
        for (path, what) in self.entries.iter().rev() {
            if let What::Folder { mode, .. } = what {
                let to = folder.join(path);
                let mode = if self.open.contains(path) { mode | 0o700 } else { *mode };
                let set = fs::metadata(self.from.join(path)).and_then(|meta| {
                    set_time(&to, &meta)?;
                    set_below(folder, path, Permissions::from_mode(mode))
                });
                set.map_err(|error| named(error, path))?;
            }
        }
        Ok(())
    }

    fn identity(&self) -> Vec<u8> {
        let files = self.entries.iter().filter(|(_, what)| !matches!(what, What::Folder { .. }));
        files.flat_map(|(path, _)| stamp(&self.from.join(path), path)).collect()
    }
}

fn lay_one(from: &Path, (folder, path): (&Path, &Path), what: &What) -> io::Result<()> {
    let to = &folder.join(path);
    let meta = fs::symlink_metadata(from)?;
    match what {
        What::Folder { .. } => return fs::create_dir(to),
        What::Link => symlink(fs::read_link(from)?, to)?,
        What::File { mode, .. } => {
            fs::copy(from, to)?;
            set_below(folder, path, Permissions::from_mode(*mode))?;
        }
    }
    set_time(to, &meta)
}

/// Gives a copy the time of the original: it is older than anything that is built from it.
fn set_time(path: &Path, meta: &Metadata) -> io::Result<()> {
    let time = Timespec { tv_sec: meta.mtime(), tv_nsec: meta.mtime_nsec() };
    let times = Timestamps { last_access: time, last_modification: time };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

fn named(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
