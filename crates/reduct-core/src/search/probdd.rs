//! ProbDD: the group whose going would gain most on average, with a probability for every delta.
//!
//! Wang, Shen, Chen, Xiong and Zhang, *Probabilistic Delta Debugging*, ESEC/FSE 2021. Each delta has a
//! probability of being needed. The likeliest to go are taken first, as many as maximise the number
//! taken times the probability that all of them can go. A group that does not go raises the
//! probabilities of its deltas by Bayes' rule; a delta is decided at 0.8, as in both published
//! implementations, or when it does not go alone. The paper breaks ties at random; here they are broken
//! by order, which costs nothing (*Toward a Better Understanding of Probabilistic Delta Debugging*,
//! ICSE 2025).
//!
//! With weights it is W_ProbDD (Zhou, Xu, Zhang, Tian and Sun, *WDD: Weighted Delta Debugging*, ICSE
//! 2025): the largest expected weight first, and the group with the largest weight times probability.
//!
//! The result fails. It is not 1-minimal: a delta that was decided is not tried again when others have
//! gone, and one that was decided at 0.8 may never have been tried alone. (The paper decides at 1, and
//! shows minimality for monotone tests.) A [`super::sweep::Sweep`] settles both.
//!
//! At most 6n questions, 8n with weights. Each that does not leave more undecided deltas than before
//! decides one of them: n at most. In the others a group of s ≥ 2 does not go. The last delta was taken
//! as it did not lower the gain, so all of them have p ≤ 1/s, and all can go with a probability of
//! (1 − 1/s)^s ≥ 1/4 at least: each p grows by 4/3 or more, the product of the group by (4/3)². From
//! 0.1ⁿ to 1 that happens ln 10 / (2·ln 4/3)·n ≈ 4.01·n times at most. With weights the group gains no
//! less than its first delta alone, and no other has more than 5 times the expected weight of that, so
//! all can go with a probability of 1/(5s) at least: ln 4 / 0.2·n ≈ 6.94·n times, from 0.25ⁿ.

use super::Search;
use crate::config::{Config, Delta};
use crate::outcome::Outcome::{self, Fail};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How likely a delta is needed before anything is known: that of the paper.
const PRIOR: f64 = 0.1;

/// The same for W_ProbDD.
const WEIGHTED_PRIOR: f64 = 0.25;

/// From here on a delta counts as needed.
const DECIDED: f64 = 0.8;

/// ProbDD or W_ProbDD, paused before one test.
#[derive(Clone, Debug)]
pub struct ProbDd {
    config: Config,
    /// What is undecided, in the order in which it is taken.
    levels: Arc<Vec<Level>>,
    /// What goes in this test: the first of the undecided.
    group: Config,
    /// How likely all of the group can go.
    clean: f64,
    weighted: bool,
}

/// Deltas that are taken in the order of the list, as they are equal in all else.
#[derive(Clone, Debug)]
struct Level {
    needed: f64,
    weight: u32,
    deltas: Config,
}

impl Level {
    /// Orders the levels by the largest expected weight, then by the chance to go: what is taken first is less.
    fn order(&self, other: &Level) -> Ordering {
        let gain = |level: &Level| (1.0 - level.needed) * f64::from(level.weight);
        gain(other).total_cmp(&gain(self)).then(self.needed.total_cmp(&other.needed))
    }
}

impl ProbDd {
    /// Reduces `config`, which fails.
    ///
    /// ```
    /// use reduct_core::{Config, Delta, ProbDd, Outcome, Search, run};
    ///
    /// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
    /// let search = run(ProbDd::new(Config::full(8)), fails);
    /// assert_eq!(search.best(), Config::from_deltas([Delta(2), Delta(5)]));
    /// ```
    pub fn new(config: Config) -> ProbDd {
        ProbDd::with_prior(config, PRIOR)
    }

    /// Returns the same, with each delta needed with probability `prior` at first, which should be near the share that
    /// stays. At most n·(1 + 1.74·ln 1/prior) questions.
    ///
    /// # Panics
    /// If `prior` is not between 0 and 0.8.
    pub fn with_prior(config: Config, prior: f64) -> ProbDd {
        assert!(0.0 < prior && prior < DECIDED, "a prior of {prior} leaves nothing to be learned");
        let all = Level { needed: prior, weight: 1, deltas: config.clone() };
        ProbDd::begin(config, vec![all], false)
    }

    /// Searches as W_ProbDD: delta `i` weighs `weights[i]`, at least 1, and 1 if there is no such weight.
    pub fn weighted(config: Config, weights: Arc<[u32]>) -> ProbDd {
        let mut equals: BTreeMap<u32, Vec<Delta>> = BTreeMap::new();
        for delta in config.iter() {
            let weight = weights.get(delta.0 as usize).copied().unwrap_or(1).max(1);
            equals.entry(weight).or_default().push(delta);
        }
        let level = |(weight, deltas)| Level { needed: WEIGHTED_PRIOR, weight, deltas: Config::from_deltas(deltas) };
        ProbDd::begin(config, equals.into_iter().rev().map(level).collect(), true)
    }

    fn begin(config: Config, levels: Vec<Level>, weighted: bool) -> ProbDd {
        let levels = levels.into_iter().filter(|level| !level.deltas.is_empty()).collect();
        let mut search = ProbDd { config, levels: Arc::new(levels), group: Config::empty(), clean: 1.0, weighted };
        search.choose();
        search
    }

    /// Chooses the next group: the first of the undecided, as many as gain most.
    fn choose(&mut self) {
        let (count, clean) = if self.weighted { heaviest(&self.levels) } else { largest(&self.levels) };
        self.clean = clean;
        self.group = first(&self.levels, count).iter().fold(Config::empty(), |all, level| all.union(&level.deltas));
    }
}

/// Returns how many deltas maximise their number times the probability that all can go, and that probability. It rises,
/// then falls: one more than `k` is no loss as long as `(k + 1)·(1 − p) ≥ k`.
fn largest(levels: &[Level]) -> (usize, f64) {
    let (mut count, mut clean) = (0, 1.0);
    for level in levels {
        let stays = 1.0 - level.needed;
        for _ in 0..level.deltas.len() {
            if ((count + 1) as f64) * stays < count as f64 {
                return (count, clean);
            }
            count += 1;
            clean *= stays;
        }
    }
    (count, clean)
}

/// Returns how many deltas maximise their weight times the probability that all can go, and that probability. It may
/// rise again, so one looks on until all the weight there is could not make up for the odds.
fn heaviest(levels: &[Level]) -> (usize, f64) {
    let total: f64 = levels.iter().map(|level| f64::from(level.weight) * level.deltas.len() as f64).sum();
    let (mut best, mut most) = ((0, 1.0), 0.0);
    let (mut count, mut clean, mut weight) = (0, 1.0, 0.0);
    for level in levels {
        for _ in 0..level.deltas.len() {
            count += 1;
            clean *= 1.0 - level.needed;
            weight += f64::from(level.weight);
            if weight * clean > most {
                (best, most) = ((count, clean), weight * clean);
            }
            if total * clean <= most {
                return best;
            }
        }
    }
    best
}

/// Returns the first `count` deltas of `levels`.
fn first(levels: &[Level], mut count: usize) -> Vec<Level> {
    let mut taken = vec![];
    for level in levels.iter() {
        let here = count.min(level.deltas.len());
        if here == 0 {
            break;
        }
        taken.push(Level { deltas: level.deltas.at(0..here), ..level.clone() });
        count -= here;
    }
    taken
}

/// Takes the first `count` deltas out of `levels`.
fn take(levels: &mut Vec<Level>, count: usize) -> Vec<Level> {
    let taken = first(levels, count);
    if let Some(last) = taken.last() {
        let partly = &mut levels[taken.len() - 1];
        partly.deltas = partly.deltas.at(last.deltas.len()..partly.deltas.len());
        let whole = taken.len() - usize::from(!partly.deltas.is_empty());
        levels.drain(..whole);
    }
    taken
}

/// Puts deltas back where their turn is, together with their equals.
fn put(levels: &mut Vec<Level>, level: Level) {
    let at = levels.partition_point(|other| other.order(&level) == Ordering::Less);
    match levels.get_mut(at) {
        Some(equal) if equal.order(&level) == Ordering::Equal && equal.weight == level.weight => {
            equal.deltas = equal.deltas.union(&level.deltas);
        }
        _ => levels.insert(at, level),
    }
}

impl Search for ProbDd {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        (!self.levels.is_empty()).then(|| self.config.minus(&self.group))
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(smaller) = self.ask() else { return };
        let levels = Arc::make_mut(&mut self.levels);
        let group = take(levels, self.group.len());
        if outcome == Fail {
            self.config = smaller;
        } else if self.group.len() > 1 {
            let raised = group.into_iter().map(|level| Level { needed: level.needed / (1.0 - self.clean), ..level });
            raised.filter(|level| level.needed < DECIDED).for_each(|level| put(levels, level));
        }
        self.choose();
    }

    fn best(&self) -> Config {
        self.config.clone()
    }

    fn odds(&self) -> Option<f32> {
        Some(self.clean as f32)
    }
}
