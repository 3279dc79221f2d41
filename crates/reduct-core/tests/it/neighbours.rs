//! Neighbours that go together only: that they are found, and at what price.

use crate::support::{ask_all, fails_if, list};
use reduct_core::laws::{self, Chance};
use reduct_core::{Config, Delta, Neighbours, Outcome, Search};
use std::ops::Range;
use std::sync::Arc;

fn singles(count: usize) -> Arc<[Range<u32>]> {
    (0..count as u32).map(|at| at..at + 1).collect()
}

/// Returns whether of each group of `size` deltas, the first of which begins at `from`, all are there or none, and all that is in none.
fn is_whole(config: &Config, count: usize, size: usize, from: usize) -> bool {
    let has = |at: usize| config.contains(Delta(at as u32));
    let end = from + (count - from) / size * size;
    let outside = (0..from).chain(end..count).all(has);
    outside && (from..end).step_by(size).all(|first| (first..first + size).all(|at| has(at) == has(first)))
}

#[test]
fn one_needed_group_is_found_as_one_needed_item_is() {
    let mut chance = Chance(5);
    for round in 0..300 {
        let (size, from) = (2 + round % 3, round / 3 % 2);
        let groups = 40 + chance.below(500);
        let count = from + groups * size + round % 2;
        let needed = from + chance.below(groups) * size;
        // An item of another group, which was asked about alone in vain.
        let at = from + chance.below(groups * size);
        if (needed..needed + size).contains(&at) {
            continue;
        }
        let fails =
            |config: &Config| fails_if(is_whole(config, count, size, from) && config.contains(Delta(needed as u32)));
        let (end, asked) = ask_all(Neighbours::of(Config::full(count), singles(count), at, 2..=4), fails);
        let end_of_groups = from + groups * size;
        // What is no group of its own stands beside them.
        let left = (0..from).chain(needed..needed + size).chain(end_of_groups..count);
        let left: Vec<u32> = left.map(|at| at as u32).collect();
        assert_eq!(list(&end.best()), left, "{groups} of {size} from {from}");
        let halvings = groups.next_power_of_two().ilog2() as usize;
        assert!(asked.len() <= Neighbours::probes(2..=4) + 4 * halvings, "{} for {groups}", asked.len());
    }
}

#[test]
fn any_two_go_where_only_even_numbers_of_them_fail() {
    for at in [0, 1, 57, 98, 99] {
        let fails = |config: &Config| fails_if(config.len().is_multiple_of(2) && config.contains(Delta(40)));
        let (end, asked) = ask_all(Neighbours::of(Config::full(100), singles(100), at, 2..=4), fails);
        assert!(end.best().len() <= 4 && end.best().contains(Delta(40)), "{:?} at {at}", end.best());
        assert!(asked.len() <= 9 + 4 * 7, "{}", asked.len());
    }
}

#[test]
fn where_nothing_goes_nine_questions_are_in_vain() {
    for (count, at) in [(1, 0), (2, 0), (3, 2), (100, 0), (100, 50), (100, 99)] {
        let (end, asked) = ask_all(Neighbours::of(Config::full(count), singles(count), at, 2..=4), |_| Outcome::Pass);
        assert_eq!((end.best(), end.hits()), (Config::full(count), 0));
        assert!(asked.len() <= 9 && asked.len() == end.in_vain());
        // Each holds the item, and neighbours of it only.
        assert!(asked.iter().all(|(config, _)| !config.contains(Delta(at as u32)) && config.len() + 4 >= count));
    }
}

/// Items of several deltas, of some of which a few are gone by now.
#[test]
fn what_is_left_of_an_item_goes_with_it() {
    let items: Arc<[Range<u32>]> = (0..30).map(|at| at * 3..at * 3 + 3).collect();
    let best = Config::full(100).without(31..32).without(61..63);
    let whole = |config: &Config, item: u32| config.contains(Delta(item * 3));
    let fails = |config: &Config| {
        let pairs = (0..30).step_by(2).all(|item| whole(config, item) == whole(config, item + 1));
        fails_if(pairs && config.contains(Delta(12)) && (90..100).all(|at| config.contains(Delta(at))))
    };
    let (end, _) = ask_all(Neighbours::of(best, items, 21, 2..=4), fails);
    assert_eq!(list(&end.best()), (12..18).chain(90..100).collect::<Vec<u32>>());
}

#[test]
fn it_obeys_the_laws_whatever_comes() {
    for seed in 0..60 {
        let count = 8 + seed as usize;
        let oracle = |config: &Config| {
            let mut chance =
                Chance(config.iter().fold(seed, |sum, Delta(at)| sum.wrapping_mul(31) + u64::from(at) + 1));
            match chance.below(3) {
                _ if config.len() == count => Outcome::Fail,
                0 => Outcome::Fail,
                1 => Outcome::Unresolved,
                _ => Outcome::Pass,
            }
        };
        laws::check(Neighbours::of(Config::full(count), singles(count), count / 2, 2..=4), oracle, 9 + 9 * count);
    }
}
