//! What is run ahead.

use reduct_core::{
    Config, Ddmin, Delta, Form, Lookahead, Memo, Outcome, Repeats, Search, Speculator, Split, Sweep, run,
};
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

#[test]
fn what_is_worked_out_elsewhere_in_any_order_changes_no_answer() {
    let fails = |config: &Config| Outcome::from([3, 7, 19].iter().all(|part| config.contains(Delta(*part))));
    let begun = || Ddmin::new(Config::full(24), Form::Subsets, Split::Book);
    let alone = {
        let (mut search, mut asked) = (begun(), vec![]);
        while let Some(question) = search.ask() {
            search.tell(fails(&question));
            asked.push(question);
        }
        (asked, search.best())
    };
    for (workers, seed) in [(2, 1), (2, 5), (3, 2), (8, 3), (8, 4)] {
        let mut random: u64 = seed;
        let mut next = |below: usize| {
            random = (random * 1_103_515_245 + 12_345) % (1 << 31);
            (random >> 8) as usize % below
        };
        let mut speculator = Speculator::new(begun(), Memo::new(), Repeats::Remembered);
        let (mut asked, mut ahead) = (vec![], vec![]);
        while !speculator.is_done() {
            while let Some(retired) = speculator.retire() {
                asked.push(retired.question);
            }
            let (mut running, more) = speculator.wanted_so_far(workers, 2);
            ahead.extend(more);
            // A test ends, a future is worked out, or one is given up.
            match next(3) {
                0 if !ahead.is_empty() => {
                    let one: Lookahead<_> = ahead.swap_remove(next(ahead.len()));
                    speculator.take(one.work_out());
                }
                1 if !ahead.is_empty() => speculator.forget(ahead.swap_remove(next(ahead.len())).number()),
                _ if !running.is_empty() => {
                    let one = running.swap_remove(next(running.len()));
                    speculator.learn(one.key, fails(&one.question));
                }
                _ => {}
            }
        }
        assert_eq!((asked, speculator.search().best()), alone, "{workers} workers");
    }
}

#[test]
fn what_was_worked_out_too_late_is_dropped() {
    let mut speculator = Speculator::new(Guesses::new(0.5), Memo::new(), Repeats::Remembered);
    let (wanted, ahead) = speculator.wanted_so_far(4, 1);
    assert_eq!((wanted.len(), ahead.len()), (1, 1), "the first one needs no work");
    speculator.skip();
    ahead.into_iter().for_each(|one| speculator.take(one.work_out()));
    assert_eq!(speculator.wanted_so_far(4, 0).0.len(), 1);
    assert_eq!(speculator.wanted(4).len(), 4);
}
