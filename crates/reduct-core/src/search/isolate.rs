//! dd: the difference between a passing and a failing configuration, narrowed from both sides.
//!
//! Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002; book 5.8.4. The
//! result is a 1-minimal difference: with any single delta of it moved, the outcome is no longer
//! known to flip. With no unresolved outcome this is a binary search.

use super::Search;
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail, Pass};
use crate::split::{Borders, Split};
use std::cmp::max;

/// In which order the cases of dd are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each part is first taken out of the failing side, and whatever is learned is used at once:
    /// five tests for Example 5.9.
    Direct,
    /// As `Direct`, but after a step at finer granularity it goes on with the parts that were not tried since,
    /// instead of beginning again with those that just did not help: where most is unresolved, that is most of
    /// the tests.
    Onward,
    /// The order in which the 2002 paper lists its cases: all parts are added to the passing side
    /// before any is taken out of the failing side, and larger steps go first. With the book's
    /// `split`, eleven tests for Example 5.9, which end at another difference.
    Paper,
}

/// `dd'(passing, failing, granularity)`, paused before one test.
#[derive(Clone, Debug)]
pub struct Isolate {
    passing: Config,
    failing: Config,
    granularity: usize,
    turn: usize,
    /// How many turns in a row have brought nothing at this granularity.
    quiet: usize,
    /// The difference, and where it is cut.
    difference: Config,
    borders: Borders,
    order: Order,
    /// What the paper's order does if no larger step is possible: the first passing `passing ∪ Δᵢ`,
    /// the first failing `failing ∖ Δᵢ`.
    second_best: (Option<Config>, Option<Config>),
}

impl Isolate {
    /// Narrows the difference between `passing`, which passes, and `failing`, which fails and holds
    /// all of `passing`.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Isolate, Order, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)));
    /// let search = run(Isolate::new(Config::empty(), Config::full(8), Order::Direct), fails);
    /// // Both sides are alike but for what is to blame.
    /// assert!(search.best().contains(Delta(2)) && !search.passing().contains(Delta(2)));
    /// assert_eq!(search.best().len(), search.passing().len() + 1);
    /// ```
    pub fn new(passing: Config, failing: Config, order: Order) -> Isolate {
        let blank = Isolate {
            passing: Config::empty(),
            failing: Config::empty(),
            granularity: 0,
            turn: 0,
            quiet: 0,
            difference: Config::empty(),
            borders: Borders::Singles,
            order,
            second_best: (None, None),
        };
        blank.at(passing, failing, 2)
    }

    /// Returns the side that passes. What [`Search::best`] has beyond it is what makes it fail.
    pub fn passing(&self) -> Config {
        self.passing.clone()
    }

    fn at(&self, passing: Config, failing: Config, n: usize) -> Isolate {
        let difference = failing.minus(&passing);
        let granularity = n.min(difference.len());
        // Rounded down, as the five tests of Example 5.9 need it.
        let split = if self.order == Order::Paper { Split::Book } else { Split::Balanced };
        let borders = if granularity == 0 { Borders::Singles } else { split.borders(&difference, granularity) };
        let second_best = (None, None);
        Isolate { passing, failing, granularity, turn: 0, quiet: 0, difference, borders, second_best, ..*self }
    }

    /// Returns the same parts but the one that was just moved; `Onward`, the next turn is that of the part after it.
    fn without_part(&self, passing: Config, failing: Config) -> Isolate {
        let n = max(self.granularity - 1, 2);
        let next = self.at(passing, failing, n);
        if self.order != Order::Onward || next.granularity < 3 {
            return next;
        }
        let (part, second_half) = (self.turn % self.granularity, self.turn >= self.granularity);
        let turn = match (part < next.granularity, second_half) {
            (true, half) => part + usize::from(half) * next.granularity,
            // It was the last of its half.
            (false, false) => next.granularity,
            (false, true) => 0,
        };
        Isolate { turn, ..next }
    }

    /// Returns the part that turn `turn` moves, and whether it is added to the passing side.
    fn step(&self) -> (Config, bool) {
        let (n, turn) = (self.granularity, self.turn);
        let (part, second_half) = (turn % n, turn >= n);
        let added = second_half != (self.order == Order::Paper);
        (self.difference.at(self.borders.subset(part)), added)
    }

    /// Returns how many turns there are. At granularity 2 the parts are each other's complements, so that adding one is
    /// taking the other out.
    fn turns(&self) -> usize {
        if self.granularity == 2 { 2 } else { 2 * self.granularity }
    }

    /// Goes on after a step that helps, but less than others may.
    fn remember(&self, tested: Config, added: bool) -> Isolate {
        let (passing, failing) = self.second_best.clone();
        // At granularity 2 adding the second part is taking out the first, which the paper prefers.
        let replace = passing.is_none() || self.granularity == 2;
        let second_best = match added {
            true if replace => (Some(tested), failing),
            true => (passing, failing),
            false => (passing, failing.or(Some(tested))),
        };
        Isolate { second_best, ..self.clone() }.next()
    }

    fn next(&self) -> Isolate {
        let n = self.granularity;
        if self.quiet + 1 < self.turns() {
            return Isolate { turn: (self.turn + 1) % self.turns(), quiet: self.quiet + 1, ..self.clone() };
        }
        match &self.second_best {
            (Some(passing), _) => self.at(passing.clone(), self.failing.clone(), max(n - 1, 2)),
            (None, Some(failing)) => self.at(self.passing.clone(), failing.clone(), max(n - 1, 2)),
            (None, None) if n < self.difference.len() => self.at(self.passing.clone(), self.failing.clone(), 2 * n),
            (None, None) => Isolate { quiet: self.turns(), ..self.clone() },
        }
    }
}

impl Search for Isolate {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        if self.difference.len() < 2 || self.quiet == self.turns() {
            return None;
        }
        let (part, added) = self.step();
        Some(if added { self.passing.union(&part) } else { self.failing.minus(&part) })
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(tested) = self.ask() else { return };
        let (_, added) = self.step();
        let (direct, passing) = (self.order != Order::Paper, self.passing.clone());
        *self = match (added, outcome) {
            (true, Fail) => self.at(self.passing.clone(), tested, 2), // the failing side shrinks to the part
            (false, Pass) => self.at(tested, self.failing.clone(), 2), // the passing side grows to the rest
            (true, Pass) if direct => self.without_part(tested, self.failing.clone()),
            (false, Fail) if direct => self.without_part(passing, tested),
            (true, Pass) | (false, Fail) => self.remember(tested, added),
            _ => self.next(),
        };
    }

    fn best(&self) -> Config {
        self.failing.clone()
    }
}
