//! What comes after a test, in the same slot: the command it is compared with, and the place where it died.

use super::parts::{SupervisorAnswer, Worker};
use crate::local::assigned::Job;
use crate::local::given::ProcessInputs;
use crate::local::protocol::{Blobs, Step, Verdict};
use crate::supervisor::debugger;
use reduct_oracle::signature::{hidden_death, says_where};
use reduct_oracle::{Also, Death, Exit, Limit, Ran, Used};
use reduct_session::executor::Trouble;

/// A test that had the processor for this share of its time was not kept from it by others.
const BUSY: f64 = 0.9;

/// What is known after a test, or what kept it from being known.
pub(super) enum After {
    /// And whether all of it ran to its end, so that the working folder can be relied on.
    Known(Also, bool),
    Not(SupervisorAnswer),
}

impl Worker {
    /// Returns whether nothing is to be done after a test that ended so.
    pub(super) fn is_all(&self, job: &Job, exit: &Exit, outputs: [&[u8]; 2]) -> bool {
        self.terms.invocation.after.reference.is_none() && death_to_look_into(job, exit, outputs).is_none()
    }

    /// Has done what is to be done after a test that ended so.
    pub(super) fn afterwards(
        &mut self,
        job: &Job,
        exit: &Exit,
        used: Used,
        [stdout, stderr]: &Blobs,
    ) -> Result<After, Trouble> {
        let was_busy = *exit == Exit::Limit(Limit::Time) && was_busy(used, job);
        let (mut also, mut whole) = (Also { used, was_busy, ..Also::default() }, true);
        if self.is_all(job, exit, [stdout, stderr]) {
            return Ok(After::Known(also, whole));
        }
        let (words, files) = ProcessInputs::of(&job.request.candidate);
        if self.terms.invocation.after.reference.is_some() && !matches!(exit, Exit::Limit(_) | Exit::NotStarted(_)) {
            match self.run_step(job, Step::Reference, &words)? {
                SupervisorAnswer::Report {
                    verdict: Verdict::Exit(exit), survivors: false, blobs: [stdout, _], ..
                } => {
                    whole &= !exit.is_cut_short();
                    also.reference = Some(Box::new(Ran { exit, stdout }));
                }
                other => return Ok(After::Not(other)),
            }
        }
        let mut asked = death_to_look_into(job, exit, [stdout, stderr]);
        while let Some(death) = asked {
            // The test may have changed what it found, and is run once more.
            if self.terms.base_tree.is_none() {
                self.note_test_end(false);
                self.folder.fill(&files)?;
            }
            match self.run_step(job, Step::Backtrace(death), &words)? {
                SupervisorAnswer::Report { verdict: Verdict::Exit(exit), survivors: false, blobs, .. } => {
                    whole &= !exit.is_cut_short();
                    let found = debugger::backtrace(&exit, &blobs).map_err(|why| why.to_string());
                    asked = found.as_ref().ok().and_then(|frames| debugger::passed_on(death, frames));
                    if also.backtrace.is_none() || found.is_ok() {
                        also.backtrace = Some(found);
                    }
                }
                other => return Ok(After::Not(other)),
            }
        }
        Ok(After::Known(also, whole))
    }
}

/// Returns the death of which gdb is to be asked. If the output says where it died, it need not be.
fn death_to_look_into(job: &Job, exit: &Exit, [stdout, stderr]: [&[u8]; 2]) -> Option<Death> {
    let wanted = job.request.backtraces.wanted(exit, || hidden_death(exit, stderr, stdout));
    wanted.filter(|_| !says_where(exit, stderr, stdout))
}

/// Returns whether a test that reached its time limit had the processor nearly all that time.
fn was_busy(used: Used, job: &Job) -> bool {
    job.request.processor_limit.is_some_and(|limit| used.processor >= limit)
        || job.request.time_limit.is_some_and(|limit| used.processor >= limit.mul_f64(BUSY))
}
