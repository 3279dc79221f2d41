//! What the preflight establishes, or why it cannot; and the steps that its ways to do so share.

use super::denied::Denied;
use super::hints;
use crate::errors::Refusal;
use crate::job::{Failure, Job};
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::Observed;
use reduct_oracle::sampling::Policy;
use reduct_oracle::signature::{InputVocabulary, Signature};
use reduct_oracle::{Criterion, Oracle};
use reduct_report::preflight::advice::{Advice, advise};
use reduct_report::preflight::failure::{self, ReadOff};
use reduct_report::preflight::place::{Where, checked};
use reduct_report::preflight::refused::{NoFailure, headline};
use reduct_session::Session;
use reduct_session::event::Event;
use std::time::Duration;

/// What the preflight has established: what the failure is, and how tests are run from now on.
#[derive(Clone)]
pub struct Baseline {
    /// What counts as the failure.
    pub reading: Criterion,
    /// The time limit of a test.
    pub time_limit: Duration,
    /// What the failure is, in words; if it was read off the first run, with how to say otherwise.
    pub failure: String,
    /// When a candidate has been run often enough. `None`: one run decides.
    pub policy: Option<Policy>,
    /// What the test says of what is refused to it.
    pub(crate) denied: Denied,
}

/// The failure, in the words of a report, where a person says what fails.
const BY_WORD: &str = "what you say it is";

/// Nobody is hurried.
const NO_HURRY: Duration = Duration::from_secs(366 * 24 * 3600);

impl Baseline {
    /// Returns what is taken from the word of a person who asks: that the whole fails, and that nothing or the other side
    /// passes.
    pub(super) fn by_word() -> Baseline {
        Baseline {
            reading: Criterion::ExitZero,
            time_limit: NO_HURRY,
            failure: BY_WORD.into(),
            policy: None,
            denied: Denied::default(),
        }
    }
}

/// A time limit must leave room for a machine that is busier later: ten times the slowest run.
pub(super) const TIMES_SLOWEST: u32 = 10;
pub(super) const SHORTEST_LIMIT: Duration = Duration::from_secs(2);

/// So many times what fails now and then is run to see it fail once.
pub(super) const FIRST_RUNS: usize = 100;

/// Why nothing can be begun, and of what it may be found out why that is so.
pub struct NoBaseline {
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

impl From<Refusal> for NoBaseline {
    fn from(refusal: Refusal) -> NoBaseline {
        NoBaseline { refusal, doubt: None }
    }
}

impl NoBaseline {
    pub(super) fn of(refusal: Refusal, doubt: Doubt) -> NoBaseline {
        NoBaseline { refusal, doubt: Some(doubt) }
    }

    /// Returns whether it could be otherwise elsewhere.
    pub(crate) fn is_of_the_place(&self) -> bool {
        self.doubt.is_some() || matches!(self.refusal, Refusal::CannotStart { .. } | Refusal::DoesNotFail { .. })
    }
}

/// Returns what is run, in words, and that it is in a copy of the project if it is.
pub(super) fn where_it_runs(job: &Job, what: &'static str) -> &'static str {
    checked(what, job.top().map(|_| Where::Copy))
}

/// Returns the same for a bare folder, where both are tried.
pub(super) fn in_a_bare_folder(what: &'static str) -> &'static str {
    checked(what, Some(Where::Bare))
}

/// Takes the second run into account: if it says something else with the same exit, what it says does not count.
pub(super) fn agree(reading: Criterion, second: &Observed, words: &InputVocabulary) -> Criterion {
    match reading {
        Criterion::Same(signature) => Criterion::Same(signature.common(&Signature::of(second, words))),
        baseline => baseline,
    }
}

/// Returns what the failure is, in words, and how to say otherwise if nobody said it.
pub(crate) fn describe_failure(job: &Job, reading: &Criterion) -> String {
    if !job.source().needs_baseline() {
        return BY_WORD.into();
    }
    match (&job.failure, reading) {
        (Failure::Observed, Criterion::ExitZero) => failure::read_off(&ReadOff::StatusZero),
        (Failure::Observed, reading) => {
            let thin = if let Criterion::Same(signature) = reading { hints::thin(signature) } else { None };
            failure::read_off(&ReadOff::FirstRun(reading)) + &thin.as_ref().map(failure::thin).unwrap_or_default()
        }
        (_, reading) => reading.describe(),
    }
}

/// Does so, with what the first run showed besides, and why it did not show more.
pub(super) fn describe_first(job: &Job, reading: &Criterion, first: &Observed) -> String {
    let doubts: String = hints::doubts(job, reading, first).iter().map(failure::doubt).collect();
    failure::with_details(describe_failure(job, reading) + &doubts, reading, first)
}

/// Returns the refusal of what does not fail as it should.
pub(super) fn refuse<'a>(why: &NoFailure, advice: impl IntoIterator<Item = Advice<'a>>) -> Refusal {
    Refusal::DoesNotFail { headline: headline(why), advice: advise(advice) }
}

/// Returns how long a run took: where several of its processes shared the cores, that is how long the processor did.
pub(super) fn took(observed: &Observed) -> Duration {
    observed.elapsed.max(observed.also.used.processor)
}

pub(super) fn observe(session: &mut Session<'_>, candidates: &[Candidate]) -> Result<Vec<Observed>, Refusal> {
    session.observe(candidates).map_err(Refusal::stopped)
}

pub(crate) fn tell(
    session: &mut Session<'_>,
    what: &'static str,
    observed: &Observed,
    outcome: Outcome,
) -> Result<(), Refusal> {
    let (exit, elapsed) = (observed.exit.clone(), observed.elapsed);
    session.emit(&Event::Preflight { what, outcome, exit, elapsed }).map_err(Refusal::stopped)
}
