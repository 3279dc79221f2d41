//! The tests that are under way, by run and by question.

use crate::executor::RunId;
use reduct_circumstances::Candidate;
use reduct_core::{Key, Wanted};
use std::collections::{HashMap, HashSet};

/// The tests that are under way. Each question is under way once at most.
#[derive(Default)]
pub(super) struct Running {
    by_run: HashMap<RunId, (Key, Candidate)>,
    by_key: HashMap<Key, RunId>,
}

impl Running {
    pub(super) fn len(&self) -> usize {
        self.by_run.len()
    }

    pub(super) fn is_under_way(&self, key: Key) -> bool {
        self.by_key.contains_key(&key)
    }

    pub(super) fn insert(&mut self, run: RunId, key: Key, candidate: Candidate) {
        self.by_key.insert(key, run);
        self.by_run.insert(run, (key, candidate));
    }

    pub(super) fn remove(&mut self, run: RunId) -> Option<(Key, Candidate)> {
        let (key, candidate) = self.by_run.remove(&run)?;
        self.by_key.remove(&key);
        Some((key, candidate))
    }

    /// Takes out what is not wanted any more, in the order in which it was started.
    pub(super) fn take_unwanted(&mut self, wanted: &[Wanted<Candidate>]) -> Vec<RunId> {
        let wanted: HashSet<Key> = wanted.iter().map(|wanted| wanted.key).collect();
        let unwanted = self.by_run.iter().filter(|(_, (key, _))| !wanted.contains(key)).map(|(run, _)| *run);
        let mut unwanted: Vec<RunId> = unwanted.collect();
        unwanted.sort_unstable();
        unwanted.iter().for_each(|run| drop(self.remove(*run)));
        unwanted
    }

    /// All runs, which are then no longer known.
    pub(super) fn take_all(&mut self) -> Vec<RunId> {
        self.by_key.clear();
        self.by_run.drain().map(|(run, _)| run).collect()
    }
}
