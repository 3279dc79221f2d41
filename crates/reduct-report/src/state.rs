//! What is known of a session at a moment: all events so far, folded into what a view shows.

use crate::excerpt::{Removed, clean};
use crate::human::{counted, duration};
use crate::pace::Pace;
use crate::passes::PassStats;
use crate::words;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::Exit;
use reduct_session::event::{Began, Ended, Event, UnderWay};
use reduct_strategies::Phase;
use std::time::Duration;

/// An accepted step, for the list of them.
#[derive(Clone, Debug)]
pub struct AcceptedStep {
    /// Its number, from 1.
    pub number: usize,
    /// The number of the test that brought it.
    pub test: u64,
    /// Its size, and what that is counted in.
    pub size: (usize, &'static str),
    /// The pass whose test it was, if the search says so.
    pub pass: Option<&'static str>,
    /// How many bytes went.
    pub bytes: usize,
}

/// So many of the last steps are kept for the list.
const STEPS_KEPT: usize = 100;

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
    /// The tests that are under way, and since when.
    pub running: Vec<(UnderWay, Duration)>,
    /// What the last test printed, the end of standard output and of standard error.
    pub printed: Option<[Vec<u8>; 2]>,
    /// How the last test ended and what that says, in words.
    pub last_test: Option<String>,
    /// What those words say.
    pub(crate) last_end: Option<(Outcome, Exit)>,
    /// How many parts of the phase are decided, and of how many, if the search says so.
    pub decided: Option<(usize, usize)>,
    /// What each pass has done.
    pub passes: PassStats,
    /// The last accepted steps, the newest last.
    pub history: Vec<AcceptedStep>,
    /// Whether nothing is started until it goes on.
    pub is_paused: bool,
    /// Whether the search is over, and what it came to is run again.
    pub is_finishing: bool,
    /// What the last request has done, and when that was.
    pub notice: Option<(String, Duration)>,
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
    /// What a test has printed of which it is not said yet how it ended.
    pub(crate) prints: Option<[Vec<u8>; 2]>,
    /// The pass whose test was taken last.
    pub(crate) pass: Option<&'static str>,
    pub(crate) pace: Pace,
}

impl SessionState {
    /// Takes the next event, which happened at `now`.
    pub fn take(&mut self, event: &Event, now: Duration) {
        self.passes.take(event, now);
        match event {
            Event::Checking { what } => self.preflight = Some(format!("running {what}")),
            Event::Note { text } => self.preflight = Some(text.clone()),
            Event::Preflight { what, outcome, exit, elapsed } => {
                let exit = clean(&words::exit(exit));
                self.preflight = Some(format!("{what}: {outcome} ({exit}), {}", duration(*elapsed)));
            }
            Event::Began(began) => self.begin(began, now),
            Event::Phase(phase) => (self.phase, self.decided) = (Some(*phase), None),
            Event::Started { running } => self.start(running, now),
            Event::Printed { stdout, stderr } => self.prints = Some([stdout.clone(), stderr.clone()]),
            Event::Ran { key, outcome, exit, .. } => self.end(|test| test.key == *key, (*outcome, exit), now),
            Event::Voted { key, number, outcome, exit, .. } => {
                self.end(|test| test.key == *key && test.number == *number, (*outcome, exit), now);
            }
            Event::Retired { n, outcome, decided, pass, .. } => {
                (self.decided, self.pass) = (*decided, *pass);
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
                self.note_step(*n, before.len().saturating_sub(best.len()));
            }
            Event::Paused(is_paused) => {
                self.is_paused = *is_paused;
                let what = if *is_paused { "paused: p goes on" } else { "goes on" };
                self.notice = Some((what.to_owned(), now));
            }
            Event::Skipped { pass: Some(pass), .. } => {
                self.notice = Some((format!("switched off: {}", words::kind(pass)), now));
            }
            Event::Skipped { .. } => {
                let what =
                    self.phase.as_ref().map_or("phase skipped".into(), |at| format!("skipped: {}", words::phase(at)));
                self.notice = Some((what, now));
            }
            Event::Finishing { .. } => {
                self.is_finishing = true;
                self.running.clear();
            }
            Event::Other { .. } => self.others += 1,
            Event::Trouble { what, pause } => {
                self.trouble = Some(format!("{}; trying again in {}", clean(what), duration(*pause)));
            }
            // All that is known is taken again.
            Event::Undone { .. } => {
                (self.tests, self.unresolved, self.size, self.bytes) = (0, 0, self.size_at_start(), self.start_bytes());
                self.unit = self.start_unit();
                self.steps = vec![(0, self.size)];
                self.history.clear();
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
        (self.running, self.history, self.is_finishing) = (vec![], vec![], false);
        self.pace.begin(now);
        self.began = Some(began.clone());
    }

    fn start(&mut self, running: &[UnderWay], now: Duration) {
        let since = |test: &UnderWay| {
            let known = self.running.iter().find(|(known, _)| known.run == test.run);
            known.map_or(now, |(_, since)| *since)
        };
        self.running = running.iter().map(|test| (*test, since(test))).collect();
    }

    /// Tests that are these ended.
    fn end(&mut self, is_one: impl Fn(&UnderWay) -> bool, (outcome, exit): (Outcome, &Exit), now: Duration) {
        self.running.retain(|(test, _)| !is_one(test));
        self.printed = self.prints.take();
        // Most end as the one before.
        if self.last_end.as_ref().is_none_or(|(before, how)| (*before, how) != (outcome, exit)) {
            self.last_test = Some(format!("{}, {outcome}", clean(&words::exit(exit))));
            self.last_end = Some((outcome, exit.clone()));
        }
        self.trouble = None;
        self.pace.add(now);
    }

    fn note_step(&mut self, test: u64, bytes: usize) {
        let number = self.steps.len() - 1;
        if self.history.len() == STEPS_KEPT {
            self.history.remove(0);
        }
        self.history.push(AcceptedStep { number, test, size: (self.size, self.unit), pass: self.pass, bytes });
    }

    fn start_bytes(&self) -> usize {
        self.began.as_ref().map_or(0, |began| began.whole.len())
    }

    /// Returns what the size at the beginning was counted in.
    pub fn start_unit(&self) -> &'static str {
        self.began.as_ref().map_or("bytes", |began| began.unit)
    }

    /// Returns the size at the beginning.
    pub fn size_at_start(&self) -> usize {
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
