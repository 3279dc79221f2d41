//! The smallest difference between a schedule with which a program passes and one with which it fails (Choi and Zeller, ISSTA 2002).

use crate::schedule::Switch;
use reduct_core::{Config, Delta, Isolate, Order, Outcome, Search};
use std::collections::HashMap;

/// Two schedules: with one the program passes, with the other it fails, and they hardly differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IsolatedSwitches {
    /// With these, it passes.
    pub passing: Vec<Switch>,
    /// With these, it fails.
    pub failing: Vec<Switch>,
}

/// A point at which two schedules differ: the switch there, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedSwitch {
    /// In the schedule that passes.
    pub passing: Option<Switch>,
    /// In the schedule that fails.
    pub failing: Option<Switch>,
}

impl ChangedSwitch {
    /// Returns the points at which two schedules differ: those of the failing one first.
    fn between(passing: &[Switch], failing: &[Switch]) -> Vec<ChangedSwitch> {
        let at = |switch: &Switch| (switch.thread, switch.point);
        let of_passing: HashMap<_, &Switch> = passing.iter().map(|switch| (at(switch), switch)).collect();
        let of_failing: HashMap<_, &Switch> = failing.iter().map(|switch| (at(switch), switch)).collect();
        let changed = failing.iter().filter_map(|switch| {
            let passing = of_passing.get(&at(switch)).map(|it| (*it).clone());
            let is_same = passing.as_ref().is_some_and(|it| it.to == switch.to);
            (!is_same).then(|| ChangedSwitch { passing, failing: Some(switch.clone()) })
        });
        let gone = passing.iter().filter(|switch| !of_failing.contains_key(&at(switch)));
        let gone = gone.map(|switch| ChangedSwitch { passing: Some(switch.clone()), failing: None });
        changed.chain(gone).collect()
    }
}

impl IsolatedSwitches {
    /// Returns the points at which both differ.
    pub fn differ(&self) -> Vec<ChangedSwitch> {
        ChangedSwitch::between(&self.passing, &self.failing)
    }
}

/// Narrows the difference between switches with which `test` passes and others with which it fails.
///
/// # Errors
/// If a test ends with one.
pub fn isolated<E>(
    passing: &[Switch],
    failing: &[Switch],
    mut test: impl FnMut(&[Switch]) -> Result<Outcome, E>,
) -> Result<IsolatedSwitches, E> {
    let changes = ChangedSwitch::between(passing, failing);
    let with = |config: &Config| -> Vec<Switch> {
        let taken: Vec<&ChangedSwitch> = config.iter().map(|Delta(at)| &changes[at as usize]).collect();
        let kept = passing.iter().filter(|switch| !taken.iter().any(|it| it.passing.as_ref() == Some(*switch)));
        kept.chain(taken.iter().filter_map(|it| it.failing.as_ref())).cloned().collect()
    };
    let mut search = Isolate::new(Config::empty(), Config::full(changes.len()), Order::Direct);
    while let Some(config) = search.ask() {
        search.tell(test(&with(&config))?);
    }
    Ok(IsolatedSwitches { passing: with(&search.passing()), failing: with(&search.best()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn switch(thread: u32, point: u64, to: u32) -> Switch {
        Switch { thread, point, to, place: "?".into() }
    }

    fn found(passing: &[Switch], failing: &[Switch], fails: impl Fn(&[Switch]) -> bool) -> (IsolatedSwitches, usize) {
        let mut tests = 0;
        let found = isolated(passing, failing, |some| {
            tests += 1;
            Ok::<_, Infallible>(if fails(some) { Outcome::Fail } else { Outcome::Pass })
        });
        (found.unwrap(), tests)
    }

    #[test]
    fn one_switch_makes_the_difference_though_it_does_not_fail_alone() {
        let all: Vec<Switch> = (0..16).map(|at| switch(1, at + 1, 2)).collect();
        // It fails if the third is there, and one of the others at least.
        let (found, tests) = found(&[], &all, |some| some.contains(&all[2]) && some.len() > 1);
        let differ = found.differ();
        assert_eq!(differ.len(), 1, "{found:?}");
        assert!(found.failing.contains(&all[2]) && found.failing.len() == found.passing.len() + 1, "{found:?}");
        // It is a binary search, as no outcome is unresolved.
        assert!(tests <= 5, "{tests}");
    }

    #[test]
    fn a_switch_may_be_missing_or_go_elsewhere_where_it_fails() {
        let (good, bad) = ([switch(1, 4, 2), switch(2, 7, 1)], [switch(1, 4, 3), switch(3, 5, 0)]);
        let (elsewhere, _) = found(&good, &bad, |some| some.iter().any(|it| it.thread == 1 && it.to == 3));
        let expected = ChangedSwitch { passing: Some(good[0].clone()), failing: Some(bad[0].clone()) };
        assert_eq!(elsewhere.differ(), [expected]);
        let (missing, _) = found(&good, &bad, |some| !some.contains(&good[1]));
        assert_eq!(missing.differ(), [ChangedSwitch { passing: Some(good[1].clone()), failing: None }]);
        let (same, tests) = found(&good, &good, |_| true);
        assert_eq!((same.differ(), tests), (vec![], 0));
    }
}
