//! Relevance: groups as large as is likely to go, and every failed group bisected to a hard fact.
//!
//! docs/ALGORITHMS.md, 4.2 and appendix A. The list is decided from the back, because uses stand after
//! definitions. A group is as long as it can be and still go with a probability of about one half:
//! the most informative test. A group that does not go is bisected at once, until one delta is known
//! to be needed; ddmin learns no such fact. How likely a delta is needed depends on whether the one
//! decided before it was (needed deltas cluster), and is counted while deciding.
//!
//! Within 1.2 to 1.5 times of the information bound on lists without dependencies. A delta found
//! needed may become loose later, so a [`super::sweep::Sweep`] follows for 1-minimality.

use super::Search;
use super::kinds::Kinds;
pub use super::learned::Learned;
use super::odds::{Odds, Streak};
use crate::config::Config;
use crate::outcome::Outcome::{self, Fail};
use std::sync::Arc;

/// The group search, paused before one test.
///
/// The deltas `0..undecided` by position are undecided, the later ones are needed or passed over, and the last
/// `dirty` of the undecided are known to hold a needed one.
#[derive(Clone, Debug)]
pub struct Relevance {
    config: Config,
    undecided: usize,
    dirty: usize,
    /// How many go in this test, counted from the last undecided one.
    group: usize,
    /// Smaller groups are not tried.
    least: usize,
    last_needed: bool,
    learned: Learned,
    streak: Streak,
    patience: Option<Patience>,
    kinds: Option<Kinds>,
    /// Those that were passed over.
    passed: Config,
}

/// How many needed deltas in a row are enough to leave the next ones for the sweep, but for groups.
#[derive(Clone, Copy, Debug)]
struct Patience {
    limit: usize,
    /// How many there were lately.
    needed: usize,
    /// How many are left at once if they do not go; 0 before the limit.
    block: usize,
    /// Whether the group is half of a block that did not go.
    is_half: bool,
    /// Whether a block was left.
    has_left: bool,
}

impl Relevance {
    /// Reduces `config`, which fails.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, Learned, Relevance, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
    /// let search = run(Relevance::new(Config::full(8), Learned::new(8)), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
    /// ```
    pub fn new(config: Config, learned: Learned) -> Relevance {
        let undecided = config.len();
        let mut search = Relevance {
            config,
            undecided,
            dirty: 0,
            group: 0,
            least: 1,
            last_needed: false,
            learned,
            streak: Streak::default(),
            patience: None,
            kinds: None,
            passed: Config::empty(),
        };
        search.group = search.next_group();
        search
    }

    /// Returns the same search, which tries no groups of fewer than `least` deltas. A group that does not go is then
    /// kept whole once it is as small as that.
    pub fn at_least(self, least: usize) -> Relevance {
        let mut search = Relevance { least: least.max(1), ..self };
        search.group = search.next_group();
        search
    }

    /// Returns the same search, which tries first whether all can go at once.
    pub fn all_first(self) -> Relevance {
        Relevance { group: self.undecided, ..self }
    }

    /// Returns the same search, which takes large groups for needed as a whole if neither they nor their latter halves
    /// go, once so many deltas in a row were needed; twice as many each time, until something goes. What it leaves so was not
    /// tried alone.
    pub fn with_patience(self, limit: usize) -> Relevance {
        Relevance { patience: Some(Patience { limit, needed: 0, block: 0, is_half: false, has_left: false }), ..self }
    }

    /// Returns the same search, which takes what goes for a sign that others of its kind do: `of` is the kind of each delta.
    pub fn with_kinds(self, of: Arc<[u32]>) -> Relevance {
        Relevance { kinds: Some(Kinds::new(of)), ..self }
    }

    /// Returns what is left of the same kinds as what went, if that is asked about next.
    fn alike(&self) -> Option<&Config> {
        self.kinds.as_ref().and_then(Kinds::asks)
    }

    /// Notes that `gone` went, and nothing is known to be in what was before it.
    fn look_for_alike(&mut self, gone: &Config) {
        if let Some(kinds) = self.kinds.as_mut().filter(|_| self.dirty == 0) {
            kinds.went(gone, &self.config, self.undecided, self.least);
        }
    }

    /// Returns whether deltas were taken for needed that were not tried alone.
    pub fn has_left_some(&self) -> bool {
        self.patience.is_some_and(|patience| patience.has_left)
    }

    /// Returns what was learned so far.
    pub fn learned(&self) -> Learned {
        self.learned
    }

    /// Returns the deltas that were found to be needed, if the search is not about to look for one in a group that did not go.
    pub fn needed_between_groups(&self) -> Option<Config> {
        (self.dirty == 0).then(|| self.found_needed())
    }

    /// Returns the deltas that were found to be needed so far.
    pub fn found_needed(&self) -> Config {
        self.config.without(0..self.undecided).minus(&self.passed)
    }

    /// Passes over the latter half of what is undecided, which is not tried, and goes on before it. `false` if nothing is before it, or if the search is
    /// about to look for a needed delta in a group that did not go, or to ask about what is like one that went.
    pub fn has_passed_half(&mut self) -> bool {
        let is_in_block = self.patience.is_some_and(|patience| patience.block > 0);
        let can_pass = self.dirty == 0 && self.undecided > 1 && !is_in_block && self.alike().is_none();
        if can_pass {
            self.pass_over(self.undecided / 2);
        }
        can_pass
    }

    /// Passes over all that is undecided but the first so many.
    fn pass_over(&mut self, left: usize) {
        self.passed = self.passed.union(&self.config.at(left..self.undecided));
        self.undecided = left;
        self.group = self.next_group();
    }

    /// Returns the same search, which passes over all but its first so many deltas.
    pub fn of_the_first(mut self, count: usize) -> Relevance {
        self.pass_over(count.min(self.undecided));
        self
    }

    /// Returns the deltas that were passed over.
    pub fn passed(&self) -> &Config {
        &self.passed
    }

    /// Returns what is expected of a group of undecided deltas.
    fn group_odds(&self) -> Odds {
        self.streak.see(self.learned.odds(self.last_needed))
    }

    fn next_group(&self) -> usize {
        if let Some(Patience { block: block @ 1.., is_half, .. }) = self.patience {
            return if is_half { block.min(self.undecided).div_ceil(2) } else { block.min(self.undecided) };
        }
        match self.dirty {
            0 => {
                let (odds, limit) = (self.group_odds(), self.undecided);
                let group = if self.last_needed { odds.group_after_needed(limit) } else { odds.group(limit) };
                group.max(self.least).min(limit)
            }
            dirty => self.learned.part(self.last_needed, dirty).max(self.least),
        }
    }

    /// Notes that the dirty deltas, of which there are too few to go on, are needed.
    fn learn_needed(&mut self) {
        self.learned.needed(self.last_needed);
        self.last_needed = true;
        self.undecided -= std::mem::take(&mut self.dirty);
        if let Some((kinds, delta)) = self.kinds.as_mut().zip(self.config.get(self.undecided)) {
            kinds.needed(delta);
        }
        if let Some(patience) = &mut self.patience {
            patience.needed += 1;
            patience.block = if patience.needed >= patience.limit { patience.limit } else { 0 };
        }
    }

    /// Takes the outcome of a group of a block, or of half of it.
    fn tell_block(&mut self, patience: &mut Patience, outcome: Outcome, smaller: Config) {
        let block = patience.block.min(self.undecided);
        if outcome == Fail {
            self.config = smaller;
            self.undecided -= self.group;
            self.learned.gone(self.last_needed, self.group);
            self.last_needed = false;
            // What is left of a block that did not go holds a needed one.
            self.dirty = block - self.group;
            *patience = Patience { needed: 0, block: 0, is_half: false, ..*patience };
        } else if patience.is_half || block <= 1 {
            self.undecided -= block;
            *patience = Patience { block: patience.block * 2, is_half: false, has_left: true, ..*patience };
        } else {
            patience.is_half = true;
        }
    }
}

impl Search for Relevance {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        if let Some(alike) = self.alike() {
            return Some(self.config.minus(alike));
        }
        (self.undecided > 0).then(|| self.config.without(self.undecided - self.group..self.undecided))
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(smaller) = self.ask() else { return };
        if let Some(kinds) = self.kinds.as_mut().filter(|kinds| kinds.asks().is_some()) {
            let asked = kinds.told(outcome == Fail);
            if outcome == Fail {
                self.config = smaller;
                self.undecided -= asked.len();
            }
        } else if let Some(mut patience) = self.patience.filter(|patience| patience.block > 0) {
            self.tell_block(&mut patience, outcome, smaller);
            self.patience = Some(patience);
            if (1..=self.least).contains(&self.dirty) {
                self.learn_needed();
            }
        } else {
            self.tell_group(outcome, smaller);
        }
        self.group = self.next_group();
    }

    fn best(&self) -> Config {
        self.config.clone()
    }

    fn odds(&self) -> Option<f32> {
        if self.alike().is_some() {
            return Some(0.5);
        }
        let odds = if self.dirty == 0 { self.group_odds() } else { self.learned.odds(self.last_needed) };
        Some(odds.likely(self.group, self.dirty))
    }

    fn undecided(&self) -> Option<usize> {
        Some(self.undecided)
    }
}

impl Relevance {
    fn tell_group(&mut self, outcome: Outcome, smaller: Config) {
        if self.dirty == 0 {
            self.streak.tell(outcome == Fail);
        }
        if outcome == Fail {
            let gone = self.kinds.as_ref().map(|_| self.config.at(self.undecided - self.group..self.undecided));
            self.config = smaller;
            self.undecided -= self.group;
            self.learned.gone(self.last_needed, self.group);
            self.last_needed = false;
            if let Some(patience) = &mut self.patience {
                patience.needed = 0;
            }
            // What is left of a dirty group holds the needed one.
            self.dirty = self.dirty.saturating_sub(self.group);
            if let Some(gone) = gone {
                self.look_for_alike(&gone);
            }
        } else {
            self.dirty = self.group;
        }
        if (1..=self.least).contains(&self.dirty) {
            self.learn_needed();
        }
    }
}
