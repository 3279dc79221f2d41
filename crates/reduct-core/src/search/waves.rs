//! Waves: relevance in several lanes side by side, a group of each lane against the same base.
//!
//! docs/ALGORITHMS.md, 4.4. A *lane* is a stretch of the list that is decided from its back as by
//! [`super::relevance`]. A *wave* asks one question of each lane, whatever the outcomes. Some waves are a *round*: in it, a
//! lane knows its own outcomes only, and takes its groups out of the base of the round. So as many workers are busy as there are lanes,
//! and more with what may come next in each ([`Search::shares`]). The number of lanes does not depend on the workers: it grows
//! as far as outcomes of the lanes in front are as expected (`trust.rs`), and as long as a needed delta is expected in each.
//!
//! What went in a round is taken out together, untested: the next wave asks about that base, and its first failure
//! shows that the base fails, too. Only if several questions in a row do not fail, the base itself is asked
//! about; if it does not fail, what went is put together by halves. What was found to be needed meanwhile stays so, as no use shows by that.
//!
//! Lanes judge definitions while their uses are still there. An unresolved test in a lane in front says so: what was
//! judged out of order is then undecided again, and there is one lane for sixteen waves, the next time for sixteen times as
//! many. If tests say *pass* there instead, nearly no group of the first new lanes goes; then they are given up for a while. Where few parts are
//! used by others this is not seen; definitions are kept for uses that go later, and the sweep has to find them one by one.
//!
//! The result fails. It is not 1-minimal; a [`super::sweep::Sweep`] must follow. At most n·(4 + log₂ n)
//! questions if nothing is unresolved and what goes alone goes together. Otherwise that many again whenever something is undecided again, which is
//! log₂ n + 3 times at most, as ever more waves of one lane lie between; and up to six for each trial of lanes.

mod lane;
mod trust;

use super::Search;
use super::relevance::Learned;
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail, Unresolved};
use lane::{Group, Lane};
use std::sync::Arc;
use trust::{Shown, Trust};

/// How many waves a round has at most. A lane narrows a group down to one delta in about as many.
const ROUND: usize = 8;

/// After so many questions in a row that did not fail, what they have in common is doubted.
const DOUBTFUL: usize = 5;

/// A wave of at most so many groups is looked through for whichever outcomes are likely; a wider one has too many.
const FORESEEN: usize = 4;

/// Waves, paused before one test.
#[derive(Clone, Debug)]
pub struct Waves {
    /// How many deltas there were.
    count: usize,
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
    trust: Trust,
    /// How many rounds are over, and how many waves of this one.
    rounds: usize,
    waves: usize,
    /// The only lane that it asks about, until the round is over.
    alone: Option<usize>,
    wave: Arc<Vec<Group>>,
    /// How many of the wave were tried.
    tried: usize,
    /// Pieces to go together, those that are next last. The groups of a wave come after that.
    together: Vec<Vec<Config>>,
    learned: Learned,
    /// What was learned in order only.
    in_order: Learned,
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
            count: config.len(),
            lanes: Arc::new(vec![Lane::new(config.clone(), learned)]),
            base: config.clone(),
            best: config,
            pieces: Arc::default(),
            in_vain: 0,
            needed: Config::empty(),
            doubtful: Config::empty(),
            trust: Trust::new(),
            rounds: 0,
            waves: 0,
            alone: None,
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

    /// Takes a group of each lane. What is left of a lane waits for the next round if it is too little for a group, unless
    /// nothing else is left.
    fn next_wave(&mut self) {
        if self.waves == 0 {
            let lanes = Arc::make_mut(&mut self.lanes);
            lanes.iter_mut().for_each(|lane| lane.begin(self.learned, &self.needed));
            lane::join(lanes);
            lane::cut(lanes, self.trust.width());
        }
        let mut wave: Vec<Group> = self.lanes.iter().enumerate().filter_map(|(at, lane)| lane.group(at)).collect();
        if wave.iter().any(|group| !group.chosen.is_small) {
            wave.retain(|group| !group.chosen.is_small);
        } else if self.waves > 0 {
            self.end_round();
            return self.next_wave();
        } else {
            wave.truncate(1);
        }
        (self.wave, self.tried) = (Arc::new(wave), 0);
    }

    /// Learns from the wave once all of it was tried, and goes on with the next one.
    fn end_wave(&mut self) {
        if self.tried < self.wave.len() {
            return;
        }
        let wave = std::mem::take(&mut self.wave);
        self.tried = 0;
        let is_in_doubt = wave.iter().any(|group| group.lane > 0 && group.outcome == Some(Unresolved));
        self.learn(&wave, is_in_doubt);
        self.waves += 1;
        let is_over = is_in_doubt || self.trust.is_on_trial() || self.waves >= ROUND;
        if let Some(at) = self.alone {
            let next = self.lanes[at].group(at).filter(|group| !is_over && !group.chosen.is_small);
            self.wave = Arc::new(next.into_iter().collect());
            return;
        }
        let shown = self.trust.judge(&wave);
        if is_over || shown != Shown::Nothing || self.lanes.len() == 1 {
            self.end_round();
        }
        if is_in_doubt {
            self.trust.doubt();
            self.forget_what_was_judged_out_of_order();
        } else if shown == Shown::Untrusted {
            self.forget_what_was_judged_out_of_order();
        } else if shown == Shown::Disappointed {
            // What many lanes have found to be needed is too much to be found again.
            self.doubtful = Config::empty();
            self.forget_what_was_judged_out_of_order();
        }
        self.next_wave();
    }

    /// Learns from a wave, in its order.
    fn learn(&mut self, wave: &[Group], is_in_doubt: bool) {
        let lanes = Arc::make_mut(&mut self.lanes);
        for group in wave {
            let is_last = group.lane == 0;
            if group.outcome == Some(Fail) {
                group.chosen.has_gone(&mut self.learned);
                if is_last {
                    group.chosen.has_gone(&mut self.in_order);
                }
            } else if is_in_doubt && !is_last {
                // What is judged out of order does not count.
                continue;
            }
            let Some(found) = lanes[group.lane].told(group, is_last) else { continue };
            self.learned.needed(found.after_needed);
            let one = Config::from_deltas([found.delta]);
            if found.in_order {
                self.in_order.needed(found.after_needed);
                if self.trust.has_found() {
                    let count = self.count;
                    [&mut self.learned, &mut self.in_order].into_iter().for_each(|it| it.forget_hope(count));
                }
            } else {
                self.doubtful = self.doubtful.union(&one);
            }
            self.needed = self.needed.union(&one);
        }
    }

    /// Takes out together what went in the round, and begins another one.
    fn end_round(&mut self) {
        (self.rounds, self.waves) = (self.rounds + 1, 0);
        let gone = Arc::make_mut(&mut self.lanes).iter_mut().map(Lane::take_gone);
        let gone: Vec<Config> = gone.filter(|gone| !gone.is_empty()).collect();
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
        let mut one = lanes.next().unwrap_or_else(|| Lane::new(Config::empty(), self.learned));
        one.forget_unless_in_order();
        let undecided =
            lanes.fold(std::mem::replace(&mut self.doubtful, Config::empty()), |all, lane| lane.joined(all));
        let again = one.take_back(&undecided);
        self.needed = self.needed.minus(&again);
        self.lanes = Arc::new(vec![one]);
        self.learned = self.in_order;
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
        (self.rounds, self.waves) = (self.rounds + 1, 0);
        self.base = self.best.clone();
        // That shows no use of what is needed.
        self.doubtful = Config::empty();
        self.trust.doubt();
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
        self.wave.get(self.tried).map(|group| self.base.minus(self.lanes[group.lane].gone()).minus(&group.deltas))
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
        self.end_wave();
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

    fn sharing(&self) -> Option<usize> {
        (self.lanes.len() > 1 && self.together.is_empty()).then_some(self.rounds)
    }

    /// Returns a search for each lane.
    fn shares(&self) -> Vec<Waves> {
        if self.sharing().is_none() || self.alone.is_some() {
            return vec![];
        }
        let share = |group: &Group| {
            let (wave, tried) = (Arc::new(vec![group.clone()]), usize::from(group.outcome.is_some()));
            let mut share = Waves { wave, tried, alone: Some(group.lane), pieces: Arc::default(), ..self.clone() };
            share.end_wave();
            share
        };
        self.wave.iter().map(share).filter(|share| !share.wave.is_empty()).collect()
    }
}
