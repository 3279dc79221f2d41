//! How much disk space a test fills: the sum of its files, wherever it may write, and of those that it has removed and still
//! holds.

use rustix::fs::{StatVfs, statvfs};
use rustix::process::Pid;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// System calls count what a file occupies in blocks of so many bytes.
const BLOCK: u64 = 512;

/// With less than this left after a test, nobody knows what the test could not write.
const FULL: u64 = 1 << 20;

/// The space of a file system.
pub(super) struct Volume(StatVfs);

impl Volume {
    /// Looks at the file system of a folder. `None` if it cannot be seen.
    pub fn of(folder: &Path) -> Option<Volume> {
        statvfs(folder).ok().map(Volume)
    }

    fn free(&self) -> u64 {
        self.0.f_bavail.saturating_mul(self.0.f_frsize)
    }

    /// Returns whether it is so full that what a test did in it means nothing.
    pub fn is_full(&self) -> bool {
        // Some file systems do not count blocks, or files, and say 0.
        (self.0.f_blocks > 0 && self.free() < FULL) || (self.0.f_files > 0 && self.0.f_favail == 0)
    }
}

/// The folders that a test fills, all on one file system.
pub(super) struct Filled {
    /// That of its slot.
    pub slot: PathBuf,
    /// Others that are empty when it begins, and those in which may stand what tests before it have left to it.
    pub elsewhere: Rc<[Vec<PathBuf>; 2]>,
    /// Those of them in which something stands when it begins.
    pub used: Vec<PathBuf>,
}

/// The space that a test fills, as it is watched.
pub(super) struct Space {
    filled: Filled,
    /// What was free before.
    free: u64,
    /// What tests before it have left in the folders that they share.
    left: u64,
    most: u64,
}

impl Space {
    /// Notes what is in these folders before a test that fills them.
    pub fn begin(filled: Filled, most: u64) -> Space {
        let free = filled.free();
        let left = size_of(&filled.used, u64::MAX);
        Space { filled, free, left, most }
    }

    /// Returns whether the test fills more than it may. Looks at all its files only if the space that is free has become
    /// less by half of that.
    pub fn is_filled(&self, family: &[Pid]) -> bool {
        self.is_filled_with(self.filled.free(), family)
    }

    /// Returns the same of a test that is over, after a look at the file system of its folder.
    pub fn is_filled_at_end(&self, volume: Option<&Volume>) -> bool {
        self.is_filled_with(volume.map_or_else(|| self.filled.free(), Volume::free), &[])
    }

    fn is_filled_with(&self, free: u64, family: &[Pid]) -> bool {
        let fallen = self.free.saturating_sub(free);
        if fallen < self.most / 2 {
            return false;
        }
        let [others, shared] = &*self.filled.elsewhere;
        let own = size_of(std::iter::once(&self.filled.slot).chain(others), self.most);
        let own = family.iter().map(|pid| held(*pid)).fold(own, u64::saturating_add);
        // It has taken no more than is free no longer.
        if own >= self.most || fallen < self.most {
            return own >= self.most;
        }
        // How much is free no longer says nothing of who has taken it, nor does what was there before.
        let enough = self.left.saturating_add(self.most - own);
        size_of(shared, enough) >= enough
    }
}

/// Returns how many bytes the files below all these folders occupy; looks at no more once it is `enough`.
fn size_of<'a>(folders: impl IntoIterator<Item = &'a PathBuf>, enough: u64) -> u64 {
    folders
        .into_iter()
        .fold(0, |size: u64, folder| size.saturating_add(size_below(folder, enough.saturating_sub(size))))
}

impl Filled {
    /// Returns how many bytes are free in the file system of these folders, of which not all need be seen before the test begins.
    fn free(&self) -> u64 {
        let mut own = std::iter::once(&self.slot).chain(&self.elsewhere[0]);
        own.find_map(|folder| Volume::of(folder)).map_or(0, |volume| volume.free())
    }
}

/// Returns how many bytes the files below a folder occupy; looks at no more once it is `enough`.
fn size_below(top: &Path, enough: u64) -> u64 {
    let mut folders = vec![top.to_owned()];
    let mut size = 0u64;
    while let Some(folder) = folders.pop().filter(|_| size < enough) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            // Of what goes away meanwhile, nothing is left.
            let Ok(about) = entry.metadata() else { continue };
            size = size.saturating_add(about.blocks().saturating_mul(BLOCK));
            if about.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    size
}

/// Returns how many bytes the files occupy that a process holds, and that have no name any more.
fn held(pid: Pid) -> u64 {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let about = files.filter_map(|file| fs::metadata(file.path()).ok());
    let nameless = about.filter(|about| about.is_file() && about.nlink() == 0);
    nameless.map(|about| about.blocks().saturating_mul(BLOCK)).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_below_a_folder_count() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        let empty = size_below(folder.path(), u64::MAX);
        for name in ["one", "a/two", "a/b/three"] {
            fs::write(folder.path().join(name), vec![1; 100_000]).unwrap();
        }
        let full = size_below(folder.path(), u64::MAX);
        assert!((300_000..400_000).contains(&(full - empty)), "{full}");
        assert!(size_below(folder.path(), 1) < full, "enough is enough");
    }

    #[test]
    fn of_shared_folders_only_what_is_added_counts() {
        let folders = ["own", "shared"].map(|_| tempfile::tempdir().unwrap());
        let [own, shared] = folders.each_ref().map(|folder| folder.path());
        let write = |path: PathBuf, size: usize| fs::write(path, vec![1; size]).unwrap();
        write(shared.join("left"), 3 << 20);
        let filled = Filled {
            slot: own.to_owned(),
            elsewhere: Rc::new([vec![], vec![shared.to_owned()]]),
            used: vec![shared.to_owned()],
        };
        let mut space = Space::begin(filled, 2 << 20);
        // As if others had written much since.
        space.free = u64::MAX;
        assert!(!space.is_filled(&[]));
        write(shared.join("new"), 1 << 20);
        assert!(!space.is_filled(&[]));
        write(own.join("new"), 1 << 20);
        assert!(space.is_filled(&[]), "together it is as much");
    }

    #[test]
    fn a_file_that_was_removed_counts_as_long_as_it_is_held() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(0).unwrap();
        std::io::Write::write_all(&mut &file, &vec![1; 1 << 20]).unwrap();
        assert!(held(rustix::process::getpid()) >= 1 << 20);
    }
}
