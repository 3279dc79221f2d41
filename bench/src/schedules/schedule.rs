//! One schedule: what goes wrong in it, and what has to come of it all the same.

use super::place::counted;
use super::problem::{PROBLEMS, Problem};
use super::record::Record;
use reduct_core::Repeats;
use reduct_core::laws::Chance;
use reduct_input::Candidate;
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Also, Criterion, Exit, Limit, Observed, Oracle};
use reduct_session::event::{Ended, Why};
use reduct_session::executor::Request;
use reduct_session::executor::simulated::{Behaviour, Simulated, observed};
use reduct_session::{Session, Start, Stops};
use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::time::Duration;

/// A search is interrupted at most so often.
const INTERRUPTS: usize = 3;

/// A search and what goes wrong, so many times of a thousand.
#[derive(Debug)]
pub(super) struct Schedule {
    pub problem: &'static Problem,
    pub slots: usize,
    pub seed: u64,
    lost: usize,
    trouble: usize,
    stragglers: usize,
    answered_late: usize,
    /// Events that cannot be kept.
    refused: usize,
    /// First runs of a candidate that reach the time limit beside others.
    hurried: usize,
    asks: Asks,
}

/// What is asked of the search while it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    Nothing,
    Interrupts,
    Undo,
    Skips,
}

/// What a search came to.
#[derive(Debug)]
pub(super) struct Answer {
    pub best: Vec<u8>,
    retired: Vec<(usize, reduct_core::Outcome, bool)>,
    claim: String,
    elapsed: Duration,
}

/// What happened in some schedules.
#[derive(Default)]
pub(super) struct Seen {
    sessions: u64,
    tests: u64,
    troubles: u64,
    undone: u64,
    skips: u64,
}

impl Schedule {
    /// Returns the schedule of a number. One in sixteen is of the problem that takes a thousand tests.
    pub(super) fn of_number(n: u64, slots: &[usize]) -> Schedule {
        let mut chance = Chance(n ^ 0x5ced);
        let is_long = |problem: &&'static Problem| problem.is_flaky == n.is_multiple_of(16);
        let problems: Vec<&'static Problem> = PROBLEMS.iter().filter(is_long).collect();
        let (problem, slots) = (problems[chance.below(problems.len())], slots[chance.below(slots.len())]);
        let mut some = |most: usize| if chance.below(2) == 0 { 0 } else { chance.below(most + 1) };
        let (lost, trouble, stragglers, answered_late) = (some(30), some(50), some(200), some(1000));
        let (refused, hurried) = (some(30), some(300));
        let asks = [Asks::Nothing, Asks::Interrupts, Asks::Undo, Asks::Skips][chance.below(4)];
        // A person who takes answers back is sure of them; what is late is counted as no vote at all.
        let (asks, hurried) = match (problem.is_flaky, asks) {
            (true, Asks::Undo) => (Asks::Interrupts, 0),
            (true, asks) => (asks, 0),
            (false, asks) => (asks, hurried),
        };
        Schedule { problem, slots, seed: n, lost, trouble, stragglers, answered_late, refused, hurried, asks }
    }

    /// Returns the schedule in which nothing goes wrong, with one slot.
    pub(super) fn quiet(problem: &'static Problem, seed: u64) -> Schedule {
        let (lost, trouble, stragglers, answered_late, refused, hurried) = (0, 0, 0, 0, 0, 0);
        let asks = Asks::Nothing;
        Schedule { problem, slots: 1, seed, lost, trouble, stragglers, answered_late, refused, hurried, asks }
    }

    /// Runs it without looking at what came of it.
    pub(super) fn answer(&self) -> Answer {
        let mut record = Record::new(self.problem, 0, 0);
        let (ended, _) = self.session(&mut record, VecDeque::new(), &mut HashSet::new());
        Answer::of(&ended, &record)
    }

    /// Runs it, and takes it up again as often as it is interrupted.
    ///
    /// # Errors
    /// What is not as it should be.
    pub(super) fn play(&self, expected: &Answer) -> Result<Seen, String> {
        let mut chance = Chance(self.seed ^ 0xa5ed);
        let mut record = Record::new(self.problem, self.seed, self.refused);
        let mut seen = Seen::default();
        let mut hurried = HashSet::new();
        let mut interrupts = if self.asks == Asks::Nothing { 0 } else { chance.below(INTERRUPTS + 1) };
        let ended = loop {
            let requests = self.requests(&mut chance, expected.elapsed, interrupts > 0);
            interrupts = interrupts.saturating_sub(1);
            let (ended, started) = self.session(&mut record, requests, &mut hurried);
            seen.sessions += 1;
            seen.tests += started;
            match ended.why {
                Why::Done => break ended,
                Why::Interrupted => {}
                why => return Err(format!("it ends with {why:?}")),
            }
        };
        (seen.troubles, seen.undone, seen.skips) = (record.troubles, record.undone, record.skips.len() as u64);
        if let Some(bad) = record.bad.first() {
            return Err(bad.clone());
        }
        let answer = Answer::of(&ended, &record);
        // What was given up is another search: that which gives up the same at the same places.
        if record.skips.is_empty() {
            answer.is(expected)?
        } else {
            self.again(&answer, record)?
        }
        Ok(seen)
    }

    /// Takes up what has come to its end, in quiet and with all that is known: nothing is run, and it comes to the same.
    fn again(&self, answer: &Answer, mut record: Record) -> Result<(), String> {
        let quiet = Schedule::quiet(self.problem, self.seed);
        let (ended, started) = quiet.session(&mut record, VecDeque::new(), &mut HashSet::new());
        if started > 0 && !self.problem.is_flaky {
            return Err(format!("{started} tests were run though all was known"));
        }
        Answer::of(&ended, &record).is(answer)
    }

    /// Returns what is asked in one session, and when.
    fn requests(&self, chance: &mut Chance, lasts: Duration, is_interrupted: bool) -> VecDeque<(Duration, Request)> {
        let mut at = || lasts.mul_f64(chance.below(1000) as f64 / 1000.0);
        let pause = at();
        let mut requests = vec![(pause, Request::Pause), (pause + at(), Request::Pause)];
        match self.asks {
            Asks::Undo => requests.extend([at(), at(), at()].map(|at| (at, Request::Undo))),
            Asks::Skips => requests.extend([(at(), Request::Skip), (at(), Request::Disable)]),
            Asks::Nothing | Asks::Interrupts => {}
        }
        if is_interrupted {
            requests.push((at(), Request::Interrupt));
        }
        requests.sort_by_key(|(at, _)| *at);
        requests.into()
    }

    /// Makes one session. Returns how it ended, and how many tests it started.
    fn session(
        &self,
        record: &mut Record,
        requests: VecDeque<(Duration, Request)>,
        hurried: &mut HashSet<reduct_core::Key>,
    ) -> (Ended, u64) {
        let &Schedule { problem, slots, seed, lost, trouble, stragglers, answered_late, .. } = self;
        let noise = problem.noise();
        let behaviour = Behaviour {
            slots,
            seed,
            lost,
            trouble,
            stragglers,
            answered_late,
            requests,
            noise,
            ..Behaviour::default()
        };
        let mut chance = Chance(seed ^ record.outcomes.len() as u64);
        let mut started = 0;
        let mut opened = counted(Simulated::open(behaviour, |candidate: &Candidate| {
            started += 1;
            let is_hurried = chance.below(1000) < self.hurried && hurried.insert(reduct_core::Question::key(candidate));
            if is_hurried { hurry() } else { problem.observe(candidate) }
        }));
        let (known, votes) = (record.outcomes.len(), record.votes.clone());
        let start = Start {
            inquiry: problem.search(),
            known,
            memo: record.outcomes.iter().map(|(key, outcome)| (*key, *outcome)).collect(),
            repeats: Repeats::Remembered,
            stops: Stops::default(),
            skips: record.skips.clone(),
            reached: 0,
            failure: "exit 0".into(),
            time_limit: None,
            policy: problem.policy(),
            votes,
        };
        let answers = record.answers.clone();
        let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
        let session = Session::new(&mut opened, vec![record], Duration::MAX);
        let mut session = if self.asks == Asks::Undo { session.answered(answers) } else { session };
        let (ended, _) = session.search(&oracle, start);
        drop(opened);
        (ended, started)
    }
}

/// Returns what is seen of a test that reached the time limit as others took the processor.
fn hurry() -> Observed {
    let also = Also { was_busy: false, ..Also::default() };
    Observed { exit: Exit::Limit(Limit::Time), also, ..observed(0, "") }
}

impl Answer {
    fn of(ended: &Ended, record: &Record) -> Answer {
        let (best, claim) = (ended.best.artifact().bytes().to_vec(), format!("{:?}", ended.evidence.claim));
        Answer { best, claim, retired: record.retired.clone(), elapsed: ended.elapsed }
    }

    /// Compares two answers, times aside.
    fn is(&self, expected: &Answer) -> Result<(), String> {
        if self.best != expected.best {
            let [is, should] = [self, expected].map(|answer| String::from_utf8_lossy(&answer.best).into_owned());
            return Err(format!("the result is {is:?}, not {should:?}"));
        }
        if self.retired != expected.retired {
            return Err("it took other outcomes".into());
        }
        if self.claim != expected.claim {
            return Err(format!("it claims {}, not {}", self.claim, expected.claim));
        }
        Ok(())
    }
}

impl Seen {
    /// Adds what happened in others.
    pub(super) fn add(&mut self, more: &Seen) {
        self.sessions += more.sessions;
        self.tests += more.tests;
        self.troubles += more.troubles;
        self.undone += more.undone;
        self.skips += more.skips;
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Seen { sessions, tests, troubles, undone, skips } = self;
        write!(
            f,
            "{sessions} sessions, {tests} tests, {troubles} pauses, {undone} answers taken back, {skips} phases given up"
        )
    }
}
