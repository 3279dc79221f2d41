//! ddmin: a failing configuration, minimised.
//!
//! Zeller, *Why Programs Fail*, List 5.2 and Example 5.4; the older form with "reduce to subset" is
//! figure 1 of Cleve and Zeller, *Finding Failure Causes through Automated Testing*, 2000.
//!
//! The result is 1-minimal: no single delta can go. At most (n² + 7n)/2 questions in the book's form,
//! n² + 3n in the older one (n² + 5n if n is no power of two, which the papers leave out); about
//! 2·log₂ n if a single delta is to blame.

use super::Search;
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail};
use crate::split::{Borders, Split};
use std::cmp::max;

/// Which of the two published forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The book's: complements only.
    Complements,
    /// The older one: all subsets first, then all complements.
    Subsets,
}

/// `ddmin'(config, granularity)`, paused before one test.
///
/// Turns `0..n` test the subsets, turns `n..2n` the complements.
#[derive(Clone, Debug)]
pub struct Ddmin {
    config: Config,
    granularity: usize,
    turn: usize,
    borders: Borders,
    form: Form,
    split: Split,
}

impl Ddmin {
    /// Minimises `config`, which fails.
    pub fn new(config: Config, form: Form, split: Split) -> Ddmin {
        let blank = Ddmin { config: Config::empty(), granularity: 0, turn: 0, borders: Borders::Singles, form, split };
        blank.at(config, 2)
    }

    /// Starts over with `config` at granularity `n`. The book's form leaves the subsets out.
    fn at(&self, config: Config, n: usize) -> Ddmin {
        let granularity = n.min(config.len());
        let borders = if granularity == 0 { Borders::Singles } else { self.split.borders(&config, granularity) };
        let turn = if self.form == Form::Subsets { 0 } else { granularity };
        Ddmin { config, granularity, turn, borders, ..self.clone() }
    }
}

impl Search for Ddmin {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        let (n, turn) = (self.granularity, self.turn);
        if self.config.len() < 2 || turn == 2 * n {
            None
        } else if turn < n {
            Some(self.config.at(self.borders.subset(turn)))
        } else {
            Some(self.config.without(self.borders.subset(turn - n)))
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let (n, turn) = (self.granularity, self.turn);
        let Some(tested) = self.ask() else { return };
        match outcome {
            Fail if turn < n => *self = self.at(tested, 2), // reduce to subset
            Fail => *self = self.at(tested, max(n - 1, 2)), // reduce to complement
            _ if turn + 1 < 2 * n => self.turn += 1,        // next one
            _ if n < self.config.len() => *self = self.at(self.config.clone(), 2 * n), // increase granularity
            _ => self.turn = 2 * n,                         // done: 1-minimal
        }
    }

    fn best(&self) -> Config {
        self.config.clone()
    }
}
