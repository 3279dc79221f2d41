//! What is asked of a session from outside: to stop, to pause, to skip a phase, to take an answer back.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// What somebody who watches can ask of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// End cleanly with the best so far (Ctrl-C, SIGTERM).
    Interrupt,
    /// End cleanly with the best so far (the key `q`).
    Stop,
    /// Give up this phase and go on with the next (the key `s`).
    Skip,
    /// Give up the pass of this phase for the rest of the run (the key `x`).
    Disable,
    /// Start no more tests until this is asked again (the key `p`).
    Pause,
    /// Take the last answer back (the key `u`, where a person is asked).
    Undo,
}

/// A handle through which anybody, on any thread, can ask something of a session.
#[derive(Clone)]
pub struct Control(Arc<dyn Fn(Request) + Send + Sync>);

impl Control {
    /// Returns a handle that hands each request to this.
    pub fn new(send: impl Fn(Request) + Send + Sync + 'static) -> Control {
        Control(Arc::new(send))
    }

    /// Asks this of the session. Does nothing if there is none any more.
    pub fn send(&self, request: Request) {
        (self.0)(request);
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Control")
    }
}

/// What was asked and not taken yet, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Requests(Arc<Mutex<VecDeque<Request>>>);

impl Requests {
    /// Adds a request.
    pub fn put(&self, request: Request) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(request);
    }

    /// Takes the oldest request.
    pub fn take(&self) -> Option<Request> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// Takes the oldest request to be interrupted, whatever was asked before it. `false` if there is none.
    pub(crate) fn take_interrupt(&self) -> bool {
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = requests.iter().position(|request| *request == Request::Interrupt);
        at.and_then(|at| requests.remove(at)).is_some()
    }
}
