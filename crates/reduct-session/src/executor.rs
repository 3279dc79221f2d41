//! Where tests run: the trait, and what comes of a test.

pub mod person;
pub mod simulated;

use crate::event::Event;
use reduct_input::Candidate;
use reduct_oracle::Oracle;
use reduct_oracle::{Backtraces, Observed};
use reduct_sources::Ground;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// A place where tests run: this machine, a simulation; later a cluster or a person.
///
/// It may be far away, slow, lossy and answer out of order: nothing above it assumes otherwise.
pub trait Executor {
    /// How many tests can run at a time.
    fn slots(&self) -> usize;

    /// Starts a test. Never blocks for as long as a test runs. At most [`Executor::slots`] tests may
    /// be under way.
    fn start(&mut self, run: RunId, candidate: &Candidate);

    /// Like [`Executor::start`], of a test that is run several times on the same candidate: this is the run of that
    /// number, from 0. Only who makes chance from a seed has a use for it.
    fn start_nth(&mut self, run: RunId, candidate: &Candidate, _number: u32) {
        self.start(run, candidate);
    }

    /// Stops a test whose outcome is no longer wanted. Its slot is free again; no notice follows,
    /// or one that is already on its way.
    fn cancel(&mut self, run: RunId);

    /// Waits for the next thing that happens, until `deadline` on [`Executor::now`]'s clock at the latest.
    fn next(&mut self, deadline: Option<Duration>) -> Notice;

    /// The time since this executor began. Virtual in a simulation.
    fn now(&self) -> Duration;

    /// Sets the time limit of the tests that are started from now on, where there is one.
    fn set_time_limit(&mut self, _time: Option<Duration>) {}

    /// Sets how much processor time the tests that are started from now on may use, with all their children, where that
    /// is limited. It is the limit that a busy machine does not move.
    fn set_processor_limit(&mut self, _time: Option<Duration>) {}

    /// Whether the addresses in the memory of tests are others in each run, though they were to be the same.
    fn has_random_addresses(&self) -> bool {
        false
    }

    /// Says what runs mean, while a search goes on; `None` outside of one. Where processes run one test after the
    /// other, what is taken for the failure is run once more in a fresh one, and outside of a search everything is.
    fn judge(&mut self, _oracle: Option<&Oracle>) {}

    /// Takes what happens in the session, if it shows somebody where the search is.
    fn told(&mut self, _event: &Event) {}

    /// How often a process that has run other tests before said that it fails, and a fresh one said otherwise.
    fn leaks(&self) -> u64 {
        0
    }

    /// What all candidates stand on, if they stand on anything.
    fn ground(&self) -> Option<&dyn Ground> {
        None
    }

    /// Sets of whom backtraces are taken from now on, where they can be.
    fn set_backtraces(&mut self, _backtraces: Backtraces) {}

    /// A handle through which wishes come out of [`Executor::next`], if there is one.
    fn wishes(&self) -> Option<Wishes> {
        None
    }
}

/// A handle through which anybody, on any thread, can wish for something.
#[derive(Clone, Debug)]
pub struct Wishes(Sender<Notice>);

impl Wishes {
    /// A handle to whom this channel ends at.
    pub fn to(sender: Sender<Notice>) -> Wishes {
        Wishes(sender)
    }

    /// Makes [`Executor::next`] return this wish. Does nothing if the executor is gone.
    pub fn send(&self, wish: Wish) {
        // Then there is nobody left to fulfil it.
        let _ = self.0.send(Notice::Wish(wish));
    }
}

/// Names a run of a test, uniquely within a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub u64);

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Notice {
    /// A test ended, or was ended at a limit.
    Finished(RunId, Box<Observed>),
    /// A worker died with its test: no outcome. The test is to be started again.
    Lost(RunId),
    /// The test could not be run for a reason that may pass: no process, no descriptor, no space.
    Trouble(RunId, Trouble),
    /// The deadline has come.
    Tick,
    /// Somebody wants something of the session: see [`Wish`].
    Wish(Wish),
}

/// What somebody who watches can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// End cleanly with the best so far (Ctrl-C, SIGTERM).
    Interrupt,
    /// End cleanly with the best so far (the key `q`).
    Stop,
    /// Give up this phase and go on with the next (the key `s`).
    Skip,
    /// Take the last answer back (the key `u`, where a person is asked).
    Undo,
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
    /// Anything else that the machine, not the test, is to blame for: EIO, ETXTBSY, EROFS.
    #[error("{0}")]
    Other(String),
}
