//! When to stop early (book 5.8.2): after a number of tests, after a time, when progress dries up.

use crate::event::Why;
use derive_setters::Setters;
use reduct_strategies::Phase;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// When to stop early. The default is never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Stops {
    /// After this many tests as the end counts them, known and repeated ones included: the same at any number of jobs.
    pub tests: Option<u64>,
    /// After this long.
    pub time: Option<Duration>,
    /// Since when that counts: by default since the search begins.
    pub since: Option<Instant>,
    /// When the last so many tests made it smaller by less than so many percent.
    pub stall: Option<(u64, u64)>,
}

/// How a session goes, for the rules by which it may stop.
pub(super) struct Progress<'a> {
    stops: &'a Stops,
    begin: Duration,
    /// How much of the time was over by then.
    spent: Duration,
    phase: Option<Phase>,
    size: usize,
    /// How many answers were found.
    found: usize,
    /// So many questions were retired before: nothing stops it until it is there again.
    reached: u64,
    /// The sizes after the last tests, as many as the stall rule looks back, the oldest first.
    sizes: VecDeque<usize>,
    /// Since when nothing is to be started, if so.
    paused: Option<Duration>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(stops: &'a Stops, begin: Duration, size: usize, reached: u64) -> Progress<'a> {
        // What was run before the search has taken time, too.
        let spent = stops.since.map_or(Duration::ZERO, |since| since.elapsed());
        Progress { stops, begin, spent, phase: None, size, found: 0, reached, sizes: VecDeque::new(), paused: None }
    }

    /// Returns whether this is another phase than before.
    pub(super) fn enters(&mut self, phase: Option<Phase>) -> bool {
        std::mem::replace(&mut self.phase, phase) != phase
    }

    /// Takes the size at which the search is now, after one more test. Returns whether that is less than before.
    pub(super) fn now_at(&mut self, size: usize) -> bool {
        if let Some((tests, _)) = self.stops.stall {
            self.sizes.push_back(self.size);
            while self.sizes.len() as u64 > tests {
                self.sizes.pop_front();
            }
        }
        size < std::mem::replace(&mut self.size, size)
    }

    /// Takes how many answers the search has found now. Returns whether that is more than before.
    pub(super) fn now_has(&mut self, found: usize) -> bool {
        found > std::mem::replace(&mut self.found, found)
    }

    /// Returns why to stop now that so many questions were retired, if so.
    pub(super) fn is_enough(&self, retired: u64) -> Option<Why> {
        if retired < self.reached {
            return None;
        }
        if let Some(most) = self.stops.tests
            && retired >= most
        {
            return Some(Why::Tests(most));
        }
        let (back, percent) = self.stops.stall?;
        let then = *self.sizes.front().filter(|_| self.sizes.len() as u64 == back)?;
        let won = (then - self.size.min(then)) as u128 * 100;
        (won < u128::from(percent) * then as u128).then_some(Why::Stall { tests: back, percent })
    }

    /// Returns why to stop at this time, now that so many questions were retired, if so. What an earlier session has come to is gone through in any case.
    pub(super) fn is_over(&self, retired: u64, now: Duration) -> Option<Why> {
        if retired < self.reached { None } else { self.out_of_time(now) }
    }

    /// Returns when to look at the clock again, at the latest.
    pub(super) fn deadline(&self) -> Option<Duration> {
        self.stops.time.filter(|_| !self.is_paused()).map(|time| self.end_of(time))
    }

    /// Begins again, as something was taken back.
    pub(super) fn begin_again(&mut self, begin: Duration, size: usize, reached: u64) {
        let again = Progress { paused: self.paused, ..Progress::new(self.stops, begin, size, reached) };
        *self = match self.stops.since {
            // Pauses do not count, and are known to be over.
            Some(_) => Progress { begin: self.begin, spent: self.spent, ..again },
            None => again,
        };
    }

    /// Returns whether nothing is to be started.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Begins a pause, or ends it: that time does not count. Returns which.
    pub(super) fn pause_or_go_on(&mut self, now: Duration) -> bool {
        match self.paused.take() {
            Some(since) => self.begin += now.saturating_sub(since),
            None => self.paused = Some(now),
        }
        self.is_paused()
    }

    /// Returns when the time is over, but for a pause that is not, if there is one.
    pub(super) fn over_at(&self) -> Option<Duration> {
        self.stops.time.map(|time| self.end_of(time))
    }

    /// Returns when so much time is over.
    fn end_of(&self, time: Duration) -> Duration {
        self.begin.saturating_add(time.saturating_sub(self.spent))
    }

    /// Returns why to stop at this time, if so.
    pub(super) fn out_of_time(&self, now: Duration) -> Option<Why> {
        let time = self.stops.time.filter(|_| !self.is_paused())?;
        (now >= self.end_of(time)).then_some(Why::Time(time))
    }
}
