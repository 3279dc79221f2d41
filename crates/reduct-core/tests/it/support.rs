//! Oracles and small helpers.

use reduct_core::laws::Chance;
use reduct_core::search::Minimiser;
use reduct_core::{
    Cdd, Config, DdPlus, Ddmin, Delta, Form, Halves, Isolate, Learned, Merge, Order, Outcome, ProbDd, Relevance,
    Search, Split, Sweep, Waves,
};
use std::sync::Arc;

/// Everything a search asks, with what it was told, and the search at its end.
pub fn ask_all<S: Search>(start: S, oracle: impl Fn(&S::Question) -> Outcome) -> (S, Vec<(S::Question, Outcome)>) {
    let mut asked = vec![];
    let end = reduct_core::run(start, |question| {
        let outcome = oracle(question);
        asked.push((question.clone(), outcome));
        outcome
    });
    (end, asked)
}

pub fn list(config: &Config) -> Vec<u32> {
    config.iter().map(|Delta(d)| d).collect()
}

pub fn config(deltas: &[u32]) -> Config {
    deltas.iter().copied().map(Delta).collect()
}

pub fn fails_if(failing: bool) -> Outcome {
    if failing { Outcome::Fail } else { Outcome::Pass }
}

/// Fails if and only if it holds all of `needed`.
pub fn holds(needed: &Config) -> impl Fn(&Config) -> Outcome {
    move |config| fails_if(needed.is_subset(config))
}

/// An oracle that obeys nothing but that the whole fails and nothing at all passes: each other
/// configuration has an outcome drawn from `seed`, of `fail` and `unresolved` in 16 each.
pub fn whim(seed: u64, count: usize, fail: usize, unresolved: usize) -> impl Fn(&Config) -> Outcome {
    use reduct_core::Question;
    move |config| {
        if config.len() == count {
            return Outcome::Fail;
        }
        let key = config.key().0;
        let draw = Chance(seed ^ key as u64 ^ (key >> 64) as u64).below(16);
        match draw {
            _ if config.is_empty() => Outcome::Pass,
            d if d < fail => Outcome::Fail,
            d if d < fail + unresolved => Outcome::Unresolved,
            _ => Outcome::Pass,
        }
    }
}

/// Fails if and only if all of `targets` are there and every delta has what it needs; with a delta
/// that lacks something it is unresolved, as a program is that does not build.
pub struct Uses {
    pub targets: Config,
    pub needs: Vec<Option<u32>>,
}

impl Uses {
    /// Each delta needs, with probability 0.7, one of the 200 before it; `targets` of them matter
    /// (docs/ALGORITHMS.md, 5.1).
    pub fn chains(chance: &mut Chance, count: usize, targets: usize) -> Uses {
        let needs = (0..count)
            .map(|at| (at > 0 && chance.below(10) < 7).then(|| (at - 1 - chance.below(at.min(200))) as u32))
            .collect();
        Uses { targets: sample(chance, count, targets), needs }
    }

    pub fn test(&self, config: &Config) -> Outcome {
        let dangles = |Delta(d)| self.needs[d as usize].is_some_and(|need| !config.contains(Delta(need)));
        match () {
            () if config.iter().any(dangles) => Outcome::Unresolved,
            () => fails_if(self.targets.is_subset(config)),
        }
    }

    /// The targets and all that they need: the only 1-minimal configuration.
    pub fn closure(&self) -> Config {
        let mut kept = vec![false; self.needs.len()];
        for Delta(target) in self.targets.iter() {
            let mut next = Some(target);
            while let Some(at) = next.filter(|&at| !std::mem::replace(&mut kept[at as usize], true)) {
                next = self.needs[at as usize];
            }
        }
        (0..kept.len() as u32).filter(|&at| kept[at as usize]).map(Delta).collect()
    }
}

/// `size` of the deltas `0..count`, each set as likely as any other.
pub fn sample(chance: &mut Chance, count: usize, size: usize) -> Config {
    let mut chosen = std::collections::BTreeSet::new();
    while chosen.len() < size {
        chosen.insert(Delta(chance.below(count) as u32));
    }
    chosen.into_iter().collect()
}

/// `size` of the deltas `0..count` in runs of some five neighbours.
pub fn clusters(chance: &mut Chance, count: usize, size: usize) -> Config {
    let mut chosen = std::collections::BTreeSet::new();
    while chosen.len() < size {
        let start = chance.below(count);
        chosen.extend((start..count.min(start + 1 + chance.below(9))).map(|at| Delta(at as u32)));
    }
    chosen.into_iter().take(size).collect()
}

/// Every search by name, over `config`.
pub fn searches(config: &Config) -> Vec<(&'static str, Minimiser)> {
    let ddmin = |form, split| Minimiser::Ddmin(Ddmin::new(config.clone(), form, split));
    let isolate = |order| Minimiser::Isolate(Isolate::new(Config::empty(), config.clone(), order));
    vec![
        ("ddmin", ddmin(Form::Complements, Split::Book)),
        ("ddmin-down", ddmin(Form::Complements, Split::Down)),
        ("ddmin-balanced", ddmin(Form::Complements, Split::Balanced)),
        ("ddmin-subsets", ddmin(Form::Subsets, Split::Book)),
        ("dd+", Minimiser::DdPlus(DdPlus::new(config.clone(), Split::Book))),
        ("halves", Minimiser::Halves(Halves::new(config.clone()))),
        ("isolate", isolate(Order::Direct)),
        ("isolate-onward", isolate(Order::Onward)),
        ("isolate-paper", isolate(Order::Paper)),
        ("cdd", Minimiser::Cdd(Cdd::new(config.clone()))),
        ("probdd", Minimiser::ProbDd(ProbDd::new(config.clone()))),
        ("wprobdd", Minimiser::ProbDd(ProbDd::weighted(config.clone(), weights(config.len())))),
        ("merge", Minimiser::Merge(Merge::new(config.clone()))),
        ("sweep", Minimiser::Sweep(Sweep::new(config.clone()))),
        ("waves", Minimiser::Waves(Waves::new(config.clone(), Learned::new(config.len())))),
        ("relevance", Minimiser::Relevance(Relevance::new(config.clone(), Learned::new(config.len())))),
    ]
}

/// Weights for `count` deltas: many small ones, a few large ones, one 0.
pub fn weights(count: usize) -> Arc<[u32]> {
    let mut chance = Chance(count as u64);
    (0..count).map(|at| if at == 1 { 0 } else { 1 + chance.below(1 + chance.clone().below(40)) as u32 }).collect()
}

pub fn search(name: &str, config: &Config) -> Minimiser {
    searches(config).into_iter().find(|(known, _)| *known == name).expect("a known search").1
}

/// How many questions a search over `n` deltas asks at most, as published or as its doc says.
pub fn bound(name: &str, n: usize) -> usize {
    match name {
        // n² + 3n as published holds for powers of two only: see `bounds`.
        "ddmin-subsets" => n * n + 5 * n,
        "isolate" | "isolate-paper" => n * n + 7 * n,
        "halves" => n * (1 + n.max(1).next_power_of_two().ilog2() as usize),
        "merge" => 3 * n,
        "dd+" => 3 * n * n,
        "sweep" => n * (n + 1) / 2,
        "cdd" => (21 * n).div_ceil(10) + 5,
        "probdd" => 6 * n,
        "wprobdd" => 8 * n,
        "waves" => {
            let log = n.max(1).ilog2() as usize;
            n * (4 + log) * (2 * log + 5)
        }
        // Each decision costs the narrowing of one group at most.
        "relevance" => n * (2 + n.max(1).ilog2() as usize),
        _ => (n * n + 7 * n) / 2,
    }
}
