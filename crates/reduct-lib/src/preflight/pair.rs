//! The baseline of a comparison: what fails does so twice and alike, what passes does not.

use super::baseline::{
    Baseline, FIRST_RUNS, SHORTEST_LIMIT, TIMES_SLOWEST, agree, describe_failure, describe_first, observe, refuse,
    tell, took, where_it_runs,
};
use super::denied::Denied;
use crate::errors::Refusal;
use crate::job::{Failure, Job};
use crate::program::cannot_start;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::sampling::{Calibrator, Policy, Purpose, Side};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Limit, Observed};
use reduct_report::preflight::advice::Advice;
use reduct_report::preflight::refused::{NoFailure, SideOfPair, SideSeen};
use reduct_session::Session;
use reduct_session::event::Event;
use std::time::Duration;

/// What fails and what passes.
pub(crate) struct Pair<'a> {
    pub(crate) failing: Named<'a>,
    pub(crate) passing: Named<'a>,
    /// How a person sees what the test does with one of them.
    pub(crate) recipe: String,
}

/// A candidate, and what people call it.
pub(crate) struct Named<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) name: String,
}

impl Named<'_> {
    /// Returns what is called so, and what was seen of it.
    fn seen(&self, seen: SideSeen) -> SideOfPair {
        SideOfPair { name: self.name.clone(), seen }
    }
}

/// Runs the failing side twice, less what was `seen` already, and the passing one once. Returns also what the test said
/// of the latter.
///
/// # Errors
/// If they do not do so.
pub(crate) fn establish_baseline_of_pair(
    session: &mut Session<'_>,
    job: &Job,
    pair: &Pair<'_>,
    words: &InputVocabulary,
    seen: Vec<Observed>,
) -> Result<(Baseline, Outcome), Refusal> {
    let seen = run_failing(session, job, pair, seen)?;
    let [first, second, ..] = &seen[..] else { return Err(Refusal::Executor("a run is missing".into())) };
    check_started(job, pair, first)?;
    let Some(reading) = read(job, words, first, second) else { return Err(shows_nothing(pair, first)) };
    let oracle = Oracle::new(reading.clone(), words.clone());
    let outcomes: Vec<Outcome> = seen.iter().map(|observed| oracle.verdict(observed).outcome).collect();
    for (observed, outcome) in seen.iter().zip(&outcomes) {
        tell(session, "the failing side", observed, *outcome)?;
    }
    if job.repeat {
        return repeated(session, job, pair, &oracle, &seen).map(|baseline| (baseline, Outcome::Pass));
    }
    check_fails(pair, &oracle, first, &outcomes)?;
    let (other, outcome) = run_passing(session, pair, &oracle)?;
    let time_limit = time_limit(job, first, seen.iter().chain([&other]));
    let reading = reading.as_quiet_as(&seen, &other);
    let failure = describe_first(job, &reading, first);
    Ok((Baseline { failure, reading, time_limit, policy: None, denied: Denied::of(&seen) }, outcome))
}

/// Runs what fails twice, less what was seen already; what fails now and then until it fails for the first time, and that
/// run comes first.
fn run_failing(
    session: &mut Session<'_>,
    job: &Job,
    pair: &Pair<'_>,
    mut seen: Vec<Observed>,
) -> Result<Vec<Observed>, Refusal> {
    let failing = std::slice::from_ref(pair.failing.candidate);
    if seen.is_empty() {
        session.emit(&Event::Checking { what: where_it_runs(job, "the failing side") }).map_err(Refusal::stopped)?;
    }
    while seen.len() < 2 {
        seen.extend(observe(session, failing)?);
    }
    if job.repeat && job.failure == Failure::Observed {
        // The first that fails says what the failure is.
        while seen.len() < FIRST_RUNS && seen.iter().all(|observed| observed.exit == Exit::Code(0)) {
            seen.extend(observe(session, failing)?);
        }
        let first = seen.iter().position(|observed| observed.exit != Exit::Code(0)).unwrap_or(0);
        seen.swap(0, first);
    }
    Ok(seen)
}

/// Refuses a test that cannot be started, and what cannot be built.
fn check_started(job: &Job, pair: &Pair<'_>, first: &Observed) -> Result<(), Refusal> {
    match &first.exit {
        Exit::NotStarted(why) => Err(cannot_start(job, why, pair.recipe.clone())),
        Exit::NotBuilt(why) => {
            let why = NoFailure::SideDoesNotFail(pair.failing.seen(SideSeen::NotBuilt(why.clone())));
            Err(refuse(&why, [Advice::Seen(first), Advice::Lines(&pair.recipe)]))
        }
        _ => Ok(()),
    }
}

/// Returns what counts as the failure; `None` if nobody said it and nothing shows.
fn read(job: &Job, words: &InputVocabulary, first: &Observed, second: &Observed) -> Option<Criterion> {
    let is_version = !job.goal.compares_inputs() || job.source().server().is_some() && first.exit == Exit::Code(0);
    let read = if is_version { Oracle::read_version } else { Oracle::read_first };
    match &job.failure {
        Failure::ExitZero => Some(Criterion::ExitZero),
        Failure::Conditions(all) => Some(Criterion::Conditions(all.clone())),
        Failure::Like(signature) => Some(Criterion::Same(signature.clone())),
        Failure::Observed => read(first, words).map(|reading| match agree(reading, second, words) {
            // Functions move between versions.
            Criterion::Same(signature) if is_version => Criterion::Same(signature.without_frames()),
            reading => reading,
        }),
    }
}

/// Refuses what shows no failure.
fn shows_nothing(pair: &Pair<'_>, first: &Observed) -> Refusal {
    let seen = if first.exit == Exit::Code(0) { SideSeen::StatusZero } else { SideSeen::Neither };
    let advice = [Advice::Seen(first), Advice::StatusesOfVersions, Advice::Lines(&pair.recipe)];
    refuse(&NoFailure::SideDoesNotFail(pair.failing.seen(seen)), advice)
}

/// Returns the time limit of a test, by how long these runs took.
fn time_limit<'o>(job: &Job, first: &Observed, seen: impl Iterator<Item = &'o Observed>) -> Duration {
    let slowest = seen.map(took).max().unwrap_or_default();
    let hangs = first.exit == Exit::Limit(Limit::Time);
    let derived = if hangs { slowest } else { slowest.saturating_mul(TIMES_SLOWEST).max(SHORTEST_LIMIT) };
    job.limits.time.unwrap_or(derived.max(job.least_time_limit()))
}

/// Runs both sides until it is known how often they fail.
fn repeated(
    session: &mut Session<'_>,
    job: &Job,
    pair: &Pair<'_>,
    oracle: &Oracle,
    seen: &[Observed],
) -> Result<Baseline, Refusal> {
    let (policy, slowest) = calibrate(session, pair, oracle, Purpose::Isolate)?;
    let first = seen.first().ok_or_else(|| Refusal::Executor("a run is missing".into()))?;
    let time_limit = time_limit(job, first, seen.iter().chain(&slowest));
    let mut reading = oracle.reading().clone();
    if reading == Criterion::Bisect {
        let other = observe(session, std::slice::from_ref(pair.passing.candidate))?;
        reading = if let [other] = &other[..] { reading.as_quiet_as(seen, other) } else { reading };
    }
    let failure = describe_failure(job, &reading);
    Ok(Baseline { failure, reading, time_limit, policy: Some(policy), denied: Denied::default() })
}

/// Refuses what does not fail each time.
fn check_fails(pair: &Pair<'_>, oracle: &Oracle, first: &Observed, outcomes: &[Outcome]) -> Result<(), Refusal> {
    let (failing, recipe) = (&pair.failing, Advice::Lines(&pair.recipe));
    let looked_for = Advice::LookedFor(oracle.reading());
    match outcomes.iter().filter(|outcome| **outcome == Outcome::Fail).count() {
        0 => {
            let why = NoFailure::SideDoesNotFail(failing.seen(SideSeen::NotTheFailure));
            Err(refuse(&why, [looked_for, Advice::Seen(first), recipe]))
        }
        1 => {
            let why = NoFailure::SideIsFlaky(failing.name.clone());
            Err(refuse(&why, [looked_for, Advice::RepeatVersions, recipe]))
        }
        _ => Ok(()),
    }
}

/// Runs what passes, and refuses it if it is not seen to.
fn run_passing(session: &mut Session<'_>, pair: &Pair<'_>, oracle: &Oracle) -> Result<(Observed, Outcome), Refusal> {
    session.emit(&Event::Checking { what: "the passing side" }).map_err(Refusal::stopped)?;
    let other = observe(session, std::slice::from_ref(pair.passing.candidate))?.pop();
    let other = other.ok_or_else(|| Refusal::Executor("a run is missing".into()))?;
    let outcome = oracle.verdict(&other).outcome;
    tell(session, "the passing side", &other, outcome)?;
    if outcome == Outcome::Pass {
        return Ok((other, outcome));
    }
    let seen = match (outcome, &other.exit) {
        (Outcome::Fail, _) => SideSeen::Failure,
        (_, Exit::NotBuilt(why)) => SideSeen::NotBuilt(why.clone()),
        _ => SideSeen::Neither,
    };
    let advice = [
        Advice::LookedFor(oracle.reading()),
        Advice::Seen(&other),
        Advice::GiveOneThatPasses,
        Advice::Lines(&pair.recipe),
    ];
    Err(refuse(&NoFailure::OtherSideDoesNotPass(pair.passing.seen(seen)), advice))
}

/// So many decisions are expected of a run; their errors are kept below one in a hundred together.
const DECISIONS: u32 = 100;

/// Runs both sides until it is known how often they fail, and says how often any version is to be run then.
pub(super) fn calibrate(
    session: &mut Session<'_>,
    pair: &Pair<'_>,
    oracle: &Oracle,
    purpose: Purpose,
) -> Result<(Policy, Option<Observed>), Refusal> {
    let mut slowest: Option<Observed> = None;
    let calibrator = Calibrator::new(purpose, true);
    let mut calibrator = if purpose == Purpose::Reduce { calibrator.patient() } else { calibrator };
    loop {
        let wanted = calibrator.wanted();
        if wanted.is_enough() {
            break;
        }
        for (side, candidate, count) in [
            (Side::Failing, pair.failing.candidate, wanted.failing),
            (Side::Passing, pair.passing.candidate, wanted.passing),
        ] {
            if count == 0 {
                continue;
            }
            let what = match (purpose, side) {
                (Purpose::Reduce, Side::Failing) => "the whole input",
                (Purpose::Reduce, Side::Passing) => "the empty input",
                (Purpose::Isolate, Side::Failing) => "the failing side",
                (Purpose::Isolate, Side::Passing) => "the passing side",
            };
            session.emit(&Event::Checking { what }).map_err(Refusal::stopped)?;
            let candidates = vec![candidate.clone(); count as usize];
            let seen = match (purpose, side) {
                // What the test does where there is nothing may stay open.
                (Purpose::Reduce, Side::Passing) => {
                    session.observe_or_give_up(&candidates).map_err(Refusal::stopped)?
                }
                _ => observe(session, &candidates)?,
            };
            for observed in seen {
                let outcome = oracle.verdict(&observed).outcome;
                // What is to be made smaller need not leave anything that the test can make sense of.
                let is_silent = (purpose, side, outcome) == (Purpose::Reduce, Side::Passing, Outcome::Unresolved);
                calibrator.count(side, if is_silent { Outcome::Pass } else { outcome });
                if slowest.as_ref().is_none_or(|slowest| slowest.elapsed < observed.elapsed) {
                    slowest = Some(observed);
                }
            }
        }
    }
    calibrator.policy(DECISIONS).map(|policy| (policy, slowest)).map_err(|why| {
        let (failing, passing) = (pair.failing.name.clone(), pair.passing.name.clone());
        let why = NoFailure::NotToldApart { failing, passing, why: why.to_string() };
        refuse(&why, [Advice::LookedFor(oracle.reading()), Advice::FailMoreOften, Advice::Lines(&pair.recipe)])
    })
}
