//! Whether lanes are trusted: how many there may be, by what the outcomes of those in front have shown.
//!
//! Where parts are used by later ones, or all that is needed stands in front, a lane in front takes more for needed than the last one does.
//! What shows that soonest is whether its first groups go: if it expects no more than the last lane does, every second one goes.

use super::lane::Group;
use crate::outcome::Outcome::Fail;

/// How many lanes there are at most.
const WIDEST: usize = 24;

/// How many needed deltas the last lane must have found before there are others. Before that, what it expects is only a guess.
const CALIBRATED: usize = 2;

/// How often the number of lanes is doubled on trial. If one new group went each time, there are as many as there can be.
const TRIALS: u32 = 2;

/// For how many waves there is one lane at most after lanes were not as expected: for one at first, then for so many times as many each time.
const PATIENCE: usize = 64;
const MORE_PATIENCE: usize = 8;

/// For how many waves there is one lane after lanes did not go well; so many times as many each time.
const CAUTION: usize = 16;

/// What the outcomes of all lanes are worth: the score that they begin with, the highest, and how much one wave can take of it. At 0,
/// there is one lane again. A group expected to go at even odds adds 2 or subtracts 1, so that the score falls where less than a third go.
const TRUSTED: f64 = 6.0;
const MOST: f64 = 8.0;
const AT_ONCE: f64 = 2.0;
const WENT: f64 = 4.0;
const STAYED: f64 = 2.0;

/// What was seen of the lanes.
#[derive(Clone, Debug)]
pub(super) struct Trust {
    /// How many needed deltas the last lane has found.
    found: usize,
    /// How many trials went well, until all lanes are trusted.
    trials: u32,
    score: f64,
    /// For how many waves there is still one lane, and for how many the next time: after a surprise, and after a doubt.
    narrow: usize,
    patience: usize,
    caution: usize,
}

/// What a wave has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Nothing,
    /// There may be more lanes.
    Trusted,
    /// Groups of new lanes did not go.
    Untrusted,
    /// Lanes that were trusted are not as expected.
    Disappointed,
}

impl Trust {
    pub(super) fn new() -> Trust {
        Trust { found: 0, trials: 0, score: 0.0, narrow: 0, patience: 1, caution: CAUTION }
    }

    /// Returns how many lanes there may be.
    pub(super) fn width(&self) -> usize {
        if self.narrow > 0 || self.found < CALIBRATED {
            1
        } else if self.is_on_trial() {
            2 << self.trials
        } else {
            WIDEST
        }
    }

    /// Returns whether the lanes were not seen at work for long.
    pub(super) fn is_on_trial(&self) -> bool {
        self.trials < TRIALS
    }

    /// Notes that the last lane has found a needed delta, and returns whether it is the first one.
    pub(super) fn has_found(&mut self) -> bool {
        self.found += 1;
        self.found == 1
    }

    /// Notes that there were lanes in doubt: they judge what depends on what is undecided behind them.
    pub(super) fn doubt(&mut self) {
        (self.trials, self.narrow) = (0, self.caution);
        self.caution = self.caution.saturating_mul(CAUTION);
    }

    /// Learns from a wave.
    pub(super) fn judge(&mut self, wave: &[Group]) -> Shown {
        self.narrow = self.narrow.saturating_sub(1);
        let fresh = wave.iter().filter(|group| group.lane > 0 && !group.chosen.is_part);
        let (mut seen, mut went, mut change) = (0, 0, 0.0);
        for group in fresh {
            let odds = f64::from(group.chosen.odds);
            seen += 1;
            if group.outcome == Some(Fail) {
                went += 1;
                change += WENT * (1.0 - odds);
            } else {
                change -= STAYED * odds;
            }
        }
        if !self.is_on_trial() {
            self.score = (self.score + change.max(-AT_ONCE)).min(MOST);
            return if self.score > 0.0 { Shown::Nothing } else { self.wait(Shown::Disappointed) };
        }
        match (seen, went) {
            (0, _) => Shown::Nothing,
            (_, 0) => self.wait(Shown::Untrusted),
            _ => {
                self.trials += 1;
                if !self.is_on_trial() {
                    (self.score, self.patience) = (TRUSTED, 1);
                }
                Shown::Trusted
            }
        }
    }

    fn wait(&mut self, shown: Shown) -> Shown {
        (self.trials, self.narrow) = (0, self.patience);
        self.patience = (MORE_PATIENCE * self.patience).min(PATIENCE);
        shown
    }
}
