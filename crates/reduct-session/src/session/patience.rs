//! How long to wait after trouble: twice as long each time, as long as there is patience.

use std::io;
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

    /// Returns the next pause, if the patience is not over; runs before `begun` were started before it is.
    pub(super) fn next(&mut self, patience: Duration, begun: u64) -> Option<Duration> {
        let pause = (Pauses::FIRST * 2u32.saturating_pow(self.in_a_row)).min(Pauses::LONGEST);
        (self.waited < patience).then(|| {
            self.known_until = begun;
            self.in_a_row += 1;
            self.waited += pause;
            pause
        })
    }

    /// Runs before this one were started before the last pause was over.
    pub(super) fn known_until(&self) -> u64 {
        self.known_until
    }
}

/// Why something could not be kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotKept<'a> {
    /// The disk is full, or the user's share of it.
    #[error("no space is left: {0}")]
    NoSpace(&'a io::Error),
    /// Anything else.
    #[error("{0}")]
    Other(&'a io::Error),
}

impl NotKept<'_> {
    /// Returns what an error of the system means.
    pub(super) fn of(error: &io::Error) -> NotKept<'_> {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => NotKept::NoSpace(error),
            _ => NotKept::Other(error),
        }
    }
}
