//! Where tests run: the trait, and what comes of a test.

mod control;
mod opened;
pub mod person;
pub mod simulated;

pub use control::{Control, Request, Requests};
pub use opened::{LookElsewhere, Opened, Waker};
use reduct_input::Candidate;
use reduct_oracle::{Backtraces, Observed};
use std::time::Duration;

/// A place where tests run: this machine, a simulation; later a cluster or a person.
///
/// It may be far away, slow, lossy and answer out of order: nothing above it assumes otherwise. It runs what it is
/// asked to, and knows of no search, failure or event.
pub trait Executor {
    /// Returns how many tests can run at a time.
    fn slots(&self) -> usize;

    /// Starts a test. Never blocks for as long as a test runs. At most [`Executor::slots`] tests may
    /// be under way.
    fn start(&mut self, run: RunId, request: RunRequest);

    /// Stops a test whose outcome is no longer wanted. Its slot is free again; no completion follows,
    /// or one that is already on its way.
    fn cancel(&mut self, run: RunId);

    /// Waits for the next thing that happens, until `deadline` on [`Executor::now`]'s clock at the latest, or until it
    /// is woken.
    fn next(&mut self, deadline: Option<Duration>) -> Completion;

    /// Returns the time since this executor began. Virtual in a simulation.
    fn now(&self) -> Duration;
}

/// A run of a test, as the session asks for it.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// What is tested.
    pub candidate: Candidate,
    /// Which run of this candidate it is, from 0. Only an executor that makes chance from a seed has a use for it.
    pub attempt: u32,
    /// How long it may run; `None`: as long as it likes.
    pub time_limit: Option<Duration>,
    /// How much processor time it may use, with all its children. It is the limit that a busy machine does not move.
    pub processor_limit: Option<Duration>,
    /// When a backtrace is taken, where one can be.
    pub backtraces: Backtraces,
    /// Which process is to run it, where one can run test after test.
    pub process: ProcessWanted,
    /// Whether nothing that other tests have made may stand in its folder, where one is kept from test to test.
    pub afresh: bool,
}

/// Which process is to run a test. Where each test has a process of its own anyway, one that may be reused may also be forked by another one;
/// all else means the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProcessWanted {
    /// One that is started for it.
    #[default]
    Fresh,
    /// One that has run other tests before, if there is one.
    Reused,
    /// One that is started for it, and from then on runs tests in the place of the one that had this run.
    InPlaceOf(RunId),
}

impl RunRequest {
    /// Returns a request to run this for the first time, without limits.
    pub fn of(candidate: Candidate) -> RunRequest {
        RunRequest {
            candidate,
            attempt: 0,
            time_limit: None,
            processor_limit: None,
            backtraces: Backtraces::Never,
            process: ProcessWanted::Fresh,
            afresh: false,
        }
    }
}

/// Names a run of a test, uniquely within a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub u64);

/// Something that happened where tests run.
#[derive(Clone, Debug)]
pub enum Completion {
    /// A test ended, or was ended at a limit.
    Finished(RunId, Box<Observed>),
    /// A worker died with its test: no outcome. The test is to be started again.
    Lost(RunId),
    /// The test could not be run for a reason that may pass: no process, no descriptor, no space.
    Trouble(RunId, Trouble),
    /// The deadline has come.
    Deadline,
    /// Somebody has called its [`Waker`]: something is asked of the session.
    Woken,
}

/// A reason outside the test why it could not be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// `fork` says EAGAIN or ENOMEM.
    #[error("no process could be started: {0}")]
    NoProcess(String),
    /// EMFILE or ENFILE.
    #[error("no more files can be opened: {0}")]
    NoDescriptor(String),
    /// ENOSPC or EDQUOT.
    #[error("no space is left in {0}")]
    NoSpace(String),
    /// A question cannot be put to a person.
    #[error("the question cannot be put: {0}")]
    NotAsked(String),
    /// Anything else that the machine, not the test, is to blame for: EIO, ETXTBSY, EROFS.
    #[error("{0}")]
    Other(String),
}
