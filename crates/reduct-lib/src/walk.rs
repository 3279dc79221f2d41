//! Walks through the search of a run again by its journal, without running a test: a search asks the same questions.

use crate::job::Job;
use crate::recorded::shared_outcomes;
use crate::runs::Run;
use reduct_core::{Memo, Outcome, Repeats, Speculator};
use reduct_input::Candidate;
use reduct_session::InputSearch;
use reduct_session::journal::JournalRecord;
use std::collections::VecDeque;

/// One test of a run, in the order of the search.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub n: u64,
    /// What was tested.
    pub candidate: Candidate,
    /// Its size in the unit of the plan.
    pub size: usize,
    /// What the test said.
    pub outcome: Outcome,
    /// Whether it had been asked before.
    pub cached: bool,
}

/// Any search that is walked through.
pub(crate) trait Walk {
    fn next(&mut self) -> Option<Step>;
    fn best(&self) -> (Candidate, usize);
    fn size(&self, candidate: &Candidate) -> usize;
    fn unit(&self) -> &'static str;
    fn is_done(&self) -> bool;
}

/// A search of a run, with what its journal knows.
pub(crate) struct Walked<I: InputSearch> {
    speculator: Speculator<I>,
    skips: VecDeque<u64>,
}

impl<I: InputSearch> Walked<I> {
    /// Returns a search at its beginning, with what the journal of a run and those of the same test know.
    pub(crate) fn new(search: I, job: &Job, records: &[JournalRecord], run: &Run) -> Walked<I> {
        let mut memo = Memo::new();
        let mut skips = VecDeque::new();
        for record in records {
            match record {
                JournalRecord::Outcome { k, o, .. } => memo.insert(*k, *o),
                JournalRecord::Skipped { n } => skips.push_back(*n),
                _ => {}
            }
        }
        shared_outcomes(job, records, run).into_iter().for_each(|(key, outcome)| memo.insert(key, outcome));
        let repeats = if job.cache { Repeats::Remembered } else { Repeats::RunAgain };
        Walked { speculator: Speculator::new(search, memo, repeats), skips }
    }

    /// Returns the search as far as the journal goes.
    pub(crate) fn end(mut self) -> I {
        while self.next().is_some() {}
        self.speculator.search().clone()
    }
}

impl<I: InputSearch> Walk for Walked<I> {
    fn next(&mut self) -> Option<Step> {
        while self.skips.front().is_some_and(|n| *n <= self.speculator.retired()) {
            self.skips.pop_front();
            self.speculator.skip();
        }
        let retired = self.speculator.retire()?;
        let size = self.speculator.search().size(&retired.question);
        let (n, outcome, cached) = (retired.n, retired.outcome, retired.repeated);
        Some(Step { n, candidate: retired.question, size, outcome, cached })
    }

    fn best(&self) -> (Candidate, usize) {
        let search = self.speculator.search();
        (search.best(), search.left())
    }

    fn size(&self, candidate: &Candidate) -> usize {
        self.speculator.search().size(candidate)
    }

    fn unit(&self) -> &'static str {
        self.speculator.search().unit()
    }

    fn is_done(&self) -> bool {
        self.speculator.is_done()
    }
}
