//! A folder for what nobody keeps.

use crate::errors::Refusal;
use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that is removed with all that is in it when this is dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one below the folder for temporary files, in which nobody else can write.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn new() -> Result<Scratch, Refusal> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let below = std::env::temp_dir();
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let folder = below.join(format!("reduct-job-{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => return Ok(Scratch(folder)),
                // Of a process that was killed, and had this number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Refusal::io("make", folder)(error)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_folder_of_its_own_and_nothing_is_left_of_it() {
        let (one, other) = (Scratch::new().unwrap(), Scratch::new().unwrap());
        assert_ne!(one.path(), other.path());
        fs::create_dir(one.path().join("inner")).unwrap();
        fs::write(one.path().join("inner/file"), "x").unwrap();
        let was = one.path().to_owned();
        drop(one);
        assert!(!was.exists() && other.path().is_dir());
    }
}
