//! Of which folders a test that is confined sees copies.

use super::Job;
use reduct_session::confinement::{Confinement, Copies};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Folders below the home folder in which programs keep what they could make again. Tests share a copy of them.
const CACHES: [&str; 8] = [".cache", ".cargo", ".ccache", ".gradle", ".m2", ".npm", "go", ".pub-cache"];

/// Folders below `/` of which there are no copies: those of the kernel.
const OF_THE_KERNEL: [&str; 5] = ["proc", "sys", "dev", "run", "lost+found"];

/// Folders below `/` of which there are no copies, except to try what a test needs: nothing writes to them that is no
/// installation.
const OF_PROGRAMS: [&str; 8] = ["bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "boot"];

/// Folders below those that are written to all the same.
const ELSEWHERE: [&str; 2] = ["/usr/local", "/var/tmp"];

/// Sockets of programs of the system stand here. In a copy, nobody listens to them.
const SOCKETS: &str = "/run";

/// Returns the folders of which a test sees copies: all that it may write to otherwise.
pub(crate) fn copies(job: &Job, confinement: &Confinement) -> Copies {
    let home = std::env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
    let caches = home.iter().flat_map(|home| CACHES.map(|name| home.join(name)));
    // What is written to a copy would be thrown away with the copy.
    let is_shared = |cache: &Path| confinement.writable.iter().any(|path| cache.starts_with(path));
    let kept: Vec<PathBuf> = caches.filter(|cache| cache.is_dir() && !is_shared(cache)).collect();
    let top = fs::read_dir("/").into_iter().flatten().flatten();
    let top = top.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let left_out = if confinement.services { &[][..] } else { &OF_PROGRAMS };
    let is_left_out = |name: &OsStr| OF_THE_KERNEL.iter().chain(left_out).any(|other| name == *other);
    let top = top.filter(|entry| !is_left_out(&entry.file_name())).map(|entry| entry.path());
    // To take a copy down costs the system a millisecond or two.
    let top = top.filter(|path| confinement.services || !is_empty(path));
    let home = home.as_deref().and_then(highest_writable);
    let folder = job.folder.canonicalize().ok().as_deref().and_then(highest_writable);
    let all = top.chain(ELSEWHERE.map(PathBuf::from)).chain(home).chain(folder).filter(|path| is_writable(path));
    let sockets = (!confinement.services && !confinement.network).then(|| SOCKETS.into());
    let fresh = outermost(all.chain(sockets));
    let is_in_copy = |folder: &&PathBuf| fresh.iter().chain(&kept).any(|copy| folder.starts_with(copy));
    let watched = job.watched.folders.iter().filter(is_in_copy).cloned().collect();
    Copies { fresh, kept, watched }
}

/// Returns the highest of the folders above a folder, and itself, such that it and all in between can be written to.
fn highest_writable(folder: &Path) -> Option<PathBuf> {
    let above_root = |path: &&Path| path.parent().is_some();
    folder.ancestors().take_while(above_root).take_while(|path| is_writable(path)).last().map(Path::to_owned)
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

fn is_writable(path: &Path) -> bool {
    path.is_dir() && accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
}

/// Returns the folders without those that are copied with another one: they stand below it on the same file system, and
/// all between the two can be written to. What belongs to others cannot always be copied.
fn outermost(all: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let device = |path: &Path| fs::metadata(path).ok().map(|it| it.dev());
    let mut all: Vec<PathBuf> = all.collect();
    all.sort();
    let mut folders: Vec<PathBuf> = vec![];
    for folder in all {
        let highest = highest_writable(&folder).unwrap_or_else(|| folder.clone());
        let is_copied_with = |above: &PathBuf| folder.starts_with(above) && above.starts_with(&highest);
        if !folders.iter().any(|above| is_copied_with(above) && device(&folder) == device(above)) {
            folders.push(folder);
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_below_another_folder_is_in_its_copy() {
        let top = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "a/b", "a-c"].map(|name| top.path().join(name));
        for path in [&b, &c] {
            fs::create_dir_all(path).unwrap();
        }
        assert_eq!(outermost([b.clone(), c.clone(), a.clone(), a.clone()].into_iter()), [a, c]);
    }
}
