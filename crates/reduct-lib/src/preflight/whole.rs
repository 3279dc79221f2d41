//! The baseline of a reduction: the whole input fails, twice and alike; the empty one does not.

use super::baseline::{
    Baseline, Doubt, NoBaseline, SHORTEST_LIMIT, TIMES_SLOWEST, agree, describe_first, observe, tell, took,
    where_it_runs,
};
use super::denied::Denied;
use super::recipe::recipe;
use super::repeated::establish_baseline_by_repeating;
use super::why::{cannot_tell, does_not_fail, empty_fails, server_passes};
use crate::errors::Refusal;
use crate::job::{Failure, Job};
use crate::program::cannot_start;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Limit, Observed};
use reduct_session::Session;
use reduct_session::event::Event;

/// Runs the whole input twice, less what was `seen` already, and the empty one once. Returns also what the test said of
/// the latter.
///
/// # Errors
/// If the whole input does not fail, or the empty one does.
pub(crate) fn establish_baseline(
    session: &mut Session<'_>,
    job: &Job,
    whole: &Candidate,
    words: &InputVocabulary,
    mut seen: Vec<Observed>,
) -> Result<(Baseline, Outcome), NoBaseline> {
    if job.repeat {
        return Ok(establish_baseline_by_repeating(session, (job, whole, words), seen)?);
    }
    // One after the other, as the time limit is made from how long they take: the same at any number of jobs.
    if seen.is_empty() {
        session.emit(&Event::Checking { what: where_it_runs(job, "the whole input") }).map_err(Refusal::stopped)?;
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
        Failure::ExitZero => Criterion::ExitZero,
        Failure::Conditions(all) => Criterion::Conditions(all.clone()),
        Failure::Observed if job.source().server().is_some() && first.exit == Exit::Code(0) => {
            return Err(server_passes(job).into());
        }
        Failure::Like(signature) => Criterion::Same(signature.clone()),
        Failure::Observed => match Oracle::read_first(first, words) {
            Some(reading) => agree(reading, second, words),
            None => return Err(NoBaseline::of(cannot_tell(job, first), Doubt::CannotTell(Box::new(first.clone())))),
        },
    };
    let oracle = Oracle::new(reading.clone(), words.clone());
    let outcomes: Vec<Outcome> = seen.iter().map(|observed| oracle.verdict(observed).outcome).collect();
    for (observed, outcome) in seen.iter().zip(&outcomes) {
        tell(session, "the whole input", observed, *outcome)?;
    }
    if outcomes.iter().any(|outcome| *outcome != Outcome::Fail) {
        let refusal = does_not_fail(job, words, &oracle, first);
        return Err(NoBaseline::of(refusal, Doubt::DoesNotFail(Box::new(oracle), seen)));
    }
    let slowest = seen.iter().map(took).max().unwrap_or_default();
    // A failure that is a hang shows at the limit that it has reached already.
    let hangs = first.exit == Exit::Limit(Limit::Time);
    let derived = if hangs { slowest } else { slowest.saturating_mul(TIMES_SLOWEST).max(SHORTEST_LIMIT) };
    let derived = derived.max(job.least_time_limit());
    let time_limit = job.limits.time.unwrap_or(derived);
    session.emit(&Event::Checking { what: "the empty input" }).map_err(Refusal::stopped)?;
    let nothing = Candidate::nothing(whole.base().clone());
    let seen_of_empty = session.observe_or_give_up(std::slice::from_ref(&nothing)).map_err(Refusal::stopped)?;
    let Some(observed) = seen_of_empty.into_iter().next() else {
        return Err(Refusal::Executor("a run is missing".into()).into());
    };
    let of_empty = oracle.verdict_on(&observed, &nothing).outcome;
    tell(session, "the empty input", &observed, of_empty)?;
    // That nothing of what a command is given matters is an answer.
    if of_empty == Outcome::Fail && job.goal.situation().is_none() {
        let refusal = empty_fails(job, words, first, &observed);
        return Err(NoBaseline::of(refusal, Doubt::EmptyFails(Box::new(observed))));
    }
    let failure = describe_first(job, &reading, first);
    Ok((Baseline { failure, reading, time_limit, policy: None, denied: Denied::of(&seen) }, of_empty))
}
