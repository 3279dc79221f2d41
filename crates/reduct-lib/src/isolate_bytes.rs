//! Narrows the difference of two inputs with a function as the test: no processes, no files.

use crate::closure::{NotReduced, call, check};
use crate::job::ReductionOptions;
use crate::options::parallel_options;
use crate::parallel::{Parallel, ParallelRun};
use reduct_core::{Memo, Outcome, Question, Search};
use reduct_input::{Artifact, Candidate, Grammars};
use reduct_session::InputSearch;
use reduct_session::event::Why;
use reduct_strategies::{Claim, Evidence, Grain, Isolation, Refuted};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Prepares to find the smallest difference between two inputs, of which `test` says that the failure occurs on the later
/// one only: by `true` or [`Outcome::Fail`]. [`IsolateBytes::run`] does it.
///
/// ```
/// let (old, new) = (b"width 3\nheight 5\ncolor red\n", b"width 3\nheight 0\ncolor blue\n");
/// let crashes = |config: &[u8]| config.windows(8).any(|at| at == b"height 0");
/// let isolated = reduct_lib::isolate_bytes(old, new, crashes).jobs(4).run()?;
/// // They differ in one digit; the color is the same in both.
/// assert_eq!(isolated.passing.len(), isolated.failing.len());
/// assert!(crashes(&isolated.failing) && !crashes(&isolated.passing));
/// # Ok::<(), reduct_lib::NotReduced>(())
/// ```
///
/// The function is called as by [`reduce_bytes`](crate::reduce_bytes): on several threads at a time, and a call that panics
/// is unresolved. Differences are lines at first, then words, then characters.
pub fn isolate_bytes<'a, F, R>(passing: &'a [u8], failing: &'a [u8], test: F) -> IsolateBytes<'a, F>
where
    F: Fn(&[u8]) -> R + Sync,
    R: Into<Outcome>,
{
    let (name, search) = ("input".into(), ReductionOptions::standard());
    IsolateBytes { passing, failing, test, name, search, parallel: Parallel::new() }
}

/// An isolation of two inputs, with its options: see [`isolate_bytes()`].
pub struct IsolateBytes<'a, F> {
    passing: &'a [u8],
    failing: &'a [u8],
    test: F,
    name: PathBuf,
    search: ReductionOptions,
    parallel: Parallel<'a>,
}

/// What two inputs were narrowed to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct IsolatedBytes {
    /// The side that passes.
    pub passing: Vec<u8>,
    /// The side that fails, which differs from it as little as was found.
    pub failing: Vec<u8>,
    /// What is known of them. When they were tested once more at the end and said something else, it is refuted.
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

impl<'a, F> IsolateBytes<'a, F> {
    parallel_options!();

    /// Names the inputs like a file: from its extension their language is known, and with it where functions are.
    pub fn name(self, name: impl Into<PathBuf>) -> Self {
        IsolateBytes { name: name.into(), ..self }
    }

    /// Reads the inputs in this language (`c`, `python`, ..., or `none`), instead of one guessed from their name.
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.search.language = Some(language.into());
        self
    }

    /// Narrows the difference.
    ///
    /// # Errors
    /// If the failure does not occur on what is to fail, or the other one does not pass; or if they are too large, or
    /// their language is not known.
    pub fn run<R>(self) -> Result<IsolatedBytes, NotReduced>
    where
        F: Fn(&[u8]) -> R + Sync,
        R: Into<Outcome>,
    {
        let IsolateBytes { passing, failing, test, name, search, parallel } = self;
        let unknown = |_| NotReduced::UnknownLanguage(search.language.clone().unwrap_or_default());
        let languages = search.languages().map_err(unknown)?;
        let grammars = languages.map(|languages| Arc::new(languages) as Arc<dyn Grammars>);
        let read = |text: &[u8]| Artifact::of_file(name.clone(), text).map_err(|_| NotReduced::TooLarge);
        let grains = [Grain::Lines, Grain::Words, Grain::Chars];
        let isolation = Isolation::new(&read(passing)?, &read(failing)?, &grains, grammars);
        let test = |candidate: &Candidate| test(candidate.artifact().bytes()).into();
        isolated(isolation.map_err(|_| NotReduced::TooLarge)?, &parallel, &test)
    }
}

/// Runs an isolation between first tests, of both sides, and last ones.
fn isolated(
    isolation: Isolation,
    parallel: &Parallel<'_>,
    test: &(impl Fn(&Candidate) -> Outcome + Sync),
) -> Result<IsolatedBytes, NotReduced> {
    let [passing, failing] = [isolation.passing(), isolation.best()];
    check(&failing, test)?;
    passes(&passing, test)?;
    let known = Memo::from_iter([(passing.key(), Outcome::Pass), (failing.key(), Outcome::Fail)]);
    let run = parallel.watch(isolation, known, test, |_, _| {});
    let ParallelRun { search, why, tests, unresolved, panics, calls, elapsed, .. } = run;
    let (passing, failing) = (search.passing(), search.best());
    let claim = match check(&failing, test).and_then(|()| passes(&passing, test)) {
        Ok(()) => search.claim(&why, &failing),
        Err(_) => Claim::Refuted(Refuted::DidNotFail),
    };
    let [passing, failing] = [passing, failing].map(|side| side.artifact().bytes().to_vec());
    // Those of both sides, before and after.
    let calls = calls + 4;
    Ok(IsolatedBytes { passing, failing, evidence: claim.into(), why, tests, unresolved, panics, calls, elapsed })
}

/// Calls a test once.
///
/// # Errors
/// If it does not say that the failure is absent.
fn passes(side: &Candidate, test: &impl Fn(&Candidate) -> Outcome) -> Result<(), NotReduced> {
    let (outcome, panicked) = call(side, test);
    if outcome == Outcome::Pass { Ok(()) } else { Err(NotReduced::DoesNotPass { outcome, panicked }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_strategies::End;

    const OLD: &[u8] = b"alpha\nbeta\ngamma\ndelta\n";
    const NEW: &[u8] = b"alpha 1\nbeta 2\ngamma 3\ndelta 4\n";

    #[test]
    fn any_number_of_threads_narrows_to_the_same_difference() {
        let fails = |text: &[u8]| text.contains(&b'3');
        let alone = isolate_bytes(OLD, NEW, fails).jobs(1).run().unwrap();
        assert!(fails(&alone.failing) && !fails(&alone.passing));
        // Of ` 3`, the digit alone matters: the sides are alike without it.
        let without: Vec<u8> = alone.failing.iter().copied().filter(|byte| *byte != b'3').collect();
        assert_eq!(without, alone.passing);
        let claim = Claim::Difference { places: 1, unit: "changed characters", end: End::Finished };
        assert_eq!(alone.evidence.claim, claim);
        for jobs in [2, 5] {
            let other = isolate_bytes(OLD, NEW, fails).jobs(jobs).run().unwrap();
            assert_eq!((&other.passing, &other.failing), (&alone.passing, &alone.failing), "{jobs}");
            assert_eq!((other.tests, &other.evidence), (alone.tests, &alone.evidence), "{jobs}");
        }
    }

    #[test]
    fn sides_that_say_something_else_are_refused() {
        let nothing_fails = isolate_bytes(OLD, NEW, |_| false).run();
        assert!(matches!(nothing_fails, Err(NotReduced::DoesNotFail { outcome: Outcome::Pass, .. })));
        let all_fails = isolate_bytes(OLD, NEW, |_| true).run();
        assert!(matches!(all_fails, Err(NotReduced::DoesNotPass { outcome: Outcome::Fail, panicked: false })));
    }
}
