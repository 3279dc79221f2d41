//! The tests that are under way, by run and by question.

use crate::event::UnderWay;
use crate::executor::RunId;
use reduct_core::{Key, Outcome, Wanted};
use reduct_input::Candidate;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A test that is under way.
pub(super) struct Test {
    pub(super) key: Key,
    pub(super) candidate: Candidate,
    /// The number of the run among those of this candidate, from 0.
    pub(super) number: u32,
    /// What was said of it by a process that had run other tests before, if this run checks that.
    pub(super) doubted: Option<Outcome>,
}

/// The tests that are under way. A question may be under way several times, each time with another number.
#[derive(Default)]
pub(super) struct Running {
    by_run: HashMap<RunId, Test>,
    by_key: HashMap<Key, BTreeMap<u32, RunId>>,
}

impl Running {
    pub(super) fn len(&self) -> usize {
        self.by_run.len()
    }

    /// Returns how often a question is under way.
    pub(super) fn count(&self, key: Key) -> usize {
        self.by_key.get(&key).map_or(0, BTreeMap::len)
    }

    pub(super) fn is_under_way(&self, key: Key, number: u32) -> bool {
        self.by_key.get(&key).is_some_and(|runs| runs.contains_key(&number))
    }

    pub(super) fn insert(&mut self, run: RunId, test: Test) {
        self.by_key.entry(test.key).or_default().insert(test.number, run);
        self.by_run.insert(run, test);
    }

    pub(super) fn remove(&mut self, run: RunId) -> Option<Test> {
        let test = self.by_run.remove(&run)?;
        if let Some(runs) = self.by_key.get_mut(&test.key) {
            runs.remove(&test.number);
            if runs.is_empty() {
                self.by_key.remove(&test.key);
            }
        }
        Some(test)
    }

    /// Returns what is under way, in the order in which it was started.
    pub(super) fn list(&self) -> Vec<UnderWay> {
        let under_way = |(run, test): (&RunId, &Test)| UnderWay {
            run: *run,
            key: test.key,
            number: test.number,
            bytes: test.candidate.len(),
        };
        let mut list: Vec<UnderWay> = self.by_run.iter().map(under_way).collect();
        list.sort_unstable_by_key(|test| test.run);
        list
    }

    /// Takes out what is not wanted any more, in the order in which it was started.
    pub(super) fn take_unwanted(&mut self, wanted: &[Wanted<Candidate>]) -> Vec<RunId> {
        let wanted: HashSet<Key> = wanted.iter().map(|wanted| wanted.key).collect();
        let unwanted = self.by_run.iter().filter(|(_, test)| !wanted.contains(&test.key)).map(|(run, _)| *run);
        let mut unwanted: Vec<RunId> = unwanted.collect();
        unwanted.sort_unstable();
        unwanted.iter().for_each(|run| drop(self.remove(*run)));
        unwanted
    }

    /// Takes out up to `count` runs that were made ahead of another one of the same question, the latest first.
    pub(super) fn take_ahead(&mut self, count: usize) -> Vec<RunId> {
        if count == 0 {
            return vec![];
        }
        let mut ahead: Vec<RunId> = self.by_key.values().flat_map(|runs| runs.values().skip(1).copied()).collect();
        ahead.sort_unstable_by(|a, b| b.cmp(a));
        ahead.truncate(count);
        ahead.iter().for_each(|run| drop(self.remove(*run)));
        ahead
    }

    /// Returns all runs, which are then no longer known.
    pub(super) fn take_all(&mut self) -> Vec<RunId> {
        self.by_key.clear();
        self.by_run.drain().map(|(run, _)| run).collect()
    }
}
