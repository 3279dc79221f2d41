//! Trouble is waited out, twice as long each time, as long as there is patience.

use super::{NEXT_RUN, Session};
use crate::event::{Event, Why};
use crate::executor::{Notice, RunId, Trouble, Wish};
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long to wait after trouble: twice as long each time, until the patience is over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pauses {
    in_a_row: u32,
    waited: Duration,
    /// Runs before this one were started before the last pause was over.
    known_until: u64,
}

impl Pauses {
    const FIRST: Duration = Duration::from_millis(100);
    const LONGEST: Duration = Duration::from_secs(10);

    fn next(&mut self, patience: Duration) -> Option<Duration> {
        let pause = (Pauses::FIRST * 2u32.saturating_pow(self.in_a_row)).min(Pauses::LONGEST);
        (self.waited < patience).then(|| {
            self.known_until = NEXT_RUN.load(Ordering::Relaxed);
            self.in_a_row += 1;
            self.waited += pause;
            pause
        })
    }
}

impl Session<'_> {
    /// Waits after the trouble that a run met. A run from before the last pause met what that was for.
    pub(super) fn endure(&mut self, run: RunId, trouble: &Trouble) -> Result<(), Why> {
        if run.0 < self.pauses.known_until { Ok(()) } else { self.pause(&trouble.to_string()) }
    }

    /// Waits after trouble, as long as there is patience. What comes in meanwhile is kept.
    pub(super) fn pause(&mut self, what: &str) -> Result<(), Why> {
        let Some(pause) = self.pauses.next(self.patience) else { return Err(Why::Trouble(what.into())) };
        // Who shows it may be in trouble itself; the first that can show it is enough.
        for observer in &mut self.observers {
            let _ = observer.on(&Event::Trouble { what: what.into(), pause });
        }
        let until = self.lab.now() + pause;
        while self.lab.now() < until {
            match self.lab.next(Some(until)) {
                Notice::Tick => {}
                Notice::Wish(Wish::Interrupt) => return Err(Why::Interrupted),
                Notice::Wish(Wish::Stop) => return Err(Why::Stopped),
                notice => self.backlog.push_back(notice),
            }
        }
        Ok(())
    }
}

pub(super) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => format!("no space is left: {error}"),
        _ => error.to_string(),
    }
}
