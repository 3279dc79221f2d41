//! Before a reduction with a test that fails now and then: how often it does, and how often it does where it should
//! not.

use super::baseline::{
    Baseline, FIRST_RUNS, SHORTEST_LIMIT, TIMES_SLOWEST, agree, describe_failure, observe, refuse, tell, took,
    where_it_runs,
};
use super::denied::Denied;
use super::pair::{Named, Pair, calibrate};
use super::recipe::recipe;
use crate::errors::Refusal;
use crate::job::{Failure, Job};
use crate::program::cannot_start;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::sampling::Purpose;
use reduct_oracle::signature::{InputVocabulary, Signature};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Limit, Observed};
use reduct_report::preflight::advice::Advice;
use reduct_report::preflight::failure::{self, ReadOff};
use reduct_report::preflight::refused::NoFailure;
use reduct_session::Session;
use reduct_session::event::Event;

/// So many runs of the empty input say what is no failure.
const OF_EMPTY: usize = 5;

/// So many runs are enough if some end with 0 and all others as those of the empty input.
const SOME_RUNS: usize = 20;

/// Runs the whole input until it is known how often it fails, and the empty one to know how often that seems so
/// where nothing is.
pub(super) fn establish_baseline_by_repeating(
    session: &mut Session<'_>,
    (job, whole, words): (&Job, &Candidate, &InputVocabulary),
    mut seen: Vec<Observed>,
) -> Result<(Baseline, Outcome), Refusal> {
    let nothing = Candidate::nothing(whole.base().clone());
    if seen.is_empty() {
        session.emit(&Event::Checking { what: where_it_runs(job, "the whole input") }).map_err(Refusal::stopped)?;
        seen = observe(session, std::slice::from_ref(whole))?;
    }
    if let Some(Exit::NotStarted(why)) = seen.first().map(|first| &first.exit) {
        return Err(cannot_start(job, why, recipe(job)));
    }
    let empty = session.observe_or_give_up(&vec![nothing.clone(); OF_EMPTY]).map_err(Refusal::stopped)?;
    let reading = match &job.failure {
        Failure::ExitZero => Criterion::ExitZero,
        Failure::Conditions(all) => Criterion::Conditions(all.clone()),
        Failure::Like(signature) => Criterion::Same(signature.clone()),
        Failure::Observed => {
            read(session, whole, &mut seen, &empty, words)?.ok_or_else(|| shows_nothing(job, &seen))?
        }
    };
    let oracle = Oracle::new(reading.clone(), words.clone());
    for observed in &seen {
        tell(session, "the whole input", observed, oracle.verdict(observed).outcome)?;
    }
    let pair = Pair {
        failing: Named { candidate: whole, name: "the whole input".into() },
        passing: Named { candidate: &nothing, name: "the empty input".into() },
        recipe: recipe(job),
    };
    let (policy, slowest) = calibrate(session, &pair, &oracle, Purpose::Reduce)?;
    let policy = policy.provisional();
    let slowest = seen.iter().chain(&slowest).map(took).max().unwrap_or_default();
    let hangs = matches!(&reading, Criterion::Same(signature) if signature.exit == Exit::Limit(Limit::Time));
    let derived = if hangs { slowest } else { slowest.saturating_mul(TIMES_SLOWEST).max(SHORTEST_LIMIT) };
    let time_limit = job.limits.time.unwrap_or(derived.max(job.least_time_limit()));
    let passes = empty.iter().any(|observed| oracle.verdict(observed).outcome == Outcome::Pass);
    let of_empty = if passes { Outcome::Pass } else { Outcome::Unresolved };
    let (failure, policy) = (describe_repeated(job, &reading), Some(policy));
    Ok((Baseline { failure, reading, time_limit, policy, denied: Denied::default() }, of_empty))
}

/// Returns what the failure is: what the whole input shows in a run, and the empty one does not. An exit status of 0 is
/// it only if nothing else is, as reducer scripts have it.
fn read(
    session: &mut Session<'_>,
    whole: &Candidate,
    seen: &mut Vec<Observed>,
    empty: &[Observed],
    words: &InputVocabulary,
) -> Result<Option<Criterion>, Refusal> {
    let usual: Vec<Signature> = empty.iter().map(|observed| Signature::of(observed, words)).collect();
    let works = |observed: &Observed| observed.exit == Exit::Code(0);
    let empty_works = 2 * empty.iter().filter(|observed| works(observed)).count() > empty.len();
    let fails = |observed: &Observed| {
        let reading = Oracle::read_first(observed, words)?;
        let Criterion::Same(signature) = &reading else { return None };
        (!usual.contains(signature)).then_some(reading)
    };
    // Ends with 0 now and then, and else as the empty one does: what else there may be would be seldom.
    let is_told_by_status = |seen: &[Observed]| {
        let at_0 = seen.iter().filter(|observed| works(observed)).count();
        let as_usual = |observed: &&Observed| usual.contains(&Signature::of(observed, words));
        let others = seen.iter().filter(|observed| !works(observed));
        let are_usual = others.clone().all(|observed| as_usual(&observed));
        !empty_works && seen.len() >= SOME_RUNS && at_0 > 0 && at_0 < seen.len() && are_usual
    };
    loop {
        let failing: Vec<(&Observed, Criterion)> =
            seen.iter().filter_map(|observed| Some((observed, fails(observed)?))).collect();
        let enough = seen.len() >= FIRST_RUNS || is_told_by_status(seen);
        match &failing[..] {
            [(first, reading), rest @ ..] => {
                // Whether it always says the same takes a second one.
                let again = rest.iter().find(|(observed, _)| observed.exit == first.exit);
                if let Some((again, _)) = again {
                    return Ok(Some(agree(reading.clone(), again, words)));
                }
                if enough {
                    return Ok(Some(reading.clone()));
                }
            }
            // A test that fails seldom ends with 0 most of the time, too: only if nothing else comes is that the failure.
            [] if enough => {
                let zero = !empty_works && seen.iter().any(works);
                return Ok(zero.then_some(Criterion::ExitZero));
            }
            [] => {}
        }
        seen.extend(observe(session, &vec![whole.clone(); OF_EMPTY])?);
    }
}

fn shows_nothing(job: &Job, seen: &[Observed]) -> Refusal {
    let recipe = recipe(job);
    let advice = [Advice::SeenAtFirst(seen.first()), Advice::SayWhatItIs, Advice::Lines(&recipe)];
    refuse(&NoFailure::NothingBesides(seen.len()), advice)
}

/// Describes the failure as [`describe_failure`] does; but it need not be the first run that showed it.
fn describe_repeated(job: &Job, reading: &Criterion) -> String {
    match (&job.failure, reading) {
        (Failure::Observed, Criterion::Same(_)) => failure::read_off(&ReadOff::FirstThatFailed(reading)),
        _ => describe_failure(job, reading),
    }
}
