//! All 1-minimal configurations instead of one: exercise 5.9 of the book.
//!
//! MARCO (Liffiton, Previti, Malik and Marques-Silva, *Fast, flexible MUS enumeration*, Constraints 2016)
//! with maximal seeds: of the whole, one delta of each minimum that is known is left out, and no
//! more than that. If the rest fails, it is shrunk to a minimum that is not known yet. If it does not, no part of it
//! does, as far as the test is monotone: any larger part holds a minimum that is known. Once no such rest is left,
//! all minima are known.
//!
//! Tests: those of one shrinking for each minimum, and one for each minimal way to leave out something of every
//! minimum. There may be exponentially many of both, in the number of deltas and of minima; what is found up to
//! any moment holds.
//!
//! Of a test that is not monotone each minimum is 1-minimal too, since it was certified delta by delta; that there
//! are no others cannot be said ([`Minima::witness`]). Nor can it if a rest was neither seen to fail nor to pass
//! ([`Minima::unclear`]).

mod transversals;

use super::Search;
use super::relevance::{Learned, Relevance};
use super::sweep::Sweep;
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail, Unresolved};
use std::collections::BTreeSet;
use std::sync::Arc;
use transversals::Transversals;

/// An enumeration of minima, paused before one test.
#[derive(Clone, Debug)]
pub struct Minima {
    whole: Config,
    found: Arc<Vec<Config>>,
    /// What was left out in vain: the rest did not fail.
    futile: Arc<BTreeSet<Vec<u32>>>,
    /// Of how many of these it could not be told whether the rest fails.
    unclear: usize,
    learned: Learned,
    seen: Witnesses,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Something that fails is made smaller, and then certified.
    Shrink(Relevance),
    Certify(Sweep),
    /// Something that holds no known minimum is tried: the whole without these deltas.
    Seed {
        walk: Transversals,
        without: Config,
    },
    Over,
}

/// What shows that a test is not monotone.
#[derive(Clone, Debug, Default)]
struct Witnesses {
    /// The largest that did not fail, and the smallest that did.
    passed: Arc<Vec<Config>>,
    failed: Arc<Vec<Config>>,
    witness: Option<(Config, Config)>,
}

impl Minima {
    /// Looks for all minima of `whole`, which fails.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Minima, Outcome, run};
    ///
    /// // Either of two is enough.
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(1)) || config.contains(Delta(3)));
    /// let search = run(Minima::new(Config::full(4)), fails);
    /// let mut found = search.found().to_vec();
    /// found.sort_by_key(|minimum| minimum.iter().next());
    /// assert_eq!(found, [Config::from_deltas([Delta(1)]), Config::from_deltas([Delta(3)])]);
    /// ```
    pub fn new(whole: Config) -> Minima {
        let learned = Learned::new(whole.len());
        let stage = Stage::Shrink(Relevance::new(whole.clone(), learned));
        let (found, futile, unclear, seen) = Default::default();
        let mut minima = Minima { whole, found, futile, unclear, learned, seen, stage };
        minima.go_on();
        minima
    }

    /// Returns the minima that are known, in the order in which they were found. Each fails, and without any single
    /// delta it was not seen to fail.
    pub fn found(&self) -> &[Config] {
        &self.found
    }

    /// Returns something that fails and is part of something that does not, if that was seen: then the test is not
    /// monotone, and there may be minima that are not found.
    pub fn witness(&self) -> Option<(&Config, &Config)> {
        self.seen.witness.as_ref().map(|(fails, passes)| (fails, passes))
    }

    /// Returns how many ways to leave out something of every minimum were tried in vain.
    pub fn futile(&self) -> usize {
        self.futile.len()
    }

    /// Returns of how many of these it could not be told whether the rest fails: part of it may be a minimum that is not found.
    pub fn unclear(&self) -> usize {
        self.unclear
    }

    /// Goes on to the next stage that has something to ask.
    fn go_on(&mut self) {
        loop {
            self.stage = match &self.stage {
                Stage::Shrink(shrink) if shrink.ask().is_none() => {
                    self.learned = shrink.learned().faded(Learned::new(self.whole.len()));
                    Stage::Certify(Sweep::new(shrink.best()))
                }
                Stage::Certify(sweep) if sweep.ask().is_none() => {
                    Arc::make_mut(&mut self.found).push(sweep.best());
                    self.seed(Transversals::new(smallest(&self.found)))
                }
                _ => return,
            };
        }
    }

    /// Returns the next seed that was not tried before.
    fn seed(&self, mut walk: Transversals) -> Stage {
        while let Some(without) = walk.next() {
            if !self.futile.contains(&name(&without)) {
                return Stage::Seed { walk, without };
            }
        }
        Stage::Over
    }
}

/// Returns those that hold no other one.
fn smallest(found: &[Config]) -> Vec<Config> {
    let holds_another = |one: &Config| found.iter().any(|other| other != one && other.is_subset(one));
    found.iter().filter(|one| !holds_another(one)).cloned().collect()
}

/// Returns what is left out, as it is remembered.
fn name(without: &Config) -> Vec<u32> {
    without.iter().map(|delta| delta.0).collect()
}

impl Witnesses {
    fn tell(&mut self, config: &Config, outcome: Outcome) {
        if self.witness.is_some() {
            return;
        }
        if outcome == Fail {
            let within = self.passed.iter().find(|passed| config.is_subset(passed));
            self.witness = within.map(|passed| (config.clone(), passed.clone()));
            if !self.failed.iter().any(|failed| failed.is_subset(config)) {
                let failed = Arc::make_mut(&mut self.failed);
                failed.retain(|failed| !config.is_subset(failed));
                failed.push(config.clone());
            }
        } else {
            let within = self.failed.iter().find(|failed| failed.is_subset(config));
            self.witness = within.map(|failed| (failed.clone(), config.clone()));
            if !self.passed.iter().any(|passed| config.is_subset(passed)) {
                let passed = Arc::make_mut(&mut self.passed);
                passed.retain(|passed| !passed.is_subset(config));
                passed.push(config.clone());
            }
        }
    }
}

impl Search for Minima {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        match &self.stage {
            Stage::Shrink(shrink) => shrink.ask(),
            Stage::Certify(sweep) => sweep.ask(),
            Stage::Seed { without, .. } => Some(self.whole.minus(without)),
            Stage::Over => None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(asked) = self.ask() else { return };
        self.seen.tell(&asked, outcome);
        match &mut self.stage {
            Stage::Shrink(shrink) => shrink.tell(outcome),
            Stage::Certify(sweep) => sweep.tell(outcome),
            Stage::Seed { .. } if outcome == Fail => {
                self.stage = Stage::Shrink(Relevance::new(asked, self.learned));
            }
            Stage::Seed { walk, without } => {
                let (walk, without) = (walk.clone(), name(without));
                Arc::make_mut(&mut self.futile).insert(without);
                self.unclear += usize::from(outcome == Unresolved);
                self.stage = self.seed(walk);
            }
            Stage::Over => {}
        }
        self.go_on();
    }

    /// Returns the smallest that is known to fail.
    fn best(&self) -> Config {
        let current = match &self.stage {
            Stage::Shrink(shrink) => Some(shrink.best()),
            Stage::Certify(sweep) => Some(sweep.best()),
            Stage::Seed { .. } | Stage::Over => None,
        };
        // Of equally small ones, the first that was found.
        let all = self.found.iter().cloned().chain(current);
        all.min_by_key(Config::len).unwrap_or_else(|| self.whole.clone())
    }

    fn odds(&self) -> Option<f32> {
        match &self.stage {
            Stage::Shrink(shrink) => shrink.odds(),
            Stage::Certify(sweep) => sweep.odds(),
            Stage::Seed { .. } => Some(0.2),
            Stage::Over => None,
        }
    }
}
