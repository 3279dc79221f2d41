//! Walks through a run again by its journal, without running a test: a search asks the same questions.

use crate::changes::Changing;
use crate::errors::Refusal;
use crate::isolate::Isolating;
use crate::job::{Against, Job};
use crate::minima::Enumerating;
use crate::reduce::search;
use crate::runs::Run;
use crate::situation::Situated;
use crate::task::Task;
use crate::work::shared_outcomes;
use reduct_core::{Memo, Outcome, Repeats, Speculator};
use reduct_input::Candidate;
use reduct_session::Inquiry;
use reduct_session::journal;
use reduct_session::journal::Record;
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
    walk: Box<dyn Walk>,
    whole: Candidate,
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
pub(crate) struct Walked<I: Inquiry> {
    speculator: Speculator<I>,
    skips: VecDeque<u64>,
}

impl<I: Inquiry> Walked<I> {
    /// A search at its beginning, with what the journal of a run and those of the same test know.
    pub(crate) fn new(search: I, job: &Job, records: &[Record], run: &Run) -> Walked<I> {
        let mut memo = Memo::new();
        let mut skips = VecDeque::new();
        for record in records {
            match record {
                Record::Outcome { k, o, .. } => memo.insert(*k, *o),
                Record::Skipped { n } => skips.push_back(*n),
                _ => {}
            }
        }
        shared_outcomes(job, records, run).into_iter().for_each(|(key, outcome)| memo.insert(key, outcome));
        let repeats = if job.cache { Repeats::Remembered } else { Repeats::RunAgain };
        Walked { speculator: Speculator::new(search, memo, repeats), skips }
    }

    /// The search as far as the journal goes.
    pub(crate) fn end(mut self) -> I {
        while self.next().is_some() {}
        self.speculator.search().clone()
    }
}

impl<I: Inquiry> Walk for Walked<I> {
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

impl Replay {
    /// Replays a run.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(run: &Run) -> Result<Replay, Refusal> {
        let (records, _) = journal::read(&run.journal())?;
        let (job, input) = run.job(&records)?;
        let walk: Box<dyn Walk> = match &job.against {
            Against::Empty => {
                let reduction = search(&job, run.load(input)?)?;
                Box::new(Walked::new(reduction, &job, &records, run))
            }
            Against::Minima(_) => {
                let search = Enumerating::of_run(&job, run, input)?.search()?;
                Box::new(Walked::new(search, &job, &records, run))
            }
            Against::Nothing | Against::Input(_) => {
                let search = Isolating::of_run(&job, run, input)?.search()?;
                Box::new(Walked::new(search, &job, &records, run))
            }
            Against::Range(_) | Against::Folder(_) | Against::Patches { .. } => {
                let search = Changing::again(&job, run, input)?.search()?;
                Box::new(Walked::new(search, &job, &records, run))
            }
            Against::Situation(_) => {
                let search = Situated::of_run(&job, run, input)?.search()?;
                Box::new(Walked::new(search, &job, &records, run))
            }
        };
        let (whole, _) = walk.best();
        Ok(Replay { walk, whole })
    }

    /// What it began with.
    pub fn whole(&self) -> &Candidate {
        &self.whole
    }

    /// What it has come to, and the size of that.
    pub fn best(&self) -> (Candidate, usize) {
        self.walk.best()
    }

    /// The size of a candidate in the unit of the plan.
    pub fn size(&self, candidate: &Candidate) -> usize {
        self.walk.size(candidate)
    }

    /// What sizes are counted in.
    pub fn unit(&self) -> &'static str {
        self.walk.unit()
    }

    /// Whether it has come to the end of the search.
    pub fn is_done(&self) -> bool {
        self.walk.is_done()
    }
}

impl Iterator for Replay {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        self.walk.next()
    }
}
