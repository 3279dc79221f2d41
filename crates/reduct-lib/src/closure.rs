//! Reduces bytes with a function as the test: no processes, no files.

use crate::errors::Refusal;
use crate::job::ReductionOptions;
use crate::options::{parallel_options, search_options};
use crate::parallel::{Parallel, ParallelRun};
use reduct_core::{Memo, Outcome, Question, Retired, Search};
use reduct_input::{Artifact, Candidate};
use reduct_session::InputSearch;
use reduct_session::event::{Event, Why};
use reduct_strategies::{Claim, Evidence, Phase, Plan, Reduction, Refuted};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

/// Prepares to reduce `input` to the smallest input for which `test` still says that the failure occurs: `true`, or
/// [`Outcome::Fail`]. [`ReduceBytes::run`] does it.
///
/// ```
/// let page = b"<p>\n<SELECT NAME=\"priority\" MULTIPLE>\n</p>\n";
/// let crashes = |page: &[u8]| page.windows(7).any(|tag| tag == b"<SELECT") && page.contains(&b'>');
/// let reduced = reduct_lib::reduce_bytes(page, crashes).jobs(4).run()?;
/// assert_eq!(reduced.bytes, b"<SELECT>");
/// # Ok::<(), reduct_lib::NotReduced>(())
/// ```
///
/// The function is called on several threads at a time, often for candidates that the search never comes to ask for. It
/// should say the same each time it gets the same bytes; then the result is the same on any number of threads.
///
/// A call that panics is unresolved: the candidate is not taken, and the search goes on; [`ReducedBytes::panics`] counts
/// them. If a panic *is* the failure, catch it in the function and return `true`. Rust's panic hook prints each panic,
/// unless it is replaced.
pub fn reduce_bytes<F, R>(input: &[u8], test: F) -> ReduceBytes<'_, F>
where
    F: Fn(&[u8]) -> R + Sync,
    R: Into<Outcome>,
{
    let (name, search, parallel) = ("input".into(), ReductionOptions::standard(), Parallel::new());
    ReduceBytes { input, test, name, search, parallel, on_event: Box::new(|_| {}) }
}

/// A reduction of bytes, with its options: see [`reduce_bytes`].
pub struct ReduceBytes<'a, F> {
    input: &'a [u8],
    test: F,
    name: PathBuf,
    search: ReductionOptions,
    parallel: Parallel<'a>,
    on_event: Box<dyn FnMut(&Event) + 'a>,
}

/// What bytes were reduced to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReducedBytes {
    /// The smallest input found that fails.
    pub bytes: Vec<u8>,
    /// What is known of it. When it was run once more at the end and did not fail, it is refuted.
    pub evidence: Evidence,
    /// Why the search ended.
    pub why: Why,
    /// How many tests the search asked for: the same on any number of threads.
    pub tests: u64,
    /// How many of them it had asked for before, so that the function was not called.
    pub repeated: u64,
    /// How many of them were unresolved, those with a panic among them.
    pub unresolved: u64,
    /// In how many of them the function panicked.
    pub panics: u64,
    /// How often the function was called.
    pub calls: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// Why a function was not used to reduce something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotReduced {
    /// The whole input does not fail.
    #[error("the failure does not occur on the whole input: the test says {}", if *.panicked { "unresolved, as it panicked" } else { .outcome.name() })]
    DoesNotFail {
        /// What the test says of it.
        outcome: Outcome,
        /// Whether it panicked.
        panicked: bool,
    },
    /// What is compared with what fails does not pass.
    #[error("the input that should pass does not: the test says {}", if *.panicked { "unresolved, as it panicked" } else { .outcome.name() })]
    DoesNotPass {
        /// What the test says of it.
        outcome: Outcome,
        /// Whether it panicked.
        panicked: bool,
    },
    /// The input is larger than 4 GiB, or there are more items than that.
    #[error("the input is larger than can be reduced")]
    TooLarge,
    /// There is no language of this name.
    #[error("there is no language called `{0}`")]
    UnknownLanguage(String),
}

impl<'a, F> ReduceBytes<'a, F> {
    parallel_options!();
    search_options!(search);

    /// Names the input like a file: from its extension its language is known, and with it what can go together.
    pub fn name(self, name: impl Into<PathBuf>) -> Self {
        ReduceBytes { name: name.into(), ..self }
    }

    /// Calls this on the calling thread for each [`Event::Phase`], [`Event::Retired`] and [`Event::Improved`], in the
    /// order of the search: the same events on any number of threads.
    pub fn on_event(self, on_event: impl FnMut(&Event) + 'a) -> Self {
        ReduceBytes { on_event: Box::new(on_event), ..self }
    }

    /// Reduces.
    ///
    /// # Errors
    /// If the failure does not occur on the whole input, or the input is too large, or its language is not known.
    pub fn run<R>(self) -> Result<ReducedBytes, NotReduced>
    where
        F: Fn(&[u8]) -> R + Sync,
        R: Into<Outcome>,
    {
        let plan = plan(&self.search)?;
        let whole = Artifact::of_file(self.name, self.input).map_err(|_| NotReduced::TooLarge)?;
        let ReduceBytes { test, parallel, on_event, .. } = self;
        let test = |candidate: &Candidate| test(candidate.artifact().bytes()).into();
        reduced(Reduction::new(whole, plan), &parallel, &test, on_event)
    }
}

/// Returns the plan of a search, the names in which are known but for the language.
fn plan(search: &ReductionOptions) -> Result<Plan, NotReduced> {
    search.plan().map_err(|refusal| match refusal {
        Refusal::UnknownName { name, .. } => NotReduced::UnknownLanguage(name),
        _ => NotReduced::UnknownLanguage(search.language.clone().unwrap_or_default()),
    })
}

/// Calls a test once.
///
/// # Errors
/// If it does not say that the failure occurs.
pub(crate) fn check<Q>(whole: &Q, test: &impl Fn(&Q) -> Outcome) -> Result<(), NotReduced> {
    let (outcome, panicked) = call(whole, test);
    if outcome == Outcome::Fail { Ok(()) } else { Err(NotReduced::DoesNotFail { outcome, panicked }) }
}

/// Calls a test once. Returns what it says, and whether it panicked.
pub(crate) fn call<Q>(question: &Q, test: &impl Fn(&Q) -> Outcome) -> (Outcome, bool) {
    let said = catch_unwind(AssertUnwindSafe(|| test(question)));
    said.map_or((Outcome::Unresolved, true), |outcome| (outcome, false))
}

/// Runs a reduction between a first test, of the whole, and a last one, of the result.
fn reduced<'a>(
    reduction: Reduction,
    parallel: &Parallel<'_>,
    test: &(impl Fn(&Candidate) -> Outcome + Sync),
    on_event: Box<dyn FnMut(&Event) + 'a>,
) -> Result<ReducedBytes, NotReduced> {
    let whole = reduction.best();
    check(&whole, test)?;
    let mut events = Events::new(&reduction, on_event);
    events.enter(&reduction);
    let known = Memo::from_iter([(whole.key(), Outcome::Fail)]);
    let run = parallel.watch(reduction, known, test, |search, retired| events.take(search, retired));
    let ParallelRun { search, why, tests, repeated, unresolved, panics, calls, elapsed } = run;
    let (best, why) = (search.best(), search.why(why));
    let claim = match check(&best, test) {
        Ok(()) => search.claim(&why, &best),
        Err(_) => Claim::Refuted(Refuted::DidNotFail),
    };
    let bytes = best.artifact().bytes().to_vec();
    // Those of the whole and of the result are two.
    let calls = calls + 2;
    Ok(ReducedBytes { bytes, evidence: claim.into(), why, tests, repeated, unresolved, panics, calls, elapsed })
}

/// Makes events of what a search does.
struct Events<'a> {
    on_event: Box<dyn FnMut(&Event) + 'a>,
    phase: Option<Phase>,
    best: Candidate,
}

impl<'a> Events<'a> {
    fn new(search: &Reduction, on_event: Box<dyn FnMut(&Event) + 'a>) -> Events<'a> {
        Events { on_event, phase: None, best: search.best() }
    }

    /// Notes that the search is in another phase now, if so.
    fn enter(&mut self, search: &Reduction) {
        let phase = search.phase();
        if let Some(entered) = phase.filter(|_| phase != self.phase) {
            (self.on_event)(&Event::Phase(entered));
        }
        self.phase = phase;
    }

    fn take(&mut self, search: &Reduction, retired: &Retired<Candidate>) {
        let Retired { n, ref question, outcome, repeated: cached, .. } = *retired;
        (self.on_event)(&Event::Retired { n, size: search.size(question), outcome, cached, pass: None, decided: None });
        let best = search.best();
        if best.key() != self.best.key() {
            let before = std::mem::replace(&mut self.best, best.clone());
            let (size, unit, passing) = (search.size(&best), search.unit(), search.passing());
            (self.on_event)(&Event::Improved { n, best, before, passing, size, unit });
        }
        self.enter(search);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_passes::Pass;
    use reduct_strategies::{Cut, Method, Unproved};
    use std::sync::atomic::{AtomicBool, Ordering};

    fn crashes(page: &[u8]) -> bool {
        page.windows(7).any(|tag| tag == b"<SELECT") && page.contains(&b'>')
    }

    const PAGE: &[u8] = b"<td align=left>\n<SELECT NAME=\"priority\" MULTIPLE SIZE=7>\n<OPTION>P1\n</SELECT>\n</td>\n";

    /// Returns the result and all events, as text.
    fn told(jobs: usize) -> (Vec<u8>, u64, Vec<String>) {
        let mut events = vec![];
        let on_event = |event: &Event| {
            events.push(match event {
                Event::Phase(phase) => format!("{phase:?}"),
                Event::Retired { n, size, outcome, cached, .. } => format!("{n} {size} {outcome} {cached}"),
                Event::Improved { n, best, size, unit, .. } => format!("{n} {} {size} {unit}", best.len()),
                _ => "another".into(),
            });
        };
        let reduced = reduce_bytes(PAGE, crashes).jobs(jobs).on_event(on_event).run().unwrap();
        (reduced.bytes, reduced.tests, events)
    }

    #[test]
    fn any_number_of_threads_has_the_same_result_and_the_same_events() {
        let alone = told(1);
        assert_eq!(alone.0, b"<SELECT>");
        assert!(!alone.2.contains(&"another".to_owned()));
        for jobs in [2, 4] {
            assert_eq!(told(jobs), alone);
        }
    }

    #[test]
    fn a_finished_search_is_one_minimal_and_a_stopped_one_only_fails() {
        let reduced = reduce_bytes(PAGE, crashes).run().unwrap();
        assert!(matches!(reduced.evidence.claim, Claim::OneMinimal(_)), "{:?}", reduced.evidence);
        let stopped = reduce_bytes(PAGE, crashes).tests(3).run().unwrap();
        assert_eq!((stopped.tests, stopped.why), (3, Why::Tests(3)));
        assert_eq!(stopped.evidence.claim, Claim::Fails(Unproved::Unfinished));
        assert!(crashes(&stopped.bytes));
    }

    #[test]
    fn what_does_not_fail_is_not_reduced() {
        let refused = reduce_bytes(b"<p>", crashes).run();
        assert!(matches!(refused, Err(NotReduced::DoesNotFail { outcome: Outcome::Pass, panicked: false })));
        let panics = |_: &[u8]| -> bool { std::panic::resume_unwind(Box::new("no")) };
        let refused = reduce_bytes(b"<p>", panics).run();
        assert!(matches!(refused, Err(NotReduced::DoesNotFail { outcome: Outcome::Unresolved, panicked: true })));
        let refused = reduce_bytes(b"<p>", |_| true).language("latin").run();
        assert!(matches!(refused, Err(NotReduced::UnknownLanguage(name)) if name == "latin"));
    }

    #[test]
    fn a_panic_on_a_candidate_is_unresolved() {
        // Takes it for granted that there is a first byte, and that it is an `a`.
        let test = |bytes: &[u8]| match bytes.first() {
            Some(b'a') => bytes.contains(&b'x'),
            _ => std::panic::resume_unwind(Box::new("no `a`")),
        };
        let reduced = reduce_bytes(b"a long line with an x in it", test).jobs(2).run().unwrap();
        assert_eq!(reduced.bytes, b"ax");
        assert!(reduced.panics > 0 && reduced.unresolved >= reduced.panics);
    }

    #[test]
    fn what_fails_empty_is_reduced_to_nothing() {
        assert_eq!(reduce_bytes(PAGE, |_| true).run().unwrap().bytes, b"");
    }

    #[test]
    fn a_result_that_does_not_fail_again_is_refuted() {
        // Fails while it is reduced, but not when the result is run once more.
        let done = AtomicBool::new(false);
        let test = |bytes: &[u8]| bytes.contains(&b'x') && !(bytes == b"x" && done.swap(true, Ordering::Relaxed));
        let reduced = reduce_bytes(b"a line with x", test).jobs(1).run().unwrap();
        assert_eq!(reduced.bytes, b"x");
        assert_eq!(reduced.evidence.claim, Claim::Refuted(Refuted::DidNotFail));
    }

    #[test]
    fn kinds_and_methods_are_types() {
        let lines = Pass::named("lines").unwrap();
        let reduced = reduce_bytes(b"a\nbxb\nc\n", |bytes| bytes.contains(&b'x')).by([lines]).method(Method::Ddmin);
        let reduced = reduced.cut(Cut::Balanced).run().unwrap();
        assert_eq!(reduced.bytes, b"bxb\n");
    }
}
