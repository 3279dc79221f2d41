//! Tests as processes on this machine.
//!
//! Each slot has a thread here and a [supervisor](crate::supervisor) process. The thread writes the candidate
//! into the slot's scratch folder, asks the supervisor to run the test there, and posts what came of it. Where that is little work, and
//! the main thread has the time, that does so itself, which spares both of them to wake the other.
//! Both are started when a slot is first needed. On a [base tree](reduct_sources::BaseTree), the folder is kept and only changed where
//! candidates differ, so that builds are incremental.
//!
//! Nothing that a test starts outlives the test, and nothing at all outlives the session: not after
//! `kill -9` of this process (the supervisors see it and clean up), not after `kill -9` of a supervisor (its
//! orphans come to this process, which is therefore a child subreaper), and not after both (the next
//! session sweeps).

mod assigned;
mod choice;
mod completions;
mod folder;
pub(crate) mod given;
mod opening;
pub(crate) mod protocol;
mod scratch;
mod server;
mod setup;
mod slot;
mod stamp;
mod strays;
mod sweep;
mod traces;
mod troubles;
mod waiting;
mod wanted;
mod workdir;
mod worker;

use crate::faults::Fault;
use assigned::{Job, Terms};
use completions::Completions;
use reduct_oracle::Exit;
use reduct_session::executor::{Completion, Executor, RunId, RunRequest, Trouble};
use scratch::Scratch;
pub use scratch::{OwnFolder, sweep_all};
pub(crate) use setup::TAKEN_IN;
pub use setup::{Setup, SetupError};
use slot::Slot;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// Runs tests as processes on this machine.
pub struct Local {
    began: Instant,
    jobs: usize,
    terms: Arc<Terms>,
    slots: Vec<Slot>,
    under_way: HashMap<RunId, UnderWay>,
    /// Whether the program of the test is none of the candidate's files, and was started before: if it
    /// cannot be started now, that says nothing about the candidate.
    program_is_sound: bool,
    completions: Receiver<Completion>,
    sender: Completions,
    /// How often in a row there was something to take when the main thread was about to wait.
    at_once: u32,
    /// What tests make again and again in the folders of the slots.
    made: Arc<traces::Made>,
    // The last to be dropped: it removes the scratch folder.
    scratch: Scratch,
}

/// A test under way.
struct UnderWay {
    /// `None` if it could not even be handed to a slot.
    slot: Option<usize>,
    cancelled: Arc<AtomicBool>,
}

impl Local {
    /// Returns the scratch folder of this session.
    pub fn scratch(&self) -> &Path {
        self.scratch.root()
    }

    /// Forgets a test. `None` if it was not under way.
    fn forget(&mut self, run: RunId) -> Option<UnderWay> {
        let gone = self.under_way.remove(&run)?;
        if let Some(slot) = gone.slot {
            self.slots[slot].taken = false;
        }
        Some(gone)
    }

    /// Returns a completion, unless it is about a test that was cancelled.
    fn wanted(&mut self, completion: Completion) -> Option<Completion> {
        match completion {
            Completion::Finished(run, _) | Completion::Lost(run) | Completion::Trouble(run, _) => {
                self.forget(run).map(|_| completion)
            }
            Completion::Deadline | Completion::Woken => Some(completion),
        }
    }
}

impl Executor for Local {
    fn slots(&self) -> usize {
        self.jobs
    }

    fn start(&mut self, run: RunId, request: RunRequest) {
        let cancelled = Arc::new(AtomicBool::new(false));
        let slot = match self.slot(&request) {
            Ok(slot) => {
                let here = self.waits_itself();
                self.slots[slot].give(Job { run, request, cancelled: Arc::clone(&cancelled) }, here);
                Some(slot)
            }
            Err(error) => {
                let trouble = Trouble::NoProcess(format!("cannot start a thread: {error}"));
                self.sender.send(Completion::Trouble(run, trouble));
                None
            }
        };
        self.under_way.insert(run, UnderWay { slot, cancelled });
    }

    fn cancel(&mut self, run: RunId) {
        if let Some(UnderWay { slot: Some(slot), cancelled }) = self.forget(run) {
            self.slots[slot].cancel(run, &cancelled, self.terms.keeps_folders());
        }
    }

    fn next(&mut self, deadline: Option<Duration>) -> Completion {
        loop {
            match self.receive(deadline).map(|completion| self.wanted(completion)) {
                None => return Completion::Deadline,
                Some(Some(completion)) => return self.not_for_the_candidate(completion),
                Some(None) => {}
            }
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // All at once first, so that they end side by side.
        self.slots.iter_mut().for_each(Slot::close);
        self.slots.drain(..).for_each(Slot::join);
        self.terms.limited.sweep();
    }
}

impl Local {
    /// Returns a completion; trouble of the machine in its place if the program was there before and is not any more.
    fn not_for_the_candidate(&mut self, completion: Completion) -> Completion {
        let Completion::Finished(run, observed) = &completion else { return completion };
        let Exit::NotStarted(why) = &observed.exit else {
            self.program_is_sound |= is_elsewhere(&self.terms.invocation.argv);
            return completion;
        };
        if self.program_is_sound {
            return Completion::Trouble(*run, Trouble::Other(Fault::NotStartedAnyMore(why.clone()).to_string()));
        }
        completion
    }
}

/// Returns whether the program stands somewhere else than in the folder of the test.
fn is_elsewhere(argv: &[OsString]) -> bool {
    argv.first().is_some_and(|program| {
        let text = program.to_string_lossy();
        Path::new(program).is_absolute() || !(text.contains('/') || text.contains("{}"))
    })
}
