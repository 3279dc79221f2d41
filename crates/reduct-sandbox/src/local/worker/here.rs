//! A test for which the main thread does itself what the thread of the slot would do, so that neither has to wake the other: one of
//! a small candidate, below a supervisor that is there. Whatever is out of the ordinary is left to the thread, with what was done.

use super::parts::{SupervisorAnswer, Worker};
use super::supervisors::Told;
use super::task::Stage;
use crate::local::assigned::Job;
use crate::local::given::ProcessInputs;
use crate::local::protocol::{Step, Verdict};
use reduct_input::Candidate;
use reduct_session::executor::Completion;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A candidate that is larger, or of more files, takes so long to be written that the main thread has better things to do.
const LARGEST: usize = 64 << 10;
const MOST_FILES: usize = 16;

/// A folder that takes longer than this to be cleared has much in it, or this thread is kept from work.
const LONG: Duration = Duration::from_millis(5);

/// What came of a test for which the main thread does all.
pub(in super::super) enum Heard {
    /// All is known of it. It is slow if its folder has taken long to be cleared.
    All { completion: Option<Completion>, slow: bool },
    /// There is more to do.
    Left(Stage),
}

impl Worker {
    /// Writes the candidate and tells the supervisor to run the test, where that takes no time. Returns how far it came, and the socket on
    /// which there is an answer if it came so far.
    pub(in super::super) fn begin_here(&mut self, job: &Job) -> (Stage, Option<Arc<UnixStream>>) {
        let begun = catch_unwind(AssertUnwindSafe(|| self.fill_and_tell(job)));
        let stage = begun.unwrap_or_else(|panic| Stage::Answered(Err(self.recover(&*panic))));
        let is_told = matches!(stage, Stage::Told(_));
        (stage, self.link.as_ref().filter(|_| is_told).map(|link| Arc::clone(&link.socket)))
    }

    fn fill_and_tell(&mut self, job: &Job) -> Stage {
        let invocation = &self.terms.invocation;
        let is_plain = invocation.server.is_none() && invocation.build.is_none() && self.terms.base_tree.is_none();
        let is_met = self.link.as_ref().is_some_and(|link| link.met);
        if !is_plain || !is_met || !is_small(&job.request.candidate) {
            return Stage::Whole;
        }
        let (words, files) = ProcessInputs::of(&job.request.candidate);
        if !words.can_be {
            return Stage::Whole;
        }
        self.is_full = false;
        if let Err(trouble) = self.folder.fill(&files) {
            return Stage::Answered(Err(trouble));
        }
        let request = self.request(job, Step::Test);
        match self.tell(job, &request, &words.blobs) {
            Told::Until(deadline) => Stage::Told(deadline),
            Told::Not | Told::Unwanted => Stage::Filled,
        }
    }

    /// Takes what the supervisor has answered, which is to do so until the deadline, and clears the folder.
    pub(in super::super) fn hear_here(&mut self, job: &Job, deadline: Option<Instant>) -> Heard {
        catch_unwind(AssertUnwindSafe(|| self.hear_and_clear(job, deadline)))
            .unwrap_or_else(|panic| Heard::Left(Stage::Answered(Err(self.recover(&*panic)))))
    }

    fn hear_and_clear(&mut self, job: &Job, deadline: Option<Instant>) -> Heard {
        let Some(answer) = self.hear_answer_at_once() else { return Heard::Left(Stage::Told(deadline)) };
        let is_all = match &answer {
            SupervisorAnswer::Report {
                verdict: Verdict::Exit(exit),
                survivors: false,
                blobs: [stdout, stderr],
                ..
            } => !self.is_full && self.is_all(job, exit, [stdout, stderr]),
            _ => false,
        };
        if !is_all {
            return Heard::Left(Stage::Answered(Ok(answer)));
        }
        let (answer, also, ended) = self.with_what_follows(job, Ok(answer));
        let (completion, whole) = self.over(job, answer, also, ended);
        let begin = Instant::now();
        self.rest_safely(whole && !self.terms.fresh);
        self.shared.pending.fetch_sub(1, Ordering::Relaxed);
        Heard::All { completion, slow: begin.elapsed() > LONG }
    }
}

fn is_small(candidate: &Candidate) -> bool {
    candidate.len() <= LARGEST && candidate.entry_count() <= MOST_FILES
}
