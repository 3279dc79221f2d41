//! The certifying sweep: proves 1-minimality, or removes what stands against it.
//!
//! Each survivor is tested at most once per change: a sweep goes round, last delta first, and ends
//! when it has gone all the way round since the last success. A configuration that is 1-minimal
//! already costs exactly one test a delta, which no method can undercut (docs/ALGORITHMS.md, 3 (a): each
//! delta needs a failing test of its own).

use super::Search;
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail};

/// A sweep, paused before one test.
#[derive(Clone, Debug)]
pub struct Sweep {
    config: Config,
    /// The delta after the one that is tested next, by position.
    before: usize,
    /// How many survivors have no test since the last change.
    stale: usize,
    succeeded: bool,
}

impl Sweep {
    /// Certifies `config`, which fails.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Sweep, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
    /// let search = run(Sweep::new(Config::full(8)), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
    /// ```
    pub fn new(config: Config) -> Sweep {
        Sweep { before: config.len(), stale: config.len(), config, succeeded: false }
    }
}

impl Search for Sweep {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        (self.stale > 0).then(|| self.config.without(self.before - 1..self.before))
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(smaller) = self.ask() else { return };
        self.succeeded = outcome == Fail;
        if self.succeeded {
            self.stale = smaller.len();
            self.config = smaller;
        } else {
            self.stale -= 1;
        }
        self.before -= 1;
        if self.before == 0 {
            self.before = self.config.len();
        }
    }

    fn best(&self) -> Config {
        self.config.clone()
    }

    fn undecided(&self) -> Option<usize> {
        Some(self.stale)
    }

    fn odds(&self) -> Option<f32> {
        // What can go comes in clusters: the uses of something that just went.
        Some(if self.succeeded { 0.3 } else { 0.03 })
    }
}
