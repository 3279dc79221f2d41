//! A slot, as the main thread sees it.

use super::assigned::{Job, Shared, Terms};
use super::completions::Completions;
use super::folder::SlotFolder;
use super::protocol::{Request, send};
use super::worker::{Heard, Stage, Task, Worker};
use reduct_core::{Key, Question};
use reduct_session::executor::{Completion, RunId};
use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Enough for a thread that recurses nowhere, but on which archives are packed, whose encoders take half of it in a build
/// that is not optimized; and for one on which somebody else lays a base tree. What is not used costs addresses alone.
const STACK: [usize; 2] = [1 << 20, 2 << 20];

/// A slot, as the main thread sees it.
pub(super) struct Slot {
    /// Whether a test is under way in it whose outcome is wanted.
    pub taken: bool,
    /// The candidate it was given last.
    pub last: Option<Key>,
    /// The run it was given last.
    pub last_run: Option<RunId>,
    tasks: Option<Sender<Task>>,
    shared: Arc<Shared>,
    worker: Arc<Mutex<Worker>>,
    /// What the main thread waits for itself.
    here: Option<Here>,
    /// How many tests are left to the thread after one that has taken long, and how many still are.
    pause: u32,
    left: u32,
    thread: JoinHandle<()>,
}

/// A test that runs, for which the main thread waits.
struct Here {
    job: Job,
    socket: Arc<UnixStream>,
    /// When the supervisor is to have answered.
    deadline: Option<Instant>,
    /// Since when it runs.
    since: Instant,
}

/// So many tests at most are left to the thread after one of which the folder has taken long to be cleared.
const LONGEST_PAUSE: u32 = 64;

/// After so long, the thread of the slot goes on to wait for a test: it sees to it that no supervisor is waited for in vain.
const PATIENCE: Duration = Duration::from_millis(100);

impl Slot {
    pub(super) fn start(folder: SlotFolder, terms: Arc<Terms>, completions: Completions) -> io::Result<Slot> {
        let shared = Arc::new(Shared::default());
        let (sender, tasks) = channel();
        let stack = STACK[usize::from(terms.base_tree.is_some())];
        let worker = Arc::new(Mutex::new(Worker::new(folder, terms, completions, Arc::clone(&shared))));
        let works = Arc::clone(&worker);
        let thread = Builder::new().name("slot".into()).stack_size(stack).spawn(move || Worker::work(&works, tasks))?;
        let (taken, last, last_run, here) = (false, None, None, None);
        Ok(Slot { taken, last, last_run, tasks: Some(sender), shared, worker, here, pause: 0, left: 0, thread })
    }

    /// Hands it a test, to be run when what it has is over. If it may be begun `here`, the main thread does what is to be done, where
    /// that is little, and has to wait for it.
    pub(super) fn give(&mut self, job: Job, here: bool) {
        // Where no other slot can be had, this one may have a test that runs: the thread takes both, one after the other.
        self.leave_wait();
        let was_idle = self.is_idle();
        self.taken = true;
        self.last = Some(job.request.candidate.key());
        self.last_run = Some(job.run);
        self.shared.pending.fetch_add(1, Ordering::Relaxed);
        let here = here && was_idle && self.left == 0;
        self.left = self.left.saturating_sub(1);
        let begun = match self.free_worker().filter(|_| here) {
            Some(mut worker) => worker.begin_here(&job),
            None => (Stage::Whole, None),
        };
        match begun {
            (Stage::Told(deadline), Some(socket)) => {
                self.here = Some(Here { job, socket, deadline, since: Instant::now() });
            }
            (stage, _) => self.leave(Task { job, stage }),
        }
    }

    /// Leaves a test to the thread.
    fn leave(&self, task: Task) {
        if let Some(tasks) = &self.tasks {
            // The thread lives as long as this sender.
            let _ = tasks.send(task);
        }
    }

    /// Returns the worker, unless the thread is at work with it.
    fn free_worker(&self) -> Option<MutexGuard<'_, Worker>> {
        match self.worker.try_lock() {
            Ok(worker) => Some(worker),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Returns on what the main thread is to wait, and until when.
    pub(super) fn waits_here(&self) -> Option<(&UnixStream, Instant)> {
        self.here.as_ref().map(|here| (&*here.socket, here.since + PATIENCE))
    }

    /// Leaves the test that the main thread waits for to the thread, if there is one.
    pub(super) fn leave_wait(&mut self) {
        if let Some(Here { job, deadline, .. }) = self.here.take() {
            self.leave(Task { job, stage: Stage::Told(deadline) });
        }
    }

    /// Takes what has come for the test that the main thread waits for. `None` if there is nothing to tell, or not yet.
    pub(super) fn hear(&mut self) -> Option<Completion> {
        let Here { job, deadline, .. } = self.here.take()?;
        let heard = match self.free_worker() {
            Some(mut worker) => worker.hear_here(&job, deadline),
            None => Heard::Left(Stage::Told(deadline)),
        };
        match heard {
            Heard::All { completion, slow } => {
                self.pause = if slow { (2 * self.pause).clamp(1, LONGEST_PAUSE) } else { self.pause / 2 };
                self.left = if slow { self.pause } else { 0 };
                completion
            }
            Heard::Left(stage) => {
                self.leave(Task { job, stage });
                None
            }
        }
    }

    pub(super) fn pending(&self) -> usize {
        self.shared.pending.load(Ordering::Relaxed)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.pending() == 0
    }

    /// Stops a test: before it begins if there is still time, else by way of the supervisor.
    ///
    /// With `spare`, what runs already goes on to its end, though nobody hears of it, and what is to run next in
    /// this slot waits. For a process that is killed in the middle of a build leaves half a file somewhere, so that the
    /// next test would have to build everything anew, which takes longer than what is left of this one: at most
    /// its time limit. Only the test after a build is not begun any more.
    pub(super) fn cancel(&mut self, run: RunId, cancelled: &AtomicBool, spare: bool) {
        self.leave_wait();
        let sent = self.shared.sent();
        cancelled.store(true, Ordering::Relaxed);
        if spare {
            return;
        }
        if let Some((sent, socket)) = &*sent
            && *sent == run
        {
            // If this fails, the supervisor is dead, and its thread is about to see it.
            let _ = send(socket, &Request::Cancel { run: run.0 }, [b"", b""]);
        }
    }

    /// Makes it end as soon as it can.
    pub(super) fn close(&mut self) {
        self.tasks = None;
        self.shared.closing.store(true, Ordering::Relaxed);
        if let Some((_, socket)) = &*self.shared.sent() {
            // The supervisor sees the end of the socket and kills its test, and the thread sees it too.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    /// Waits for its end.
    pub(super) fn join(self) {
        // A thread that has panicked has nothing more to say.
        let _ = self.thread.join();
    }
}
