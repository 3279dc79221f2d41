//! Finds all minima of a list of anything with a function as the test.

use crate::closure::{NotReduced, check};
use crate::options::parallel_options;
use crate::parallel::{Parallel, ParallelRun};
use reduct_core::{Config, Memo, Minima, Outcome, Question};
use reduct_session::event::Why;
use reduct_strategies::{Claim, Evidence, Others, Unproved};
use std::time::Duration;

/// Prepares to find all minima of a list: every choice of its items with which `test` says that the failure occurs, by
/// `true` or [`Outcome::Fail`], and of which none can go. [`MinimaItems::run`] does it.
///
/// ```
/// let options = ["-O2", "-flto", "-O3", "-g"];
/// let breaks = |kept: &[&&str]| kept.contains(&&"-flto") && (kept.contains(&&"-O2") || kept.contains(&&"-O3"));
/// let found = reduct_lib::minima_items(&options, breaks).jobs(4).run()?;
/// let mut minima = found.minima.clone();
/// minima.sort();
/// assert_eq!(minima, [vec![0, 1], vec![1, 2]]);
/// # Ok::<(), reduct_lib::NotReduced>(())
/// ```
///
/// There may be more of them than there are items: [`MinimaItems::tests`] and [`MinimaItems::time`] bound the search. The
/// function is called as by [`reduce_items`](crate::reduce_items).
pub fn minima_items<T, F, R>(items: &[T], test: F) -> MinimaItems<'_, T, F>
where
    T: Sync,
    F: Fn(&[&T]) -> R + Sync,
    R: Into<Outcome>,
{
    MinimaItems { items, test, parallel: Parallel::new() }
}

/// An enumeration of minima, with its options: see [`minima_items()`].
pub struct MinimaItems<'a, T, F> {
    items: &'a [T],
    test: F,
    parallel: Parallel<'a>,
}

/// The minima of a list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundMinima {
    /// Of each minimum, where its items stand in the whole list, in ascending order; in the order in which they were found.
    pub minima: Vec<Vec<usize>>,
    /// What is known of them, and whether there may be others.
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

impl<'a, T: Sync, F> MinimaItems<'a, T, F> {
    parallel_options!();

    /// Finds the minima.
    ///
    /// # Errors
    /// If the failure does not occur with all items, or there are too many.
    pub fn run<R>(self) -> Result<FoundMinima, NotReduced>
    where
        F: Fn(&[&T]) -> R + Sync,
        R: Into<Outcome>,
    {
        let MinimaItems { items, test, parallel } = self;
        u32::try_from(items.len()).map_err(|_| NotReduced::TooLarge)?;
        let kept = |config: &Config| config.iter().map(|delta| &items[delta.0 as usize]).collect::<Vec<&T>>();
        let test = |config: &Config| test(&kept(config)).into();
        let whole = Config::full(items.len());
        check(&whole, &test)?;
        let known = Memo::from_iter([(whole.key(), Outcome::Fail)]);
        let run = parallel.watch(Minima::new(whole), known, test, |_, _| {});
        let ParallelRun { search, why, tests, unresolved, panics, calls, elapsed, .. } = run;
        let indices = |config: &Config| config.iter().map(|delta| delta.0 as usize).collect();
        let (minima, evidence) = (search.found().iter().map(indices).collect(), claim(&search, &why).into());
        // The test of the whole is one.
        Ok(FoundMinima { minima, evidence, why, tests, unresolved, panics, calls: calls + 1, elapsed })
    }
}

/// Returns what is known of the minima that were found.
fn claim(search: &Minima, why: &Why) -> Claim {
    let others = match why {
        Why::Done if search.witness().is_some() => Others::NotMonotone,
        Why::Done if search.unclear() > 0 => Others::Unclear(search.unclear()),
        Why::Done => Others::None,
        _ => Others::Unfinished,
    };
    match search.found().len() {
        0 => Claim::Fails(Unproved::Unfinished),
        count => Claim::Minima { count, unit: "items", others },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether two of three are kept: there are three such pairs.
    fn fails(kept: &[&u32]) -> bool {
        kept.iter().filter(|number| number.is_multiple_of(7)).count() > 1
    }

    #[test]
    fn any_number_of_threads_finds_the_same_minima() {
        let numbers: Vec<u32> = (1..22).collect();
        let alone = minima_items(&numbers, fails).jobs(1).run().unwrap();
        let mut sorted = alone.minima.clone();
        sorted.sort();
        assert_eq!(sorted, [[6, 13], [6, 20], [13, 20]]);
        assert_eq!(alone.evidence.claim, Claim::Minima { count: 3, unit: "items", others: Others::None });
        for jobs in [2, 5] {
            let other = minima_items(&numbers, fails).jobs(jobs).run().unwrap();
            assert_eq!((&other.minima, other.tests), (&alone.minima, alone.tests), "{jobs}");
        }
    }

    #[test]
    fn what_was_stopped_may_have_others() {
        let numbers: Vec<u32> = (1..22).collect();
        let all = minima_items(&numbers, fails).run().unwrap();
        let stopped = minima_items(&numbers, fails).tests(all.tests - 1).run().unwrap();
        assert!(matches!(stopped.evidence.claim, Claim::Minima { others: Others::Unfinished, .. }));
        assert!(matches!(minima_items(&numbers, |_| false).run(), Err(NotReduced::DoesNotFail { .. })));
    }
}
