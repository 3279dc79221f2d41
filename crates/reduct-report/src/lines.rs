//! Plain progress: lines, for a log or a pipe.

use crate::excerpt::clean;
use crate::human::{counted, duration, percent, sizes, stamp};
use crate::state::SessionState;
use crate::summary::summary;
use crate::{Clock, words};
use reduct_session::event::{Began, Event, Observer};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Writes what happens as lines, at most one a second of those that only tell how far it is.
pub struct Lines<W: Write> {
    output: W,
    clock: Clock,
    state: SessionState,
    place: Option<PathBuf>,
    /// When the last line was written.
    written: Duration,
    /// Whether what tests print may hold secrets.
    is_discreet: bool,
}

const PAUSE: Duration = Duration::from_secs(1);

impl<W: Write> Lines<W> {
    /// Writes to `output`.
    pub fn new(output: W, clock: Clock) -> Lines<W> {
        Lines {
            output,
            clock,
            state: SessionState::default(),
            place: None,
            written: Duration::ZERO,
            is_discreet: false,
        }
    }

    /// Does not say what a test prints, if that may hold secrets.
    pub fn discreet(mut self, is_discreet: bool) -> Lines<W> {
        self.is_discreet = is_discreet;
        self
    }

    /// Says at the end that the result is at `place`.
    pub fn result_at(mut self, place: impl Into<PathBuf>) -> Lines<W> {
        self.place = Some(place.into());
        self
    }

    /// Returns the output, with what was written so far.
    pub fn into_output(self) -> W {
        self.output
    }

    /// Writes lines. If the output is closed, nothing is written, and the search goes on.
    fn write<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>, now: Duration) {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.as_ref());
            text.push('\n');
        }
        let _ = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
        self.written = now;
    }

    fn progress(&self, now: Duration) -> String {
        let state = &self.state;
        let time = stamp(now.saturating_sub(state.began_at));
        let tests = counted(state.tests, "tests");
        let size = sizes((state.size_at_start(), state.start_unit()), (state.size, state.unit));
        let share = percent(state.size, state.size_at_start());
        // A share is one of the same unit.
        let share = if state.unit == state.start_unit() { format!(" ({share})") } else { String::new() };
        let phase = state.phase.as_ref().map(words::phase).unwrap_or_default();
        format!("{time:>6} {tests:>15}     {size}{share}   {phase}").trim_end().to_owned()
    }
}

fn beginning(began: &Began) -> Vec<String> {
    let mut details = vec![counted(began.size, began.unit)];
    if began.unit != "bytes" && !words::is_difference(began.unit) {
        details.push(counted(began.whole.len(), "bytes"));
    }
    details.push(format!("{} at a time", counted(began.jobs, "tests")));
    details.extend(began.time_limit.map(|limit| format!("at most {} each", duration(limit))));
    if began.known > 0 {
        details.push(format!("{} known from earlier", counted(began.known, "outcomes")));
    }
    vec![format!("Failure: {}", clean(&began.failure)), format!("{}.", details.join(", "))]
}

impl<W: Write> Observer for Lines<W> {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        let now = (self.clock)();
        self.state.take(event, now);
        match event {
            Event::Checking { what } => self.write([format!("Running the test on {what}.")], now),
            Event::Note { text } => self.write([clean(text)], now),
            Event::Preflight { .. } => self.write(self.state.preflight.clone(), now),
            Event::Began(began) => self.write(beginning(began), now),
            // The first one; how many there were is said at the end.
            Event::Other { .. } if self.state.others > 1 => {}
            Event::Other { .. } if self.is_discreet => {}
            Event::Other { signature, candidate } => {
                let bytes = counted(candidate.len(), "bytes");
                self.write([format!("Another failure, not followed: {} ({bytes})", clean(signature))], now);
            }
            Event::Trouble { .. } => {
                let trouble = self.state.trouble.as_ref().map(|trouble| format!("Trouble: {trouble}"));
                self.write(trouble, now);
            }
            Event::Skipped { pass: Some(pass), .. } => self.write([format!("Pass {pass} switched off.")], now),
            Event::Skipped { .. } => self.write(["Phase skipped."], now),
            Event::Forgotten { why } => self.write([clean(why)], now),
            Event::Undone { .. } => self.write(["An answer was taken back."], now),
            Event::Ended(ended) => {
                // What the failure is was the first line.
                let lines = summary(self.state.began.as_ref(), ended, self.place.as_deref());
                self.write(lines.into_iter().skip(usize::from(self.state.began.is_some())), now);
            }
            Event::Phase(_) | Event::Retired { .. } | Event::Improved { .. }
                if now >= self.written + PAUSE && self.state.began.is_some() =>
            {
                self.write([self.progress(now)], now);
            }
            // How the session goes about it, and what is not known here.
            _ => {}
        }
        Ok(())
    }
}
