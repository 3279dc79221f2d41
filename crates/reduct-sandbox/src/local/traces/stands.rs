//! What was laid in a folder, as it stood at first: modes and times of folders, stamps of files.
//!
//! Writing to a file by another name of it (a hard link) is reported by that name only, or not at all. Such names are
//! found by the number of names that a file has; and where one may be gone again, by the stamps of all files.

use super::looks::{Looks, Reasons};
use super::within::is_within;
use crate::local::stamp::{Stamp, Time, set_modified};
use reduct_sources::{BaseTree, Laid};
use reduct_system::permissions::set_below;
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// So few files are all looked at after every test: that takes less than to start one.
const FEW: usize = 256;

/// What stands in a folder.
#[derive(Default)]
pub(super) struct Stands {
    /// The folders that are watched, with their modes and times when that began.
    folders: HashMap<PathBuf, (u32, Time)>,
    /// The files that were laid.
    files: HashMap<PathBuf, Stamp>,
    /// Where they stand, by their inodes.
    inodes: HashMap<u64, PathBuf>,
    looks: Looks,
}

impl Stands {
    /// Notes a folder as it is when it is first seen.
    pub(super) fn folder(&mut self, work: &Path, folder: &Path) -> io::Result<()> {
        let stamp = Stamp::of(&work.join(folder))?.ok_or(io::ErrorKind::NotFound)?;
        self.folders.entry(folder.to_owned()).or_insert((stamp.permissions(), stamp.modified));
        Ok(())
    }

    /// Notes the files that a base tree has laid in a folder.
    pub(super) fn files_in(&mut self, work: &Path, folder: &Path, base_tree: &dyn BaseTree) -> io::Result<()> {
        for entry in fs::read_dir(work.join(folder))? {
            let path = folder.join(entry?.file_name());
            if base_tree.lays(&path) == Some(Laid::Other) {
                self.file(work, path)?;
            }
        }
        Ok(())
    }

    /// Notes a file as it is now.
    pub(super) fn file(&mut self, work: &Path, path: PathBuf) -> io::Result<()> {
        if let Some(stamp) = Stamp::of(&work.join(&path))? {
            self.inodes.insert(stamp.inode(), path.clone());
            self.files.insert(path, stamp);
        }
        Ok(())
    }

    /// Gives folders the modes that they had.
    pub(super) fn restore_modes(&self, work: &Path, folders: &BTreeSet<PathBuf>) -> io::Result<()> {
        // Outer ones first: what is in a closed one cannot be reached.
        for (folder, (mode, _)) in folders.iter().filter_map(|folder| Some((folder, self.folders.get(folder)?))) {
            if is_within(work, folder)
                && let Some(now) = Stamp::of(&work.join(folder))?.filter(Stamp::is_folder)
                && now.permissions() != *mode
            {
                set_below(work, folder, Permissions::from_mode(*mode))?;
            }
        }
        Ok(())
    }

    /// Gives folders the times that they had.
    pub(super) fn restore_times(&self, work: &Path, folders: &BTreeSet<PathBuf>) -> io::Result<()> {
        for (folder, (_, modified)) in folders.iter().filter_map(|folder| Some((folder, self.folders.get(folder)?))) {
            if is_within(work, folder)
                && Stamp::of(&work.join(folder))?.is_some_and(|now| now.is_folder() && now.modified != *modified)
            {
                set_modified(&work.join(folder), *modified)?;
            }
        }
        Ok(())
    }

    /// Returns the laid files that have other names among these `paths`, and those names.
    pub(super) fn linked(&self, work: &Path, paths: &BTreeSet<PathBuf>) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
        let (mut laid, mut names) = (vec![], vec![]);
        for path in paths.iter().filter(|path| is_within(work, path)) {
            let stamp = Stamp::of(&work.join(path))?;
            let Some(stamp) = stamp.filter(|stamp| !stamp.is_folder() && stamp.names > 1) else { continue };
            let Some(file) = self.inodes.get(&stamp.inode()).filter(|file| *file != path) else { continue };
            // The inode of what is gone may be another one's.
            if is_within(work, file) && Stamp::of(&work.join(file))?.is_some_and(|it| it.inode() == stamp.inode()) {
                laid.push(file.clone());
                names.push(path.clone());
            }
        }
        Ok((laid, names))
    }

    /// Returns the laid files that are not as they were, if there is reason to look at all of them.
    pub(super) fn others(&mut self, work: &Path, paths: &BTreeSet<PathBuf>, reasons: Reasons) -> Vec<PathBuf> {
        if self.files.len() > FEW && !self.looks.are_worth_it(reasons) {
            return vec![];
        }
        let mut folders = HashMap::new();
        let mut is_other = |(path, then): &(&PathBuf, &Stamp)| {
            let above = path.parent().unwrap_or(Path::new(""));
            *folders.entry(above.to_owned()).or_insert_with(|| is_within(work, path))
                && !matches!(Stamp::of(&work.join(path)), Ok(Some(now)) if now == **then)
        };
        let others: Vec<PathBuf> = self.files.iter().filter(&mut is_other).map(|(path, _)| path.clone()).collect();
        if others.iter().all(|path| paths.contains(path)) {
            self.looks.were_in_vain(reasons);
        }
        others
    }
}
