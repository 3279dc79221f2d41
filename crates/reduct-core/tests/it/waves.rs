//! Waves: shares that do not depend on each other, what they cost with one worker, and what many workers gain.

use crate::support::{Uses, ask_all, clusters, holds, sample, whim};
use reduct_core::laws::{Chance, assert_one_minimal};
use reduct_core::search::Minimiser;
use reduct_core::{
    Config, Delta, Key, Learned, Memo, Outcome, Question, Relevance, Repeats, Search, Speculator, Sweep, Waves, run,
};
use std::collections::HashSet;

fn waves(count: usize) -> Waves {
    Waves::new(Config::full(count), Learned::new(count))
}

/// Where each delta is needed or not whatever becomes of the others, few shares are broken off.
#[test]
fn most_questions_of_a_share_are_asked_in_its_order() {
    let mut chance = Chance(31);
    let (mut seen, mut in_vain) = (0, 0);
    for (count, size) in [(60, 9), (300, 1), (300, 30), (300, 120), (2000, 40)] {
        for needed in [sample(&mut chance, count, size), clusters(&mut chance, count, size)] {
            let oracle = holds(&needed);
            let asked: Vec<Key> = ask_all(waves(count), &oracle).1.iter().map(|(config, _)| config.key()).collect();
            let (mut search, mut at, mut sharing) = (waves(count), 0, None);
            while let Some(question) = search.ask() {
                // At the beginning of shares, and now and then within.
                if search.sharing() != sharing || at % 7 == 0 {
                    sharing = search.sharing();
                    let mut named = HashSet::new();
                    for share in search.shares() {
                        let mut rest = asked[at..].iter();
                        for (config, _) in ask_all(share, &oracle).1 {
                            in_vain += usize::from(!rest.any(|key| *key == config.key()));
                            assert!(named.insert(config.key()), "no two shares ask the same");
                            seen += 1;
                        }
                    }
                }
                search.tell(oracle(&question));
                at += 1;
            }
        }
    }
    assert!(seen > 1000 && in_vain * 7 <= seen, "{in_vain} of {seen}");
}

/// Whatever the outcomes are, a share ends soon, has no shares, and the first question of one of them comes next, unless what is
/// left is asked about itself.
#[test]
fn a_share_ends_and_the_next_question_is_of_one() {
    for seed in 0..20 {
        let oracle = whim(seed, 300, 6, (seed % 4) as usize);
        let mut search = waves(300);
        while let Some(question) = search.ask() {
            let shares = search.shares();
            let is_named = shares.iter().any(|share| share.ask().as_ref() == Some(&question));
            let is_about_groups = shares.iter().all(|share| share.ask().is_some_and(|next| next != question));
            assert!(shares.is_empty() || is_named || is_about_groups);
            assert!(search.sharing().is_some() || shares.is_empty());
            for share in shares {
                let (end, asked) = ask_all(share, &oracle);
                assert!((1..=8).contains(&asked.len()), "a round has eight waves: {}", asked.len());
                assert!(end.shares().is_empty());
            }
            search.tell(oracle(&question));
        }
        assert_eq!(oracle(&search.best()), Outcome::Fail);
    }
}

/// What is needed stands in two places of which one is enough: lanes leave out both, which does not fail. The naive search tries
/// each delta alone.
#[test]
fn what_does_not_go_together_ends_one_minimal_as_with_the_naive_search() {
    let mut chance = Chance(32);
    for count in [50, 400] {
        for _ in 0..20 {
            let always = sample(&mut chance, count, count / 20);
            let either: Vec<Config> = (0..4).map(|_| sample(&mut chance, count, 2)).collect();
            let holds_one = |pair: &Config, config: &Config| pair.iter().any(|delta| config.contains(delta));
            let oracle = |config: &Config| {
                Outcome::from(always.is_subset(config) && either.iter().all(|pair| holds_one(pair, config)))
            };
            let found = run(Sweep::new(run(waves(count), oracle).best()), oracle).best();
            let naive = run(Sweep::new(Config::full(count)), oracle).best();
            assert_one_minimal(&found, oracle);
            // Both keep what is always needed, and of each pair at most both.
            assert!(always.is_subset(&found) && always.is_subset(&naive));
            assert!(found.minus(&always).len() <= 4 && naive.minus(&always).len() <= 4, "one of each pair does");
        }
    }
}

/// The search with the sweep after it, as one. No sweep follows a share.
#[derive(Clone)]
struct Swept {
    search: Minimiser,
    is_last: bool,
}

impl Swept {
    fn new(search: Minimiser) -> Swept {
        let mut swept = Swept { search, is_last: false };
        swept.go_on();
        swept
    }

    fn go_on(&mut self) {
        if !self.is_last && self.search.ask().is_none() {
            *self = Swept { search: Minimiser::Sweep(Sweep::new(self.search.best())), is_last: true };
        }
    }
}

impl Search for Swept {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        self.search.ask()
    }

    fn tell(&mut self, outcome: Outcome) {
        self.search.tell(outcome);
        self.go_on();
    }

    fn best(&self) -> Config {
        self.search.best()
    }

    fn odds(&self) -> Option<f32> {
        self.search.odds()
    }

    fn sharing(&self) -> Option<usize> {
        self.search.sharing()
    }

    fn shares(&self) -> Vec<Swept> {
        self.search.shares().into_iter().map(|search| Swept { search, is_last: true }).collect()
    }
}

/// Units of time until a search is over, in each of which the workers run what is wanted.
fn units(search: Minimiser, oracle: impl Fn(&Config) -> Outcome, workers: usize) -> usize {
    let mut speculator = Speculator::new(Swept::new(search), Memo::new(), Repeats::Remembered);
    let mut units = 0;
    loop {
        while speculator.retire().is_some() {}
        if speculator.is_done() {
            return units;
        }
        units += 1;
        for wanted in speculator.wanted(workers) {
            speculator.learn(wanted.key, oracle(&wanted.question));
        }
    }
}

/// Of how many lists a sum is made: a few lists say little.
const LISTS: usize = 40;

/// How many questions a search and the sweep after it ask.
fn questions(search: Minimiser, uses: &Uses) -> usize {
    let expected = uses.closure();
    let mut questions = 0;
    let found = run(Swept::new(search), |config| {
        questions += 1;
        // Without dependencies the plain question does, and is quicker.
        if uses.needs.iter().all(Option::is_none) { holds(&expected)(config) } else { uses.test(config) }
    });
    assert_eq!(found.best(), expected, "the only 1-minimal configuration");
    questions
}

fn relevance(count: usize) -> Minimiser {
    Minimiser::Relevance(Relevance::new(Config::full(count), Learned::new(count)))
}

/// Both are counted on other lists than those of bench/lists.md.
#[test]
fn one_worker_runs_at_most_five_percent_more_than_with_relevance() {
    type Family = (&'static str, usize, fn(&mut Chance) -> Uses);
    let families: [Family; 6] = [
        ("sparse, dense", 3300, |chance| {
            let dense = sample(chance, 300, 90).iter().map(|Delta(at)| Delta(3000 + at)).collect();
            Uses { targets: sample(chance, 3000, 9).union(&dense), needs: vec![None; 3300] }
        }),
        ("uniform 200/20", 200, |chance| Uses { targets: sample(chance, 200, 20), needs: vec![None; 200] }),
        ("uniform 2000/40", 2000, |chance| Uses { targets: sample(chance, 2000, 40), needs: vec![None; 2000] }),
        ("clustered 2000/40", 2000, |chance| Uses { targets: clusters(chance, 2000, 40), needs: vec![None; 2000] }),
        ("uses 200/10", 200, |chance| Uses::chains(chance, 200, 10)),
        ("uses 2000/2", 2000, |chance| Uses::chains(chance, 2000, 2)),
    ];
    for (name, count, make) in families {
        let mut chance = Chance(33);
        let (mut with_waves, mut with_relevance) = (0, 0);
        for _ in 0..LISTS {
            let uses = make(&mut chance);
            with_waves += questions(Minimiser::Waves(waves(count)), &uses);
            with_relevance += questions(relevance(count), &uses);
        }
        assert!(with_waves * 100 <= with_relevance * 105, "{name}: {with_waves}, with relevance {with_relevance}");
    }
}

/// One of two or three is enough: lanes leave out all of them, which does not fail. It costs more than where parts do not depend
/// on each other, and no more than this.
#[test]
fn alternatives_cost_at_most_a_fifth_more() {
    for (count, always, groups, size) in [(300, 10, 5, 3), (1000, 20, 10, 2), (1000, 20, 40, 2)] {
        let mut chance = Chance(31);
        let (mut with_waves, mut with_relevance) = (0, 0);
        for _ in 0..LISTS {
            let always = sample(&mut chance, count, always);
            let groups: Vec<Config> = (0..groups).map(|_| sample(&mut chance, count, size)).collect();
            let oracle = |config: &Config| {
                let holds_one = |group: &Config| group.iter().any(|delta| config.contains(delta));
                Outcome::from(always.is_subset(config) && groups.iter().all(holds_one))
            };
            let (found, asked) = ask_all(Swept::new(Minimiser::Waves(waves(count))), oracle);
            assert_one_minimal(&found.best(), oracle);
            with_waves += asked.len();
            with_relevance += ask_all(Swept::new(relevance(count)), oracle).1.len();
        }
        assert!(
            with_waves * 100 <= with_relevance * 120,
            "{groups} of {size}, of {count}: {with_waves}, with relevance {with_relevance}"
        );
    }
}

/// A lane in front keeps definitions for uses that go later, and the test does not tell: it passes where something is missing, as
/// scripts do that exit with 0 or 1. Where most parts are used this is soon seen. Where fewer are, it costs
/// more, and no more than this.
#[test]
fn uses_cost_little_where_the_test_passes_without_a_definition() {
    type Family = (&'static str, usize, usize, usize, fn(&mut Chance, usize) -> Option<usize>);
    let families: [Family; 4] = [
        ("200/10", 200, 10, 110, |chance, at| (chance.below(10) < 7).then(|| chance.below(at.min(200)))),
        ("2000/20", 2000, 20, 110, |chance, at| (chance.below(10) < 7).then(|| chance.below(at.min(200)))),
        ("pairs of neighbours", 1000, 20, 130, |chance, at| (at % 2 == 1 && chance.below(4) > 0).then_some(0)),
        ("few uses", 300, 10, 150, |chance, at| (chance.below(10) < 1).then(|| chance.below(at))),
    ];
    for (name, count, targets, percent, distance) in families {
        let mut chance = Chance(35);
        let (mut with_waves, mut with_relevance) = (0, 0);
        for _ in 0..LISTS / 2 {
            let mut need = |at: usize| (at > 0).then(|| distance(&mut chance, at).map(|back| (at - 1 - back) as u32));
            let needs: Vec<Option<u32>> = (0..count).map(|at| need(at).flatten()).collect();
            let uses = Uses { targets: sample(&mut chance, count, targets), needs };
            let oracle = |config: &Config| match uses.test(config) {
                Outcome::Unresolved => Outcome::Pass,
                told => told,
            };
            let (found, asked) = ask_all(Swept::new(Minimiser::Waves(waves(count))), oracle);
            assert_eq!(found.best(), uses.closure(), "the only 1-minimal configuration");
            with_waves += asked.len();
            with_relevance += ask_all(Swept::new(relevance(count)), oracle).1.len();
        }
        assert!(with_waves * 100 <= with_relevance * percent, "{name}: {with_waves}, with relevance {with_relevance}");
    }
}

/// For a long list: nine times as fast with 16 workers, 16 times with 64.
#[test]
fn many_workers_are_busy() {
    let mut chance = Chance(34);
    let (mut one, mut sixteen, mut many) = (0, 0, 0);
    for _ in 0..4 {
        let needed = sample(&mut chance, 4000, 60);
        let with = |workers| units(Minimiser::Waves(waves(4000)), holds(&needed), workers);
        (one, sixteen, many) = (one + with(1), sixteen + with(16), many + with(64));
    }
    assert!(one >= 9 * sixteen && one >= 16 * many, "{one}, {sixteen}, {many}");
}
