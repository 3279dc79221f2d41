//! Bisection of changes that build on each other: which one made it fail?
//!
//! A question is a change with all that it builds on: a commit as it was. In a line of history this is
//! the binary search of `git bisect`, ⌈log₂ n⌉ questions for n changes; with branches, the change that
//! parts the suspects best is asked about, as there. Unresolved changes come in runs (a build stays
//! broken for a while): the next question keeps its distance from them, as far as they are known to reach, so that
//! getting out of a broken region takes a number of tests that is logarithmic in its length. What is between
//! broken ones comes last.

use super::Search;
use crate::config::{Config, Delta};
use crate::outcome::Outcome::{self, Fail, Pass, Unresolved};
use std::cmp::Reverse;
use std::sync::Arc;

/// A bisection, paused before one test.
#[derive(Clone, Debug)]
pub struct Bisect {
    /// Each change with all that it builds on, itself included.
    upto: Arc<[Config]>,
    /// What is in every question, and what is in none.
    always: Config,
    never: Config,
    /// What passed; `always` at first.
    passed: Arc<[Config]>,
    failing: Config,
    /// The changes of which one is the first that fails, as far as is known.
    suspects: Config,
    /// Changes of which nothing could be said, and how many of them were asked about last, in a row.
    unresolved: Arc<[Delta]>,
    in_a_row: u32,
    next: Next,
}

/// What is asked next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// This change, with all that it builds on.
    Upto(Delta),
    /// All but the suspects: branches that were never together before one of those.
    Before,
    Over,
}

impl Bisect {
    /// Looks for the change in `failing`, which fails, because of which it does so; `passing`, which is
    /// contained in it, passes. `upto[i]` is change `i` with all that it builds on.
    ///
    /// ```
    /// use reduct_core::{Bisect, Config, Delta, Outcome, Search, run};
    ///
    /// // Eight commits in a row: each builds on those before it. The fifth broke the program.
    /// let upto = (1..=8).map(Config::full).collect();
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(4)));
    /// let search = run(Bisect::new(upto, Config::empty(), Config::full(8)), fails);
    /// assert_eq!((search.passing(), search.best()), (Config::full(4), Config::full(5)));
    /// ```
    pub fn new(upto: Arc<[Config]>, passing: Config, failing: Config) -> Bisect {
        let suspects = failing.minus(&passing);
        let never = Config::full(upto.len()).minus(&failing);
        let passed = [passing.clone()].into();
        let (unresolved, in_a_row, next) = (Arc::new([]), 0, Next::Over);
        Bisect { upto, always: passing, never, passed, failing, suspects, unresolved, in_a_row, next }.chosen()
    }

    /// Returns what passed, and differs from [`Search::best`], which contains it, least. If they differ in more than
    /// one change, nothing more could be said of changes as they were.
    pub fn passing(&self) -> Config {
        let contained = self.passed.iter().filter(|passed| passed.is_subset(&self.failing));
        contained.max_by_key(|passed| passed.len()).unwrap_or(&self.always).clone()
    }

    fn until(&self, change: Delta) -> Config {
        self.always.union(&self.upto[change.0 as usize].minus(&self.never))
    }

    fn before(&self) -> Config {
        self.failing.minus(&self.suspects)
    }

    fn chosen(mut self) -> Bisect {
        self.next = match self.best_change() {
            Some(change) => Next::Upto(change),
            None if self.next == Next::Before || self.passed.contains(&self.before()) => Next::Over,
            None => Next::Before,
        };
        self
    }

    /// Returns the suspect that parts the suspects best and can probably be built.
    fn best_change(&self) -> Option<Delta> {
        let all = self.suspects.len();
        let position = |change: &Delta| self.suspects.count_within(0..change.0);
        let mut broken: Vec<usize> =
            self.unresolved.iter().filter(|change| self.suspects.contains(**change)).map(position).collect();
        broken.sort_unstable();
        let parts = |change: Delta| {
            let below = self.upto[change.0 as usize].ranges().map(|run| self.suspects.count_within(run)).sum::<usize>();
            below.min(all - below)
        };
        let (Some(&first), Some(&last)) = (broken.first(), broken.last()) else {
            return best_of(self.suspects.iter().map(|change| (parts(change) as u128, change)));
        };
        let hull = last - first + 1;
        // Beside what is broken, it is the more likely to be built the further away it is, if the broken region
        // goes on for as long as it is known to be.
        let outside = self.suspects.iter().enumerate().filter_map(|(at, change)| {
            let (unclear, clear) = match at {
                at if at < first => (first - at, at + 1),
                at if at > last => (at - last, all - 1 - at),
                _ => return None,
            };
            let likely = ((unclear as u128) << 32) / (unclear + clear.min(hull)) as u128;
            Some((parts(change) as u128 * likely, change))
        });
        best_of(outside).or_else(|| self.within(&broken, parts))
    }

    /// Returns the change in the middle of the widest gap between broken ones, as long as there is hope.
    fn within(&self, broken: &[usize], parts: impl Fn(Delta) -> usize) -> Option<Delta> {
        let hull = broken.last()? - broken.first()? + 1;
        if self.in_a_row > 2 + hull.ilog2() {
            return None;
        }
        let gaps = broken.windows(2).map(|pair| (pair[1] - pair[0], Reverse(pair[0])));
        let (width, Reverse(from)) = gaps.max().filter(|(width, _)| *width > 1)?;
        self.suspects.get(from + width / 2).filter(|change| parts(*change) > 0)
    }
}

/// Returns the change of the greatest worth, if any has one; of several, the first.
fn best_of(worths: impl Iterator<Item = (u128, Delta)>) -> Option<Delta> {
    let best = worths.map(|(worth, change)| (worth, Reverse(change))).max()?;
    (best.0 > 0).then_some(best.1.0)
}

impl Search for Bisect {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        match self.next {
            Next::Upto(change) => Some(self.until(change)),
            Next::Before => Some(self.before()),
            Next::Over => None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(tested) = self.ask() else { return };
        match outcome {
            Pass => {
                self.suspects = self.suspects.minus(&tested);
                self.passed = self.passed.iter().cloned().chain([tested]).collect();
            }
            Fail => {
                self.suspects = self.suspects.minus(&self.suspects.minus(&tested));
                self.failing = tested;
            }
            Unresolved => {}
        }
        match (self.next, outcome) {
            (Next::Upto(change), Unresolved) => {
                self.unresolved = self.unresolved.iter().copied().chain([change]).collect();
                self.in_a_row += 1;
            }
            _ => self.in_a_row = 0,
        }
        *self = self.clone().chosen();
    }

    fn best(&self) -> Config {
        self.failing.clone()
    }
}
