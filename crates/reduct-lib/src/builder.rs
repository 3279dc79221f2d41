//! A builder: a job with its options, which it does.

mod helper;
mod options;
mod questions;
pub(crate) mod refused;
mod result;
mod scratch;
mod test;

use crate::audience::Audience;
use crate::begin::begin;
use crate::errors::Refusal;
use crate::goal::Goal;
use crate::job::Job;
pub use helper::{run_if_asked, use_supervisor};
pub use questions::{changes, changes_since, isolate, minima, reduce};
use reduct_sandbox::supervisor;
use reduct_session::Stops;
use reduct_session::event::Observer;
use reduct_session::executor::Control;
pub use refused::BuilderError;
pub use result::JobResult;
use scratch::Scratch;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
pub use test::Test;

/// A job with its options: see [`reduce`] and its like. By default it leaves nothing on disk: what is found is in the
/// [`JobResult`].
pub struct Builder<'a> {
    job: Job,
    stops: Stops,
    force: bool,
    out: Option<PathBuf>,
    keeps: bool,
    observers: Vec<Box<dyn Observer + 'a>>,
    control: Box<dyn FnMut(Control) + 'a>,
}

impl<'a> Builder<'a> {
    fn new(inputs: Vec<PathBuf>, goal: Goal) -> Builder<'a> {
        let job = Job::new(inputs, vec![], PathBuf::new());
        let (stops, observers) = (Stops::default(), vec![]);
        let control = Box::new(|_| {});
        Builder { job: Job { goal, ..job }, stops, force: false, out: None, keeps: false, observers, control }
    }

    /// Does the job, to its end or to a limit.
    ///
    /// # Errors
    /// If the job cannot be understood, an input not read, or the failure does not occur; and if neither
    /// [`run_if_asked`] was called nor [`use_supervisor`]. Nothing is changed then.
    pub fn run(mut self) -> Result<JobResult, Refusal> {
        if self.job.command.is_empty() && self.job.ask.is_none() {
            return Err(BuilderError::NoTest.into());
        }
        if !supervisor::is_there() {
            return Err(Refusal::NoSupervisor);
        }
        let scratch = self.choose_places()?;
        let views: Vec<&mut dyn Observer> =
            self.observers.iter_mut().map(|observer| &mut **observer as &mut dyn Observer).collect();
        let audience = Audience { views, requests: self.control };
        let report = begin(&self.job, self.force, self.stops, audience)?;
        let is_kept = (self.job.in_place || self.out.is_some(), self.keeps);
        let result = JobResult::of(report, is_kept);
        drop(scratch);
        result
    }

    /// Chooses all places. Returns the folder in which what is not kept stands.
    fn choose_places(&mut self) -> Result<Scratch, Refusal> {
        let folder = std::path::absolute(&self.job.folder).map_err(Refusal::io("find", &self.job.folder))?;
        let scratch = Scratch::new()?;
        self.job.runs = match (self.keeps, self.job.runs.take()) {
            (true, runs) => runs.map(|runs| folder.join(runs)),
            (false, _) => Some(scratch.path().to_owned()),
        };
        self.job.out = match (&self.out, self.job.in_place) {
            (Some(out), _) => folder.join(out),
            (None, true) => folder.join(self.only_input()?),
            // Called like the input, so that what is one file is found under its name.
            (None, false) => scratch.path().join("out").join(self.name()),
        };
        self.job.folder = folder;
        if let Some(runs) = &self.job.runs {
            std::fs::create_dir_all(runs).map_err(Refusal::io("make", runs))?;
        }
        Ok(scratch)
    }

    /// Returns the input that is replaced.
    fn only_input(&self) -> Result<&Path, Refusal> {
        match &self.job.inputs[..] {
            [input] if self.job.goal.is_reduction() => Ok(input),
            _ => Err(BuilderError::NotReplaceable.into()),
        }
    }

    fn name(&self) -> OsString {
        let named = match &self.job.inputs[..] {
            [input] if self.job.goal.is_reduction() => input.file_name(),
            _ => None,
        };
        named.map_or_else(|| "result".into(), ToOwned::to_owned)
    }
}
