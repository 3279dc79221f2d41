//! Runs any search with a function as the test, on threads.

use reduct_core::{Key, Memo, Outcome, Repeats, Retired, Search, Speculator, Wanted};
use reduct_session::Stops;
use reduct_session::event::Why;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Runs a search with a function as the test, on a number of threads; the number does not change the result.
///
/// The search asks the same questions in the same order as on one thread: threads run ahead of it, on questions that it
/// is likely to ask next (see [`Speculator`]).
///
/// ```
/// use reduct_core::{Config, Ddmin, Delta, Form, Search, Split};
/// use reduct_lib::Parallel;
///
/// // Of eight patches, the third and the sixth together make the program fail.
/// let fails = |patches: &Config| patches.contains(Delta(2)) && patches.contains(Delta(5));
/// let search = Ddmin::new(Config::full(8), Form::Complements, Split::Book);
/// let run = Parallel::new().jobs(4).run(search, fails);
/// assert_eq!(run.search.best(), Config::from_deltas([Delta(2), Delta(5)]));
/// ```
///
/// A search of one's own implements [`Search`]: `ask`, `tell` and `best`, as if tests ran one at a time, and `Clone`, as
/// copies of it are told outcomes that are only expected, to see what would be asked next. What it asks for is a
/// [`Question`](reduct_core::Question): its `key` tells which questions are the same test. [`reduct_core::laws`] checks
/// what else a search promises.
///
/// ```
/// use reduct_lib::Parallel;
/// use reduct_lib::reduct_core::{Key, Keyed, Outcome, Question, Search, laws};
///
/// #[derive(Clone)]
/// struct Revision(u64);
///
/// impl Question for Revision {
///     fn key(&self) -> Key {
///         let mut keyed = Keyed::default();
///         keyed.add(self.0);
///         keyed.finish()
///     }
/// }
///
/// /// Finds the first revision that fails, if all later ones fail, too.
/// #[derive(Clone)]
/// struct First {
///     passes: u64,
///     fails: u64,
/// }
///
/// impl Search for First {
///     type Question = Revision;
///
///     fn ask(&self) -> Option<Revision> {
///         let between = (self.fails - self.passes) / 2;
///         (between > 0).then(|| Revision(self.passes + between))
///     }
///
///     fn tell(&mut self, outcome: Outcome) {
///         let Some(Revision(asked)) = self.ask() else { return };
///         match outcome {
///             Outcome::Fail => self.fails = asked,
///             _ => self.passes = asked,
///         }
///     }
///
///     fn best(&self) -> Revision {
///         Revision(self.fails)
///     }
/// }
///
/// let history = First { passes: 0, fails: 1000 };
/// let run = Parallel::new().jobs(4).run(history.clone(), |revision: &Revision| revision.0 >= 421);
/// assert_eq!(run.search.best().0, 421);
/// assert!(run.tests <= 10, "2 to the power of 10 is more than 1000");
/// laws::check(history, |revision| Outcome::from(revision.0 >= 421), 10);
/// ```
///
/// A test that panics is unresolved: the candidate is not taken, and the search goes on. [`ParallelRun::panics`] says how
/// often that was so. Where panics abort the process, it ends.
#[derive(Clone, Debug)]
pub struct Parallel<'a> {
    jobs: usize,
    stops: Stops,
    cancel: Option<&'a AtomicBool>,
}

/// What came of a search that was run with a function.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParallelRun<S> {
    /// The search, as far as it came.
    pub search: S,
    /// Why it ended: it was done, or a limit was reached, or it was cancelled.
    pub why: Why,
    /// How many questions the search asked: the same on any number of threads.
    pub tests: u64,
    /// How many of them it had asked before, so that no test was run for them.
    pub repeated: u64,
    /// How many of them were unresolved, those with a panic among them.
    pub unresolved: u64,
    /// In how many of the tests the function panicked.
    pub panics: u64,
    /// How often the function was called, also for questions that the search did not come to ask.
    pub calls: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl Default for Parallel<'_> {
    fn default() -> Self {
        Parallel::new()
    }
}

impl<'a> Parallel<'a> {
    /// Returns a runner on as many threads as there are cores, without limits.
    pub fn new() -> Parallel<'a> {
        Parallel { jobs: reduct_system::cores::usable(), stops: Stops::default(), cancel: None }
    }

    /// Runs so many tests at a time; at least one.
    pub fn jobs(self, jobs: usize) -> Parallel<'a> {
        Parallel { jobs: jobs.max(1), ..self }
    }

    /// Stops after so many tests, counted as [`ParallelRun::tests`]: at the same point on any number of threads.
    pub fn tests(self, tests: u64) -> Parallel<'a> {
        Parallel { stops: self.stops.with_tests(Some(tests)), ..self }
    }

    /// Stops after this time. A call that runs then is not broken off: its end is waited for.
    pub fn time(self, time: Duration) -> Parallel<'a> {
        Parallel { stops: self.stops.with_time(Some(time)), ..self }
    }

    /// Stops once this is set, by an observer or by another thread. Calls that run then are waited for.
    pub fn cancel(self, cancel: &'a AtomicBool) -> Parallel<'a> {
        Parallel { cancel: Some(cancel), ..self }
    }

    /// Runs the search to its end, or to a limit. The function says whether the failure occurs, as a `bool` or as an
    /// [`Outcome`].
    pub fn run<S, R>(&self, search: S, test: impl Fn(&S::Question) -> R + Sync) -> ParallelRun<S>
    where
        S: Search<Question: Send>,
        R: Into<Outcome>,
    {
        self.watch(search, Memo::new(), test, |_, _| {})
    }

    /// Does the same with what is known from earlier, and calls `on` on this thread for each outcome that the search has
    /// taken, in their order.
    pub fn watch<S, R>(
        &self,
        search: S,
        known: Memo,
        test: impl Fn(&S::Question) -> R + Sync,
        on: impl FnMut(&S, &Retired<S::Question>),
    ) -> ParallelRun<S>
    where
        S: Search<Question: Send>,
        R: Into<Outcome>,
    {
        let mut run = Run::new(self, search, known, on);
        let why = if self.jobs == 1 { run.alone(&test) } else { run.on_threads(self.jobs, &test) };
        run.end(why)
    }
}

/// What a call of the function came to.
#[derive(Clone, Copy)]
struct Returned {
    key: Key,
    outcome: Outcome,
    panicked: bool,
}

impl Returned {
    fn of<Q, R: Into<Outcome>>(wanted: &Wanted<Q>, test: &impl Fn(&Q) -> R) -> Returned {
        let call = || test(&wanted.question).into();
        let returned = catch_unwind(AssertUnwindSafe(call));
        let (outcome, panicked) = returned.map_or((Outcome::Unresolved, true), |outcome| (outcome, false));
        Returned { key: wanted.key, outcome, panicked }
    }
}

/// A search while it is run.
struct Run<'a, S: Search, O> {
    limits: &'a Parallel<'a>,
    begin: Instant,
    speculator: Speculator<S>,
    on: O,
    panicked: HashSet<Key>,
    repeated: u64,
    unresolved: u64,
    panics: u64,
    calls: u64,
}

impl<'a, S: Search, O: FnMut(&S, &Retired<S::Question>)> Run<'a, S, O> {
    fn new(limits: &'a Parallel<'a>, search: S, known: Memo, on: O) -> Run<'a, S, O> {
        let speculator = Speculator::new(search, known, Repeats::Remembered);
        let (begin, panicked) = (Instant::now(), HashSet::new());
        Run { limits, begin, speculator, on, panicked, repeated: 0, unresolved: 0, panics: 0, calls: 0 }
    }

    /// Takes all outcomes whose turn has come. Returns why to stop, if so.
    fn advance(&mut self) -> Option<Why> {
        loop {
            if let Some(why) = self.is_enough() {
                return Some(why);
            }
            let retired = self.speculator.retire()?;
            self.repeated += u64::from(retired.repeated);
            self.unresolved += u64::from(retired.outcome == Outcome::Unresolved);
            self.panics += u64::from(!retired.repeated && self.panicked.contains(&retired.key));
            (self.on)(self.speculator.search(), &retired);
        }
    }

    fn is_enough(&self) -> Option<Why> {
        let Stops { tests, time, .. } = self.limits.stops;
        if self.speculator.is_done() {
            return Some(Why::Done);
        }
        if self.limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Why::Interrupted);
        }
        let tests = tests.filter(|tests| self.speculator.retired() >= *tests).map(Why::Tests);
        tests.or_else(|| time.filter(|time| self.begin.elapsed() >= *time).map(Why::Time))
    }

    fn learn(&mut self, returned: Returned) {
        self.calls += 1;
        if returned.panicked {
            self.panicked.insert(returned.key);
        }
        self.speculator.learn(returned.key, returned.outcome);
    }

    /// Runs one test after the other on this thread.
    fn alone<R: Into<Outcome>>(&mut self, test: &impl Fn(&S::Question) -> R) -> Why {
        loop {
            if let Some(why) = self.advance() {
                return why;
            }
            for wanted in self.speculator.wanted(1) {
                self.learn(Returned::of(&wanted, test));
            }
        }
    }

    /// Runs so many tests at a time, each on a thread.
    fn on_threads<R: Into<Outcome>>(&mut self, jobs: usize, test: &(impl Fn(&S::Question) -> R + Sync)) -> Why
    where
        S::Question: Send,
    {
        let (hand_out, handed) = channel::<Wanted<S::Question>>();
        let (hand_in, returned) = channel();
        let handed = Mutex::new(handed);
        std::thread::scope(|scope| {
            // Moved in, so that the threads end when this does.
            let (hand_out, handed) = (hand_out, &handed);
            for _ in 0..jobs {
                let hand_in = hand_in.clone();
                scope.spawn(move || {
                    while let Some(wanted) = next(handed) {
                        if hand_in.send(Returned::of(&wanted, test)).is_err() {
                            return;
                        }
                    }
                });
            }
            let mut running = HashSet::new();
            loop {
                if let Some(why) = self.advance() {
                    return why;
                }
                let wanted = self.speculator.wanted(jobs).into_iter();
                for wanted in wanted
                    .filter(|wanted| !running.contains(&wanted.key))
                    .take(jobs - running.len())
                    .collect::<Vec<_>>()
                {
                    running.insert(wanted.key);
                    let _ = hand_out.send(wanted);
                }
                // The threads stand as long as this does, and one of them has something to do.
                let Ok(returned) = returned.recv() else { return Why::Interrupted };
                running.remove(&returned.key);
                self.learn(returned);
            }
        })
    }

    fn end(self, why: Why) -> ParallelRun<S> {
        let Run { speculator, repeated, unresolved, panics, calls, begin, .. } = self;
        let (search, tests) = (speculator.search().clone(), speculator.retired());
        ParallelRun { search, why, tests, repeated, unresolved, panics, calls, elapsed: begin.elapsed() }
    }
}

/// Waits for the next question. `None` if there will be none.
fn next<T>(handed: &Mutex<Receiver<T>>) -> Option<T> {
    handed.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_core::{Config, Ddmin, Delta, Form, Split};

    /// Needs three of forty, and does not say anything of what has the first without the last.
    fn said(config: &Config) -> Outcome {
        let has = |at: u32| config.contains(Delta(at));
        match (has(0), has(39)) {
            (true, false) => Outcome::Unresolved,
            _ => Outcome::from(has(3) && has(17) && has(39)),
        }
    }

    fn ddmin() -> Ddmin {
        Ddmin::new(Config::full(40), Form::Complements, Split::Book)
    }

    /// Returns the questions and outcomes, in the order in which the search took them.
    fn sequence(parallel: &Parallel<'_>) -> (Vec<(Key, Outcome)>, Why, Config) {
        let mut taken = vec![];
        let run = parallel.watch(ddmin(), Memo::new(), said, |_, retired| taken.push((retired.key, retired.outcome)));
        assert_eq!(run.tests, taken.len() as u64);
        (taken, run.why, run.search.best())
    }

    #[test]
    fn any_number_of_threads_takes_the_steps_of_the_sequential_run() {
        let mut expected = vec![];
        let sequential = reduct_core::run(ddmin(), |config| {
            use reduct_core::Question;
            let outcome = said(config);
            expected.push((config.key(), outcome));
            outcome
        });
        for jobs in [1, 2, 3, 8] {
            let (taken, why, best) = sequence(&Parallel::new().jobs(jobs));
            assert_eq!((taken, why, best), (expected.clone(), Why::Done, sequential.best()), "{jobs}");
        }
    }

    #[test]
    fn a_number_of_tests_ends_it_at_the_same_point_on_any_number_of_threads() {
        let all = sequence(&Parallel::new().jobs(1)).0;
        for jobs in [1, 4] {
            let (taken, why, _) = sequence(&Parallel::new().jobs(jobs).tests(7));
            assert_eq!((&taken[..], why), (&all[..7], Why::Tests(7)));
        }
    }

    #[test]
    fn no_time_is_no_test() {
        let run = Parallel::new().jobs(2).time(Duration::ZERO).run(ddmin(), said);
        assert_eq!((run.why, run.calls), (Why::Time(Duration::ZERO), 0));
        assert_eq!(run.search.best(), Config::full(40));
    }

    #[test]
    fn it_can_be_cancelled_from_within() {
        let cancel = AtomicBool::new(false);
        let run = Parallel::new().jobs(3).cancel(&cancel).watch(ddmin(), Memo::new(), said, |_, retired| {
            cancel.store(retired.n == 5, Ordering::Relaxed);
        });
        assert_eq!((run.why, run.tests), (Why::Interrupted, 5));
    }

    #[test]
    fn a_panic_is_unresolved_and_counted_the_same_on_any_number_of_threads() {
        let panicking = |config: &Config| match said(config) {
            Outcome::Unresolved => std::panic::resume_unwind(Box::new("cannot be said")),
            outcome => outcome,
        };
        let plain = Parallel::new().jobs(1).run(ddmin(), said);
        let alone = Parallel::new().jobs(1).run(ddmin(), panicking);
        assert!(alone.panics > 0 && plain.panics == 0);
        for run in [&alone, &Parallel::new().jobs(4).run(ddmin(), panicking)] {
            assert_eq!(run.search.best(), plain.search.best());
            assert_eq!((run.tests, run.unresolved), (plain.tests, plain.unresolved));
            assert_eq!(run.panics, alone.panics);
        }
    }
}
