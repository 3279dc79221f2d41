//! Where candidates are shown: beside the runs, a folder for each process, held by a lock as long as it lives.

use crate::errors::Refusal;
use crate::job::Job;
use reduct_sources::RUNS;
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The folder of all of them.
const ASKED: &str = "asked";

/// A folder that is gone with this.
pub(super) struct QuestionFolder {
    folder: PathBuf,
    /// A process that was killed holds nothing any more, whatever can be seen of processes from here.
    _lock: File,
}

/// How many folders one process may be refused before something else is wrong than that others hold them.
const MOST: u32 = 1000;

impl QuestionFolder {
    /// Makes one, and removes what was left by those that were killed.
    pub(super) fn new(job: &Job) -> Result<QuestionFolder, Refusal> {
        let all = job.runs_folder().join(RUNS).join(ASKED);
        fs::create_dir_all(&all).map_err(Refusal::io("make", &all))?;
        sweep(&all);
        QuestionFolder::below(&all).map_err(Refusal::io("make a folder in", &all))
    }

    fn below(all: &Path) -> io::Result<QuestionFolder> {
        let process = std::process::id();
        for number in 0..MOST {
            let folder = all.join(format!("{process}-{number}"));
            // Nobody else's business; the one above may just have been removed by the last process in it.
            match fs::DirBuilder::new().recursive(false).mode(0o700).create(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::create_dir_all(all)?;
                    continue;
                }
                made => made?,
            }
            // Another one may have swept it in between.
            if let Some(lock) = held(&folder) {
                return Ok(QuestionFolder { folder, _lock: lock });
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for QuestionFolder {
    fn drop(&mut self) {
        // What cannot be removed is swept by the next one.
        let _ = fs::remove_dir_all(&self.folder);
        // Only if no other one asks.
        let _ = self.folder.parent().map(fs::remove_dir);
    }
}

/// Returns the folder, if it is there and nobody else holds it.
fn held(folder: &Path) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let lock = File::from(rustix::fs::open(folder, flags, Mode::empty()).ok()?);
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => return None,
        // Where there are no locks, nothing is swept.
        Err(_) => return Some(lock),
        Ok(()) => {}
    }
    let (there, held) = (fs::symlink_metadata(folder).ok()?, lock.metadata().ok()?);
    ((there.dev(), there.ino()) == (held.dev(), held.ino())).then_some(lock)
}

/// Removes what processes have left that were killed.
fn sweep(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let Some(lock) = held(&entry.path()) else { continue };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            // What cannot be removed harms nobody.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_holds_is_left_alone_whatever_it_is_called() {
        let all = tempfile::tempdir().unwrap();
        let place = QuestionFolder::below(all.path()).unwrap();
        let other = QuestionFolder::below(all.path()).unwrap();
        // As if of a process that cannot be seen from here, and of one with a number that is in use again.
        let [unseen, again] = ["0-0", "1-0"].map(|name| all.path().join(name));
        fs::rename(other.folder(), &unseen).unwrap();
        fs::create_dir(&again).unwrap();
        sweep(all.path());
        assert!(place.folder().exists() && unseen.exists() && !again.exists());
        assert_eq!(fs::metadata(place.folder()).unwrap().mode() & 0o777, 0o700);
        let folder = place.folder().to_owned();
        drop((place, other));
        sweep(all.path());
        assert!(!folder.exists() && !unseen.exists());
    }
}
