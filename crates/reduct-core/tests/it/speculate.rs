//! What is run ahead.

use reduct_core::{Config, Delta, Memo, Outcome, Repeats, Search, Speculator, Sweep, run};
use std::collections::HashSet;

/// A search of endless questions, each of which fails with this probability as far as it knows: the outcomes so far are what it asks about.
#[derive(Clone)]
struct Guesses {
    failed: Vec<u32>,
    asked: u32,
    odds: f32,
}

impl Guesses {
    fn new(odds: f32) -> Guesses {
        Guesses { failed: vec![], asked: 0, odds }
    }
}

impl Search for Guesses {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        Some(Config::from_deltas(self.failed.iter().copied().chain([1000 + self.asked]).map(Delta)))
    }

    fn tell(&mut self, outcome: Outcome) {
        if outcome == Outcome::Fail {
            self.failed.push(self.asked);
        }
        self.asked += 1;
    }

    fn best(&self) -> Config {
        Config::from_deltas(self.failed.iter().copied().map(Delta))
    }

    fn odds(&self) -> Option<f32> {
        Some(self.odds)
    }
}

#[test]
fn where_both_outcomes_are_equally_likely_no_worker_idles() {
    for workers in 1..=64 {
        let mut speculator = Speculator::new(Guesses::new(0.5), Memo::new(), Repeats::Remembered);
        let keys: HashSet<_> = speculator.wanted(workers).into_iter().map(|wanted| wanted.key).collect();
        assert_eq!(keys.len(), workers);
    }
}

#[test]
fn what_is_rather_run_in_vain_is_left_to_many_workers() {
    let wanted = |workers| {
        let mut speculator = Speculator::new(Sweep::new(Config::full(2)), Memo::new(), Repeats::Remembered);
        let first = speculator.wanted(1).remove(0);
        speculator.learn(first.key, Outcome::Pass);
        assert!(speculator.retire().is_some());
        speculator.wanted(workers).len()
    };
    // The likely outcome ends the search. The other one has a probability of 0.03.
    assert_eq!([2, 32, 34, 64].map(wanted), [1, 1, 2, 2]);
}

#[test]
fn what_is_left_out_changes_no_answer() {
    let fails = |config: &Config| Outcome::from(config.contains(Delta(3)) && config.contains(Delta(7)));
    let alone = run(Sweep::new(Config::full(12)), fails).best();
    for workers in [1, 2, 3, 8] {
        let mut speculator = Speculator::new(Sweep::new(Config::full(12)), Memo::new(), Repeats::Remembered);
        while !speculator.is_done() {
            for wanted in speculator.wanted(workers) {
                speculator.learn(wanted.key, fails(&wanted.question));
            }
            while speculator.retire().is_some() {}
        }
        assert_eq!(speculator.search().best(), alone);
    }
}
