//! The options of a builder, a method each.

use super::{Builder, Test};
use crate::job::{Job, VersionOptions};
use crate::options::search_options;
use reduct_session::event::{Event, Observer};
use reduct_session::executor::Control;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

impl<'a> Builder<'a> {
    search_options!(job.search);

    /// Runs this test. Without one there is nothing to run.
    pub fn test(mut self, test: Test) -> Self {
        self.job = test.of(self.job);
        self
    }

    /// Reduces this file or folder too: then tests find all inputs in their folder, under their names.
    pub fn input(mut self, input: impl Into<PathBuf>) -> Self {
        self.job.inputs.push(input.into());
        self
    }

    /// Takes relative paths from this folder, instead of the current one.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.job.folder = folder.into();
        self
    }

    /// Runs so many tests at a time: by default as many as there are cores. The result is the same.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.job.jobs = Some(jobs.max(1));
        self
    }

    /// Stops after so many tests, with the best so far: the same at any number of jobs.
    pub fn tests(mut self, tests: u64) -> Self {
        self.stops.tests = Some(tests);
        self
    }

    /// Stops after this time, with the best so far.
    pub fn time(mut self, time: Duration) -> Self {
        self.stops.time = Some(time);
        self
    }

    /// Stops when the last so many tests made the input smaller by less than so many percent.
    pub fn stall(mut self, tests: u64, percent: u64) -> Self {
        self.stops.stall = Some((tests, percent));
        self
    }

    /// Puts the result here as well, from the first success on. What stands there is not replaced, unless it is a result
    /// of an earlier run that was kept, or [`Builder::force`] says so.
    pub fn out(mut self, out: impl Into<PathBuf>) -> Self {
        (self.out, self.job.in_place) = (Some(out.into()), false);
        self
    }

    /// Replaces the input by the result, and keeps the original beside it, with `.orig` at the end of its name. For one
    /// input that is reduced.
    pub fn in_place(mut self) -> Self {
        (self.out, self.job.in_place) = (None, true);
        self
    }

    /// Replaces what stands at the place of the result.
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// Keeps the journal of the run in `.reduct` below [`Builder::folder`], as the command does, so that it can be
    /// resumed, replayed and verified. By default it is removed at the end.
    pub fn keep_runs(mut self, keeps: bool) -> Self {
        (self.keeps, self.job.runs) = (keeps, None);
        self
    }

    /// Keeps the journal likewise, below this folder.
    pub fn runs_in(mut self, folder: impl Into<PathBuf>) -> Self {
        (self.keeps, self.job.runs) = (true, Some(folder.into()));
        self
    }

    /// Uses the outcomes of earlier runs of the same test that were kept.
    pub fn reuse(mut self, reuse: bool) -> Self {
        self.job.reuse = reuse;
        self
    }

    /// Runs a test again when the search repeats it, if not `remember`.
    pub fn remember(mut self, remember: bool) -> Self {
        self.job.cache = remember;
        self
    }

    /// Has folders for tests made here, instead of where it is best.
    pub fn scratch(mut self, folder: impl Into<PathBuf>) -> Self {
        self.job.scratch = Some(folder.into());
        self
    }

    /// Waits so long for trouble outside the tests to pass, such as a full disk: by default a minute.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.job.patience = patience;
        self
    }

    /// Compares versions like this: of [`changes`](crate::changes()) and [`changes_since`](crate::changes_since).
    pub fn comparing(mut self, comparing: VersionOptions) -> Self {
        self.job.comparing = comparing;
        self
    }

    /// Builds each version with this command before the test: of [`changes`](crate::changes()) and [`changes_since`](crate::changes_since).
    pub fn build(mut self, command: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.job.comparing.build = command.into_iter().map(Into::into).collect();
        self
    }

    /// Calls this for each event, on the calling thread.
    pub fn on_event(self, on_event: impl FnMut(&Event) + 'a) -> Self {
        self.observe(Calling(on_event))
    }

    /// Shows each event to this observer, such as those of `reduct-report`.
    pub fn observe(mut self, observer: impl Observer + 'a) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Calls this with a handle by which another thread can stop the search or skip a phase; once or more often, each
    /// time for a new place where tests run.
    pub fn control(mut self, control: impl FnMut(Control) + 'a) -> Self {
        self.control = Box::new(control);
        self
    }

    /// Returns the job as it is now, for options that have no method here; [`Builder::job`] takes it back.
    pub fn to_job(&self) -> Job {
        self.job.clone()
    }

    /// Does this job instead, with its own place for the result.
    pub fn job(mut self, job: Job) -> Self {
        self.out = Some(job.out.clone()).filter(|out| !out.as_os_str().is_empty());
        self.job = job;
        self
    }
}

/// An observer that is a function.
struct Calling<F>(F);

impl<F: FnMut(&Event)> Observer for Calling<F> {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        (self.0)(event);
        Ok(())
    }
}
