//! Merge: each delta alone against one base, then together all that could go alone.
//!
//! The first half asks the same questions whatever the outcomes, so that it runs as wide as there
//! are workers; C-Vise's folding and Shrink Ray's merge queue are relatives. The second half takes
//! all single successes at once and halves where they do not go together. At most 3n questions. The
//! result is not 1-minimal: what went may make room for more. A [`super::sweep::Sweep`] settles that.

use super::Search;
use crate::config::{Config, Delta};
use crate::outcome::Outcome::{self, Fail};
use std::sync::Arc;

/// A merge, paused before one test.
#[derive(Clone, Debug)]
pub struct Merge {
    config: Config,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// The delta before position `before` is tried alone; `loose` could go.
    Alone { before: usize, loose: Arc<Vec<Delta>> },
    /// Groups of loose deltas that are to go together, the next one last.
    Together { groups: Vec<Config> },
}

impl Merge {
    /// Reduces `config`, which fails.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Merge, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
    /// let search = run(Merge::new(Config::full(8)), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
    /// ```
    pub fn new(config: Config) -> Merge {
        let before = config.len();
        Merge { config, stage: Stage::Alone { before, loose: Arc::default() } }
    }
}

impl Search for Merge {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        match &self.stage {
            Stage::Alone { before, .. } => (*before > 0).then(|| self.config.without(before - 1..*before)),
            Stage::Together { groups } => groups.last().map(|group| self.config.minus(group)),
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(tested) = self.ask() else { return };
        match &mut self.stage {
            Stage::Alone { before, loose } => {
                *before -= 1;
                if outcome == Fail {
                    Arc::make_mut(loose).extend(self.config.get(*before));
                }
                if *before == 0 && !loose.is_empty() {
                    let all = loose.iter().rev().copied().collect();
                    self.stage = Stage::Together { groups: vec![all] };
                }
            }
            Stage::Together { groups } => {
                let group = groups.pop().unwrap_or_else(Config::empty);
                if outcome == Fail {
                    self.config = tested;
                } else if group.len() > 1 {
                    let middle = group.len() / 2;
                    groups.push(group.at(0..middle));
                    groups.push(group.at(middle..group.len()));
                }
            }
        }
    }

    fn best(&self) -> Config {
        self.config.clone()
    }
}
