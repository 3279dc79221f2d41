//! Bisection: lines of history, branches, and what cannot be built.

use crate::support::{ask_all, config, fails_if, list};
use proptest::prelude::*;
use reduct_core::laws::{self, Chance};
use reduct_core::{Bisect, Config, Delta, Outcome, Search};
use std::sync::Arc;

fn line(n: usize) -> Arc<[Config]> {
    (1..=n).map(Config::full).collect()
}

fn holds(config: &Config, change: usize) -> bool {
    config.contains(Delta(change as u32))
}

/// Changes with one or two parents among those before them.
fn branches(n: usize, seed: u64) -> Arc<[Config]> {
    let mut chance = Chance(seed);
    let mut upto: Vec<Config> = vec![];
    for change in 0..n as u32 {
        let own = config(&[change]);
        let parents = if change == 0 { 0 } else { 1 + chance.below(2) };
        let parent = |chance: &mut Chance| upto[change as usize - 1 - chance.below(4.min(change as usize))].clone();
        let all = (0..parents).map(|_| parent(&mut chance)).fold(own, |all, parent| all.union(&parent));
        upto.push(all);
    }
    // A last one that brings all branches together.
    let mut heads = vec![Config::full(n + 1)];
    upto.append(&mut heads);
    upto.into()
}

#[test]
fn a_line_of_a_thousand_takes_ten_tests() {
    let n = 1000;
    for culprit in 0..n {
        let search = Bisect::new(line(n), Config::empty(), Config::full(n));
        let (end, asked) = ask_all(search, |config| fails_if(holds(config, culprit)));
        assert_eq!(list(&end.best().minus(&end.passing())), [culprit as u32]);
        assert!(asked.len() <= 10, "{culprit}: {}", asked.len());
    }
}

/// A thousand changes, of which a run of up to 256 cannot be built.
#[test]
fn a_broken_region_costs_a_logarithm() {
    let n = 1000usize;
    for length in [1usize, 4, 16, 64, 256] {
        let mut most = 0;
        for at in (0..n - length).step_by(31) {
            for culprit in (0..n).step_by(29) {
                let broken = at..at + length;
                let test = |config: &Config| match config.len().checked_sub(1) {
                    Some(last) if broken.contains(&last) => Outcome::Unresolved,
                    _ => fails_if(holds(config, culprit)),
                };
                let (end, asked) = ask_all(Bisect::new(line(n), Config::empty(), Config::full(n)), test);
                let found = end.best().minus(&end.passing());
                assert!(holds(&found, culprit));
                let unclear = (broken.contains(&culprit) || broken.end == culprit) && culprit < n;
                if !unclear {
                    assert_eq!(found.len(), 1, "{broken:?} {culprit}");
                    most = most.max(asked.len());
                } else {
                    assert!(found.len() <= length + 1, "nothing beyond the broken region is left over");
                }
            }
        }
        assert!(most <= 10 + 2 * (1 + length.ilog2() as usize), "{length}: {most}");
    }
}

proptest! {
    #[test]
    fn the_guilty_change_is_found_among_branches(n in 1usize..60, seed in any::<u64>(), pick in any::<u16>()) {
        let upto = branches(n, seed);
        let all = upto.len();
        let culprit = usize::from(pick) % all;
        let search = Bisect::new(upto, Config::empty(), Config::full(all));
        let end = laws::check(search, |config| fails_if(holds(config, culprit)), all + 2);
        prop_assert_eq!(list(&end.best().minus(&end.passing())), [culprit as u32]);
    }

    #[test]
    fn laws_hold_whatever_is_broken(n in 1usize..60, seed in any::<u64>(), whim in any::<u64>()) {
        let upto = branches(n, seed);
        let all = upto.len();
        let oracle = crate::support::whim(whim, all, 6, 5);
        let search = Bisect::new(upto, Config::empty(), Config::full(all));
        let end = laws::check(search, &oracle, 2 * all + 2);
        prop_assert_eq!(oracle(&end.best()), Outcome::Fail);
        prop_assert_eq!(oracle(&end.passing()), Outcome::Pass);
        prop_assert!(end.passing().is_subset(&end.best()));
    }
}
