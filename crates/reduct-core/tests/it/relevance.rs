//! Relevance against the information bound, on the lists of docs/ALGORITHMS.md, 5.1.

use crate::support::{Uses, ask_all, clusters, holds, sample};
use reduct_core::laws::{self, Chance, assert_one_minimal};
use reduct_core::{Config, Delta, Learned, Outcome, Question, Relevance, Search, Sweep};
use std::collections::HashSet;

/// log₂ of n over m.
fn log2_choose(n: usize, m: usize) -> f64 {
    (0..m).map(|i| ((n - i) as f64).log2() - ((i + 1) as f64).log2()).sum()
}

/// docs/ALGORITHMS.md, 3 (c): the least q with Σ C(q, f) over f from m to q at least C(n, m). In logarithms; the
/// sum is taken relative to its largest term, so that nothing overflows.
fn lower_bound(n: usize, m: usize) -> usize {
    let target = log2_choose(n, m);
    let enough = |q: &usize| {
        let terms: Vec<f64> = (m..=*q).map(|f| log2_choose(*q, f)).collect();
        let largest = terms.iter().copied().fold(0.0, f64::max);
        largest + terms.iter().map(|term| (term - largest).exp2()).sum::<f64>().log2() >= target - 1e-9
    };
    (m.max(target.floor() as usize)..).find(enough).expect("there is one")
}

/// By hand, and the LB column of docs/ALGORITHMS.md, 5.1.
#[test]
fn the_bound_itself() {
    assert_eq!(lower_bound(4, 4), 4, "each delta needs a test of its own");
    assert_eq!(lower_bound(2, 1), 2, "C(2,1) + C(2,2) = 3 for 2 leaves, C(1,1) = 1 for one test");
    let table = [(200, 20, 91), (2000, 4, 40), (2000, 40, 279), (2000, 200, 933)];
    for (n, m, expected) in table {
        assert_eq!(lower_bound(n, m), expected, "{m} of {n}");
    }
}

/// Distinct questions of Relevance and the sweep after it.
fn tests(count: usize, oracle: impl Fn(&Config) -> Outcome) -> (usize, Config) {
    let (found, mut asked) = ask_all(Relevance::new(Config::full(count), Learned::new(count)), &oracle);
    let (swept, more) = ask_all(Sweep::new(found.best()), &oracle);
    asked.extend(more);
    let distinct: HashSet<_> = asked.iter().map(|(config, _)| config.key()).collect();
    assert_one_minimal(&swept.best(), &oracle);
    (distinct.len(), swept.best())
}

const REPETITIONS: usize = 6;

/// Mean tests, mean bound.
fn family(count: usize, seed: u64, mut list: impl FnMut(&mut Chance) -> Uses) -> (f64, f64) {
    let mut chance = Chance(seed);
    let (mut sum, mut bounds) = (0, 0);
    for _ in 0..REPETITIONS {
        let uses = list(&mut chance);
        let expected = uses.closure();
        // Without dependencies the plain question does, and is quicker.
        let (tests, result) = match uses.needs.iter().all(Option::is_none) {
            true => tests(count, holds(&expected)),
            false => tests(count, |config| uses.test(config)),
        };
        assert_eq!(result, expected, "the only 1-minimal configuration");
        sum += tests;
        bounds += lower_bound(count, result.len());
    }
    (sum as f64 / REPETITIONS as f64, bounds as f64 / REPETITIONS as f64)
}

#[test]
fn near_the_information_bound() {
    let independent = |targets, count: usize| Uses { targets, needs: vec![None; count] };
    println!("{:>24} {:>8} {:>8} {:>6}  (gbs in docs/ALGORITHMS.md, 5.1)", "family", "tests", "bound", "ratio");
    let show = |name: &str, (tests, bound): (f64, f64), gbs: f64, most: f64| {
        println!("{name:>24} {tests:>8.0} {bound:>8.0} {:>6.2}  ({gbs})", tests / bound);
        assert!(tests <= most * bound, "{name}: {tests} tests for a bound of {bound}");
    };
    for (count, size, gbs) in [(200, 20, 118.0), (2000, 4, 51.0), (2000, 40, 331.0), (2000, 200, 1157.0)] {
        let uniform = family(count, 51, |chance| independent(sample(chance, count, size), count));
        show(&format!("uniform {count}/{size}"), uniform, gbs, 2.0);
    }
    for (count, size, gbs) in [(2000, 40, 324.0), (2000, 200, 1113.0)] {
        let clustered = family(count, 52, |chance| independent(clusters(chance, count, size), count));
        show(&format!("clustered {count}/{size}"), clustered, gbs, 2.0);
    }
    for (count, targets, gbs) in [(200, 10, 147.0), (2000, 2, 52.0)] {
        let chains = family(count, 53, |chance| Uses::chains(chance, count, targets));
        show(&format!("def-use {count}/{targets}+"), chains, gbs, 3.0);
    }
}

/// Where a sparse and a dense region follow each other, a list takes hardly more tests than the two as lists of their own, as what was seen
/// counts less and less.
#[test]
fn learns_anew_where_the_density_changes() {
    let (sparse, dense) = ((3000, 9), (300, 90));
    for (first, second) in [(sparse, dense), (dense, sparse)] {
        let mut chance = Chance(54);
        let (mut together, mut apart) = (0, 0);
        for _ in 0..REPETITIONS {
            let [before, behind] = [first, second].map(|(count, size)| {
                let needed = sample(&mut chance, count, size);
                apart += tests(count, holds(&needed)).0;
                needed
            });
            let moved = behind.iter().map(|Delta(at)| Delta(at + first.0 as u32));
            let needed = Config::from_deltas(before.iter().chain(moved));
            let (asked, result) = tests(first.0 + second.0, holds(&needed));
            assert_eq!(result, needed);
            together += asked;
        }
        println!("{first:?} {second:?}: {together}, {apart} apart");
        assert!(together * 4 <= apart * 5, "{first:?}, {second:?}: {together} tests, {apart} apart");
    }
}

/// Nothing is needed, or everything: the ends of the scale.
#[test]
fn all_or_nothing() {
    for count in [1, 2, 10, 1000] {
        let all = Config::full(count);
        let (asked, result) = tests(count, holds(&all));
        assert_eq!(result, all);
        assert!(asked <= count + 2 * (count.ilog2() as usize + 2), "all of {count} are needed: {asked} tests");
        let (asked, result) = tests(count, holds(&Config::empty()));
        assert!(result.is_empty());
        assert!(asked <= 2 * (count.ilog2() as usize + 2), "none of {count} is needed: {asked} tests");
    }
}

/// No smaller group is tried, but at the front, where there may be fewer left.
#[test]
fn groups_of_at_least() {
    let mut chance = Chance(10);
    for least in [1, 2, 7, 30, 100] {
        for size in [1, 5, 50, 100] {
            let needed = sample(&mut chance, 100, size);
            let start = Relevance::new(Config::full(100), Learned::new(100)).at_least(least);
            laws::check(start.clone(), holds(&needed), 900);
            let mut search = start;
            while let Some(smaller) = search.ask() {
                let gone = search.best().minus(&smaller);
                let at_the_front = gone.get(0) == search.best().get(0);
                assert!(gone.len() >= least || at_the_front, "{gone:?} are fewer than {least}");
                search.tell(holds(&needed)(&smaller));
            }
            // What goes is kept whole with a needed one at worst, and that in groups of `least`.
            assert!(search.best().len() <= size * least, "{size} needed, groups of {least}: {:?}", search.best());
            assert!(needed.is_subset(&search.best()));
        }
    }
}

/// Where nearly all is needed, patience ends after so many single questions and a logarithm, and what it leaves is not said to
/// be tried.
#[test]
fn patience_leaves_what_is_needed_to_the_sweep() {
    let all = Config::full(4000);
    let needed = all.minus(&Config::from_ranges(std::iter::once(1000..1001)));
    let search = Relevance::new(all.clone(), Learned::new(4000)).with_patience(64);
    let (end, asked) = ask_all(search, holds(&needed));
    assert!(end.has_left_some() && end.best() == all && asked.len() < 64 * 4 + 2 * 7, "{}", asked.len());
    let sparse = sample(&mut Chance(3), 4000, 30);
    let search = Relevance::new(all, Learned::new(4000)).with_patience(64);
    let bound = 4000 * (2 + 12);
    let end = laws::check(search, holds(&sparse), bound);
    assert!(!end.has_left_some());
    assert_eq!(end.best(), sparse);
}

/// What is passed over is not asked about, stays, and is not said to be needed.
#[test]
fn what_is_passed_over_stays_untried() {
    let all = Config::full(64);
    let mut search = Relevance::new(all.clone(), Learned::new(64));
    while search.needed_between_groups().is_none_or(|needed| needed.is_empty()) {
        search.tell(Outcome::Pass);
    }
    let needed = search.needed_between_groups().unwrap();
    let undecided = all.minus(&needed).len();
    assert!(search.has_passed_half());
    let passed = search.passed().clone();
    assert_eq!(passed.len(), undecided - undecided / 2);
    let mut asked = Config::empty();
    while let Some(smaller) = search.ask() {
        asked = asked.union(&search.best().minus(&smaller));
        search.tell(holds(&all)(&smaller));
    }
    assert_eq!(asked, all.minus(&needed).minus(&passed));
    assert_eq!((search.best(), search.needed_between_groups().unwrap()), (all.clone(), all.minus(&passed)));
    let first = Relevance::new(all.clone(), Learned::new(64)).of_the_first(10);
    let (end, _) = ask_all(first, holds(&Config::empty()));
    assert_eq!(end.best(), all.without(0..10));
}

/// A group that did not go holds a needed delta, which is found first.
#[test]
fn nothing_is_passed_over_in_the_midst_of_a_group() {
    let mut search = Relevance::new(Config::full(64), Learned::new(64));
    search.tell(Outcome::Pass);
    assert!(search.needed_between_groups().is_none() && !search.has_passed_half() && search.passed().is_empty());
}

/// What is like one that went is asked about first, as it stands in what would be passed over; and never less than the least removal at once.
#[test]
fn nothing_is_passed_over_while_others_of_a_kind_are_asked_about() {
    let kinds: Vec<u32> = (0..64).map(|at| at % 4).collect();
    let start = || Relevance::new(Config::full(64), Learned::expecting(0.2, 64)).with_kinds(kinds.clone().into());
    let mut search = start();
    search.tell(Outcome::Fail);
    // The last one went, and with it would go all of its kind.
    let others: Config = (0..63).filter(|at| at % 4 == 3).map(Delta).collect();
    assert_eq!(search.best().minus(&search.ask().unwrap()), others);
    assert!(!search.has_passed_half());
    let mut search = start().at_least(20);
    while let Some(asked) = search.ask() {
        assert!(search.best().len() - asked.len() >= 20 || search.undecided() < Some(20));
        search.tell(Outcome::Fail);
    }
}

/// By hand: of two deltas each is needed with probability ½ : 6½, so that both go with (12/13)². If not both do, the
/// second goes alone with (12/13 · 1/13) / (1 − (12/13)²) = 12/25.
#[test]
fn says_how_likely_a_group_goes() {
    let mut search = Relevance::new(Config::full(2), Learned::new(2));
    let is_about = |odds: Option<f32>, expected: f32| odds.is_some_and(|odds| (odds - expected).abs() < 1e-5);
    assert!(is_about(search.odds(), 144.0 / 169.0), "{:?}", search.odds());
    search.tell(Outcome::Pass);
    assert!(is_about(search.odds(), 12.0 / 25.0), "{:?}", search.odds());
}

/// Twenty-four records of four parts, of which the first and the third are needed. Each record is asked about its two needed parts; the others go with those of
/// the first record that is looked at.
#[test]
fn what_went_in_one_record_goes_in_all() {
    let (records, parts) = (24, 4);
    let count = records * parts;
    let needed: Config = (0..count as u32).filter(|at| at % 2 == 0).map(Delta).collect();
    let kinds: Vec<u32> = (0..count as u32).map(|at| at % parts as u32).collect();
    let start = || Relevance::new(Config::full(count), Learned::new(count));
    let (end, asked) = ask_all(start().with_kinds(kinds.into()), holds(&needed));
    assert_eq!(end.best(), needed);
    let (_, one_by_one) = ask_all(start(), holds(&needed));
    assert!(asked.len() <= needed.len() + 12, "{} questions", asked.len());
    assert!(one_by_one.len() >= needed.len() + 20, "{} questions", one_by_one.len());
}

/// Kinds only say what to ask: they may be anything, and cost about a question for each halving of each of them.
#[test]
fn kinds_may_say_anything() {
    let mut chance = Chance(57);
    for count in [1, 2, 7, 60, 300] {
        for kinds in [1, 2, 5, 40] {
            let size = chance.below(count + 1);
            let needed = sample(&mut chance, count, size);
            let of: Vec<u32> = (0..count).map(|_| chance.below(kinds) as u32).collect();
            let start = || Relevance::new(Config::full(count), Learned::new(count));
            let (end, asked) = ask_all(start().with_kinds(of.into()), holds(&needed));
            assert_eq!(end.best(), needed);
            let (_, without) = ask_all(start(), holds(&needed));
            let halvings = kinds.min(count) * (count.ilog2() as usize + 1);
            assert!(asked.len() <= without.len() + 2 * halvings, "{} and {}", asked.len(), without.len());
        }
    }
}
