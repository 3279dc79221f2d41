//! Waves: relevance in several lanes side by side, a group of each lane against the same base.
//!
//! docs/ALGORITHMS.md, 4.4. A *lane* is a stretch of the list that is decided from its back as by
//! [`super::relevance`]; all lanes share what is learned. A *wave* asks one question of each lane, whatever the
//! outcomes, so that as many workers are busy as there are lanes. Their number does not depend on the workers:
//! it doubles with each wave, as long as several needed deltas are expected in each.
//!
//! What went in a wave is taken out together, untested: the next wave asks about that base, and its first failure
//! shows that the base fails, too. Only if several questions in a row do not fail, the base itself is asked
//! about; if it does not fail, what went is put together by halves.
//!
//! Lanes judge definitions while their uses are still there. An unresolved test in a lane in front says so: what was
//! judged out of order is then undecided again, and there is one lane for a while, as with relevance, then for sixteen times as
//! long.
//!
//! The result fails. It is not 1-minimal; a [`super::sweep::Sweep`] must follow. At most n·(4 + log₂ n)
//! questions if nothing is unresolved and what goes alone goes together. Otherwise that many again whenever something is undecided again, which is
//! log₂ n + 3 times at most, as ever more waves of one lane lie between.

mod lane;

use super::Search;
use super::relevance::Learned;
use crate::config::{Config, Delta};
use crate::outcome::Outcome::{self, Fail, Unresolved};
use lane::{Chosen, Lane};
use std::sync::Arc;

/// How many lanes there are at most.
const WIDEST: usize = 24;

/// How many needed deltas are expected at least in a lane that is cut in two.
const EXPECTED: f64 = 2.5;

/// After so many questions in a row that did not fail, what they have in common is doubted.
const DOUBTFUL: usize = 5;

/// How many times as long there is one lane after each time that lanes did not go well.
const CAUTION: usize = 16;

/// A wave of at most so many groups is looked through for whichever outcomes are likely; a wider one has too many.
const FORESEEN: usize = 4;

/// Waves, paused before one test.
#[derive(Clone, Debug)]
pub struct Waves {
    /// What is known to fail.
    best: Config,
    /// What the groups of this wave are taken out of.
    base: Config,
    /// What went one by one, but is not known to go together: `base` is `best` without it.
    pieces: Arc<Vec<Config>>,
    /// How many questions in a row about such a base did not fail.
    in_vain: usize,
    /// What is undecided, the lane farthest back first.
    lanes: Arc<Vec<Lane>>,
    needed: Config,
    /// Which of the needed ones were judged while something behind them was undecided.
    doubtful: Config,
    width: usize,
    /// How many waves of one lane are to come, and how many the next time.
    narrow: usize,
    caution: usize,
    wave: Arc<Vec<Group>>,
    /// How many of the wave were tried.
    tried: usize,
    /// Pieces to go together, those that are next last. The groups of a wave come after that.
    together: Vec<Vec<Config>>,
    learned: Learned,
    /// What was learned in order only.
    in_order: Learned,
}

/// A question of a wave.
#[derive(Clone, Debug)]
struct Group {
    lane: usize,
    chosen: Chosen,
    deltas: Config,
    outcome: Option<Outcome>,
}

impl Waves {
    /// Reduces `config`, which fails.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Learned, Waves, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
    /// let search = run(Waves::new(Config::full(8), Learned::new(8)), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
    /// ```
    pub fn new(config: Config, learned: Learned) -> Waves {
        let mut search = Waves {
            lanes: Arc::new(vec![Lane::new(config.clone())]),
            base: config.clone(),
            best: config,
            pieces: Arc::default(),
            in_vain: 0,
            needed: Config::empty(),
            doubtful: Config::empty(),
            width: 1,
            narrow: 0,
            caution: 1,
            wave: Arc::default(),
            tried: 0,
            together: vec![],
            learned,
            in_order: learned,
        };
        search.next_wave();
        search
    }

    /// Returns what was learned so far.
    pub fn learned(&self) -> Learned {
        self.learned
    }

    /// Takes a group of each lane. What is left of a lane waits if it is too little for a group, unless nothing else is left.
    fn next_wave(&mut self) {
        let mut lanes = std::mem::take(Arc::make_mut(&mut self.lanes));
        lane::join(&mut lanes, &self.learned, &self.needed);
        lane::cut(&mut lanes, &self.learned, self.width, EXPECTED);
        let choose = |(at, lane): (usize, &Lane)| {
            let chosen = lane.choose(&self.learned, &self.needed);
            Group { lane: at, deltas: lane.last(chosen.count), chosen, outcome: None }
        };
        let mut wave: Vec<Group> = lanes.iter().take(self.width).enumerate().map(choose).collect();
        if wave.iter().any(|group| !group.chosen.is_small) {
            wave.retain(|group| !group.chosen.is_small);
        } else {
            wave.truncate(1);
        }
        (self.wave, self.tried, self.lanes) = (Arc::new(wave), 0, Arc::new(lanes));
    }

    /// Learns from the whole wave, in its order.
    fn wave_is_over(&mut self) {
        let wave = std::mem::take(&mut self.wave);
        let mut lanes = std::mem::take(Arc::make_mut(&mut self.lanes));
        let before = self.needed.clone();
        let is_in_doubt = wave.iter().any(|group| group.lane > 0 && group.outcome == Some(Unresolved));
        let mut gone = vec![];
        for group in wave.iter() {
            let is_last = group.lane == 0;
            let goes = group.outcome == Some(Fail);
            if goes {
                [&mut self.learned, &mut self.in_order].into_iter().for_each(|it| group.chosen.has_gone(it));
                gone.push(group.deltas.clone());
            } else if is_in_doubt && !is_last {
                // What is judged out of order does not count.
                continue;
            }
            let Some(found) = lanes[group.lane].told(group.chosen.count, goes, is_last) else { continue };
            let after_needed = before.contains(Delta(found.delta.0 + 1));
            self.learned.needed(after_needed);
            let one = Config::from_deltas([found.delta]);
            if found.in_order {
                self.in_order.needed(after_needed);
            } else {
                self.doubtful = self.doubtful.union(&one);
            }
            self.needed = self.needed.union(&one);
        }
        self.lanes = Arc::new(lanes);
        self.narrow = self.narrow.saturating_sub(1);
        if is_in_doubt {
            self.forget_what_was_judged_out_of_order();
        }
        self.width = if self.narrow > 0 { 1 } else { (2 * self.width).min(WIDEST) };
        if !gone.is_empty() {
            self.base = self.base.minus(&all(&gone));
            let is_left = |piece: &Config| piece.get(0).is_some_and(|first| self.best.contains(first));
            self.pieces = Arc::new(gone.into_iter().filter(is_left).collect());
            self.in_vain = 0;
        }
    }

    /// Leaves one lane, with all that was judged out of order undecided in it.
    fn forget_what_was_judged_out_of_order(&mut self) {
        let lanes = std::mem::take(Arc::make_mut(&mut self.lanes));
        let mut lanes = lanes.into_iter();
        let mut one = lanes.next().unwrap_or_else(|| Lane::new(Config::empty()));
        one.forget_unless_in_order();
        let undecided =
            lanes.fold(std::mem::replace(&mut self.doubtful, Config::empty()), |all, lane| lane.joined(all));
        let again = one.take_back(&undecided);
        self.needed = self.needed.minus(&again);
        self.lanes = Arc::new(vec![one]);
        self.learned = self.in_order;
        (self.narrow, self.caution) = (self.caution, self.caution.saturating_mul(CAUTION));
        self.width = 1;
    }

    /// Returns whether it asks about the base itself.
    fn doubts_base(&self) -> bool {
        !self.pieces.is_empty() && (self.in_vain >= DOUBTFUL || self.wave.is_empty())
    }

    /// Takes the outcome of the base itself.
    fn tell_base(&mut self, outcome: Outcome) {
        self.in_vain = 0;
        let pieces = std::mem::take(&mut self.pieces);
        if outcome == Fail {
            self.best = self.base.clone();
            if self.wave.is_empty() {
                self.next_wave();
            }
            return;
        }
        // So what this wave asked says nothing.
        (self.wave, self.tried) = (Arc::default(), 0);
        self.base = self.best.clone();
        self.forget_what_was_judged_out_of_order();
        self.halve(&pieces);
        if self.together.is_empty() {
            self.next_wave();
        }
    }

    /// Pieces do not go together.
    fn halve(&mut self, pieces: &[Config]) {
        match pieces {
            [only] if only.len() == 1 => self.needed = self.needed.union(only),
            [only] => Arc::make_mut(&mut self.lanes).iter_mut().take(1).for_each(|lane| lane.put_back(only)),
            _ => {
                let (front, back) = pieces.split_at(pieces.len() / 2);
                self.together.extend([front.to_vec(), back.to_vec()]);
            }
        }
    }
}

fn all(groups: &[Config]) -> Config {
    groups.iter().fold(Config::empty(), |all, group| all.union(group))
}

impl Search for Waves {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        if let Some(pieces) = self.together.last() {
            return Some(self.base.minus(&all(pieces)));
        }
        if self.doubts_base() {
            return Some(self.base.clone());
        }
        self.wave.get(self.tried).map(|group| self.base.minus(&group.deltas))
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(asked) = self.ask() else { return };
        if let Some(pieces) = self.together.pop() {
            if outcome == Fail {
                (self.base, self.best) = (asked.clone(), asked);
            } else {
                self.halve(&pieces);
            }
            if self.together.is_empty() {
                self.next_wave();
            }
            return;
        }
        if self.doubts_base() {
            return self.tell_base(outcome);
        }
        if outcome == Fail {
            self.pieces = Arc::default();
            if asked.len() < self.best.len() {
                self.best = asked;
            }
        } else {
            self.in_vain += 1;
        }
        Arc::make_mut(&mut self.wave)[self.tried].outcome = Some(outcome);
        self.tried += 1;
        if self.tried == self.wave.len() {
            self.wave_is_over();
            self.next_wave();
        }
    }

    fn best(&self) -> Config {
        self.best.clone()
    }

    fn undecided(&self) -> Option<usize> {
        Some(self.lanes.iter().map(Lane::len).sum())
    }

    fn odds(&self) -> Option<f32> {
        if !self.together.is_empty() || self.doubts_base() {
            return Some(0.97);
        }
        // In a wave the next question is the same either way, so one future is looked at if there are many.
        let is_sure = self.wave.len() > FORESEEN && self.tried + 1 < self.wave.len();
        self.wave.get(self.tried).map(|group| if is_sure { 0.0 } else { group.chosen.odds })
    }
}
