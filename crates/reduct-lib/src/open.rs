//! Opens the problem that a job is about: the one place that knows all of them.

use crate::audience::Audience;
use crate::branch;
use crate::changes::Blame;
use crate::engine::{Engine, RunReport};
use crate::errors::Refusal;
use crate::goal::PerGoal;
use crate::history::passed::Passed;
use crate::isolate::Isolating;
use crate::job::Job;
use crate::minima::Enumerating;
use crate::place::IsOurs;
use crate::problem::Problem;
use crate::recheck::{Claimed, Recheck};
use crate::reduce::Reducing;
use crate::runs::Run;
use crate::situation::Situated;
use crate::walk::Walk;
use reduct_core::Key;
use reduct_input::Artifact;
use reduct_session::journal::{Journal, JournalRecord};
use reduct_session::{InputSearch, Stops};

/// Any problem, and what is done with it.
pub(crate) trait AnyProblem {
    /// Begins a run and does it.
    fn begin(self: Box<Self>, stops: Stops, audience: Audience<'_>) -> Result<RunReport, Refusal>;

    /// Goes on with a run, after an answer is taken back or a branch is begun, if one is.
    fn resume(
        self: Box<Self>,
        run: &Run,
        journal: Journal,
        records: (&[JournalRecord], Option<JournalRecord>),
        stops: Stops,
        audience: Audience<'_>,
    ) -> Result<RunReport, Refusal>;

    /// Walks through all branches of a run.
    fn history(&self, records: &[JournalRecord], run: &Run, visit: &mut dyn FnMut(Passed<'_>)) -> Result<(), Refusal>;

    /// Returns the record of a new branch, which begins from a step and never makes the edits of others.
    fn fork(&self, records: &[JournalRecord], run: &Run, to: (usize, &[usize])) -> Result<JournalRecord, Refusal>;

    /// Returns the record of a new branch, which goes on with a deeper record of executions, of this number.
    fn deeper(&self, records: &[JournalRecord], run: &Run, to: (u32, &Artifact)) -> Result<JournalRecord, Refusal>;

    /// Returns the size of the whole that the run began with, and what it is counted in.
    fn size_of_whole(&self) -> Result<(usize, &'static str), Refusal>;

    /// Returns the search at its beginning, with what the journal of a run knows.
    fn walk(&self, records: &[JournalRecord], run: &Run) -> Result<Box<dyn Walk>, Refusal>;

    /// Checks again what a run claims.
    fn recheck(&self, claimed: Claimed<'_>, audience: Audience<'_>) -> Result<Recheck, Refusal>;
}

impl<P: Problem> AnyProblem for P {
    fn begin(self: Box<Self>, stops: Stops, audience: Audience<'_>) -> Result<RunReport, Refusal> {
        Engine(*self).begin(stops, audience)
    }

    fn resume(
        self: Box<Self>,
        run: &Run,
        journal: Journal,
        records: (&[JournalRecord], Option<JournalRecord>),
        stops: Stops,
        audience: Audience<'_>,
    ) -> Result<RunReport, Refusal> {
        Engine(*self).resume(run, journal, records, stops, audience)
    }

    fn size_of_whole(&self) -> Result<(usize, &'static str), Refusal> {
        let search = self.search()?;
        Ok((search.left(), search.unit()))
    }

    fn walk(&self, records: &[JournalRecord], run: &Run) -> Result<Box<dyn Walk>, Refusal> {
        Ok(Box::new(branch::walk(self, records, run)?))
    }

    fn history(&self, records: &[JournalRecord], run: &Run, visit: &mut dyn FnMut(Passed<'_>)) -> Result<(), Refusal> {
        branch::visit(self, records, run, visit)
    }

    fn fork(&self, records: &[JournalRecord], run: &Run, to: (usize, &[usize])) -> Result<JournalRecord, Refusal> {
        branch::fork(self, records, run, to)
    }

    fn deeper(&self, records: &[JournalRecord], run: &Run, to: (u32, &Artifact)) -> Result<JournalRecord, Refusal> {
        branch::deeper(self, records, run, to)
    }

    fn recheck(&self, claimed: Claimed<'_>, audience: Audience<'_>) -> Result<Recheck, Refusal> {
        Problem::recheck(self, claimed, audience)
    }
}

/// A problem that was opened, or why it could not be.
type Opened<'a> = Result<Box<dyn AnyProblem + 'a>, Refusal>;

/// Opens what a new run is about. With `force`, its result may replace what stands in its place.
pub(crate) fn of_new(job: &Job, force: bool) -> Opened<'_> {
    job.goal.choose(New { job, force })
}

/// Opens the problem of a run as it was when the run was begun.
///
/// # Errors
/// If it cannot be read, or is not what it was.
pub(crate) fn of_run<'a>(job: &'a Job, run: &Run, input: Key) -> Opened<'a> {
    job.goal.choose(Begun { job, run, input })
}

/// Returns what tells results of such a job from what is the user's.
pub(crate) fn recognizes(job: &Job) -> IsOurs {
    job.goal.choose(Recognizes)
}

/// Opens what a new run is about.
struct New<'a> {
    job: &'a Job,
    force: bool,
}

impl<'a> PerGoal for New<'a> {
    type Output = Opened<'a>;

    fn reduction(self) -> Opened<'a> {
        Ok(Box::new(Reducing::open(self.job, self.force)?))
    }

    fn isolation(self) -> Opened<'a> {
        Ok(Box::new(Isolating::open(self.job, self.force)?))
    }

    fn minima(self) -> Opened<'a> {
        Ok(Box::new(Enumerating::open(self.job, self.force)?))
    }

    fn blame(self) -> Opened<'a> {
        Ok(Box::new(Blame::open(self.job, self.force)?))
    }

    fn command(self) -> Opened<'a> {
        Ok(Box::new(Situated::open(self.job, self.force)?))
    }

    fn inquiry(self) -> Opened<'a> {
        Err(Refusal::OfAProgram)
    }
}

/// Opens what a run was begun with.
struct Begun<'a, 'r> {
    job: &'a Job,
    run: &'r Run,
    input: Key,
}

impl<'a> PerGoal for Begun<'a, '_> {
    type Output = Opened<'a>;

    fn reduction(self) -> Opened<'a> {
        Ok(Box::new(Reducing::of_run(self.job, self.run, self.input)?))
    }

    fn isolation(self) -> Opened<'a> {
        Ok(Box::new(Isolating::of_run(self.job, self.run, self.input)?))
    }

    fn minima(self) -> Opened<'a> {
        Ok(Box::new(Enumerating::of_run(self.job, self.run, self.input)?))
    }

    fn blame(self) -> Opened<'a> {
        Ok(Box::new(Blame::of_run(self.job, self.run, self.input)?))
    }

    fn command(self) -> Opened<'a> {
        Ok(Box::new(Situated::of_run(self.job, self.run, self.input)?))
    }

    fn inquiry(self) -> Opened<'a> {
        Err(Refusal::OfAProgram)
    }
}

/// Chooses what tells results.
struct Recognizes;

impl PerGoal for Recognizes {
    type Output = IsOurs;

    fn reduction(self) -> IsOurs {
        Reducing::is_ours
    }

    fn isolation(self) -> IsOurs {
        Isolating::is_ours
    }

    fn minima(self) -> IsOurs {
        Enumerating::is_ours
    }

    fn blame(self) -> IsOurs {
        Blame::is_ours
    }

    fn command(self) -> IsOurs {
        Situated::is_ours
    }

    fn inquiry(self) -> IsOurs {
        |_| false
    }
}
