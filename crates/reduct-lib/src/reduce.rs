//! Reduces: from an input to the smallest that still fails.

use crate::beside::words_of;
use crate::errors::Refusal;
use crate::job::Job;
use crate::place::check_out;
use crate::runs::Run;
use crate::task::{About, Judge, Task};
use crate::work::{Audience, Report, Work};
use reduct_core::{Outcome, Question};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::sampling::{Calibrator, Purpose, Rate, Side};
use reduct_session::event::{Ended, Why};
use reduct_session::publish::Publisher;
use reduct_session::{Session, Stops};
use reduct_sources::{load, load_published};
use reduct_strategies::{Audited, Reduction};
use std::borrow::Cow;

/// Begins a run and does it, to its end or until it is stopped.
///
/// # Errors
/// If the job cannot be understood, the input not read, or the failure does not occur. Nothing is
/// changed then.
pub fn reduce(job: &Job, force: bool, stops: Stops, audience: Audience<'_>) -> Result<Report, Refusal> {
    job.plan()?;
    let artifact = load(&job.input_paths())?;
    check_out(job, force)?;
    Work(Reducing::new(job, artifact)).begin(stops, audience)
}

/// A reduction to be done.
pub(crate) struct Reducing<'a> {
    about: About<'a>,
}

impl<'a> Reducing<'a> {
    pub(crate) fn new(job: &'a Job, artifact: Artifact) -> Reducing<'a> {
        let words = words_of(job, &[&artifact]);
        Reducing { about: About { job: Cow::Borrowed(job), whole: Candidate::whole(artifact.into()), words } }
    }
}

impl Task for Reducing<'_> {
    type Search = Audited;

    fn about(&self) -> &About<'_> {
        &self.about
    }

    fn job_mut(&mut self) -> &mut Job {
        self.about.job.to_mut()
    }

    fn search(&self) -> Result<Audited, Refusal> {
        search(&self.about.job, self.about.whole.artifact())
    }

    fn publisher(&self, run: &Run) -> Result<Publisher, Refusal> {
        Ok(Publisher::new(self.about.job.out.clone(), self.about.job.subject()?, run.folder.clone()))
    }

    /// As the user will run it: from the disk, in a fresh folder, whatever is remembered.
    fn stands(&self, ended: &Ended) -> Option<bool> {
        Some(self.published()?.key() == ended.best.key())
    }

    fn confirm(&self, session: &mut Session<'_>, (oracle, policy): Judge<'_>, ended: &Ended) -> Option<bool> {
        let there = self.published()?;
        if there.key() != ended.best.key() {
            return Some(false);
        }
        // What fails now and then is run often enough to say how often.
        if policy.is_some() {
            return Some(true);
        }
        let (outcome, _) = session.poll(oracle, policy, &there).ok()?;
        Some(outcome == Outcome::Fail)
    }

    fn rate(&self, session: &mut Session<'_>, judge: Judge<'_>, ended: &Ended) -> Result<Option<Rate>, Why> {
        judge.1.map(|_| rate(session, judge, &ended.best)).transpose().map(Option::flatten)
    }

    fn can_go_back(&self) -> bool {
        true
    }
}

impl Reducing<'_> {
    /// What stands at the place of the result.
    fn published(&self) -> Option<Candidate> {
        let subject = self.about.job.subject().ok()?;
        Some(Candidate::whole(load_published(&self.about.job.out, subject.as_deref()).ok()?.into()))
    }
}

/// Runs what fails now and then often enough to say how often.
///
/// # Errors
/// If the session was interrupted, or met trouble that did not pass.
pub(crate) fn rate(
    session: &mut Session<'_>,
    (oracle, policy): Judge<'_>,
    result: &Candidate,
) -> Result<Option<Rate>, Why> {
    let Some(floor) = policy.map(|policy| policy.r0()) else { return Ok(None) };
    let mut calibrator = Calibrator::new(Purpose::Reduce, false);
    loop {
        let wanted = calibrator.wanted();
        if wanted.is_enough() {
            return Ok(Some(Rate::of(&calibrator, floor)));
        }
        for observed in session.observe(&vec![result.clone(); wanted.failing as usize])? {
            calibrator.count(Side::Failing, oracle.verdict_on(&observed, result).outcome);
        }
    }
}

/// The search of a reduction: with an audit if the test fails only now and then.
///
/// # Errors
/// If its plan names something that there is not.
pub(crate) fn search(job: &Job, artifact: Artifact) -> Result<Audited, Refusal> {
    let plan = job.plan()?;
    Ok(if job.repeat { Audited::new(artifact, plan, DOUBT) } else { Audited::plain(Reduction::new(artifact, plan)) })
}

/// How likely it may be at most that an audit overlooks something that could go.
pub(crate) const DOUBT: f64 = 0.01;
