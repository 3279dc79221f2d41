//! Set operations against a plain set.

use crate::support::list;
use proptest::prelude::*;
use reduct_core::{Config, Delta, Question};
use std::collections::BTreeSet;

fn plain() -> impl Strategy<Value = BTreeSet<u32>> {
    let anywhere = prop::collection::btree_set(0u32..60, 0..40);
    let runs = prop::collection::vec((0u32..60, 0u32..12), 0..6)
        .prop_map(|runs| runs.into_iter().flat_map(|(start, len)| start..start + len).collect());
    let at_the_end = prop::collection::btree_set(u32::MAX - 60..u32::MAX, 0..40);
    prop_oneof![anywhere, runs, at_the_end]
}

fn of(set: &BTreeSet<u32>) -> Config {
    set.iter().copied().map(Delta).collect()
}

/// What `config` holds, with a look at its inner order.
fn back(config: &Config) -> BTreeSet<u32> {
    let ranges: Vec<_> = config.ranges().collect();
    assert!(ranges.iter().all(|r| r.start < r.end), "no run is empty: {config:?}");
    assert!(ranges.windows(2).all(|w| w[0].end < w[1].start), "runs are as long as possible: {config:?}");
    let deltas = list(config);
    assert_eq!(deltas.len(), config.len());
    assert_eq!(config.is_empty(), deltas.is_empty());
    deltas.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn operations_are_those_of_sets(a in plain(), b in plain()) {
        let (x, y) = (of(&a), of(&b));
        prop_assert_eq!(back(&x), a.clone());
        prop_assert_eq!(back(&x.union(&y)), a.union(&b).copied().collect());
        prop_assert_eq!(back(&x.minus(&y)), a.difference(&b).copied().collect());
        prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
        prop_assert!(x.minus(&y).is_subset(&x) && x.is_subset(&x.union(&y)));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(x.key() == y.key(), a == b);
    }

    #[test]
    fn positions_count_the_deltas(a in plain(), from in 0usize..50, len in 0usize..50) {
        let (x, all) = (of(&a), a.iter().copied().collect::<Vec<_>>());
        let to = (from + len).min(all.len());
        let from = from.min(to);
        prop_assert_eq!(list(&x.at(from..to)), all[from..to].to_vec());
        prop_assert_eq!(list(&x.without(from..to)), [&all[..from], &all[to..]].concat());
        prop_assert_eq!(x.without(from..to), x.minus(&x.at(from..to)));
        prop_assert_eq!(x.at(from..to).union(&x.without(from..to)), x.clone());
        for position in 0..all.len() + 2 {
            prop_assert_eq!(x.get(position), all.get(position).copied().map(Delta));
        }
    }

    #[test]
    fn bounds_cut_runs(a in plain(), from in 0u32..70, len in 0u32..70) {
        let (x, bounds) = (of(&a), from..from + len);
        let within: Vec<_> = x.within(bounds.clone()).collect();
        prop_assert!(within.iter().all(|range| !range.is_empty()));
        let expected: Vec<u32> = a.iter().copied().filter(|d| bounds.contains(d)).collect();
        prop_assert_eq!(within.into_iter().flatten().collect::<Vec<_>>(), expected);
        for delta in (0..72).chain(u32::MAX - 61..u32::MAX) {
            prop_assert_eq!(x.contains(Delta(delta)), a.contains(&delta));
        }
    }
}

#[test]
fn empty_and_full() {
    assert_eq!(Config::full(0), Config::empty());
    assert_eq!(Config::empty().len(), 0);
    assert_eq!(Config::empty().get(0), None);
    assert_eq!(Config::empty().without(0..0), Config::empty());
    assert!(Config::empty().is_subset(&Config::empty()));
}

#[test]
fn as_many_as_can_be_counted() {
    let all = Config::full(u32::MAX as usize);
    let last = Delta(u32::MAX - 1);
    assert_eq!(all.len(), u32::MAX as usize);
    assert_eq!(all.get(u32::MAX as usize - 1), Some(last));
    assert!(all.contains(last) && !all.contains(Delta(u32::MAX)));
    let but_two = all.without(1..2).minus(&Config::from_deltas([last]));
    assert_eq!(but_two.ranges().collect::<Vec<_>>(), [0..1, 2..u32::MAX - 1]);
    assert_eq!(but_two.get(1), Some(Delta(2)));
    assert_eq!(but_two.union(&Config::from_deltas([Delta(1), last])), all);
}

#[test]
#[should_panic(expected = "at most 2^32 - 1")]
fn one_more_than_can_be_counted() {
    Config::full(1 << 32);
}

/// It would be lost without a word where overflow is not checked.
#[test]
#[should_panic(expected = "at most 2^32 - 1")]
fn a_delta_beyond_the_count() {
    Config::from_deltas([Delta(u32::MAX)]);
}

#[test]
#[should_panic(expected = "ascend")]
fn deltas_ascend() {
    Config::from_deltas([Delta(3), Delta(3)]);
}
