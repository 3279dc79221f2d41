//! What the thread of a slot is given: terms that are the same for all, one test after the other, and what it shares with
//! the main thread.

use crate::confine::order::Order;
use crate::groups::Limited;
use reduct_oracle::{Invocation, Limits};
use reduct_session::executor::{RunId, RunRequest};
use reduct_sources::BaseTree;
use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is the same for all slots.
pub(super) struct Terms {
    pub invocation: Invocation,
    pub limits: Limits,
    /// What the kernel holds a test to.
    pub limited: Limited,
    pub root: PathBuf,
    pub base_tree: Option<Arc<dyn BaseTree>>,
    pub fresh: bool,
    pub supervisor: Vec<OsString>,
    pub random_addresses: bool,
    pub confinement: Option<Order>,
}

/// A test to be run.
pub(super) struct Job {
    pub run: RunId,
    pub request: RunRequest,
    pub cancelled: Arc<AtomicBool>,
}

/// What the main thread and the thread of the slot share.
#[derive(Default)]
pub(super) struct Shared {
    /// How many jobs were given and are not over, the clearing up included.
    pub pending: AtomicUsize,
    pub closing: AtomicBool,
    /// The run the supervisor has been told to do, and the way to tell it to stop. Whoever writes to that
    /// socket holds this lock, so that frames do not mix.
    sent: Mutex<Option<(RunId, Arc<UnixStream>)>>,
}

impl Shared {
    pub(super) fn sent(&self) -> MutexGuard<'_, Option<(RunId, Arc<UnixStream>)>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
