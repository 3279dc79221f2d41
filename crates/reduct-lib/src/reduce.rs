//! Reduces: from an input to the smallest that still fails.

use crate::audience::Audience;
use crate::beside::words_of;
use crate::engine::{Engine, RunReport};
use crate::errors::Refusal;
use crate::executor::executor;
use crate::job::{Job, TestSource};
use crate::judge::{DOUBT, Judge};
use crate::place::check_out;
use crate::problem::{Problem, Setting};
use crate::recheck::{Claimed, Recheck};
use crate::runs::{Run, is_result_of_a_run};
use crate::touched;
use reduct_core::{Key, Question};
use reduct_input::{Artifact, Candidate};
use reduct_oracle::sampling::Rate;
use reduct_session::event::{Ended, Why};
use reduct_session::publish::ResultWriter;
use reduct_session::{Session, Stops};
use reduct_sources::archives::unpack;
use reduct_sources::{LoadError, load, load_published};
use reduct_strategies::{Audited, Reduction};
use std::borrow::Cow;

/// Begins a run and does it, to its end or until it is stopped.
///
/// # Errors
/// If the job cannot be understood, the input not read, or the failure does not occur. Nothing is
/// changed then.
pub fn reduce(job: &Job, force: bool, stops: Stops, audience: Audience<'_>) -> Result<RunReport, Refusal> {
    Engine(Reducing::open(job, force)?).begin(stops, audience)
}

/// A reduction to be done.
pub(crate) struct Reducing<'a> {
    setting: Setting<'a>,
    /// The input as it was given, if what is packed in it is reduced.
    original: Option<Candidate>,
}

impl<'a> Reducing<'a> {
    /// Reads what is to be reduced.
    ///
    /// # Errors
    /// If the job cannot be understood, the input not read, or the result not put where the job says.
    pub(crate) fn open(job: &'a Job, force: bool) -> Result<Reducing<'a>, Refusal> {
        job.plan()?;
        let artifact = load(&job.input_paths())?;
        check_out(job, force, Reducing::is_ours)?;
        Ok(Reducing::new(job, artifact))
    }

    /// Reads what a run was begun with.
    ///
    /// # Errors
    /// If its copy of the input cannot be read, or is not what it began with.
    pub(crate) fn of_run(job: &'a Job, run: &Run, input: Key) -> Result<Reducing<'a>, Refusal> {
        let mut problem = Reducing::new(job, run.load(input)?);
        if job.unpacked {
            problem.unpack()?;
        }
        Ok(problem)
    }

    fn new(job: &'a Job, artifact: Artifact) -> Reducing<'a> {
        let words = words_of(job, &[&artifact]);
        let setting = Setting { job: Cow::Borrowed(job), whole: Candidate::whole(artifact.into()), words };
        Reducing { setting, original: None }
    }

    /// Has something else of the input reduced.
    fn take(&mut self, whole: Candidate, is_unpacked: bool) {
        self.setting.words = words_of(&self.setting.job, &[whole.base()]);
        self.setting.whole = whole;
        if self.setting.job.unpacked != is_unpacked {
            self.setting.job.to_mut().unpacked = is_unpacked;
        }
    }
}

impl Reducing<'_> {
    /// Returns the reduction of what fails.
    fn searching(&self, artifact: Artifact) -> Result<Audited, Refusal> {
        let plan = self.setting.job.plan()?;
        // What fails only now and then needs an audit.
        Ok(if self.setting.job.repeat {
            Audited::new(artifact, plan, DOUBT)
        } else {
            Audited::plain(Reduction::new(artifact, plan))
        })
    }

    /// Returns the reduction of the whole, which asks first about what the test opens, if that is known.
    fn searching_the_whole(&self) -> Result<Audited, Refusal> {
        let job = &self.setting.job;
        let opened = touched::only(&self.setting.whole, &job.opened).filter(|_| !job.repeat);
        let Some(opened) = opened else { return self.searching(self.whole().artifact()) };
        Ok(Audited::plain(Reduction::new(self.whole().artifact(), job.plan()?).guessing(opened)))
    }
}

impl Problem for Reducing<'_> {
    type Search = Audited;

    fn is_ours(job: &Job) -> bool {
        let is_ours = |there: &Candidate| is_result_of_a_run(job.runs_folder(), &job.out, there.key());
        // Another run may have reduced what is packed in it.
        let Some(there) = published(job) else { return false };
        is_ours(&there) || unpacked(&there).ok().flatten().is_some_and(|there| is_ours(&there))
    }

    fn setting(&self) -> &Setting<'_> {
        &self.setting
    }

    fn job_mut(&mut self) -> &mut Job {
        self.setting.job.to_mut()
    }

    fn original(&self) -> &Candidate {
        self.original.as_ref().unwrap_or(&self.setting.whole)
    }

    fn unpack(&mut self) -> Result<bool, Refusal> {
        // Who reduces by bytes alone means those of the archive; and only commands are handed files.
        let job = &self.setting.job;
        let is_by_bytes = !job.search.by.is_empty() && job.search.by.iter().all(|kind| kind == "bytes");
        if is_by_bytes || job.source() != TestSource::Command {
            return Ok(false);
        }
        let Some(whole) = unpacked(&self.setting.whole)? else { return Ok(false) };
        self.original = Some(self.setting.whole.clone());
        self.take(whole, true);
        Ok(true)
    }

    fn pack_again(&mut self) {
        if let Some(original) = self.original.take() {
            self.take(original, false);
        }
    }

    fn search(&self) -> Result<Audited, Refusal> {
        self.searching_the_whole()
    }

    fn begins_with_opened(&self) -> bool {
        // A test opens archives, and nothing of what is packed in them.
        self.original.is_none() && self.setting.job.plan().is_ok_and(|plan| plan.may_begin_with_files())
    }

    fn search_from(&self, begin: Artifact) -> Option<Result<Audited, Refusal>> {
        Some(self.searching(begin).map(|search| search.of_what_is_left_of(self.whole().artifact())))
    }

    fn publisher(&self, run: &Run) -> Result<ResultWriter, Refusal> {
        Ok(ResultWriter::new(self.setting.job.out.clone(), self.setting.job.subject()?, run.folder.clone()))
    }

    /// Runs the result as the user will run it: from the disk, in a fresh folder, whatever is remembered.
    fn stands(&self, ended: &Ended) -> Option<bool> {
        Some(published(self.job())?.key() == ended.best.key())
    }

    fn confirm(&self, session: &mut Session<'_>, judge: Judge<'_>, ended: &Ended) -> Option<bool> {
        let there = published(self.job())?;
        if there.key() != ended.best.key() {
            return Some(false);
        }
        // What fails now and then is run often enough to say how often.
        if judge.policy.is_some() {
            return Some(true);
        }
        judge.fails(session, &there).ok()
    }

    fn recheck(&self, claimed: Claimed<'_>, audience: Audience<'_>) -> Result<Recheck, Refusal> {
        let job = self.job();
        let whole = Candidate::whole(load_result(job)?.into());
        let executor = executor(job, job.handed, whole.len())?;
        claimed.check_result(job, (whole, self.words().clone(), executor), audience)
    }

    fn rate(&self, session: &mut Session<'_>, judge: Judge<'_>, ended: &Ended) -> Result<Option<Rate>, Why> {
        judge.rate(session, &ended.best)
    }

    fn can_go_back(&self) -> bool {
        true
    }
}

/// Returns what stands at the place of the result.
fn published(job: &Job) -> Option<Candidate> {
    Some(Candidate::whole(load_result(job).ok()?.into()))
}

/// Reads the result of a job, as it was reduced: with what is packed in it as files, if that is so.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn load_result(job: &Job) -> Result<Artifact, Refusal> {
    let artifact = load_published(&job.out, job.subject()?.as_deref())?;
    let unpacked = if job.unpacked { unpack(&artifact).map_err(LoadError::from)? } else { None };
    Ok(unpacked.unwrap_or(artifact))
}

/// Returns the same with what is packed in its archives as files, if there is something.
fn unpacked(whole: &Candidate) -> Result<Option<Candidate>, Refusal> {
    let unpacked = unpack(whole.base()).map_err(LoadError::from)?;
    Ok(unpacked.map(|artifact| Candidate::whole(artifact.into())))
}
