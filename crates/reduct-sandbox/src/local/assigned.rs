//! What the thread of a slot is given: terms that are the same for all, one test after the other, and what it shares with
//! the main thread.

use super::protocol::Orders;
use crate::confine::order::Order;
use crate::groups::Limited;
use reduct_oracle::{Invocation, Limits};
use reduct_session::executor::{RunId, RunRequest};
use reduct_sources::BaseTree;
use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
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

impl Terms {
    /// Returns whether what a test leaves in its folder is worth something to the next one, and is not undone.
    pub(super) fn keeps_folders(&self) -> bool {
        self.base_tree.as_ref().is_some_and(|base_tree| !base_tree.lays_again()) && !self.fresh
    }

    /// Returns what the supervisor of a slot is told.
    pub(super) fn orders(&self, slot: &Path) -> Orders {
        let invocation = self.invocation.clone();
        Orders {
            argv: invocation.argv,
            subject: invocation.subject.into_os_string(),
            plain: invocation.plain,
            path_argument: invocation.path_argument,
            stdin: invocation.stdin,
            build: invocation.build,
            inside: invocation.inside.into_os_string(),
            server: invocation.server,
            forks: invocation.forks,
            without: invocation.without,
            env: invocation.env,
            reference: invocation.after.reference,
            limits: self.limits,
            limited: self.limited.clone(),
            random_addresses: self.random_addresses,
            confinement: self.confinement.clone(),
            root: self.root.clone().into_os_string(),
            slot: slot.as_os_str().to_owned(),
        }
    }
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
    /// The run the supervisor has been told to do, and the way to tell it to stop. A thread that writes to
    /// that socket holds this lock, so that frames do not mix.
    sent: Mutex<Option<(RunId, Arc<UnixStream>)>>,
}

impl Shared {
    pub(super) fn sent(&self) -> MutexGuard<'_, Option<(RunId, Arc<UnixStream>)>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
