//! A run walked through again, without running a test.

use crate::errors::Refusal;
use crate::open;
use crate::runs::Run;
use crate::walk::{Step, Walk};
use reduct_input::Candidate;
use reduct_session::event::Why;
use reduct_session::journal;
use reduct_strategies::Evidence;

/// A run, walked through.
pub struct Replay {
    walk: Box<dyn Walk>,
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
        let walk = open::of_run(&job, run, input)?.walk(&records, run)?;
        let (whole, _) = walk.best();
        Ok(Replay { walk, whole })
    }

    /// Replays a search.
    pub(crate) fn walking(walk: Box<dyn Walk>) -> Replay {
        let (whole, _) = walk.best();
        Replay { walk, whole }
    }

    /// Returns what it began with.
    pub fn whole(&self) -> &Candidate {
        &self.whole
    }

    /// Returns what it has come to, and the size of that.
    pub fn best(&self) -> (Candidate, usize) {
        self.walk.best()
    }

    /// Returns the size of a candidate in the unit of the plan.
    pub fn size(&self, candidate: &Candidate) -> usize {
        self.walk.size(candidate)
    }

    /// Returns what sizes are counted in.
    pub fn unit(&self) -> &'static str {
        self.walk.unit()
    }

    /// Of an isolation: returns what passes; of an enumeration: all that was found.
    pub fn passing(&self) -> Option<Candidate> {
        self.walk.passing()
    }

    /// Returns what is shown of the best if the run ended so.
    pub fn evidence(&self, why: &Why) -> Evidence {
        self.walk.evidence(why)
    }

    /// Returns whether it has come to the end of the search.
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
