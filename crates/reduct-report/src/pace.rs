//! How fast tests run at the moment.

use std::collections::VecDeque;
use std::time::Duration;

/// Counts what happened over the last seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// What happened within a tenth of a second each.
    slices: VecDeque<Slice>,
    /// When the last thing happened that is not in a slice any more.
    since: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Slice {
    first: Duration,
    last: Duration,
    number: u32,
}

/// Longer ago than this does not count,
const WINDOW: Duration = Duration::from_secs(5);
/// unless there would be fewer than this to count: tests may take minutes.
const FEWEST: u32 = 10;
const SLICE: Duration = Duration::from_millis(100);

impl Pace {
    /// Begins to count.
    pub(crate) fn begin(&mut self, now: Duration) {
        *self = Pace { slices: VecDeque::new(), since: now };
    }

    /// Counts one more.
    pub(crate) fn add(&mut self, now: Duration) {
        match self.slices.back_mut() {
            Some(slice) if now < slice.first + SLICE => {
                slice.last = now;
                slice.number += 1;
            }
            _ => self.slices.push_back(Slice { first: now, last: now, number: 1 }),
        }
        let mut total = self.total();
        while let Some(slice) = self.slices.front() {
            total -= slice.number;
            if now < slice.last + WINDOW || total < FEWEST {
                break;
            }
            self.since = slice.last;
            self.slices.pop_front();
        }
    }

    /// Returns how many per second. `None` if none was counted yet.
    pub(crate) fn per_second(&self, now: Duration) -> Option<f64> {
        let total = self.total();
        let time = now.saturating_sub(self.since).max(SLICE);
        (total > 0).then(|| f64::from(total) / time.as_secs_f64())
    }

    fn total(&self) -> u32 {
        self.slices.iter().map(|slice| slice.number).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_pace_is_found() {
        let mut pace = Pace::default();
        pace.begin(Duration::from_secs(7));
        assert_eq!(pace.per_second(Duration::from_secs(7)), None);
        let mut now = Duration::from_secs(7);
        for _ in 0..4000 {
            now += Duration::from_millis(5);
            pace.add(now);
        }
        let rate = pace.per_second(now).unwrap();
        assert!((190.0..210.0).contains(&rate), "{rate}");
        assert!(pace.slices.len() < 60);
    }

    #[test]
    fn slow_tests_are_counted_too_and_a_stop_shows() {
        let mut pace = Pace::default();
        pace.begin(Duration::ZERO);
        for minute in 1..=5 {
            pace.add(Duration::from_secs(60 * minute));
        }
        let rate = pace.per_second(Duration::from_secs(300)).unwrap();
        assert!((rate - 1.0 / 60.0).abs() < 1e-9);
        assert!(pace.per_second(Duration::from_secs(3000)).unwrap() < 0.002);
    }
}
