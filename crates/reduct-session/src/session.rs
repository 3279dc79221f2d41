//! The session: the only place where search, executor, oracle and observers meet.
//!
//! One thread, one loop: start what is worth running, take what has ended, retire in order. Whatever
//! goes wrong outside the tests (no space, no process, a lost worker) ends here as a pause and another
//! try, and in the end as a clean stop with the best so far.

mod alone;
mod asked;
mod beside;
mod input_search;
mod issue;
mod lost;
mod measure;
mod outside;
mod patience;
mod polls;
mod proved;
mod reused;
mod running;
mod stops;
mod trouble;

use crate::event::{Began, Ended, Event, Observer, Why};
use crate::executor::{Completion, Executor, Opened, ProcessWanted, Request, RunId};
use alone::Late;
pub use input_search::{Differences, InputSearch};
use patience::{NotKept, Pauses};
use polls::Polls;
pub use proved::{minimal, proves};
use reduct_core::{Key, Memo, Outcome, Question, Repeats, Retired, Search, Speculator};
use reduct_input::Candidate;
use reduct_oracle::Oracle;
use reduct_oracle::sampling::{Policy, Votes};
use running::Running;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use stops::Progress;
pub use stops::Stops;

/// How often a worker may die with the same test.
const MOST_LOST: u32 = 8;

/// Runs are numbered through all sessions of a process, so that a late completion of one session is never
/// taken for one of another.
static NEXT_RUN: AtomicU64 = AtomicU64::new(0);

/// A place to run tests, and those who watch.
pub struct Session<'a> {
    opened: &'a mut Opened<dyn Executor + 'a>,
    observers: Vec<&'a mut dyn Observer>,
    /// How long trouble is waited out, all pauses in a row together.
    patience: Duration,
    /// What came in while something else was waited for.
    backlog: VecDeque<Happened>,
    pauses: Pauses,
    /// The keys of what was answered, in order, if answers can be taken back.
    answers: Option<Vec<Key>>,
    /// On how many outcomes of other runs the last search rests.
    borrowed: u64,
    /// What the candidate said that failed last, outside of a search.
    said: Option<String>,
    /// When the time of the last search is over.
    over_at: Option<Duration>,
}

/// What a session waits for.
enum Happened {
    /// This, where tests run.
    There(Completion),
    /// Somebody asked this of the session.
    Asked(Request),
}

/// What a search begins with.
pub struct Start<I> {
    /// The search.
    pub inquiry: I,
    /// What is known from earlier.
    pub memo: Memo,
    /// How much of that was learned by other sessions; observers are told.
    pub known: usize,
    /// Whether repeats are run again.
    pub repeats: Repeats,
    /// When to stop early.
    pub stops: Stops,
    /// Which phases and passes were given up in an earlier session.
    pub skips: VecDeque<Skip>,
    /// How many questions were retired when it last improved in an earlier session: no rule stops it
    /// before it is there again.
    pub reached: u64,
    /// What the failure is, in words.
    pub failure: String,
    /// The time limit of a test.
    pub time_limit: Option<Duration>,
    /// When a candidate has been run often enough. `None`: one run decides.
    pub policy: Option<Policy>,
    /// Single runs that are known from earlier, of candidates that were not decided.
    pub votes: HashMap<Key, Votes>,
}

/// When a phase was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// After how many retired questions.
    pub n: u64,
    /// Whether its whole pass was, for the rest of the run.
    pub whole_pass: bool,
}

impl Skip {
    /// Has a search give it up again.
    pub fn apply<S: Search>(self, speculator: &mut Speculator<S>) {
        if self.whole_pass { speculator.disable() } else { speculator.skip() }
    }
}

/// The numbers of a session so far.
#[derive(Default)]
struct Tally {
    repeated: u64,
    unresolved: u64,
    runs: u64,
}

/// What is kept of the tests of a search while it goes on.
struct Books<'o> {
    oracle: &'o Oracle,
    polls: Polls,
    running: Running,
    /// What reached the time limit.
    late: Late,
    /// How often a worker died with the run of this number.
    lost: HashMap<(Key, u32), u32>,
    tally: Tally,
}

impl<'a> Session<'a> {
    /// Returns a session on `opened`. Observers see every event, in the given order.
    pub fn new(
        opened: &'a mut Opened<dyn Executor + 'a>,
        observers: Vec<&'a mut dyn Observer>,
        patience: Duration,
    ) -> Session<'a> {
        let (backlog, pauses) = (VecDeque::new(), Pauses::default());
        opened.afresh = false;
        Session { opened, observers, patience, backlog, pauses, answers: None, borrowed: 0, said: None, over_at: None }
    }

    /// Returns the same session, in which answers can be taken back ([`Request::Undo`]), also these of earlier
    /// sessions.
    pub fn answered(self, keys: Vec<Key>) -> Session<'a> {
        Session { answers: Some(keys), ..self }
    }

    /// Returns on how many outcomes that other runs have learned the last search rests.
    pub fn borrowed(&self) -> u64 {
        self.borrowed
    }

    /// Searches until the search is over or is to stop. `Ended::confirmed` is left open, and the events
    /// after the search are left to the caller, who may want to run the result once more.
    pub fn search<I: InputSearch>(&mut self, oracle: &Oracle, start: Start<I>) -> (Ended, I) {
        let unit = start.inquiry.unit();
        let began = Began {
            size: start.inquiry.left(),
            whole: start.inquiry.best(),
            unit,
            failure: start.failure,
            jobs: self.opened.executor.slots(),
            time_limit: start.time_limit,
            known: start.known,
        };
        let begin = self.opened.executor.now();
        self.borrowed = 0;
        let polls = Polls::new(start.policy, start.votes);
        let (running, late, lost, tally) = Default::default();
        let mut books = Books { oracle, polls, running, late, lost, tally };
        let mut speculator = Speculator::new(start.inquiry, start.memo, start.repeats);
        let why = match self.emit(&Event::Began(Box::new(began))) {
            Ok(()) => self.go(&mut books, &mut speculator, &start.stops, (start.skips, start.reached)),
            Err(why) => why,
        };
        let tally = &books.tally;
        let search = speculator.search();
        let why = search.why(why);
        let best = search.best();
        let ended = Ended {
            evidence: search.evidence(&why, &best),
            passing: search.passing(),
            size: search.left(),
            best,
            unit: search.unit(),
            asked: speculator.retired(),
            repeated: tally.repeated,
            runs: tally.runs,
            unresolved: tally.unresolved,
            elapsed: self.opened.executor.now().saturating_sub(begin),
            confidence: books.polls.confidence(),
            rate: None,
            share: books.polls.audited_share(),
            confirmed: None,
            again: None,
            timeouts: books.late.timeouts(),
            notes: vec![],
            why,
        };
        (ended, search.clone())
    }

    fn go<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
        stops: &Stops,
        (mut skips, reached): (VecDeque<Skip>, u64),
    ) -> Why {
        let mut progress = Progress::new(stops, self.opened.executor.now(), speculator.search().left(), reached);
        let mut beside = self.beside();
        let end = loop {
            beside.take(speculator);
            if let Err(why) = self.retire(books, speculator, &mut progress, &mut skips) {
                break why;
            }
            if speculator.is_done() {
                break Why::Done;
            }
            if !progress.is_paused() {
                if let Err(why) = self.measure_before_audit(books, speculator) {
                    break why;
                }
                match self.issue(books, speculator, &mut beside) {
                    Ok(true) => {}
                    // Nothing to wait for: there is more to retire.
                    Ok(false) => continue,
                    Err(why) => break why,
                }
            }
            let taken = match self.next(progress.deadline()) {
                Happened::There(completion) => self.happened(books, speculator, completion),
                Happened::Asked(request) => self.asked(books, speculator, request, (&mut progress, &mut skips)),
            };
            if let Err(why) = taken {
                break why;
            }
            if let Some(why) = progress.out_of_time(self.opened.executor.now()) {
                break why;
            }
        };
        self.over_at = progress.over_at();
        self.drop_all(books.running.take_all().into_iter(), end)
    }

    /// Takes what has happened where tests run.
    fn happened<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
        completion: Completion,
    ) -> Result<(), Why> {
        match completion {
            Completion::Finished(run, observed) => {
                let Some(test) = books.running.remove(run) else { return Ok(()) };
                self.pauses = Pauses::default();
                self.take(books, speculator, (run, test), *observed)
            }
            Completion::Lost(run) => self.lose(books, speculator, run),
            Completion::Trouble(run, trouble) => {
                books.running.remove(run);
                self.wait_out(run, &trouble)
            }
            Completion::Deadline | Completion::Woken => Ok(()),
        }
    }

    /// Lets the search take all outcomes whose turn has come.
    fn retire<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
        progress: &mut Progress<'_>,
        skips: &mut VecDeque<Skip>,
    ) -> Result<(), Why> {
        loop {
            // A search that is interrupted stays as it was last told: what it has made of that since may be without what it would have read.
            if self.opened.requests.take_interrupt() {
                return Err(Why::Interrupted);
            }
            // What an earlier session gave up is given up again, and not noted again.
            while let Some(skip) = skips.pop_front_if(|skip| skip.n <= speculator.retired()) {
                skip.apply(speculator);
            }
            let phase = speculator.search().phase();
            if progress.enters(phase)
                && let Some(phase) = phase
            {
                self.emit(&Event::Phase(phase))?;
            }
            let retired = speculator.retired();
            let is_over = || progress.is_over(retired, self.opened.executor.now());
            if let Some(why) = progress.is_enough(retired).or_else(is_over) {
                return Err(why);
            }
            let (before, pass) = (speculator.search().best(), phase.map(|phase| phase.kind));
            let Some(retired) = speculator.retire() else { return Ok(()) };
            books.tally.repeated += u64::from(retired.repeated);
            books.tally.unresolved += u64::from(retired.outcome == Outcome::Unresolved);
            self.borrowed += u64::from(retired.borrowed && !retired.repeated);
            if !retired.repeated {
                books.late.retire(retired.key);
                books.polls.count(retired.outcome, retired.question.certainty());
            }
            self.show(speculator.search(), &retired, (before, pass), progress)?;
        }
    }

    fn show<I: InputSearch>(
        &mut self,
        search: &I,
        retired: &Retired<Candidate>,
        (before, pass): (Candidate, Option<&'static str>),
        progress: &mut Progress<'_>,
    ) -> Result<(), Why> {
        let (size, decided) = (search.size(&retired.question), search.decided());
        let Retired { n, outcome, repeated: cached, .. } = *retired;
        self.emit(&Event::Retired { n, size, outcome, cached, pass, decided })?;
        let (best, size) = (search.best(), search.left());
        let is_less = progress.now_at(size);
        let is_more = progress.now_has(search.found());
        if best.key() != before.key() || is_less || is_more {
            let passing = search.passing();
            self.emit(&Event::Improved { n, best, before, passing, size, unit: search.unit() })?;
        }
        Ok(())
    }

    fn start(&mut self, candidate: &Candidate, number: u32, process: ProcessWanted) -> RunId {
        let run = RunId(NEXT_RUN.fetch_add(1, Ordering::Relaxed));
        let request = self.opened.request(candidate, number, process);
        self.opened.executor.start(run, request);
        run
    }

    /// Returns what came in while something else was waited for, or waits.
    fn next(&mut self, deadline: Option<Duration>) -> Happened {
        self.backlog.pop_front().unwrap_or_else(|| self.wait(deadline))
    }

    /// Waits for the next thing that happens. What is asked for goes before what has ended.
    fn wait(&mut self, deadline: Option<Duration>) -> Happened {
        match self.opened.requests.take() {
            Some(request) => Happened::Asked(request),
            None => Happened::There(self.opened.executor.next(deadline)),
        }
    }

    /// Returns the time since the place began.
    pub fn now(&self) -> Duration {
        self.opened.executor.now()
    }

    /// Returns when the time of the last search is over, on the clock of [`Session::now`], without its pauses; `None` if it had no limit.
    pub fn over_at(&self) -> Option<Duration> {
        self.over_at
    }

    fn drop_all(&mut self, running: impl Iterator<Item = RunId>, why: Why) -> Why {
        running.for_each(|run| self.opened.executor.cancel(run));
        why
    }

    /// Tells all observers. One that cannot keep an event is offered it again after a pause.
    ///
    /// # Errors
    /// If one could not keep it however often it was offered. The others have seen it.
    pub fn emit(&mut self, event: &Event) -> Result<(), Why> {
        let mut told = Ok(());
        // What is seen by the person who is asked can always be shown.
        if let Some(screen) = &mut self.opened.screen {
            let _ = screen.on(event);
        }
        for at in 0..self.observers.len() {
            while let Err(error) = self.observers[at].on(event) {
                // The reader at the other end has gone: nobody is worse off.
                if error.kind() == io::ErrorKind::BrokenPipe {
                    break;
                }
                if let Err(why) = self.pause(&NotKept::of(&error).to_string()) {
                    told = told.and(Err(why));
                    break;
                }
            }
        }
        told
    }
}
