//! Waves: the groups of [`super::relevance`], many against the same base, then all that could go at once.
//!
//! docs/ALGORITHMS.md, 4.4, made deterministic: a wave has a width that does not depend on the number of workers,
//! and its questions do not depend on each other's outcomes, so that as many workers as it is wide are
//! busy. What could go in a wave goes together in one more question; if it does not, by halves. Waves
//! begin narrow and get twice as wide each time. An unresolved test says that deltas depend on each
//! other, and that groups must be tried in their order: what was judged out of order is undecided again,
//! and waves are of one group for a while, as with relevance, then for twice as long.
//!
//! The result fails. It is not 1-minimal; a [`super::sweep::Sweep`] must follow. At most n·(4 + log₂ n)
//! questions if nothing is unresolved: those of relevance, and 2n to put together what went. Otherwise
//! that many again whenever something is undecided again, which is 2·log₂ n + 4 times at most, as ever
//! more waves lie between: the k-th time 2^k.

use super::Search;
use super::relevance::Learned;
use crate::config::{Config, Delta};
use crate::outcome::Outcome::{self, Fail, Unresolved};
use std::sync::Arc;

/// How many groups are tried against one base at most.
const WIDEST: usize = 16;

/// Waves, paused before one test.
#[derive(Clone, Debug)]
pub struct Waves {
    /// What the groups of this wave are taken out of.
    config: Config,
    undecided: Config,
    needed: Config,
    /// Each of these holds a needed delta, or did when it was tried.
    dirty: Arc<Vec<Config>>,
    width: usize,
    /// How many waves of one group are to come, and how many the next time.
    narrow: usize,
    caution: usize,
    wave: Arc<Vec<Group>>,
    /// How many of the wave were tried.
    tried: usize,
    /// What is to go together, the next one last. The groups of a wave come after that.
    together: Vec<Config>,
    learned: Learned,
}

#[derive(Clone, Debug)]
struct Group {
    deltas: Config,
    /// What it was taken from, if that is dirty.
    within: Option<Config>,
    /// Whether what stands behind it is needed.
    after_needed: bool,
    outcome: Option<Outcome>,
}

impl Waves {
    /// Returns what was learned so far.
    pub fn learned(&self) -> Learned {
        self.learned
    }

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
            undecided: config.clone(),
            config,
            needed: Config::empty(),
            dirty: Arc::default(),
            width: 1,
            narrow: 0,
            caution: 1,
            wave: Arc::default(),
            tried: 0,
            together: vec![],
            learned,
        };
        search.next_wave();
        search
    }

    /// Dirty sets first, from the back, then what is undecided.
    fn next_wave(&mut self) {
        let dirty = Arc::make_mut(&mut self.dirty);
        let mut sets: Vec<Config> = dirty.drain(dirty.len().saturating_sub(self.width)..).collect();
        let mut wave = vec![];
        while let Some(set) = sets.pop() {
            let after_needed = self.after_needed(&set);
            let size = self.learned.part(after_needed, set.len());
            let deltas = set.at(set.len() - size..set.len());
            wave.push(Group { deltas, within: Some(set), after_needed, outcome: None });
        }
        while wave.len() < self.width && !self.undecided.is_empty() {
            let (len, after_needed) = (self.undecided.len(), self.after_needed(&self.undecided));
            let size = self.learned.group(after_needed, len);
            let deltas = self.undecided.at(len - size..len);
            self.undecided = self.undecided.at(0..len - size);
            wave.push(Group { deltas, within: None, after_needed, outcome: None });
        }
        (self.wave, self.tried) = (Arc::new(wave), 0);
    }

    fn after_needed(&self, set: &Config) -> bool {
        let behind = last(set).and_then(|Delta(last)| self.config.within(last + 1..u32::MAX).next());
        behind.is_some_and(|range| self.needed.contains(Delta(range.start)))
    }

    /// Learns from the whole wave, in its order.
    fn wave_is_over(&mut self) {
        let wave = std::mem::take(&mut self.wave);
        let mut gone = vec![];
        for group in wave.iter() {
            let goes = group.outcome == Some(Fail);
            let rest = group.within.as_ref().map_or_else(Config::empty, |set| set.minus(&group.deltas));
            if goes {
                self.learned.gone(group.after_needed, group.deltas.len());
                gone.push(group.deltas.clone());
            } else {
                self.undecided = self.undecided.union(&rest);
            }
            self.is_dirty(if goes { &rest } else { &group.deltas }, group.after_needed && !goes);
        }
        Arc::make_mut(&mut self.dirty).sort_by_key(|set| set.get(0));
        self.narrow = self.narrow.saturating_sub(1);
        if wave.len() > 1 && wave.iter().any(|group| group.outcome == Some(Unresolved)) {
            self.forget_what_was_judged_out_of_order();
        }
        self.width = if self.narrow > 0 { 1 } else { (2 * self.width).min(WIDEST) };
        match &gone[..] {
            [] => {}
            [only] => self.config = self.config.minus(only),
            _ => self.together.push(all(&gone)),
        }
    }

    /// Leaves the dirty set farthest back and, of the needed deltas, those behind all that is undecided.
    fn forget_what_was_judged_out_of_order(&mut self) {
        let dirty = Arc::make_mut(&mut self.dirty);
        let keep = dirty.pop_if(|set| last(&self.undecided) < last(set));
        self.undecided = self.undecided.union(&all(dirty));
        dirty.clear();
        let open = last(&self.undecided).max(keep.as_ref().and_then(last));
        let judged = self.needed.iter().filter(|delta| Some(*delta) < open).collect();
        self.undecided = self.undecided.union(&judged);
        self.needed = self.needed.minus(&judged);
        dirty.extend(keep);
        (self.narrow, self.caution) = (self.caution, 2 * self.caution);
    }

    fn is_dirty(&mut self, set: &Config, after_needed: bool) {
        if set.len() == 1 {
            self.learned.needed(after_needed);
            self.needed = self.needed.union(set);
        } else if !set.is_empty() {
            Arc::make_mut(&mut self.dirty).push(set.clone());
        }
    }
}

fn last(set: &Config) -> Option<Delta> {
    set.len().checked_sub(1).and_then(|last| set.get(last))
}

fn all(groups: &[Config]) -> Config {
    groups.iter().fold(Config::empty(), |all, group| all.union(group))
}

impl Search for Waves {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        let group = self.together.last().or_else(|| self.wave.get(self.tried).map(|group| &group.deltas));
        group.map(|group| self.config.minus(group))
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(smaller) = self.ask() else { return };
        if let Some(group) = self.together.pop() {
            if outcome == Fail {
                self.config = smaller;
            } else if group.len() == 1 {
                self.needed = self.needed.union(&group);
            } else {
                let middle = group.len() / 2;
                self.together.extend([group.at(0..middle), group.at(middle..group.len())]);
            }
        } else {
            Arc::make_mut(&mut self.wave)[self.tried].outcome = Some(outcome);
            self.tried += 1;
            if self.tried < self.wave.len() {
                return;
            }
            self.wave_is_over();
        }
        if self.together.is_empty() {
            self.next_wave();
        }
    }

    fn best(&self) -> Config {
        self.config.clone()
    }

    fn undecided(&self) -> Option<usize> {
        Some(self.undecided.len())
    }

    fn odds(&self) -> Option<f32> {
        // In a wave the next question is the same either way, so one future is looked at.
        Some(if !self.together.is_empty() {
            0.97
        } else if self.tried + 1 < self.wave.len() {
            0.0
        } else {
            0.5
        })
    }
}
