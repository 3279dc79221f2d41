//! What tests have done in copies of folders: written down by the supervisors, read by the main process.

use crate::watched::Ears;
use reduct_session::confinement::OutsideChanges;
use std::fs;
use std::path::{Path, PathBuf};

/// The file in which it is written down, in the folder of a view.
const FILE: &str = "elsewhere";

/// It is heard what so many tests of a slot open: those before a search, and some more.
const TESTS: usize = 20;

/// What the tests of a slot have done.
pub(super) struct Told {
    pub elsewhere: OutsideChanges,
    watched: Vec<PathBuf>,
    ears: Option<Ears>,
    tests: usize,
    known: usize,
}

impl Told {
    /// Begins with nothing, for tests that are watched in these folders.
    pub fn new(watched: &[PathBuf]) -> Told {
        Told { elsewhere: OutsideChanges::default(), watched: watched.to_vec(), ears: None, tests: 0, known: 0 }
    }

    /// Listens in the folders as they are seen from here and now.
    pub fn listen(&mut self) {
        if self.tests < TESTS && !self.watched.is_empty() {
            self.ears = Ears::open(self.watched.iter().cloned()).ok();
        }
    }

    /// Hears what the last test has opened, and stops listening after so many. Does not wait.
    pub fn hear(&mut self) {
        let Some(ears) = &mut self.ears else { return };
        self.tests += 1;
        let heard = ears.hear();
        let to = &mut self.elsewhere;
        for (from, to) in [(&heard.opened, &mut to.opened), (&heard.written, &mut to.written)] {
            for path in from {
                if let Err(at) = to.binary_search(path) {
                    to.insert(at, path.clone());
                }
            }
        }
        to.missed = to.missed.take().or(heard.missed.as_ref().map(ToString::to_string));
        if self.tests == TESTS {
            self.ears = None;
        }
    }

    /// Writes down what is new, if anything is. It is a service to the user, and nothing of a search depends on it.
    pub fn write_down(&mut self, base: &Path) {
        let OutsideChanges { changed, opened, written, .. } = &self.elsewhere;
        let count = changed.len() + opened.len() + written.len();
        if count > self.known {
            self.known = count;
            let _ = serde_json::to_vec(&self.elsewhere).map(|text| fs::write(base.join(FILE), text));
        }
    }
}

/// Returns what the tests of a session have done in copies of folders.
pub(crate) fn elsewhere(scratch: &Path) -> OutsideChanges {
    let bases = fs::read_dir(scratch).into_iter().flatten().flatten();
    let told = bases.filter_map(|base| fs::read(base.path().join(FILE)).ok());
    let mut all = OutsideChanges::default();
    for one in told.filter_map(|text| serde_json::from_slice::<OutsideChanges>(&text).ok()) {
        all.changed.extend(one.changed);
        all.opened.extend(one.opened);
        all.written.extend(one.written);
        all.missed = all.missed.or(one.missed);
    }
    for list in [&mut all.changed, &mut all.opened, &mut all.written] {
        list.sort();
        list.dedup();
    }
    all
}
