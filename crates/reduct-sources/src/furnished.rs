//! A base tree with some of the user's own files: what a test needs and no version has.

use super::folders::Rest;
use super::folders::walk::walk;
use crate::BaseTree;
use crate::base_tree::stamp;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A base tree, and files and folders that are copied into it.
#[derive(Debug)]
pub struct Furnished {
    base_tree: Arc<dyn BaseTree>,
    /// Where they stand, and where they go.
    extras: Vec<(PathBuf, PathBuf)>,
}

impl Furnished {
    /// Adds to a base tree: `extras` are where something stands, and under which relative path it goes into the folder.
    pub fn new(base_tree: Arc<dyn BaseTree>, extras: Vec<(PathBuf, PathBuf)>) -> Furnished {
        Furnished { base_tree, extras }
    }
}

impl BaseTree for Furnished {
    fn populate(&self, folder: &Path) -> io::Result<()> {
        self.base_tree.populate(folder)?;
        for (from, to) in &self.extras {
            let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", from.display()));
            put(from, &folder.join(to)).map_err(named)?;
        }
        Ok(())
    }

    fn identity(&self) -> Vec<u8> {
        let mut identity = self.base_tree.identity();
        self.extras.iter().for_each(|(from, to)| identity.extend(stamp(from, to)));
        identity
    }
}

/// Copies a file, link or folder, whatever stands there.
fn put(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    match fs::symlink_metadata(to) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(to)?,
        Ok(_) => fs::remove_file(to)?,
        Err(_) => {}
    }
    let meta = fs::symlink_metadata(from)?;
    if meta.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    if meta.is_file() {
        return fs::copy(from, to).map(|_| ());
    }
    fs::create_dir(to)?;
    let (listing, _) = walk(from).map_err(|(_, error)| error)?;
    Rest::new(from, listing, std::iter::empty(), |_| true)?.populate(to)
}
