//! CDD: ProbDD with counters in place of probabilities.
//!
//! Zhang, Xu, Tian, Cheng and Sun, *Toward a Better Understanding of Probabilistic Delta Debugging*,
//! ICSE 2025: in ProbDD all undecided deltas have about the same probability of being needed, and it
//! depends on nothing but how often they were in a group that did not go. So a delta has a counter, and
//! the size of a group depends on the least one, r: the size s that maximises s·(1 − p)^s, where
//! p = 0.1 / (1 − 1/e)^r. That is ⌊1/p⌋: one more than s is no loss as long as (s + 1)·(1 − p) ≥ s. The
//! sizes are 10, 6, 3, 2 and 1. (The authors' own program rounds differently: 9, 5, 3, 1.)
//!
//! The result fails. It is 1-minimal if the test is monotone, as each delta that stays was tried alone,
//! but not in general, as it is not tried again when others have gone. A [`super::sweep::Sweep`] settles
//! that. At most 2.1n + 5 questions: the deltas with the least counter are taken
//! first, so each size takes n/s at most, rounded up, until no counter is that low.

use super::Search;
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail};
use std::sync::Arc;

/// How likely a delta is needed before anything is known.
const PRIOR: f64 = 0.1;

/// What a probability is divided by if a group does not go: 1 − 1/e, the chance that it does not.
const GROWTH: f64 = 1.0 - 1.0 / std::f64::consts::E;

/// CDD, paused before one test.
#[derive(Clone, Debug)]
pub struct Cdd {
    config: Config,
    /// The undecided deltas, by counter.
    counted: Arc<Vec<Config>>,
    /// What goes in this test: those with the least counters.
    group: Config,
}

impl Cdd {
    /// Reduces `config`, which fails.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Cdd, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
    /// let search = run(Cdd::new(Config::full(8)), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
    /// ```
    pub fn new(config: Config) -> Cdd {
        let mut search = Cdd { counted: Arc::new(vec![config.clone()]), config, group: Config::empty() };
        search.choose();
        search
    }

    fn choose(&mut self) {
        self.group = Config::empty();
        let Some(least) = self.counted.iter().position(|deltas| !deltas.is_empty()) else { return };
        let mut room = size(least);
        for deltas in &self.counted[least..] {
            let first = deltas.at(0..room.min(deltas.len()));
            room -= first.len();
            self.group = self.group.union(&first);
        }
    }
}

/// Returns how many deltas go at once when the least counter is `least`.
fn size(least: usize) -> usize {
    let needed = (0..least).fold(PRIOR, |needed, _| needed / GROWTH);
    ((1.0 / needed) as usize).max(1)
}

impl Search for Cdd {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        (!self.group.is_empty()).then(|| self.config.minus(&self.group))
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(smaller) = self.ask() else { return };
        let decided = outcome == Fail || self.group.len() == 1;
        let counted = Arc::make_mut(&mut self.counted);
        counted.push(Config::empty());
        for counter in (0..counted.len() - 1).rev() {
            let stay = counted[counter].minus(&self.group);
            let taken = std::mem::replace(&mut counted[counter], stay).minus(&counted[counter]);
            if !decided {
                counted[counter + 1] = counted[counter + 1].union(&taken);
            }
        }
        counted.truncate(counted.iter().rposition(|deltas| !deltas.is_empty()).map_or(0, |last| last + 1));
        if outcome == Fail {
            self.config = smaller;
        }
        self.choose();
    }

    fn best(&self) -> Config {
        self.config.clone()
    }

    fn odds(&self) -> Option<f32> {
        // The best size makes it 1/e, whatever the counter.
        Some(0.37)
    }
}
