//! A place where tests run that is asked only so often what has happened: a session that asks on for ever is stuck.

use reduct_session::executor::{Completion, Executor, Opened, RunId, RunRequest};
use std::time::Duration;

/// No search of these problems asks more often.
const MOST: u32 = 200_000;

/// An executor, and how often it was asked.
struct Counted<E> {
    executor: E,
    asked: u32,
}

/// Opens an executor that panics if it is asked for ever.
pub(super) fn counted<E: Executor>(opened: Opened<E>) -> Opened<impl Executor> {
    let Opened { requests, executor, .. } = opened;
    Opened { requests, ..Opened::new(Counted { executor, asked: 0 }) }
}

impl<E: Executor> Executor for Counted<E> {
    fn slots(&self) -> usize {
        self.executor.slots()
    }

    fn start(&mut self, run: RunId, request: RunRequest) {
        self.executor.start(run, request);
    }

    fn cancel(&mut self, run: RunId) {
        self.executor.cancel(run);
    }

    fn next(&mut self, deadline: Option<Duration>) -> Completion {
        self.asked += 1;
        assert!(self.asked < MOST, "the search does not end");
        self.executor.next(deadline)
    }

    fn now(&self) -> Duration {
        self.executor.now()
    }
}
