//! Before the search: the whole input must fail, twice and alike; the empty one must not.
//!
//! If that is not so, nothing is begun, and it is found out why: whether the test wants the path or the contents of the
//! input, never looks at it, or says something else every time.

mod choice;
pub(crate) mod hints;
mod look;
mod missing;
mod recipe;
mod repeated;
mod sides;
mod uses;
mod why;

use crate::errors::Refusal;
use crate::job::{Against, Failure, Job};
use crate::program::cannot_start;
use crate::work::Audience;
pub(crate) use choice::{Begun, begin};
use recipe::recipe;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::sampling::Policy;
use reduct_oracle::signature::{Signature, Words, describe};
use reduct_oracle::{Also, Exit, Limit, Observed};
use reduct_oracle::{Oracle, Reading};
use reduct_session::Session;
use reduct_session::event::{Event, Why};
use reduct_session::executor::Executor;
use repeated::settle_repeated;
pub use sides::{Sides, settle_sides};
use std::time::Duration;
use why::{Doctor, cannot_tell, does_not_fail, empty_fails, server_passes};

/// What the preflight settled.
#[derive(Clone)]
pub struct Settled {
    /// What counts as the failure.
    pub reading: Reading,
    /// The time limit of a test.
    pub time_limit: Duration,
    /// What the failure is, in words; if it was read off the first run, with how to say otherwise.
    pub failure: String,
    /// When a candidate has been run often enough. `None`: one run decides.
    pub policy: Option<Policy>,
}

/// A time limit must leave room for a machine that is busier later: ten times the slowest run.
const TIMES_SLOWEST: u32 = 10;
const SHORTEST_LIMIT: Duration = Duration::from_secs(2);

/// So many times what fails now and then is run to see it fail once.
const FIRST_RUNS: usize = 100;

/// Why nothing can be begun, and of what it may be found out why that is so.
pub struct Unsettled {
    pub(crate) refusal: Refusal,
    pub(crate) doubt: Option<Doubt>,
}

/// What a test does that a reduction cannot use.
pub(crate) enum Doubt {
    /// This failure does not occur, or not each time.
    DoesNotFail(Box<Oracle>, Vec<Observed>),
    /// It shows neither a failure nor success.
    CannotTell(Box<Observed>),
    /// It fails without an input.
    EmptyFails(Box<Observed>),
}

impl From<Refusal> for Unsettled {
    fn from(refusal: Refusal) -> Unsettled {
        Unsettled { refusal, doubt: None }
    }
}

impl Unsettled {
    fn of(refusal: Refusal, doubt: Doubt) -> Unsettled {
        Unsettled { refusal, doubt: Some(doubt) }
    }

    /// Whether it could be otherwise elsewhere.
    pub(crate) fn is_of_the_place(&self) -> bool {
        self.doubt.is_some() || matches!(self.refusal, Refusal::CannotStart { .. } | Refusal::DoesNotFail { .. })
    }
}

/// Runs the whole input twice, less what was `seen` already, and the empty one once. Returns also what the test said of
/// the latter.
///
/// # Errors
/// If the whole input does not fail, or the empty one does.
pub fn settle(
    session: &mut Session<'_>,
    job: &Job,
    whole: &Candidate,
    words: &Words,
    mut seen: Vec<Observed>,
) -> Result<(Settled, Outcome), Unsettled> {
    if job.repeat {
        return Ok(settle_repeated(session, (job, whole, words), seen)?);
    }
    // One after the other, as the time limit is made from how long they take: the same at any number of jobs.
    if seen.is_empty() {
        session.tell(&Event::Checking { what: where_it_runs(job, "the whole input") }).map_err(stopped)?;
        seen = observe(session, std::slice::from_ref(whole))?;
    }
    if let Some(Observed { exit: Exit::NotStarted(why), .. }) = seen.first() {
        return Err(cannot_start(job, why, recipe(job)).into());
    }
    if seen.len() < 2 {
        seen.extend(observe(session, std::slice::from_ref(whole))?);
    }
    let [first, second] = &seen[..] else { return Err(Refusal::Executor("a run is missing".into()).into()) };
    let reading = match &job.failure {
        Failure::ExitZero => Reading::ExitZero,
        Failure::Conditions(all) => Reading::Conditions(all.clone()),
        Failure::Observed if job.persistent.is_some() && first.exit == Exit::Code(0) => {
            return Err(server_passes(job).into());
        }
        Failure::Like(signature) => Reading::Same(signature.clone()),
        Failure::Observed => match Oracle::read_first(first, words) {
            Some(reading) => agree(reading, second, words),
            None => return Err(Unsettled::of(cannot_tell(job, first), Doubt::CannotTell(Box::new(first.clone())))),
        },
    };
    let oracle = Oracle::new(reading.clone(), words.clone());
    let outcomes: Vec<Outcome> = seen.iter().map(|observed| oracle.verdict(observed).outcome).collect();
    for (observed, outcome) in seen.iter().zip(&outcomes) {
        tell(session, "the whole input", observed, *outcome)?;
    }
    if outcomes.iter().any(|outcome| *outcome != Outcome::Fail) {
        let refusal = does_not_fail(job, words, &oracle, first);
        return Err(Unsettled::of(refusal, Doubt::DoesNotFail(Box::new(oracle), seen)));
    }
    let slowest = seen.iter().map(took).max().unwrap_or_default();
    // A failure that is a hang shows at the limit that it has reached already.
    let hangs = first.exit == Exit::Limit(Limit::Time);
    let derived = if hangs { slowest } else { slowest.saturating_mul(TIMES_SLOWEST).max(SHORTEST_LIMIT) };
    let derived = derived.max(job.least_time_limit());
    let time_limit = job.limits.time.unwrap_or(derived);
    session.tell(&Event::Checking { what: "the empty input" }).map_err(stopped)?;
    let nothing = Candidate::nothing(whole.base().clone());
    let empty = observe(session, std::slice::from_ref(&nothing))?;
    let mut of_empty = Outcome::Unresolved;
    for observed in empty {
        of_empty = oracle.verdict_on(&observed, &nothing).outcome;
        tell(session, "the empty input", &observed, of_empty)?;
        // That nothing of what a command is given matters is an answer.
        if of_empty == Outcome::Fail && !matches!(job.against, Against::Situation(_)) {
            let refusal = empty_fails(job, words, first, &observed);
            return Err(Unsettled::of(refusal, Doubt::EmptyFails(Box::new(observed))));
        }
    }
    let failure = describe_first(job, &reading, first);
    Ok((Settled { failure, reading, time_limit, policy: None }, of_empty))
}

/// What is run, in words, and that it is in a copy of the project if it is.
fn where_it_runs(job: &Job, what: &'static str) -> &'static str {
    match (what, job.top()) {
        ("the whole input", Some(_)) => "the whole input in a copy of the project",
        (_, Some(_)) => "what fails in a copy of the project",
        (what, None) => what,
    }
}

/// The same for a bare folder, where both are tried.
fn in_a_bare_folder(what: &'static str) -> &'static str {
    if what == "the whole input" { "the whole input in a bare folder" } else { "what fails in a bare folder" }
}

/// Finds out why it could not be settled, for a few seconds at most.
pub(crate) fn explain(
    of: (&Job, &Candidate, &Words),
    audience: &mut Audience<'_>,
    lab: &mut dyn Executor,
    unsettled: Unsettled,
) -> Refusal {
    Doctor::new(of, audience).explain(lab, unsettled)
}

/// If the second run says something else with the same exit, what it says does not count.
fn agree(reading: Reading, second: &Observed, words: &Words) -> Reading {
    match reading {
        Reading::Same(signature) => Reading::Same(signature.common(&Signature::of(second, words))),
        settled => settled,
    }
}

/// What the failure is, in words, and how to say otherwise if nobody said it.
pub fn describe_failure(job: &Job, reading: &Reading) -> String {
    if job.ask.is_some() {
        return crate::ask::FAILURE.into();
    }
    match (&job.failure, reading) {
        (Failure::Observed, Reading::ExitZero) => {
            "exit status 0, as reducer scripts have it (--fails-if says otherwise)".into()
        }
        (Failure::Observed, reading) => {
            let thin = if let Reading::Same(signature) = reading { hints::thin(signature) } else { String::new() };
            format!("{}, as the first run showed (--fails-if says otherwise){thin}", reading.describe())
        }
        (_, reading) => reading.describe(),
    }
}

/// Does so, with what the first run showed besides, and why it did not show more.
fn describe_first(job: &Job, reading: &Reading, first: &Observed) -> String {
    let failure = describe_failure(job, reading) + &hints::doubts(job, reading, first);
    match (&first.also.backtrace, reading.details(first)) {
        (_, Some(details)) => format!("{failure}: {details}"),
        (Some(Err(why)), _) if matches!(reading, Reading::Same(_)) => {
            format!("{failure}; where it dies does not count: {why} (--no-backtrace says that this is fine)")
        }
        _ => failure,
    }
}

/// How long a run took: where several of its processes shared the cores, that is how long the processor did.
fn took(observed: &Observed) -> Duration {
    observed.elapsed.max(observed.also.used.processor)
}

fn observe(session: &mut Session<'_>, candidates: &[Candidate]) -> Result<Vec<Observed>, Refusal> {
    session.observe(candidates).map_err(stopped)
}

pub(crate) fn stopped(why: Why) -> Refusal {
    let words = match &why {
        Why::Trouble(what) => what.clone(),
        Why::Interrupted => "interrupted".into(),
        _ => "stopped".into(),
    };
    Refusal::Stopped(words, why)
}

fn tell(session: &mut Session<'_>, what: &'static str, observed: &Observed, outcome: Outcome) -> Result<(), Refusal> {
    let (exit, elapsed) = (observed.exit.clone(), observed.elapsed);
    session.tell(&Event::Preflight { what, outcome, exit, elapsed }).map_err(stopped)
}

/// How a run ended, and the end of what it said.
fn says(observed: &Observed) -> String {
    let text = [&observed.stdout[..], &observed.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let tail = &lines[lines.len().saturating_sub(4)..];
    let shown: String = tail
        .iter()
        .map(|line| line.chars().filter(|c| !c.is_control()).take(160).collect::<String>())
        .fold(String::new(), |all, line| all + "\n  | " + &line);
    let shown =
        if shown.is_empty() { ", and nothing was printed".into() } else { format!(", and these last lines:{shown}") };
    let unknown = match &observed.also {
        Also { backtrace: Some(Err(why)), .. } => format!("\nwhere it died is not known: {why}"),
        Also { reference: Some(ran), .. } => format!("\nthe other command: {}", describe(&ran.exit)),
        _ => String::new(),
    };
    format!("{}{shown}{unknown}", describe(&observed.exit))
}
