//! The thread of a slot: it prepares tests, and is connected to the supervisor that runs them.

mod after;
mod here;
mod link;
mod parts;
mod supervisors;
mod task;

use super::assigned::{Job, Shared, Terms};
use super::completions::Completions;
use super::folder::SlotFolder;
use super::given::ProcessInputs;
use super::protocol::{Blobs, Request, Step, Verdict};
use crate::faults::{Fault, Unstartable};
use after::After;
pub(super) use here::Heard;
use link::Link;
pub(super) use link::SpareServer;
pub(super) use parts::{SupervisorAnswer, TRIES, Worker};
use reduct_oracle::{Also, Exit, Observed, Used};
use reduct_session::executor::{Completion, ProcessWanted, RunId, Trouble};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use supervisors::end;
pub(super) use task::{Stage, Task};

/// How much longer a test may take under gdb.
const LOADING: Duration = Duration::from_secs(30);

impl Worker {
    pub(super) fn new(folder: SlotFolder, terms: Arc<Terms>, completions: Completions, shared: Arc<Shared>) -> Worker {
        let (link, spare, alone, is_full) = (None, None, false, false);
        Worker { folder, terms, completions, shared, link, spare, alone, is_full, retired: vec![] }
    }

    /// Runs the tests it is given until no more come.
    pub(super) fn work(worker: &Mutex<Worker>, tasks: Receiver<Task>) {
        for task in tasks {
            lock(worker).perform(task);
        }
        lock(worker).end();
    }

    fn perform(&mut self, Task { job, stage }: Task) {
        let is_begun = !matches!(stage, Stage::Whole);
        let is_wanted = is_begun || !job.cancelled.load(Ordering::Relaxed);
        if is_wanted && !self.shared.closing.load(Ordering::Relaxed) {
            let (completion, whole) = self.serve_safely(&job, stage);
            let keep = whole && !self.terms.fresh;
            // In a copy, the next test is to find what this one made undone, and where it was made.
            let learns = self.terms.base_tree.as_ref().is_some_and(|base_tree| base_tree.lays_again());
            if learns {
                self.rest_safely(keep);
                self.shared.pending.fetch_sub(1, Ordering::Relaxed);
            }
            if let Some(completion) = completion {
                // Posted before a folder is cleared, which nobody has to wait for.
                self.completions.send(completion);
            }
            if learns {
                return;
            }
            self.rest_safely(keep);
        }
        self.shared.pending.fetch_sub(1, Ordering::Relaxed);
    }

    fn end(&mut self) {
        // All are told before one is waited for.
        let links = [self.link.take(), self.spare.take()].map(|link| link.map(|Link { child, .. }| child));
        links.into_iter().flatten().chain(self.retired.drain(..)).for_each(end);
    }

    /// Clears the folder. Nothing of one that could not be cleared is used again.
    fn rest_safely(&mut self, keep: bool) {
        if catch_unwind(AssertUnwindSafe(|| self.note_test_end(keep))).is_err() {
            self.abandon();
        }
    }

    /// Returns the same as [`Worker::serve`]. A panic is trouble of this one test: were the thread to die of it, the
    /// session would wait for its completion forever.
    fn serve_safely(&mut self, job: &Job, stage: Stage) -> (Option<Completion>, bool) {
        // What was being changed is not looked at again: the supervisor is dropped, the folder cleared.
        catch_unwind(AssertUnwindSafe(|| self.serve(job, stage)))
            .unwrap_or_else(|panic| (Some(Completion::Trouble(job.run, self.recover(&*panic))), false))
    }

    /// Begins anew after a panic, and says of what.
    fn recover(&mut self, panic: &(dyn Any + Send)) -> Trouble {
        *self.shared.sent() = None;
        self.drop_spare();
        self.drop_supervisor(true);
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Trouble::Other(Fault::Panicked(text).to_string())
    }

    /// Runs a test and says what came of it, and whether the working folder can be relied on.
    fn serve(&mut self, job: &Job, stage: Stage) -> (Option<Completion>, bool) {
        self.retired.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        if matches!(stage, Stage::Whole) {
            self.is_full = false;
            if job.request.afresh {
                self.folder.forget();
            }
        }
        let (answer, also, ended) = self.build_and_test(job, stage);
        self.over(job, answer, also, ended)
    }

    /// Returns what to tell of an answer, and whether the working folder can be relied on. After trouble, a supervisor is none to go on with.
    fn over(
        &mut self,
        job: &Job,
        answer: Result<SupervisorAnswer, Trouble>,
        also: Also,
        ended: bool,
    ) -> (Option<Completion>, bool) {
        let (completion, whole) = match answer {
            Err(trouble) => (Some(Completion::Trouble(job.run, trouble)), false),
            Ok(SupervisorAnswer::Unwanted) => (None, true),
            Ok(SupervisorAnswer::Lost) => (Some(Completion::Lost(job.run)), false),
            Ok(SupervisorAnswer::Unheard) => {
                let program = self.terms.supervisor.first().map(Path::new).unwrap_or(Path::new(""));
                let fault = Fault::NoSupervisor(program.to_owned());
                (Some(Completion::Trouble(job.run, Trouble::Other(fault.to_string()))), false)
            }
            Ok(SupervisorAnswer::Report { verdict, elapsed, survivors, blobs, .. }) => {
                let full = self.is_full.then(|| Trouble::NoSpace(self.folder.path().display().to_string()));
                if survivors {
                    self.retire();
                }
                let whole = ended && full.is_none() && matches!(&verdict, Verdict::Exit(exit) if !exit.is_cut_short());
                (completion(job.run, verdict, (elapsed, also), blobs, full), whole)
            }
        };
        if matches!(completion, Some(Completion::Trouble(..))) {
            // A supervisor that began on a machine in trouble may lack what could not be had then.
            self.restart_supervisor();
        }
        (completion, whole)
    }

    /// Has the candidate tested, and does what is to be done after that; says whether that ran to its end.
    fn build_and_test(&mut self, job: &Job, stage: Stage) -> (Result<SupervisorAnswer, Trouble>, Also, bool) {
        // A server says all there is to know.
        if let Some(serving) = self.terms.invocation.server {
            return match self.link().and_then(|()| self.ask_server(job, serving)) {
                Ok((answer, process)) => (Ok(answer), Also { process, ..Also::default() }, true),
                Err(trouble) => (Err(trouble), Also::default(), true),
            };
        }
        let answer = self.build_and_test_only(job, stage);
        self.with_what_follows(job, answer)
    }

    /// Does what is to be done after a test, and returns all that is known of it.
    fn with_what_follows(
        &mut self,
        job: &Job,
        answer: Result<SupervisorAnswer, Trouble>,
    ) -> (Result<SupervisorAnswer, Trouble>, Also, bool) {
        let Ok(SupervisorAnswer::Report { verdict: Verdict::Exit(exit), used, survivors: false, blobs, .. }) = &answer
        else {
            return (answer, Also::default(), true);
        };
        match self.afterwards(job, exit, *used, blobs) {
            Ok(After::Known(also, whole)) => (answer, also, whole),
            Ok(After::Not(other)) => (Ok(other), Also::default(), true),
            Err(trouble) => (Err(trouble), Also::default(), true),
        }
    }

    /// Makes the folder hold the candidate, and has the supervisor build it, unless that was done, and test it.
    fn build_and_test_only(&mut self, job: &Job, stage: Stage) -> Result<SupervisorAnswer, Trouble> {
        let is_filled = match stage {
            Stage::Answered(answer) => return answer,
            // It was there before: if it dies, the test is lost with it.
            Stage::Told(deadline) => return Ok(self.hear_answer(deadline)),
            Stage::Filled => true,
            Stage::Whole => false,
        };
        // The supervisor is started first, for that takes a while that the writing makes use of.
        self.link()?;
        let (words, files) = ProcessInputs::of(&job.request.candidate);
        if !words.can_be {
            let exit = Exit::NotBuilt(Unstartable::NotGivable.to_string());
            let (verdict, elapsed) = (Verdict::Exit(exit), Duration::ZERO);
            return Ok(SupervisorAnswer::Report {
                verdict,
                elapsed,
                used: Used::default(),
                survivors: false,
                blobs: Blobs::default(),
            });
        }
        if !is_filled {
            self.folder.fill(&files)?;
        }
        if self.terms.invocation.build.is_some() && !self.folder.is_built(&job.request.candidate) {
            let answer = self.run_step(job, Step::Build, &words)?;
            match not_built(answer) {
                Some(answer) => return Ok(answer),
                None => self.folder.note_built(&job.request.candidate),
            }
        }
        self.run_step(job, Step::Test, &words)
    }

    /// Has a supervisor run this step, another one if it dies before it says anything.
    fn run_step(&mut self, job: &Job, step: Step, words: &ProcessInputs) -> Result<SupervisorAnswer, Trouble> {
        let mut tries = 0;
        loop {
            self.link()?;
            let request = self.request(job, step);
            match self.ask(job, &request, &words.blobs) {
                SupervisorAnswer::Unheard if tries < TRIES => tries += 1,
                answer => return Ok(answer),
            }
        }
    }
}

impl Worker {
    /// Returns what a supervisor is told to have it run this step.
    fn request(&self, job: &Job, step: Step) -> Request {
        let time = match step {
            Step::Build => self.terms.limits.build_time.or(job.request.time_limit),
            Step::Test | Step::Reference | Step::Serve => job.request.time_limit,
            // gdb takes its time to read symbols.
            Step::Backtrace(_) => job.request.time_limit.map(|time| time.saturating_add(LOADING)),
        };
        // Of builds and of what the test is compared with, nobody knows how much they need.
        let processor = job.request.processor_limit.filter(|_| step == Step::Test);
        // Before and after a search, a test is what it is for everybody: a process that was started for it alone.
        let forked = step == Step::Test && job.request.process == ProcessWanted::Reused;
        Request::Run { run: job.run.0, step, time, processor, slot: self.folder.path().to_owned(), forked }
    }
}

/// Returns the worker, which a panic leaves as one that begins anew.
fn lock(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns what a build that is over means for the test, if the test is not to be run. `None` if it is.
fn not_built(answer: SupervisorAnswer) -> Option<SupervisorAnswer> {
    match answer {
        // With a process below it that cannot be killed, this folder is none to test in.
        SupervisorAnswer::Report { verdict: Verdict::Exit(Exit::Code(0)), survivors: true, elapsed, used, blobs } => {
            let verdict = Verdict::Other(Fault::BuildSurvives.to_string());
            Some(SupervisorAnswer::Report { verdict, survivors: true, elapsed, used, blobs })
        }
        SupervisorAnswer::Report { verdict: Verdict::Exit(exit), elapsed, used, survivors, blobs } => {
            let verdict = Verdict::Exit(Exit::of_build(exit)?);
            Some(SupervisorAnswer::Report { verdict, elapsed, used, survivors, blobs })
        }
        other => Some(other),
    }
}

/// Returns what to tell of a run.
fn completion(
    run: RunId,
    verdict: Verdict,
    (elapsed, also): (Duration, Also),
    blobs: Blobs,
    full: Option<Trouble>,
) -> Option<Completion> {
    let trouble = match (verdict, full) {
        (Verdict::Cancelled, _) => return None,
        (_, Some(full)) => full,
        (Verdict::Exit(exit), None) => {
            let [stdout, stderr] = blobs;
            return Some(Completion::Finished(run, Box::new(Observed { exit, stdout, stderr, elapsed, also })));
        }
        (Verdict::NoServer, None) => Trouble::Other(Fault::NoServer.to_string()),
        (Verdict::NoProcess(message), None) => Trouble::NoProcess(message),
        (Verdict::NoDescriptor(message), None) => Trouble::NoDescriptor(message),
        (Verdict::Other(message), None) => Trouble::Other(message),
    };
    Some(Completion::Trouble(run, trouble))
}
