//! Reduces a list of anything with a function as the test.

use crate::closure::{NotReduced, check};
use crate::options::parallel_options;
use crate::parallel::{Parallel, ParallelRun};
use reduct_core::search::relevance::Learned;
use reduct_core::{Config, Memo, Outcome, Question, Relevance, Search, Sweep};
use reduct_session::event::Why;
use reduct_strategies::{Claim, Evidence, Minimal, Refuted, Unproved};
use std::time::Duration;

/// Prepares to reduce a list to items of which none can go: with them alone `test` still says that the failure occurs,
/// by `true` or [`Outcome::Fail`]. [`ReduceItems::run`] does it.
///
/// ```
/// let options = ["-O2", "-g", "-flto", "-Wall", "-ffast-math"];
/// let breaks = |kept: &[&&str]| kept.contains(&&"-flto") && kept.contains(&&"-ffast-math");
/// let reduced = reduct_lib::reduce_items(&options, breaks).jobs(4).run()?;
/// assert_eq!(reduced.indices, [2, 4]);
/// assert_eq!(reduced.items, [&"-flto", &"-ffast-math"]);
/// # Ok::<(), reduct_lib::NotReduced>(())
/// ```
///
/// The items keep their order. The function is called on several threads at a time; a call that panics is unresolved, as
/// for [`reduce_bytes`](crate::reduce_bytes). Until nothing more can go, tests are spent as in
/// [`Method::Relevance`](crate::Method::Relevance).
pub fn reduce_items<T, F, R>(items: &[T], test: F) -> ReduceItems<'_, T, F>
where
    T: Sync,
    F: Fn(&[&T]) -> R + Sync,
    R: Into<Outcome>,
{
    ReduceItems { items, test, parallel: Parallel::new() }
}

/// A reduction of a list, with its options: see [`reduce_items`].
pub struct ReduceItems<'a, T, F> {
    items: &'a [T],
    test: F,
    parallel: Parallel<'a>,
}

/// What a list was reduced to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReducedItems<'a, T> {
    /// Where the items that are left stand in the whole list, in ascending order.
    pub indices: Vec<usize>,
    /// These items.
    pub items: Vec<&'a T>,
    /// What is known of them. When they were tested once more at the end and did not fail, it is refuted.
    pub evidence: Evidence,
    /// Why the search ended.
    pub why: Why,
    /// How many tests the search asked for: the same on any number of threads.
    pub tests: u64,
    /// How many of them were unresolved, those with a panic among them.
    pub unresolved: u64,
    /// In how many of them the function panicked.
    pub panics: u64,
    /// How often the function was called.
    pub calls: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl<'a, T: Sync, F> ReduceItems<'a, T, F> {
    parallel_options!();

    /// Reduces.
    ///
    /// # Errors
    /// If the failure does not occur with all items, or there are too many.
    pub fn run<R>(self) -> Result<ReducedItems<'a, T>, NotReduced>
    where
        F: Fn(&[&T]) -> R + Sync,
        R: Into<Outcome>,
    {
        let ReduceItems { items, test, parallel } = self;
        u32::try_from(items.len()).map_err(|_| NotReduced::TooLarge)?;
        let kept = |config: &Config| config.iter().map(|delta| &items[delta.0 as usize]).collect::<Vec<&T>>();
        let test = |config: &Config| test(&kept(config)).into();
        let whole = Config::full(items.len());
        check(&whole, &test)?;
        let known = Memo::from_iter([(whole.key(), Outcome::Fail)]);
        let run = parallel.watch(OneMinimal::of(whole), known, test, |_, _| {});
        let ParallelRun { search, why, tests, unresolved, panics, calls, elapsed, .. } = run;
        let best = search.best();
        let evidence = claim(&why, check(&best, &test).is_ok()).into();
        let indices = best.iter().map(|delta| delta.0 as usize).collect();
        // The tests of the whole and of the result are two.
        let calls = calls + 2;
        Ok(ReducedItems { indices, items: kept(&best), evidence, why, tests, unresolved, panics, calls, elapsed })
    }
}

/// Returns what is known of items at which a search ended so.
fn claim(why: &Why, fails: bool) -> Claim {
    match why {
        _ if !fails => Claim::Refuted(Refuted::DidNotFail),
        Why::Done => Claim::OneMinimal(Minimal::of(vec!["items"])),
        _ => Claim::Fails(Unproved::Unfinished),
    }
}

/// Removes what is likely to be irrelevant, then shows of each delta that is left that it cannot go.
#[derive(Clone, Debug)]
enum OneMinimal {
    Learning(Relevance),
    Certifying(Sweep),
}

impl OneMinimal {
    fn of(whole: Config) -> OneMinimal {
        let learned = Learned::new(whole.len());
        OneMinimal::Learning(Relevance::new(whole, learned)).certifying_once_decided()
    }

    /// Goes on with the sweep once all is decided.
    fn certifying_once_decided(self) -> OneMinimal {
        match self {
            OneMinimal::Learning(search) if search.ask().is_none() => OneMinimal::Certifying(Sweep::new(search.best())),
            other => other,
        }
    }
}

impl Search for OneMinimal {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        match self {
            OneMinimal::Learning(search) => search.ask(),
            OneMinimal::Certifying(search) => search.ask(),
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match self {
            OneMinimal::Learning(search) => search.tell(outcome),
            OneMinimal::Certifying(search) => search.tell(outcome),
        }
        if matches!(self, OneMinimal::Learning(search) if search.ask().is_none()) {
            *self = self.clone().certifying_once_decided();
        }
    }

    fn best(&self) -> Config {
        match self {
            OneMinimal::Learning(search) => search.best(),
            OneMinimal::Certifying(search) => search.best(),
        }
    }

    fn odds(&self) -> Option<f32> {
        match self {
            OneMinimal::Learning(search) => search.odds(),
            OneMinimal::Certifying(search) => search.odds(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails with 3, 17 and any even number.
    fn fails(kept: &[&u32]) -> bool {
        let has = |n| kept.contains(&&n);
        has(3) && has(17) && kept.iter().any(|n| **n % 2 == 0)
    }

    #[test]
    fn what_is_left_is_one_minimal_on_any_number_of_threads() {
        let numbers: Vec<u32> = (0..50).collect();
        let alone = reduce_items(&numbers, fails).jobs(1).run().unwrap();
        let left: Vec<u32> = alone.items.iter().map(|n| **n).collect();
        assert_eq!(alone.indices.iter().map(|at| numbers[*at]).collect::<Vec<u32>>(), left);
        // By hand: it fails, and without any one it does not.
        assert!(fails(&alone.items));
        for at in 0..alone.items.len() {
            let mut less = alone.items.clone();
            less.remove(at);
            assert!(!fails(&less), "{at}");
        }
        assert!(matches!(alone.evidence.claim, Claim::OneMinimal(_)));
        for jobs in [2, 4] {
            let run = reduce_items(&numbers, fails).jobs(jobs).run().unwrap();
            assert_eq!((run.indices, run.tests), (alone.indices.clone(), alone.tests));
        }
    }

    #[test]
    fn nothing_and_what_fails_with_nothing_are_reduced_to_nothing() {
        let none: [u8; 0] = [];
        assert!(reduce_items(&none, |_| true).run().unwrap().items.is_empty());
        assert!(reduce_items(&[1, 2, 3], |_| true).run().unwrap().items.is_empty());
    }

    #[test]
    fn what_does_not_fail_is_not_reduced() {
        let refused = reduce_items(&[1, 2, 3], |_| false).run();
        assert!(matches!(refused, Err(NotReduced::DoesNotFail { outcome: Outcome::Pass, .. })));
    }

    #[test]
    fn what_was_stopped_is_not_said_to_be_minimal() {
        let numbers: Vec<u32> = (0..50).collect();
        let stopped = reduce_items(&numbers, fails).tests(2).run().unwrap();
        assert_eq!(stopped.evidence.claim, Claim::Fails(Unproved::Unfinished));
        assert!(fails(&stopped.items));
    }
}
