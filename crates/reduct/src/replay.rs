//! Walks through a run again by its journal, without running a test: a search asks the same questions.

use crate::errors::Refusal;
use crate::runs::Run;
use reduct_circumstances::{Candidate, Reduction};
use reduct_core::{Memo, Outcome, Repeats, Search, Speculator};
use reduct_run::journal::{self, Record};
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

/// A run, walked through.
pub struct Replay {
    speculator: Speculator<Reduction>,
    skips: VecDeque<u64>,
    whole: Candidate,
}

impl Replay {
    /// Replays a run.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(run: &Run) -> Result<Replay, Refusal> {
        let (records, _) = journal::read(&run.journal())?;
        let (job, input) = run.job(&records)?;
        let artifact = run.load(input)?;
        let mut memo = Memo::new();
        let mut skips = VecDeque::new();
        for record in &records {
            match record {
                Record::Outcome { k, o, .. } => memo.insert(*k, *o),
                Record::Skipped { n } => skips.push_back(*n),
                _ => {}
            }
        }
        if let (true, Some(oracle)) = (job.cache, crate::work::oracle_of(&records)) {
            let shared = crate::runs::shared_outcomes(&job.folder, oracle, run);
            shared.into_iter().for_each(|(key, outcome)| memo.insert(key, outcome));
        }
        let repeats = if job.cache { Repeats::Remembered } else { Repeats::RunAgain };
        let reduction = Reduction::new(artifact, job.plan()?);
        let whole = reduction.best();
        Ok(Replay { speculator: Speculator::new(reduction, memo, repeats), skips, whole })
    }

    /// What it began with.
    pub fn whole(&self) -> &Candidate {
        &self.whole
    }

    /// What it has come to.
    pub fn best(&self) -> Candidate {
        self.speculator.search().best()
    }

    /// The size of a candidate in the unit of the plan.
    pub fn size(&self, candidate: &Candidate) -> usize {
        self.speculator.search().size(candidate)
    }

    /// What sizes are counted in.
    pub fn unit(&self) -> &'static str {
        self.speculator.search().plan().unit()
    }

    /// Whether it has come to the end of the search.
    pub fn is_done(&self) -> bool {
        self.speculator.is_done()
    }
}

impl Iterator for Replay {
    type Item = Step;

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
}
