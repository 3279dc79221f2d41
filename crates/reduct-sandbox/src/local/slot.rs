//! A slot, as the main thread sees it.

use super::assigned::{Job, Shared, Terms};
use super::folder::SlotFolder;
use super::protocol::{Request, send};
use super::worker::Worker;
use reduct_core::{Key, Question};
use reduct_session::executor::{Completion, RunId};
use std::io;
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};

/// Enough for a thread that recurses nowhere, so that many slots cost little; and for one on which somebody else
/// lays a base tree.
const STACK: [usize; 2] = [256 << 10, 2 << 20];

/// A slot, as the main thread sees it.
pub(super) struct Slot {
    /// Whether a test is under way in it whose outcome is wanted.
    pub taken: bool,
    /// The candidate it was given last.
    pub last: Option<Key>,
    /// The run it was given last.
    pub last_run: Option<RunId>,
    jobs: Option<Sender<Job>>,
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

impl Slot {
    pub(super) fn start(folder: SlotFolder, terms: Arc<Terms>, completions: Sender<Completion>) -> io::Result<Slot> {
        let shared = Arc::new(Shared::default());
        let (sender, jobs) = channel();
        let stack = STACK[usize::from(terms.base_tree.is_some())];
        let worker = Worker::new(folder, terms, completions, Arc::clone(&shared));
        let thread = Builder::new().name("slot".into()).stack_size(stack).spawn(|| worker.work(jobs))?;
        Ok(Slot { taken: false, last: None, last_run: None, jobs: Some(sender), shared, thread })
    }

    /// Hands it a test, to be run when what it has is over.
    pub(super) fn give(&mut self, job: Job) {
        self.taken = true;
        self.last = Some(job.request.candidate.key());
        self.last_run = Some(job.run);
        self.shared.pending.fetch_add(1, Ordering::Relaxed);
        if let Some(jobs) = &self.jobs {
            // The thread lives as long as this sender.
            let _ = jobs.send(job);
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
    pub(super) fn cancel(&self, run: RunId, cancelled: &AtomicBool, spare: bool) {
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
        self.jobs = None;
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
