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

/// Returns what an error of the system says, and that no space is left if that is why.
pub(super) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => format!("no space is left: {error}"),
        _ => error.to_string(),
    }
}
