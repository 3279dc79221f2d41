//! What is known of a session at a moment: all events so far, folded into what a view shows.

use crate::excerpt::{Removed, clean};
use crate::human::{counted, duration};
use crate::pace::Pace;
use crate::words;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_session::event::{Began, Ended, Event};
use reduct_strategies::Phase;
use std::time::Duration;

/// What is known of a session. Pure: no terminal, no clock of its own.
#[derive(Clone, Debug, Default)]
pub struct SessionState {
    /// What was known at the beginning.
    pub began: Option<Began>,
    /// When that was.
    pub began_at: Duration,
    /// The last run before the search, in words.
    pub preflight: Option<String>,
    /// The size of the best in the unit of the plan.
    pub size: usize,
    /// What that is counted in now: of a difference, in ever finer units.
    pub unit: &'static str,
    /// The size of the best in bytes.
    pub bytes: usize,
    /// How many outcomes the search took.
    pub tests: u64,
    /// How many of them were unresolved.
    pub unresolved: u64,
    /// How many tests are under way.
    pub running: usize,
    /// The sizes over the tests: after how many, which size. It begins with test 0.
    pub steps: Vec<(u64, usize)>,
    /// What the search is at.
    pub phase: Option<Phase>,
    /// When the best last became smaller.
    pub progress_at: Duration,
    /// How many other failures were met.
    pub others: u64,
    /// What is wrong at the moment, in words.
    pub trouble: Option<String>,
    /// How it ended.
    pub ended: Option<Ended>,
    /// The best and what was the best before: what went away is worked out only when it is shown.
    pub(crate) last: Option<(Candidate, Candidate)>,
    pub(crate) pace: Pace,
}

impl SessionState {
    /// Takes the next event, which happened at `now`.
    pub fn take(&mut self, event: &Event, now: Duration) {
        match event {
            Event::Checking { what } => self.preflight = Some(format!("running {what}")),
            Event::Note { text } => self.preflight = Some(text.clone()),
            Event::Preflight { what, outcome, exit, elapsed } => {
                let exit = clean(&words::exit(exit));
                self.preflight = Some(format!("{what}: {outcome} ({exit}), {}", duration(*elapsed)));
            }
            Event::Began(began) => self.begin(began, now),
            Event::Phase(phase) => self.phase = Some(*phase),
            Event::Started { running } => self.running = *running,
            Event::Ran { .. } | Event::Voted { .. } => {
                self.running = self.running.saturating_sub(1);
                self.trouble = None;
                self.pace.add(now);
            }
            Event::Retired { n, outcome, .. } => {
                // An event may be offered again if another observer could not take it.
                let again = *n <= self.tests;
                self.unresolved += u64::from(*outcome == Outcome::Unresolved && !again);
                self.tests = *n;
            }
            Event::Improved { n, best, before, size, unit, .. } => {
                self.unit = unit;
                (self.size, self.bytes, self.progress_at) = (*size, best.len(), now);
                self.steps.push((*n, *size));
                self.last = Some((best.clone(), before.clone()));
            }
            Event::Other { .. } => self.others += 1,
            Event::Trouble { what, pause } => {
                self.trouble = Some(format!("{}; trying again in {}", clean(what), duration(*pause)));
            }
            // All that is known is taken again.
            Event::Undone { .. } => {
                (self.tests, self.unresolved, self.size, self.bytes) = (0, 0, self.start(), self.start_bytes());
                self.unit = self.start_unit();
                self.steps = vec![(0, self.size)];
            }
            Event::Forgotten { why } => self.preflight = Some(clean(why)),
            Event::Ended(ended) => {
                (self.size, self.unit, self.bytes) = (ended.size, ended.unit, ended.best.len());
                self.ended = Some((**ended).clone());
            }
            // What changes nothing that is shown.
            _ => {}
        }
    }

    fn begin(&mut self, began: &Began, now: Duration) {
        (self.began_at, self.progress_at) = (now, now);
        (self.size, self.unit, self.bytes) = (began.size, began.unit, began.whole.len());
        self.steps = vec![(0, began.size)];
        (self.tests, self.unresolved, self.last) = (0, 0, None);
        self.pace.begin(now);
        self.began = Some(began.clone());
    }

    fn start_bytes(&self) -> usize {
        self.began.as_ref().map_or(0, |began| began.whole.len())
    }

    /// Returns what the size at the beginning was counted in.
    pub fn start_unit(&self) -> &'static str {
        self.began.as_ref().map_or("bytes", |began| began.unit)
    }

    /// Returns the size at the beginning.
    pub fn start(&self) -> usize {
        self.began.as_ref().map_or(0, |began| began.size)
    }

    /// Returns how many tests run per second, over the last seconds. `None` before the first.
    pub fn rate(&self, now: Duration) -> Option<f64> {
        self.pace.per_second(now)
    }

    /// Returns what went away last.
    pub fn removed(&self) -> Option<Removed> {
        self.last.as_ref().map(|(best, before)| Removed::between(before, best))
    }

    /// Returns the size after so many tests.
    pub fn size_after(&self, tests: u64) -> usize {
        let known = self.steps.partition_point(|(n, _)| *n <= tests);
        self.steps[..known].last().map_or(self.size, |(_, size)| *size)
    }

    /// Returns how many other failures were met, in words; nothing if none was.
    pub fn others(&self) -> Option<String> {
        (self.others > 0).then(|| counted(self.others, "other failures"))
    }
}
