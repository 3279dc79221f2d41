//! How far an inquiry is: a line a second.

use crate::Clock;
use crate::excerpt;
use crate::excerpt::clean;
use crate::human::count;
use reduct_core::Outcome;
use reduct_session::event::{Event, Observer};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// Writes how many tests there were, once a second, and what went wrong.
pub struct Progress<W: Write> {
    output: W,
    clock: Clock,
    tests: u64,
    written: Duration,
}

/// Lines are written no closer than this.
const PAUSE: Duration = Duration::from_secs(1);

impl<W: Write> Progress<W> {
    /// Writes to `output`.
    pub fn new(output: W, clock: Clock) -> Progress<W> {
        Progress { output, clock, tests: 0, written: Duration::ZERO }
    }
}

impl<W: Write> Observer for Progress<W> {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        let now = (self.clock)();
        let line = match event {
            Event::Retired { .. } => {
                self.tests += 1;
                let is_due = now >= self.written + PAUSE;
                is_due.then(|| format!("{:>5}s {:>9} tests", now.as_secs(), count(self.tests)))
            }
            Event::Trouble { what, pause } => Some(format!("Trouble: {}; next try in {pause:.0?}", clean(what))),
            _ => None,
        };
        if let Some(line) = line {
            self.written = now;
            // If nobody reads it, the search goes on.
            let _ = writeln!(self.output, "{line}");
        }
        Ok(())
    }
}

/// Returns how a run of an inquiry that was stopped is gone on with.
pub fn to_go_on(run: Option<&Path>, below: &Path) -> String {
    let run = run.map_or(String::new(), |run| format!(" {}", excerpt::path(run.strip_prefix(below).unwrap_or(run))));
    format!("To go on: reduct resume{run}")
}

/// Returns the row of a test of an inquiry: its number, its outcome, and what is shown of its text.
pub fn text_row(n: u64, text: &str, outcome: Outcome, columns: usize) -> String {
    let sign = outcome.mark();
    format!("{n:>6}  {sign}  {}", excerpt::shorten(text, columns.saturating_sub(12)))
}
