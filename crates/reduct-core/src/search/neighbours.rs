//! Neighbours that go together: pairs, triples or quadruples of a list whose items cannot go one by one.
//!
//! Requests stand before their answers, keys before their values, what begins before what ends. If none of two can go without
//! the other, each single deletion is in vain, and a group goes only if it happens to begin and to end between pairs. So where an
//! item could not go, it is asked whether it goes with a neighbour, on either side; then in threes and in fours. What goes tells how
//! many items go together and where the first of them stands, and the list is searched again, in groups of so many. Then one needed
//! pair of 500 costs what one needed item of 500 does.
//!
//! It asks nine questions at most if nothing goes together. What stays may hold items that can go by themselves, so a
//! [`super::sweep::Sweep`] must follow for 1-minimality.

use super::Search;
use super::relevance::{Learned, Relevance};
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// After so many groups in vain in a row, or this share of all if that is more, the list is left as it is: what goes together
/// may begin elsewhere in the rest of it.
const PATIENCE: usize = 12;
const SHARE: usize = 32;

/// The search, paused before one question.
#[derive(Clone, Debug)]
pub struct Neighbours {
    /// What is known to fail.
    best: Config,
    /// The deltas of each item of the list, as a range of them.
    items: Arc<[Range<u32>]>,
    stage: Stage,
    /// How many items went together first.
    size: Option<usize>,
    /// How many questions were in vain.
    in_vain: usize,
    /// How many went well.
    hits: usize,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Which items are asked about together, the last ones first.
    Probes(Vec<Range<usize>>),
    Groups(Box<Groups>),
}

/// The list in groups.
#[derive(Clone, Debug)]
struct Groups {
    /// The deltas of each group, as a range: with it goes what of them is left.
    of: Arc<[Range<u32>]>,
    search: Relevance,
    in_vain_in_a_row: usize,
}

impl Neighbours {
    /// Reduces `best`, which fails, by neighbours of the item at a position, which cannot go alone; of them so many are asked about together. An item is what is
    /// left of a range of deltas; these are in their order.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Neighbours, Outcome, Search, run};
    ///
    /// // Deltas 2k and 2k + 1 go together only, and 4 is needed.
    /// let is_whole = |config: &Config, pair: u32| config.contains(Delta(2 * pair)) == config.contains(Delta(2 * pair + 1));
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(4)) && (0..50).all(|pair| is_whole(config, pair)));
    /// let search = run(Neighbours::of(Config::full(100), (0..100).map(|at| at..at + 1).collect(), 88, 2..=4), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(4), Delta(5)]));
    /// ```
    pub fn of(best: Config, items: Arc<[Range<u32>]>, at: usize, sizes: RangeInclusive<usize>) -> Neighbours {
        let len = items.len();
        let around = |size: usize| (0..size).map(move |before| at.checked_sub(before).map(|start| start..start + size));
        let probes = sizes.flat_map(around).flatten().filter(|probe| probe.end <= len);
        let mut probes: Vec<Range<usize>> = probes.collect();
        probes.reverse();
        Neighbours { best, items, stage: Stage::Probes(probes), size: None, in_vain: 0, hits: 0 }
    }

    /// Returns how many questions it asks at most if nothing goes together.
    pub fn probes(sizes: RangeInclusive<usize>) -> usize {
        sizes.sum()
    }

    /// Returns how many questions were in vain so far.
    pub fn in_vain(&self) -> usize {
        self.in_vain
    }

    /// Returns how many items went together first, if some did.
    pub fn size(&self) -> Option<usize> {
        self.size
    }

    /// Returns how many groups went so far.
    pub fn hits(&self) -> usize {
        self.hits
    }

    /// Returns what is left without the items in these ranges of deltas.
    fn without(&self, ranges: impl Iterator<Item = Range<u32>>) -> Config {
        self.best.minus(&Config::from_ranges(ranges))
    }

    /// Goes on with groups that stand side by side with these items, which have gone together.
    fn regroup(&mut self, gone: &Range<usize>) {
        let size = gone.len();
        self.size = Some(size);
        let last = self.items.len().saturating_sub(size);
        let starts = (gone.start % size..=last).step_by(size).filter(|start| *start != gone.start);
        let of: Arc<[Range<u32>]> =
            starts.map(|start| self.items[start].start..self.items[start + size - 1].end).collect();
        let search = Relevance::new(Config::full(of.len()), Learned::new(of.len()));
        self.stage = Stage::Groups(Box::new(Groups { of, search, in_vain_in_a_row: 0 }));
    }
}

impl Groups {
    fn patience(&self) -> usize {
        PATIENCE.max(self.of.len() / SHARE)
    }

    /// Returns the ranges of deltas of which nothing is left in what it asks about next; `None` if it is over.
    fn asks(&self) -> Option<impl Iterator<Item = Range<u32>> + '_> {
        let left = self.search.ask().filter(|_| self.in_vain_in_a_row < self.patience())?;
        let gone = Config::full(self.of.len()).minus(&left);
        let numbers: Vec<u32> = gone.iter().map(|group| group.0).collect();
        Some(numbers.into_iter().map(|group| self.of[group as usize].clone()))
    }
}

impl Search for Neighbours {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        match &self.stage {
            Stage::Probes(probes) => {
                let probe = probes.last()?.clone();
                Some(self.without(self.items[probe].iter().cloned()))
            }
            Stage::Groups(groups) => groups.asks().map(|gone| self.without(gone)),
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(asked) = self.ask() else { return };
        if outcome == Fail {
            self.best = asked;
            self.hits += 1;
        } else {
            self.in_vain += 1;
        }
        match &mut self.stage {
            Stage::Probes(probes) => {
                let probe = probes.pop();
                if let Some(probe) = probe.filter(|_| outcome == Fail) {
                    self.regroup(&probe);
                }
            }
            Stage::Groups(groups) => {
                groups.search.tell(outcome);
                groups.in_vain_in_a_row = if outcome == Fail { 0 } else { groups.in_vain_in_a_row + 1 };
            }
        }
    }

    fn best(&self) -> Config {
        self.best.clone()
    }

    fn odds(&self) -> Option<f32> {
        match &self.stage {
            Stage::Probes(_) => Some(0.2),
            Stage::Groups(groups) => groups.search.odds(),
        }
    }
}
