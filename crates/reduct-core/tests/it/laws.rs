//! The laws of `reduct_core::laws`, for every search over many oracles; and that the laws have teeth.

use crate::support::{Uses, ask_all, bound, clusters, holds, sample, searches, whim};
use reduct_core::laws::{self, Chance, assert_one_minimal};
use reduct_core::search::Minimiser;
use reduct_core::{
    Cdd, Config, Delta, Learned, Memo, Outcome, Question, Relevance, Repeats, Search, Speculator, Sweep, Waves,
};

fn check_all(count: usize, oracle: impl Fn(&Config) -> Outcome) {
    for (name, search) in searches(&Config::full(count)) {
        let end = laws::check(search, &oracle, bound(name, count));
        match &end {
            Minimiser::Ddmin(_) | Minimiser::Sweep(_) if end.best().len() != 1 => {
                assert_one_minimal(&end.best(), &oracle);
            }
            Minimiser::Isolate(isolate) => assert_minimal_difference(&isolate.passing(), &end.best(), &oracle),
            Minimiser::Relevance(_)
            | Minimiser::Waves(_)
            | Minimiser::Merge(_)
            | Minimiser::ProbDd(_)
            | Minimiser::Cdd(_)
            | Minimiser::DdPlus(_) => {
                let swept = laws::check(Sweep::new(end.best()), &oracle, bound("sweep", end.best().len()));
                assert_one_minimal(&swept.best(), &oracle);
            }
            _ => {}
        }
    }
}

/// Each delta that CDD leaves did not go alone, each that waves leave was narrowed down to; which settles
/// it if the test is monotone.
#[test]
fn exact_on_monotone_tests() {
    let mut chance = Chance(11);
    for count in [1, 5, 40, 300] {
        let needed = sample(&mut chance, count, count.div_ceil(4));
        assert_eq!(ask_all(Cdd::new(Config::full(count)), holds(&needed)).0.best(), needed);
        let waves = Waves::new(Config::full(count), Learned::new(count));
        assert_eq!(ask_all(waves, holds(&needed)).0.best(), needed);
    }
}

/// With any single delta of the difference moved, neither side is known to flip.
fn assert_minimal_difference(passing: &Config, failing: &Config, oracle: impl Fn(&Config) -> Outcome) {
    assert!(passing.is_subset(failing));
    let difference = failing.minus(passing);
    for delta in difference.iter().filter(|_| difference.len() > 1) {
        let delta = Config::from_deltas([delta]);
        assert_eq!(oracle(&passing.union(&delta)), Outcome::Unresolved);
        assert_eq!(oracle(&failing.minus(&delta)), Outcome::Unresolved);
    }
}

#[test]
fn one_or_more_deltas_to_blame() {
    let mut chance = Chance(1);
    for count in [1, 2, 3, 7, 22] {
        for size in [1, 2, count / 2, count].into_iter().filter(|&size| 0 < size && size <= count) {
            let needed = sample(&mut chance, count, size);
            check_all(count, holds(&needed));
            let needed = clusters(&mut chance, count, size);
            check_all(count, holds(&needed));
        }
    }
}

#[test]
fn uses_and_definitions() {
    let mut chance = Chance(2);
    for count in [4, 12, 25, 40] {
        let uses = Uses::chains(&mut chance, count, 2);
        check_all(count, |config| uses.test(config));
    }
}

#[test]
fn whims() {
    let mut chance = Chance(3);
    for seed in 0..24 {
        let count = [1, 2, 5, 9, 14, 20][seed as usize % 6];
        check_all(count, whim(seed, count, chance.below(8), chance.below(9)));
    }
}

#[test]
fn nothing_to_search() {
    for (name, search) in searches(&Config::empty()) {
        assert!(search.ask().is_none(), "{name} has nothing to ask of nothing");
        let mut told = search.clone();
        told.tell(Outcome::Fail);
        assert!(told.best().is_empty() && told.ask().is_none(), "{name}");
    }
}

/// Many workers, so that futures are dropped and made anew; the answer to what was asked first comes last.
#[test]
fn far_ahead() {
    let needed = sample(&mut Chance(4), 80, 12);
    for (name, search) in searches(&Config::full(80)) {
        let (_, expected) = laws::sequential(search.clone(), holds(&needed), bound(name, 80));
        for jobs in [20, 64] {
            let (end, transcript, _) =
                laws::parallel(search.clone(), Memo::new(), Repeats::Remembered, holds(&needed), jobs, 4, usize::MAX);
            assert_eq!(transcript, expected, "{name} with {jobs} jobs");
            assert!(end.is_done());
        }
    }
}

/// What is wanted is distinct, unknown, at most as much as asked for, and led by what is waited for.
#[test]
fn wanted() {
    let needed = sample(&mut Chance(5), 64, 9);
    for (name, search) in searches(&Config::full(64)) {
        let mut speculator = Speculator::new(search, Memo::new(), Repeats::Remembered);
        assert!(speculator.wanted(0).is_empty());
        while let Some(waited_for) = speculator.search().ask() {
            let wanted = speculator.wanted(9);
            assert!(wanted.len() <= 9);
            assert_eq!(wanted[0].key, waited_for.key(), "{name}");
            let distinct: std::collections::HashSet<_> = wanted.iter().map(|w| w.key).collect();
            assert_eq!(distinct.len(), wanted.len(), "{name}");
            for w in wanted.iter().rev() {
                speculator.learn(w.key, holds(&needed)(&w.question));
            }
            assert!(speculator.retire().is_some(), "{name}: what was waited for is known");
            while speculator.retire().is_some() {}
        }
    }
}

/// The first outcome under a key stands; `repeated` says whether the search had asked before.
#[test]
fn repeats_are_noted() {
    let needed = Config::from_deltas([Delta(0), Delta(7)]);
    let (_, asked) = ask_all(crate::support::search("ddmin-subsets", &Config::full(8)), holds(&needed));
    let mut seen = std::collections::HashSet::new();
    let expected: Vec<bool> = asked.iter().map(|(config, _)| !seen.insert(config.key())).collect();
    assert!(expected.contains(&true));
    let start = crate::support::search("ddmin-subsets", &Config::full(8));
    for (repeats, expected) in [(Repeats::Remembered, expected.clone()), (Repeats::RunAgain, vec![false; asked.len()])]
    {
        let mut speculator = Speculator::new(start.clone(), Memo::new(), repeats);
        let mut noted = vec![];
        loop {
            while let Some(retired) = speculator.retire() {
                noted.push(retired.repeated);
            }
            let Some(next) = speculator.wanted(1).pop() else { break };
            speculator.learn(next.key, holds(&needed)(&next.question));
            let other = if holds(&needed)(&next.question) == Outcome::Fail { Outcome::Pass } else { Outcome::Fail };
            speculator.learn(next.key, other);
        }
        assert_eq!(noted, expected, "{repeats:?}");
        assert_eq!(speculator.search().best(), needed, "{repeats:?}: what was said second is not heard");
    }
}

/// A search with one fault, to see that the laws find it.
#[derive(Clone)]
struct Faulty {
    inner: Sweep,
    fault: Fault,
    told: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    NeverEnds,
    BestPasses,
}

impl Search for Faulty {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        let again = || (self.fault == Fault::NeverEnds).then(|| Config::full(self.told % 3));
        self.inner.ask().or_else(again)
    }

    fn tell(&mut self, outcome: Outcome) {
        self.told += 1;
        self.inner.tell(outcome);
    }

    fn best(&self) -> Config {
        if self.fault == Fault::BestPasses && self.told > 3 { Config::empty() } else { self.inner.best() }
    }
}

fn faulty(fault: Fault) -> Faulty {
    Faulty { inner: Sweep::new(Config::full(8)), fault, told: 0 }
}

#[test]
fn without_fault() {
    laws::check(faulty(Fault::None), holds(&Config::from_deltas([Delta(2)])), 36);
}

#[test]
#[should_panic(expected = "it ends within")]
fn a_search_without_end() {
    laws::check(faulty(Fault::NeverEnds), holds(&Config::from_deltas([Delta(2)])), 36);
}

#[test]
#[should_panic(expected = "the best always fails")]
fn a_best_that_passes() {
    laws::check(faulty(Fault::BestPasses), holds(&Config::from_deltas([Delta(2)])), 36);
}

#[test]
#[should_panic(expected = "is 1-minimal, but")]
fn a_result_that_is_too_large() {
    assert_one_minimal(&Config::full(3), holds(&Config::from_deltas([Delta(2)])));
}

/// A list that is as the last one was is searched in fewer questions with what that one taught.
#[test]
fn what_was_learned_helps() {
    let mut chance = Chance(6);
    let (mut fresh, mut taught, mut learned) = (0, 0, Learned::new(400));
    for _ in 0..10 {
        let needed = sample(&mut chance, 400, 100);
        fresh += ask_all(Relevance::new(Config::full(400), Learned::new(400)), holds(&needed)).1.len();
        let (end, asked) = ask_all(Relevance::new(Config::full(400), learned), holds(&needed));
        taught += asked.len();
        learned = end.learned();
    }
    assert!(taught < fresh, "{taught} questions with, {fresh} without");
}
