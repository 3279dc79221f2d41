//! Halves: one needed delta after the other by binary search, for oracles whose every answer is dear.
//!
//! The list is cut at the back, by halves, until the last needed delta is found: without it the failure does
//! not occur, with it and what stands before it, it does. Then it is asked whether the needed ones found so far
//! do alone; if not, the next one is looked for among what stands before. (QuickXplain of Junker 2004, taken from
//! one end.) Bound: ⌈log₂ n⌉ + 1 questions for each needed delta. That is one more than a binary search if one
//! delta is to blame, which no search can undercut that also finds out that it is the only one.
//!
//! What it keeps always fails. That nothing of it can go is true as far as the oracle is monotone, and says
//! Pass or Fail: what is unresolved is taken for what does not fail. The empty configuration is taken to pass.

use super::Search;
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail};

/// The search, paused before one question.
#[derive(Clone, Debug)]
pub struct Halves {
    config: Config,
    /// Of the first so many it is not known whether they are needed; the later ones are.
    undecided: usize,
    /// With the first so many alone, beside those that are needed, the failure does not occur. `None` if that is
    /// not known of any number.
    too_few: Option<usize>,
}

impl Halves {
    /// Reduces `config`, which fails.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Halves, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
    /// let search = run(Halves::new(Config::full(8)), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
    /// ```
    pub fn new(config: Config) -> Halves {
        let undecided = config.len();
        Halves { config, undecided, too_few: Some(0) }.with_last_decided()
    }

    /// Returns how many of the undecided the next question keeps.
    fn keeps(&self) -> usize {
        self.too_few.map_or(0, |few| few + (self.undecided - few) / 2)
    }

    /// Takes the last undecided one for needed once it is the only one that can be.
    fn with_last_decided(mut self) -> Halves {
        while self.undecided > 0 && self.too_few == Some(self.undecided - 1) {
            self.undecided -= 1;
            self.too_few = None;
        }
        self
    }
}

impl Search for Halves {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        (self.undecided > 0).then(|| self.config.without(self.keeps()..self.undecided))
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(smaller) = self.ask() else { return };
        let keeps = self.keeps();
        if outcome == Fail {
            self.config = smaller;
            self.undecided = keeps;
        } else {
            self.too_few = Some(keeps);
        }
        *self = self.clone().with_last_decided();
    }

    fn best(&self) -> Config {
        self.config.clone()
    }

    fn odds(&self) -> Option<f32> {
        Some(0.5)
    }
}
