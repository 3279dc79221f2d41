//! What tests make once, and what they make again and again.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What tests have made, wherever they run.
#[derive(Debug, Default)]
pub(in crate::local) struct Made(Mutex<Names>);

#[derive(Debug, Default)]
struct Names {
    /// What the first test of all has made.
    first: Option<HashSet<PathBuf>>,
    /// What tests make again and again.
    again: HashSet<PathBuf>,
}

impl Made {
    fn names(&self) -> MutexGuard<'_, Names> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the first test of all has made these.
    pub(super) fn begin(&self, paths: impl Iterator<Item = PathBuf>) {
        self.names().first.get_or_insert_with(|| paths.collect());
    }

    pub(super) fn has_begun(&self) -> bool {
        self.names().first.is_some()
    }

    pub(super) fn add(&self, path: &Path) {
        self.names().again.insert(path.to_owned());
    }

    /// Returns whether what a test has made at this path is nothing that another one may find.
    pub(super) fn varies(&self, path: &Path) -> bool {
        let names = self.names();
        names.again.contains(path) || !names.first.as_ref().is_some_and(|first| first.contains(path))
    }
}
