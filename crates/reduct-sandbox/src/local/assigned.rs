//! What the thread of a slot is given: terms that are the same for all, one test after the other, and what it shares with
//! the main thread.

use reduct_input::Candidate;
use reduct_oracle::Oracle;
use reduct_oracle::{Backtraces, Invocation, Limits};
use reduct_session::executor::RunId;
use reduct_sources::Ground;
use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

/// What is the same for all slots.
pub(super) struct Terms {
    pub invocation: Invocation,
    pub limits: Limits,
    pub root: PathBuf,
    pub ground: Option<Arc<dyn Ground>>,
    pub fresh: bool,
    pub warden: Vec<OsString>,
    pub random_addresses: bool,
    /// Who says what runs mean, while a search goes on.
    pub judge: RwLock<Option<Arc<Oracle>>>,
    /// How often a server and a fresh one did not agree that a candidate fails.
    pub leaks: AtomicU64,
}

impl Terms {
    pub(super) fn judge(&self) -> Option<Arc<Oracle>> {
        self.judge.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_judge(&self, oracle: Option<&Oracle>) {
        *self.judge.write().unwrap_or_else(PoisonError::into_inner) = oracle.cloned().map(Arc::new);
    }
}

/// A test to be run.
pub(super) struct Job {
    pub run: RunId,
    pub candidate: Candidate,
    pub time: Option<Duration>,
    /// How much processor time it may use.
    pub processor: Option<Duration>,
    pub cancelled: Arc<AtomicBool>,
    /// Of whom a backtrace is taken.
    pub backtraces: Backtraces,
}

/// What the main thread and the thread of the slot share.
#[derive(Default)]
pub(super) struct Shared {
    /// How many jobs were given and are not over, the clearing up included.
    pub pending: AtomicUsize,
    pub closing: AtomicBool,
    /// The run the warden has been told to do, and the way to tell it to stop. Whoever writes to that
    /// socket holds this lock, so that frames do not mix.
    sent: Mutex<Option<(RunId, Arc<UnixStream>)>>,
}

impl Shared {
    pub(super) fn sent(&self) -> MutexGuard<'_, Option<(RunId, Arc<UnixStream>)>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
