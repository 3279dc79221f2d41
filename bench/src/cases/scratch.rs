//! A folder that goes away with its owner.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A new folder among the temporary ones, removed when it is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Result<Scratch, String> {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("reduct-bench-{}-{number}", std::process::id()));
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Scratch(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What a test has made read-only is made writable first, by what every system has.
        if fs::remove_dir_all(&self.0).is_err() {
            let _ = std::process::Command::new("chmod").arg("-R").arg("u+rwx").arg(&self.0).status();
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
