//! Trouble is waited out, as long as there is patience.

use super::{Happened, NEXT_RUN, Session};
use crate::event::{Event, Why};
use crate::executor::{Completion, Request, RunId, Trouble};
use std::sync::atomic::Ordering;

impl Session<'_> {
    /// Waits after the trouble that a run met. A run from before the last pause met what that was for.
    pub(super) fn wait_out(&mut self, run: RunId, trouble: &Trouble) -> Result<(), Why> {
        if run.0 < self.pauses.known_until() { Ok(()) } else { self.pause(&trouble.to_string()) }
    }

    /// Waits after trouble, as long as there is patience. What comes in meanwhile is kept.
    pub(super) fn pause(&mut self, what: &str) -> Result<(), Why> {
        let begun = NEXT_RUN.load(Ordering::Relaxed);
        let Some(pause) = self.pauses.next(self.patience, begun) else { return Err(Why::Trouble(what.into())) };
        // An observer may be in trouble itself; the first that can show it is enough.
        for observer in &mut self.observers {
            let _ = observer.on(&Event::Trouble { what: what.into(), pause });
        }
        let until = self.opened.executor.now() + pause;
        while self.opened.executor.now() < until {
            match self.wait(Some(until)) {
                Happened::There(Completion::Deadline | Completion::Woken) => {}
                Happened::Asked(Request::Interrupt) => return Err(Why::Interrupted),
                Happened::Asked(Request::Stop) => return Err(Why::Stopped),
                happened => self.backlog.push_back(happened),
            }
        }
        Ok(())
    }
}
