//! Reduces: from an input to the smallest that still fails.

use crate::errors::Refusal;
use crate::job::{Against, Handed, Job};
use crate::place;
use crate::runs::{Run, is_ours};
use crate::task::{About, Judge, Task};
use crate::work::{Audience, Report, Work};
use reduct_circumstances::{Artifact, Audited, Candidate, Reduction};
use reduct_core::{Outcome, Question};
use reduct_run::event::Ended;
use reduct_run::executor::local::{Local, Setup};
use reduct_run::executor::{Executor, Ground, Invocation};
use reduct_run::flaky::{Calibrator, Purpose, Rate, Side};
use reduct_run::journal::{Journal, Record};
use reduct_run::load::{load, load_published};
use reduct_run::oracle::signature::Words;
use reduct_run::publish::Publisher;
use reduct_run::session::{Session, Stops};
use reduct_run::warden;
use std::fs;
use std::sync::Arc;

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

/// Whether the result may be written where the job says.
///
/// # Errors
/// If something of the user's stands there.
pub(crate) fn check_out(job: &Job, force: bool) -> Result<(), Refusal> {
    place::check(job)?;
    let free = job.in_place || force || fs::symlink_metadata(&job.out).is_err();
    if !free && !is_ours(job) {
        return Err(Refusal::OutExists(job.out.clone()));
    }
    Ok(())
}

/// Goes on with a run where it stopped. No test whose outcome is known is run again. `None` if there
/// is nothing left to do.
///
/// # Errors
/// If its journal cannot be used, or its input is not what it began with.
pub fn resume(run: &Run, stops: Stops, audience: Audience<'_>) -> Result<Option<(Job, Report)>, Refusal> {
    go_on(run, stops, audience, false)
}

/// Likewise, after the last answer of a person is taken back, also if the run had come to its end with it.
///
/// # Errors
/// Likewise, and if no person is asked in the run, nobody is there to be asked again, or nothing was answered. Nothing
/// is taken back then.
pub fn resume_without_the_last_answer(
    run: &Run,
    stops: Stops,
    audience: Audience<'_>,
) -> Result<Option<(Job, Report)>, Refusal> {
    go_on(run, stops, audience, true)
}

fn go_on(run: &Run, stops: Stops, audience: Audience<'_>, undoes: bool) -> Result<Option<(Job, Report)>, Refusal> {
    let (journal, records) = Journal::resume(&run.journal())?;
    let (job, input) = run.job(&records)?;
    if !undoes && records.iter().any(|record| matches!(record, Record::Ended { done: true, .. })) {
        return Ok(None);
    }
    check_resumable(run, &job)?;
    let undone = if undoes { crate::ask::taking_back(&job, &records)? } else { None };
    let found = place::clear(&job, run)?;
    let report = match &job.against {
        Against::Empty => {
            let task = Reducing::new(&job, run.load(input)?);
            Work(task).go_on(run, journal, (&records, undone), stops, audience)?
        }
        Against::Minima(_) => {
            let task = crate::minima::Enumerating::of_run(&job, run, input)?;
            Work(task).go_on(run, journal, (&records, undone), stops, audience)?
        }
        Against::Nothing | Against::Input(_) => {
            let task = crate::isolate::Isolating::of_run(&job, run, input)?;
            Work(task).go_on(run, journal, (&records, undone), stops, audience)?
        }
        Against::Range(_) | Against::Folder(_) | Against::Patches { .. } => {
            let task = crate::changes::Changing::again(&job, run, input)?;
            Work(task).go_on(run, journal, (&records, undone), stops, audience)?
        }
        Against::Situation(_) => {
            let task = crate::situation::Situated::of_run(&job, run, input)?;
            Work(task).go_on(run, journal, (&records, undone), stops, audience)?
        }
    };
    let report = Report { found, ..report };
    Ok(Some((job, report)))
}

/// Whether a run stands where it was made: its paths are those of that folder.
fn check_resumable(run: &Run, job: &Job) -> Result<(), Refusal> {
    let made_in = run.folder.canonicalize().ok().and_then(|folder| Some(folder.parent()?.parent()?.to_owned()));
    if made_in.is_none() || made_in != job.folder.canonicalize().ok() {
        let what = format!("{} was not made where it stands, but in {}", run.folder.display(), job.folder.display());
        return Err(Refusal::Usage { what, help: "go on with it there, or begin again here".into() });
    }
    Ok(())
}

/// A reduction to be done.
struct Reducing<'a> {
    about: About<'a>,
}

impl<'a> Reducing<'a> {
    fn new(job: &'a Job, artifact: Artifact) -> Reducing<'a> {
        let words = Words::of(artifact.bytes());
        Reducing { about: About { job, whole: Candidate::whole(artifact.into()), words } }
    }
}

impl Task for Reducing<'_> {
    type Search = Audited;

    fn about(&self) -> &About<'_> {
        &self.about
    }

    fn search(&self) -> Result<Audited, Refusal> {
        search(self.about.job, self.about.whole.artifact())
    }

    fn publisher(&self, run: &Run) -> Result<Publisher, Refusal> {
        Ok(Publisher::new(self.about.job.out.clone(), self.about.job.subject()?, run.folder.clone()))
    }

    /// As the user will run it: from the disk, in a fresh folder, whatever is remembered.
    fn confirm(&self, session: &mut Session<'_>, (oracle, policy): Judge<'_>, ended: &Ended) -> Option<bool> {
        let subject = self.about.job.subject().ok()?;
        let there = Candidate::whole(load_published(&self.about.job.out, subject.as_deref()).ok()?.into());
        if there.key() != ended.best.key() {
            return Some(false);
        }
        let (outcome, _) = session.poll(oracle, policy, &there).ok()?;
        Some(outcome == Outcome::Fail)
    }

    fn rate(&self, session: &mut Session<'_>, judge: Judge<'_>, ended: &Ended) -> Option<Rate> {
        rate(session, judge, &ended.best)
    }
}

/// Runs what fails now and then often enough to say how often.
pub(crate) fn rate(session: &mut Session<'_>, (oracle, policy): Judge<'_>, result: &Candidate) -> Option<Rate> {
    let (mut calibrator, floor) = (Calibrator::new(Purpose::Reduce, false), policy?.r0());
    loop {
        let wanted = calibrator.wanted();
        if wanted.is_enough() {
            return Some(Rate::of(&calibrator, floor));
        }
        for observed in session.observe(&vec![result.clone(); wanted.failing as usize]).ok()? {
            calibrator.count(Side::Failing, oracle.verdict(&observed).outcome);
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

/// What a run is called: like its input.
pub(crate) fn name(whole: &Candidate) -> String {
    let first = whole.base().entries().first().map(|entry| entry.path.to_string_lossy().into_owned());
    let name: String =
        first.unwrap_or_default().chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).collect();
    name.chars().take(40).collect()
}

/// A place to run the test of a job on inputs of at most `size` bytes.
///
/// # Errors
/// If no test can be run here.
pub fn lab(job: &Job, handed: Handed, size: usize) -> Result<Box<dyn Executor>, Refusal> {
    if job.ask.is_some() {
        return crate::ask::lab(&Job { handed, ..job.clone() });
    }
    let invocation = Job { handed, ..job.clone() }.invocation()?;
    place_of(job, invocation, size, None)
}

/// A place to run this on what stands on a ground.
///
/// # Errors
/// If no test can be run here.
pub(crate) fn place_of(
    job: &Job,
    invocation: Invocation,
    size: usize,
    ground: Option<Arc<dyn Ground>>,
) -> Result<Box<dyn Executor>, Refusal> {
    let setup = Setup {
        jobs: job.job_count(),
        invocation,
        limits: job.limits(None, size),
        scratch: job.scratch.clone(),
        room: size as u64,
        // What a test has made must not be there for the next one.
        fresh: ground.is_some(),
        ground,
        warden: warden::command(),
    };
    match Local::new(setup) {
        Ok(lab) => Ok(Box::new(lab)),
        Err(error) => Err(Refusal::Executor(error.to_string())),
    }
}
