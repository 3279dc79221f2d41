//! Descent on trees.

use proptest::prelude::*;
use reduct_core::laws::{self, Chance};
use reduct_core::{Config, Delta, Descent, Learned, Nesting, Outcome, Relevance, Search, run};
use std::sync::Arc;

/// A tree of `n` parts: where each ends.
fn tree(n: usize, seed: u64) -> Vec<u32> {
    let mut chance = Chance(seed);
    let mut after = vec![0; n];
    let mut open: Vec<usize> = vec![];
    for part in 0..n {
        while !open.is_empty() && chance.below(3) == 0 {
            let closed = open.pop().expect("one is open");
            after[closed] = part as u32;
        }
        open.push(part);
    }
    open.into_iter().for_each(|part| after[part] = n as u32);
    after
}

fn holds(config: &Config, part: usize) -> bool {
    config.contains(Delta(part as u32))
}

fn verdict(fails: bool) -> Outcome {
    if fails { Outcome::Fail } else { Outcome::Pass }
}

/// What is needed and all that it is in.
fn closed(after: &[u32], needed: &[usize]) -> Config {
    let holds_one = |part: &usize| needed.iter().any(|n| (*part..after[*part] as usize).contains(n));
    Config::from_deltas((0..after.len()).filter(holds_one).map(|part| Delta(part as u32)))
}

proptest! {
    #[test]
    fn what_is_needed_is_found_with_all_that_it_is_in(
        n in 1usize..60,
        seed in any::<u64>(),
        picks in proptest::collection::vec(any::<u16>(), 0..5),
    ) {
        let after = tree(n, seed);
        let needed: Vec<usize> = picks.iter().map(|pick| usize::from(*pick) % n).collect();
        let oracle = |config: &Config| verdict(needed.iter().all(|part| holds(config, *part)));
        let descent = Descent::new(Arc::new(Nesting::new(after.clone())), Learned::new(n));
        let bound = n * (2 + n.ilog2() as usize + 1) + 1;
        let end = laws::check(descent, oracle, bound);
        prop_assert_eq!(end.best(), closed(&after, &needed));
    }

    /// Whatever waits is searched in the end.
    #[test]
    fn with_large_parts_first_it_comes_to_the_same(
        n in 1usize..200,
        seed in any::<u64>(),
        picks in proptest::collection::vec(any::<u16>(), 0..5),
        times in 1u32..20,
    ) {
        let after = tree(n, seed);
        let needed: Vec<usize> = picks.iter().map(|pick| usize::from(*pick) % n).collect();
        let oracle = |config: &Config| verdict(needed.iter().all(|part| holds(config, *part)));
        let descent = Descent::new(Arc::new(Nesting::new(after.clone())), Learned::new(n)).coarse_first(times);
        let end = laws::check(descent, oracle, 4 * n * (3 + n.ilog2() as usize) + 1);
        prop_assert_eq!(end.best(), closed(&after, &needed));
    }

    /// Whenever small parts begin to wait, they are searched in the end.
    #[test]
    fn with_large_parts_first_from_some_test_on_it_comes_to_the_same(
        n in 1usize..200,
        seed in any::<u64>(),
        picks in proptest::collection::vec(any::<u16>(), 0..5),
        times in 1u32..20,
        begins in 0usize..40,
    ) {
        let after = tree(n, seed);
        let needed: Vec<usize> = picks.iter().map(|pick| usize::from(*pick) % n).collect();
        let mut descent = Descent::new(Arc::new(Nesting::new(after.clone())), Learned::new(n));
        let mut asked = 0;
        while let Some(config) = descent.ask() {
            asked += 1;
            prop_assert!(asked <= 4 * n * (3 + n.ilog2() as usize) + 1);
            descent.tell(verdict(needed.iter().all(|part| holds(&config, *part))));
            if asked >= begins {
                descent.become_coarse(times);
            }
        }
        prop_assert_eq!(descent.best(), closed(&after, &needed));
    }

    /// Whatever regions wait, they are searched in the end.
    #[test]
    fn with_regions_passed_it_comes_to_the_same(
        n in 1usize..200,
        seed in any::<u64>(),
        picks in proptest::collection::vec(any::<u16>(), 0..5),
        times in 0u32..20,
        often in 1u64..6,
    ) {
        let after = tree(n, seed);
        let needed: Vec<usize> = picks.iter().map(|pick| usize::from(*pick) % n).collect();
        let mut descent = Descent::new(Arc::new(Nesting::new(after.clone())), Learned::new(n));
        if times > 0 {
            descent = descent.coarse_first(times);
        }
        let (mut chance, mut asked) = (Chance(seed), 0);
        while let Some(config) = descent.ask() {
            asked += 1;
            prop_assert!(asked <= 4 * n * (3 + n.ilog2() as usize) + 1);
            descent.tell(verdict(needed.iter().all(|part| holds(&config, *part))));
            if chance.below(often as usize) == 0 {
                descent.has_passed_region();
            }
        }
        prop_assert_eq!(descent.best(), closed(&after, &needed));
    }

    /// Whatever the oracle says, what is kept is closed: nothing stays of what went.
    #[test]
    fn laws_hold_for_oracles_that_obey_no_rule(n in 1usize..40, seed in any::<u64>(), whim in any::<u64>()) {
        let after = tree(n, seed);
        let oracle = |config: &Config| {
            if config.len() == n {
                return Outcome::Fail;
            }
            let sum: u64 = config.iter().map(|Delta(at)| Chance(whim ^ u64::from(at)).number() >> 32).sum();
            [Outcome::Fail, Outcome::Pass, Outcome::Unresolved][(sum % 3) as usize]
        };
        let descent = Descent::new(Arc::new(Nesting::new(after.clone())), Learned::new(n));
        let end = laws::check(descent, oracle, n * (2 + n.ilog2() as usize + 1) + 1);
        let best = end.best();
        for part in (0..n).filter(|part| !holds(&best, *part)) {
            prop_assert!((part..after[part] as usize).all(|inner| !holds(&best, inner)));
        }
    }

    /// Without nesting it is relevance, question by question until a part was needed, and it comes to the same result.
    #[test]
    fn on_a_list_it_begins_as_relevance(n in 1usize..80, picks in proptest::collection::vec(any::<u16>(), 0..6)) {
        let needed: Vec<usize> = picks.iter().map(|pick| usize::from(*pick) % n).collect();
        let oracle = |config: &Config| verdict(needed.iter().all(|part| holds(config, *part)));
        let flat = (1..=n as u32).collect();
        let mut descent = Descent::new(Arc::new(Nesting::new(flat)), Learned::new(n));
        let mut relevance = Relevance::new(Config::full(n), Learned::new(n));
        let mut was_needed = false;
        while let Some(question) = relevance.ask().filter(|_| !was_needed) {
            prop_assert_eq!(descent.ask(), Some(question.clone()));
            descent.tell(oracle(&question));
            relevance.tell(oracle(&question));
            was_needed = descent.needed_between_groups().is_some_and(|needed| !needed.is_empty());
        }
        prop_assert_eq!(run(descent, oracle).best(), run(relevance, oracle).best());
    }
}

/// Of 6000 parts every third one of the last 180 is needed: this is soon seen, and the next ones are not looked for in all that is left.
#[test]
fn where_many_are_needed_groups_become_small() {
    let n = 6000;
    let is_needed = |part: &usize| *part >= n - 180 && part.is_multiple_of(3);
    let needed: Vec<usize> = (0..n).filter(is_needed).collect();
    let oracle = |config: &Config| verdict(needed.iter().all(|part| holds(config, *part)));
    let mut descent = Descent::new(Arc::new(Nesting::new((1..=n as u32).collect())), Learned::new(n));
    let mut relevance = Relevance::new(Config::full(n), Learned::new(n));
    let (mut questions, mut of_relevance) = (0, 0);
    while let Some(question) = descent.ask() {
        descent.tell(oracle(&question));
        questions += 1;
    }
    while let Some(question) = relevance.ask() {
        relevance.tell(oracle(&question));
        of_relevance += 1;
    }
    assert_eq!(descent.best(), relevance.best());
    assert!(
        questions <= 4 * needed.len() && questions < of_relevance,
        "{questions} questions, {of_relevance} of relevance"
    );
}

/// A chain of definitions, each used in the body of the next: the last is the only one that is needed, and
/// without the uses in it nothing before it is. Level by level, every definition is needed at first.
#[test]
fn uses_go_before_what_they_use() {
    let definitions = 200;
    let after: Vec<u32> = (0..definitions).flat_map(|at| [2 * at + 2, 2 * at + 2]).collect();
    let oracle = |config: &Config| {
        let used = |at: usize| holds(config, 2 * at) && holds(config, 2 * at + 1);
        let dangling = (1..definitions as usize).any(|at| used(at) && !holds(config, 2 * (at - 1)));
        if dangling { Outcome::Unresolved } else { verdict(holds(config, 2 * (definitions as usize - 1))) }
    };
    let mut asked = 0;
    let descent = Descent::new(Arc::new(Nesting::new(after)), Learned::new(2 * definitions as usize));
    let end = run(descent, |config| {
        asked += 1;
        oracle(config)
    });
    assert_eq!(end.best(), Config::from_deltas([Delta(2 * (definitions - 1))]));
    assert!(asked <= 20, "{asked}");
}

/// Of 200 functions one part of each of the last 60 is needed, and nothing of those before them. These are not to wait until the 60
/// are taken apart.
#[test]
fn with_large_parts_first_little_stands_before_what_is_needed() {
    let (functions, inner) = (200, 20);
    let after = rows(functions, inner);
    let needed: Vec<usize> = (140..functions).map(|at| (at * (inner + 1) + 7) as usize).collect();
    let oracle = |config: &Config| verdict(needed.iter().all(|part| holds(config, *part)));
    let begin = || Descent::new(Arc::new(Nesting::new(after.clone())), Learned::new(after.len()));
    let before = |search: &Descent| search.best().count_within(0..140 * (inner + 1));
    let after_200 = |mut search: Descent| {
        for _ in 0..200 {
            let Some(question) = search.ask() else { break };
            search.tell(oracle(&question));
        }
        (before(&search), search)
    };
    let (plain, _) = after_200(begin());
    let (coarse, search) = after_200(begin().coarse_first(16));
    assert!(coarse == 0 && plain > 0, "{coarse} parts before them, {plain} otherwise");
    assert_eq!(run(search, oracle).best(), closed(&after, &needed));
    // Those that are known to be needed wait as well.
    let known = Config::from_deltas((140..functions).map(|at| Delta(at * (inner + 1))));
    let first = begin().coarse_first(16).keeping(known).ask().unwrap();
    assert!((140 * (inner + 1)..functions * (inner + 1)).all(|part| holds(&first, part as usize)), "{first:?}");
}

/// Of each of the last 60 rows every other cell is needed, and nothing stands before them that is. Once their region is passed, all before it goes with a
/// few questions, and they are taken apart after that.
#[test]
fn what_stands_before_a_region_that_is_passed_goes_first() {
    let (all, cells, first) = (1260u32, 20u32, 1200u32);
    let mut after = rows(first, cells);
    // The last ones are in one part.
    let region = after.len() as u32;
    let inner: Vec<u32> = rows(all - first, cells).iter().map(|end| region + 1 + end).collect();
    after.push(region + 1 + inner.len() as u32);
    after.extend(inner);
    let needed: Vec<usize> = (region as usize + 2..after.len()).step_by(2).collect();
    let oracle = |config: &Config| verdict(needed.iter().all(|part| holds(config, *part)));
    let mut search = Descent::new(Arc::new(Nesting::new(after.clone())), Learned::new(after.len()));
    let step = |search: &mut Descent| search.ask().is_some_and(|config| (search.tell(oracle(&config)), true).1);
    let before = |search: &Descent| search.best().count_within(0..region);
    for _ in 0..60 {
        assert!(step(&mut search));
    }
    while !search.has_passed_region() {
        assert!(step(&mut search), "it is soon between two groups");
    }
    let at_once = before(&search);
    for _ in 0..60 {
        assert!(step(&mut search));
    }
    assert!(at_once > 0 && before(&search) == 0, "{at_once} parts, then {}", before(&search));
    assert_eq!(run(search, oracle).best(), closed(&after, &needed));
}

/// Rows of cells: row `i` is part `i * (cells + 1)`, its cells follow it.
fn rows(rows: u32, cells: u32) -> Vec<u32> {
    let row = |at: u32| {
        (0..=cells).map(move |part| if part == 0 { (at + 1) * (cells + 1) } else { at * (cells + 1) + part + 1 })
    };
    (0..rows).flat_map(row).collect()
}

/// The last rows are needed with all their cells, and stand before a large rest that is not. Cell by cell that would
/// wait for 20 rows of 12 questions.
#[test]
fn what_is_in_vain_for_some_rows_is_put_off_for_the_next() {
    let (all, needed, cells) = (1000u32, 20u32, 11u32);
    let first = (all - needed) * (cells + 1);
    let n = all * (cells + 1);
    let oracle = |config: &Config| verdict((first..n).all(|part| config.contains(Delta(part))));
    let mut descent = Descent::new(Arc::new(Nesting::new(rows(all, cells))), Learned::new(n as usize));
    let (mut asked, mut asked_when_rest_went) = (0, None);
    while let Some(config) = descent.ask() {
        asked += 1;
        descent.tell(oracle(&config));
        if descent.best().len() == (n - first) as usize {
            asked_when_rest_went.get_or_insert(asked);
        }
    }
    assert_eq!(descent.best(), Config::from_ranges(std::iter::once(first..n)));
    // Each row is asked about. Rows taken apart: two, then one after 2, 4, 8 ... that are put off. The rest goes in groups.
    let apart = 2 + needed.ilog2();
    let groups = 2 * n.ilog2();
    assert!(
        asked_when_rest_went.is_some_and(|asked| asked <= needed + apart * cells + groups),
        "{asked_when_rest_went:?}"
    );
    // In the end each cell was asked about, and the rows that were put off twice.
    assert!(asked <= needed * (cells + 2) + groups, "{asked}");
}

/// What is put off is tried in the end: whatever cells are needed, they and their rows are all that stays.
#[test]
fn what_was_put_off_is_taken_apart_in_the_end() {
    let (all, cells) = (60u32, 7u32);
    let after = rows(all, cells);
    for seed in 0..10 {
        let mut chance = Chance(seed);
        // In three of four rows all cells are needed, in the others some.
        let is_needed = |_| chance.below(4) > 0;
        let whole: Vec<bool> = (0..all).map(is_needed).collect();
        let cell = |part: &u32| !part.is_multiple_of(cells + 1);
        let needed: Vec<usize> = (0..all * (cells + 1))
            .filter(cell)
            .filter(|part| whole[(part / (cells + 1)) as usize] || chance.below(3) == 0)
            .map(|part| part as usize)
            .collect();
        let oracle = |config: &Config| verdict(needed.iter().all(|part| holds(config, *part)));
        let n = after.len();
        let descent = Descent::new(Arc::new(Nesting::new(after.clone())), Learned::new(n));
        let end = laws::check(descent, oracle, n * (3 + n.ilog2() as usize + 1));
        assert_eq!(end.best(), closed(&after, &needed));
    }
}

#[test]
fn depth_is_bounded_by_memory_only() {
    let n = 40_000;
    let nested = Nesting::new(vec![n as u32; n]);
    let end = run(Descent::new(Arc::new(nested), Learned::new(n)), |config| verdict(holds(config, 20_000)));
    assert_eq!(end.best().len(), 20_001);
}

/// Records of eight members, of each of which the same two are needed: the other members go kind by kind, each record needs its own tests.
#[test]
fn what_is_alike_goes_together_where_needed_parts_stand_between() {
    let (all, cells) = (100u32, 8u32);
    let cell = |part: &u32| *part % (cells + 1);
    let needed = |part: &u32| matches!(cell(part), 3 | 6);
    let fails =
        |config: &Config| verdict((0..all * (cells + 1)).filter(needed).all(|part| config.contains(Delta(part))));
    let names: Vec<u32> = (0..all * (cells + 1)).map(|part| cell(&part)).collect();
    let nesting = Nesting::new(rows(all, cells));
    let [plain, named] = [nesting.clone(), nesting.named(&names)].map(|nesting| {
        let (mut descent, mut tests) = (Descent::new(Arc::new(nesting), Learned::new(names.len())), 0);
        while let Some(config) = descent.ask() {
            descent.tell(fails(&config));
            tests += 1;
        }
        (descent.best(), tests)
    });
    let wanted = (0..all * (cells + 1)).filter(|part| needed(part) || cell(part) == 0).map(Delta);
    assert_eq!((&plain.0, &named.0), (&Config::from_deltas(wanted), &plain.0));
    // Each record and its two members that are needed take a test. What the others take is less than half of what they take one by one.
    let others = |tests: usize| tests - 3 * all as usize;
    assert!(others(named.1) * 2 < others(plain.1), "{} and {}", named.1, plain.1);
}

proptest! {
    /// Whatever is taken to be alike, and whatever waits, it comes to the same.
    #[test]
    fn with_names_it_comes_to_the_same(
        n in 1usize..120,
        seed in any::<u64>(),
        picks in proptest::collection::vec(any::<u16>(), 0..9),
        kinds in 1u64..9,
        times in 0u32..20,
    ) {
        let after = tree(n, seed);
        let mut chance = Chance(seed);
        let names: Vec<usize> = (0..n).map(|_| chance.below(kinds as usize)).collect();
        let needed: Vec<usize> = picks.iter().map(|pick| usize::from(*pick) % n).collect();
        let oracle = |config: &Config| verdict(needed.iter().all(|part| holds(config, *part)));
        let descent = Descent::new(Arc::new(Nesting::new(after.clone()).named(&names)), Learned::new(n));
        let descent = if times > 0 { descent.coarse_first(times) } else { descent };
        let end = laws::check(descent, oracle, 8 * n * (3 + n.ilog2() as usize) + 1);
        prop_assert_eq!(end.best(), closed(&after, &needed));
    }

    /// Nor does it matter that parts use others that stand before them.
    #[test]
    fn with_names_and_uses_what_is_left_fails(n in 2usize..120, seed in any::<u64>(), kinds in 1u64..9) {
        let after = tree(n, seed);
        let mut chance = Chance(seed);
        let names: Vec<usize> = (0..n).map(|_| chance.below(kinds as usize)).collect();
        let uses: Vec<usize> = (0..n).map(|part| chance.below(part + 1)).collect();
        let last = chance.below(n);
        let oracle = |config: &Config| {
            let has_what_it_uses = (0..n).all(|part| !holds(config, part) || holds(config, uses[part]));
            verdict(holds(config, last) && has_what_it_uses)
        };
        let descent = Descent::new(Arc::new(Nesting::new(after).named(&names)), Learned::new(n));
        let end = laws::check(descent, oracle, 8 * n * (3 + n.ilog2() as usize) + 1);
        prop_assert_eq!(oracle(&end.best()), Outcome::Fail);
    }
}
