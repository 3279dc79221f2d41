//! An executor that is ready, and what sessions need to know and to keep beside it.

use super::{Control, Executor, ProcessWanted, Requests, RunRequest};
use crate::confinement::{Confinement, OutsideChanges, Strength};
use crate::event::Observer;
use reduct_input::Candidate;
use reduct_oracle::Backtraces;
use reduct_sources::BaseTree;
use std::sync::Arc;
use std::time::Duration;

/// An executor that is ready, with what is said of it by whatever opened it, and the terms on which sessions have it run
/// tests, one session after the other.
pub struct Opened<E: Executor + ?Sized = dyn Executor> {
    /// What all candidates stand on, if they stand on anything.
    pub base_tree: Option<Arc<dyn BaseTree>>,
    /// Whether the addresses in the memory of tests are others in each run, though they were to be the same.
    pub has_random_addresses: bool,
    /// What tests may do outside of their folders, and how far the system sees to it; `None`: they are not confined.
    pub confined: Option<(Confinement, Strength)>,
    /// Returns what tests have done outside of their folders, where they see copies.
    pub elsewhere: Option<LookElsewhere>,
    /// How long each test may run.
    pub time_limit: Option<Duration>,
    /// How much processor time each test may use, with all its children.
    pub processor_limit: Option<Duration>,
    /// When backtraces are taken, where they can be.
    pub backtraces: Backtraces,
    /// How often a process that had run other tests before said that a candidate fails, and a fresh one said otherwise.
    pub leaks: u64,
    /// Whether nothing that other tests have made may stand in the folder of a test from here on.
    pub afresh: bool,
    /// What a person sees of the session that goes on here, beside the questions.
    pub screen: Option<Box<dyn Observer>>,
    /// What is asked of the session that goes on here, or of the next one.
    pub requests: Requests,
    /// Has [`Executor::next`] return.
    pub waker: Waker,
    /// Whether it does, also while no test is under way: so something else than tests can be waited for.
    pub wakes: bool,
    /// What runs the tests.
    pub executor: E,
}

/// Returns what tests have done in copies of folders.
pub type LookElsewhere = Box<dyn Fn() -> OutsideChanges>;

/// Has a call of [`Executor::next`] return [`Completion::Woken`](super::Completion::Woken) that waits, or else the next one;
/// from any thread. Where nobody can, it does nothing: requests are then taken when a test has ended.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

impl<E: Executor> Opened<E> {
    /// Returns an executor that is ready, on no base tree, for tests without limits. Nobody wakes it.
    pub fn new(executor: E) -> Opened<E> {
        Opened {
            base_tree: None,
            has_random_addresses: false,
            confined: None,
            elsewhere: None,
            time_limit: None,
            processor_limit: None,
            backtraces: Backtraces::Never,
            leaks: 0,
            afresh: false,
            screen: None,
            requests: Requests::default(),
            waker: Arc::new(|| {}),
            wakes: false,
            executor,
        }
    }
}

impl<E: Executor + ?Sized> Opened<E> {
    /// Returns what all candidates stand on, if they stand on anything.
    pub fn base_tree(&self) -> Option<&dyn BaseTree> {
        self.base_tree.as_deref()
    }

    /// Returns what tests have done outside of their folders so far, where they see copies.
    pub fn elsewhere(&self) -> OutsideChanges {
        self.elsewhere.as_ref().map(|look| look()).unwrap_or_default()
    }

    /// Returns how many tests can run at a time.
    pub fn slots(&self) -> usize {
        self.executor.slots()
    }

    /// Returns a handle through which something can be asked of the session that goes on here, or of the next one. It is
    /// heard at once, also while the session waits for tests.
    pub fn control(&self) -> Control {
        let (requests, waker) = (self.requests.clone(), Arc::clone(&self.waker));
        Control::new(move |request| {
            requests.put(request);
            waker();
        })
    }

    /// Returns the request for the run of this number of a candidate, on the terms of the time.
    pub(crate) fn request(&self, candidate: &Candidate, attempt: u32, process: ProcessWanted) -> RunRequest {
        RunRequest {
            candidate: candidate.clone(),
            attempt,
            time_limit: self.time_limit,
            processor_limit: self.processor_limit,
            backtraces: self.backtraces,
            process,
            afresh: self.afresh,
        }
    }
}
