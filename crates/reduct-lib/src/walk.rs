//! Walks through the search of a run again by its journal, without running a test: a search asks the same questions.

use crate::job::Job;
use crate::recorded::shared_outcomes;
use crate::runs::Run;
use reduct_core::{Memo, Outcome, Question, Repeats, Speculator};
use reduct_input::Candidate;
use reduct_session::event::Why;
use reduct_session::journal::JournalRecord;
use reduct_session::{Differences, InputSearch, Skip};
use reduct_strategies::{Evidence, Phase};
use std::collections::VecDeque;

/// One test of a run, in the order of the search.
#[derive(Clone, Debug)]
#[non_exhaustive]
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
    /// What was being done when it was asked; `None` if the search does not say.
    pub phase: Option<Phase>,
    /// Of a search among differences: which of them the candidate has.
    pub differences: Option<Differences>,
    /// What the search goes on from since this test, if that is something smaller.
    pub accepted: Option<Accepted>,
}

/// A step of a search: something smaller that fails, from which it goes on. A journal calls it improved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Accepted {
    /// The number of the step, from 1 over all branches of the run.
    pub number: usize,
    /// What fails.
    pub best: Candidate,
    /// Of an isolation: what passes then; of an enumeration: all that was found.
    pub passing: Option<Candidate>,
    /// The size of the best in the unit of the plan.
    pub size: usize,
    /// What that is counted in.
    pub unit: &'static str,
}

/// Any search that is walked through.
pub(crate) trait Walk {
    fn next(&mut self) -> Option<Step>;
    /// Takes a record that the journal has got since. Returns `false` if the walk has to begin again because of it.
    fn learn(&mut self, record: &JournalRecord) -> bool;
    fn best(&self) -> (Candidate, usize);
    fn size(&self, candidate: &Candidate) -> usize;
    fn unit(&self) -> &'static str;
    fn is_done(&self) -> bool;
    /// Returns the candidate about which a person is asked now; `None` if the test is a program, or the search is over.
    fn asked(&self) -> Option<Candidate>;
    /// Returns what is shown of the best if the search has ended so.
    fn evidence(&self, why: &Why) -> Evidence;
    /// Returns what passes, of an isolation; all that was found, of an enumeration.
    fn passing(&self) -> Option<Candidate>;
}

/// A search of a run, with what its journal knows.
pub(crate) struct Walked<I: InputSearch> {
    speculator: Speculator<I>,
    skips: VecDeque<Skip>,
    /// Whether each question has one outcome.
    is_remembered: bool,
    /// How many steps were accepted, those of earlier branches too.
    accepted: usize,
    /// Whether a person is the test.
    asks: bool,
}

impl<I: InputSearch> Walked<I> {
    /// Returns a search at its beginning, with what the journal of a run and those of the same test know.
    pub(crate) fn new(search: I, job: &Job, records: &[JournalRecord], run: &Run) -> Walked<I> {
        let mut memo = Memo::new();
        let mut skips = VecDeque::new();
        for record in records {
            match record {
                JournalRecord::Outcome { k, o, .. } => memo.insert(*k, *o),
                JournalRecord::Skipped { n, pass } => skips.push_back(Skip { n: *n, whole_pass: pass.is_some() }),
                // Those of another branch.
                JournalRecord::Branch { .. } => skips.clear(),
                _ => {}
            }
        }
        shared_outcomes(job, records, run).into_iter().for_each(|(key, outcome)| memo.insert(key, outcome));
        let repeats = if job.cache { Repeats::Remembered } else { Repeats::RunAgain };
        let (speculator, asks) = (Speculator::new(search, memo, repeats), job.source().person().is_some());
        Walked { speculator, skips, is_remembered: job.cache, accepted: 0, asks }
    }

    /// Returns the same walk, whose steps are numbered from after this one on.
    pub(crate) fn numbered_after(self, steps: usize) -> Walked<I> {
        Walked { accepted: steps, ..self }
    }

    /// Returns the step that the last test has brought, by the rule by which a session says that it improved.
    fn accepted_since(&mut self, before: &Reached) -> Option<Accepted> {
        let search = self.speculator.search();
        let now = Reached::of(search);
        if now.best.key() == before.best.key() && now.left >= before.left && now.found <= before.found {
            return None;
        }
        self.accepted += 1;
        let (number, passing, unit) = (self.accepted, search.passing(), search.unit());
        Some(Accepted { number, best: now.best, passing, size: now.left, unit })
    }

    /// Returns the search as far as the journal goes.
    pub(crate) fn end(mut self) -> I {
        while self.next().is_some() {}
        self.speculator.search().clone()
    }
}

/// How far a search has come.
struct Reached {
    best: Candidate,
    left: usize,
    found: usize,
}

impl Reached {
    fn of(search: &impl InputSearch) -> Reached {
        Reached { best: search.best(), left: search.left(), found: search.found() }
    }
}

impl<I: InputSearch> Walk for Walked<I> {
    fn next(&mut self) -> Option<Step> {
        while let Some(skip) = self.skips.pop_front_if(|skip| skip.n <= self.speculator.retired()) {
            skip.apply(&mut self.speculator);
        }
        let search = self.speculator.search();
        let (phase, differences, before) = (search.phase(), search.differences(), Reached::of(search));
        let retired = self.speculator.retire()?;
        let size = self.speculator.search().size(&retired.question);
        let (n, outcome, cached) = (retired.n, retired.outcome, retired.repeated);
        let accepted = self.accepted_since(&before);
        Some(Step { n, candidate: retired.question, size, outcome, cached, phase, differences, accepted })
    }

    fn learn(&mut self, record: &JournalRecord) -> bool {
        match record {
            JournalRecord::Outcome { k, o, .. } => self.speculator.learn(*k, *o),
            // Behind what was walked through already, it would come too late.
            JournalRecord::Skipped { n, pass } if *n >= self.speculator.retired() => {
                self.skips.push_back(Skip { n: *n, whole_pass: pass.is_some() });
            }
            JournalRecord::Skipped { .. }
            | JournalRecord::Run { .. }
            | JournalRecord::Began { .. }
            | JournalRecord::Undone { .. }
            | JournalRecord::Branch { .. }
            | JournalRecord::Forgotten { .. } => return false,
            // What the search does not depend on.
            _ => {}
        }
        self.is_remembered
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

    fn asked(&self) -> Option<Candidate> {
        self.speculator.search().ask().filter(|_| self.asks)
    }

    fn evidence(&self, why: &Why) -> Evidence {
        let search = self.speculator.search();
        search.evidence(&search.why(why.clone()), &search.best())
    }

    fn passing(&self) -> Option<Candidate> {
        self.speculator.search().passing()
    }
}
