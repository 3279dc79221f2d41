//! All minima: exactly those that brute force finds, of any monotone test; 1-minimal ones, of any test.

use crate::support::{config, fails_if, list, whim};
use reduct_core::laws::{self, Chance, assert_one_minimal};
use reduct_core::{Config, Delta, Minima, Outcome};

/// Every configuration of `count` deltas.
fn all(count: u32) -> Vec<Config> {
    (0..1_u32 << count).map(|bits| (0..count).filter(|at| bits >> at & 1 == 1).map(Delta).collect()).collect()
}

/// Those that fail and of which no part without one delta does, from the definition.
fn minimal(count: u32, oracle: impl Fn(&Config) -> Outcome) -> Vec<Vec<u32>> {
    let fails = |config: &Config| oracle(config) == Outcome::Fail;
    let is_minimal = |config: &Config| fails(config) && (0..config.len()).all(|at| !fails(&config.without(at..at + 1)));
    sorted(&all(count).into_iter().filter(is_minimal).collect::<Vec<_>>())
}

fn sorted(found: &[Config]) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = found.iter().map(list).collect();
    found.sort();
    found
}

#[test]
fn of_a_monotone_test_all_minima_are_found_and_nothing_else() {
    let mut chance = Chance(59);
    for round in 0..150 {
        let count = 1 + chance.below(10) as u32;
        let everything = all(count);
        let causes: Vec<Config> =
            (0..1 + chance.below(6)).map(|_| everything[chance.below(everything.len())].clone()).collect();
        let oracle = |config: &Config| fails_if(causes.iter().any(|cause| cause.is_subset(config)));
        // Each question once, but those of the certification.
        let bound = everything.len() * 4 + 100;
        let start = Minima::new(Config::full(count as usize));
        let end =
            if round % 10 == 0 { laws::check(start, oracle, bound) } else { laws::sequential(start, oracle, bound).0 };
        assert_eq!(sorted(end.found()), minimal(count, oracle), "of {causes:?}");
        assert!(end.witness().is_none());
    }
}

#[test]
fn of_any_test_each_is_minimal_and_none_comes_twice() {
    for seed in 0..200 {
        let count = 2 + (seed % 9) as usize;
        let oracle = whim(seed, count, 2 + (seed % 5) as usize, 3);
        let start = Minima::new(Config::full(count));
        let bound = (1 << count) * 8 + 200;
        let end =
            if seed % 20 == 0 { laws::check(start, &oracle, bound) } else { laws::sequential(start, &oracle, bound).0 };
        end.found().iter().for_each(|one| assert_one_minimal(one, &oracle));
        let mut distinct = sorted(end.found());
        distinct.dedup();
        assert_eq!(distinct.len(), end.found().len());
        assert!(!end.found().is_empty());
        let of_all = minimal(count as u32, &oracle);
        assert!(distinct.iter().all(|one| of_all.contains(one)));
    }
}

/// Exercise 5.1 of the book asks for one minimum of `geegg` on this input, exercise 5.9 for all.
#[test]
fn exercise_5_9() {
    let input = "a-debugging-exam";
    let count = |config: &Config, letter: char| {
        config.iter().filter(|Delta(at)| input.chars().nth(*at as usize) == Some(letter)).count()
    };
    let geegg = |config: &Config| fails_if(count(config, 'g') >= 3 || count(config, 'e') >= 2);
    let end = laws::check(Minima::new(Config::full(input.len())), geegg, 1000);
    let places =
        |letter| input.char_indices().filter(|(_, c)| *c == letter).map(|(at, _)| at as u32).collect::<Vec<_>>();
    let mut expected = vec![places('e'), places('g')];
    expected.sort();
    assert_eq!(sorted(end.found()), expected);
}

#[test]
fn of_a_single_cause_in_a_thousand_it_is_soon_known_that_there_is_no_other() {
    let cause = config(&[17, 400, 401, 983]);
    let oracle = |config: &Config| fails_if(cause.is_subset(config));
    let (end, asked) = laws::sequential(Minima::new(Config::full(1000)), oracle, 200);
    assert_eq!(end.found(), std::slice::from_ref(&cause));
    // One rest for each of its deltas.
    assert_eq!((end.futile(), asked.len() < 120), (4, true), "{}", asked.len());
}

#[test]
fn what_fails_without_anything_has_one_minimum() {
    for count in [0, 5] {
        let (end, _) = laws::sequential(Minima::new(Config::full(count)), |_| Outcome::Fail, 100);
        assert_eq!(end.found(), [Config::empty()]);
    }
}

#[test]
fn what_could_not_be_told_is_counted() {
    // Whatever lacks the first delta but has the third is not clear: a minimum may hide there.
    let oracle = |config: &Config| match (config.contains(Delta(0)), config.contains(Delta(2))) {
        (true, _) => Outcome::Fail,
        (false, true) => Outcome::Unresolved,
        (false, false) => Outcome::Pass,
    };
    let (end, _) = laws::sequential(Minima::new(Config::full(4)), oracle, 100);
    assert_eq!(sorted(end.found()), minimal(4, oracle));
    assert_eq!((end.unclear(), end.futile()), (1, 1));
    // Of a test that always can tell, none.
    let fails = |config: &Config| fails_if(config.contains(Delta(0)));
    let (end, _) = laws::sequential(Minima::new(Config::full(4)), fails, 100);
    assert_eq!((end.unclear(), end.futile()), (0, 1));
}
