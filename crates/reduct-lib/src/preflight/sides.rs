//! Before a comparison: one side must fail, twice and alike; the other must pass.

use super::{
    FIRST_RUNS, SHORTEST_LIMIT, Settled, TIMES_SLOWEST, agree, describe_failure, describe_first, observe, says,
    stopped, tell, took, where_it_runs,
};
use crate::errors::Refusal;
use crate::job::{Against, Failure, Job};
use crate::program::cannot_start;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::sampling::{Calibrator, Policy, Purpose, Side};
use reduct_oracle::signature::Words;
use reduct_oracle::{Exit, Limit, Observed};
use reduct_oracle::{Oracle, Reading};
use reduct_session::Session;
use reduct_session::event::Event;

/// Two sides, and what people call them.
pub struct Sides<'a> {
    /// What fails.
    pub failing: &'a Candidate,
    /// What passes.
    pub passing: &'a Candidate,
    /// What they are called.
    pub names: [String; 2],
    /// How a person sees what the test does with one of them.
    pub recipe: String,
}

/// Runs the failing side twice, less what was `seen` already, and the passing one once. Returns also what the test said
/// of the latter.
///
/// # Errors
/// If they do not do so.
pub fn settle_sides(
    session: &mut Session<'_>,
    job: &Job,
    sides: &Sides<'_>,
    words: &Words,
    mut seen: Vec<Observed>,
) -> Result<(Settled, Outcome), Refusal> {
    if seen.is_empty() {
        session.tell(&Event::Checking { what: where_it_runs(job, "what fails") }).map_err(stopped)?;
    }
    while seen.len() < 2 {
        seen.extend(observe(session, std::slice::from_ref(sides.failing))?);
    }
    if job.repeat && job.failure == Failure::Observed {
        // The first that fails says what the failure is.
        while seen.len() < FIRST_RUNS && seen.iter().all(|observed| observed.exit == Exit::Code(0)) {
            seen.extend(observe(session, std::slice::from_ref(sides.failing))?);
        }
        let first = seen.iter().position(|observed| observed.exit != Exit::Code(0)).unwrap_or(0);
        seen.swap(0, first);
    }
    let [first, second, ..] = &seen[..] else { return Err(Refusal::Executor("a run is missing".into())) };
    let [passing_name, failing_name] = &sides.names;
    let recipe = &sides.recipe;
    let refuse = |headline: String, advice: String| Refusal::DoesNotFail { headline, advice };
    match &first.exit {
        Exit::NotStarted(why) => return Err(cannot_start(job, why, recipe.clone())),
        Exit::NotBuilt(why) => {
            let headline = format!("{failing_name} cannot be built ({why}), so nothing can be said of it");
            return Err(refuse(headline, format!("{}\n{recipe}", says(first))));
        }
        _ => {}
    }
    let is_version = !matches!(job.against, Against::Nothing | Against::Input(_));
    let is_version = is_version || job.persistent.is_some() && first.exit == Exit::Code(0);
    let read = if is_version { Oracle::read_version } else { Oracle::read_first };
    let reading = match &job.failure {
        Failure::ExitZero => Some(Reading::ExitZero),
        Failure::Conditions(all) => Some(Reading::Conditions(all.clone())),
        Failure::Like(signature) => Some(Reading::Same(signature.clone())),
        Failure::Observed => read(first, words).map(|reading| match agree(reading, second, words) {
            // Functions move between versions.
            Reading::Same(signature) if is_version => Reading::Same(signature.without_frames()),
            reading => reading,
        }),
    };
    let Some(mut reading) = reading else {
        let headline = match first.exit {
            Exit::Code(0) => format!("the failure does not occur in {failing_name}: the test exits with 0 there"),
            _ => format!("the test cannot tell whether {failing_name} fails"),
        };
        let advice = format!(
            "seen: {}\n0 means that it works, 1 to 124 that it fails, 125 that it cannot be told; --fails-if says otherwise\n{recipe}",
            says(first)
        );
        return Err(refuse(headline, advice));
    };
    let oracle = Oracle::new(reading.clone(), words.clone());
    let outcomes: Vec<Outcome> = seen.iter().map(|observed| oracle.verdict(observed).outcome).collect();
    for (observed, outcome) in seen.iter().zip(&outcomes) {
        tell(session, "what fails", observed, *outcome)?;
    }
    let limit = |seen: &[&Observed]| {
        let slowest = seen.iter().map(|observed| took(observed)).max().unwrap_or_default();
        let hangs = first.exit == Exit::Limit(Limit::Time);
        let derived = if hangs { slowest } else { slowest.saturating_mul(TIMES_SLOWEST).max(SHORTEST_LIMIT) };
        let derived = derived.max(job.least_time_limit());
        job.limits.time.unwrap_or(derived)
    };
    if job.repeat {
        let (policy, slowest) = calibrate(session, sides, &oracle, Purpose::Isolate)?;
        let time_limit = limit(&seen.iter().chain(&slowest).collect::<Vec<_>>());
        if reading == Reading::Bisect {
            let other = observe(session, std::slice::from_ref(sides.passing))?;
            reading = if let [other] = &other[..] { reading.as_quiet_as(&seen, other) } else { reading };
        }
        let failure = describe_failure(job, &reading);
        return Ok((Settled { failure, reading, time_limit, policy: Some(policy) }, Outcome::Pass));
    }
    let looked_for = format!("looked for: {}", reading.describe());
    let failed = outcomes.iter().filter(|outcome| **outcome == Outcome::Fail).count();
    if failed == 1 {
        let headline = format!("the test is flaky: of two runs on {failing_name}, one failed and one did not");
        let advice = format!(
            "{looked_for}\nmake it repeatable, or give --repeat: then each version is run until it is clear\n{recipe}"
        );
        return Err(refuse(headline, advice));
    }
    if failed == 0 {
        let headline = format!("the failure does not occur in {failing_name}");
        return Err(refuse(headline, format!("{looked_for}\nseen: {}\n{recipe}", says(first))));
    }
    session.tell(&Event::Checking { what: "what passes" }).map_err(stopped)?;
    let other = observe(session, std::slice::from_ref(sides.passing))?;
    let [other] = &other[..] else { return Err(Refusal::Executor("a run is missing".into())) };
    let outcome = oracle.verdict(other).outcome;
    tell(session, "what passes", other, outcome)?;
    if outcome != Outcome::Pass {
        let headline = match (outcome, &other.exit) {
            (Outcome::Fail, _) => format!("{passing_name} fails too, so what differs is not why"),
            (_, Exit::NotBuilt(why)) => format!("{passing_name} cannot be built ({why}), so it is not known to pass"),
            _ => format!("{passing_name} is not known to pass: the test shows neither success nor the failure there"),
        };
        let advice =
            format!("{looked_for}\nseen: {}\ngive a version in which the test exits with 0\n{recipe}", says(other));
        return Err(refuse(headline, advice));
    }
    let time_limit = limit(&seen.iter().chain([other]).collect::<Vec<_>>());
    let reading = reading.as_quiet_as(&seen, other);
    let failure = describe_first(job, &reading, first);
    let settled = Settled { failure, reading, time_limit, policy: None };
    Ok((settled, outcome))
}

/// So many decisions are expected of a run; their errors are kept below one in a hundred together.
const DECISIONS: u32 = 100;

/// Runs both sides until it is known how often they fail, and says how often any version is to be run then.
pub(super) fn calibrate(
    session: &mut Session<'_>,
    sides: &Sides<'_>,
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
        for (side, candidate, count) in
            [(Side::Failing, sides.failing, wanted.failing), (Side::Passing, sides.passing, wanted.passing)]
        {
            if count == 0 {
                continue;
            }
            let what = match (purpose, side) {
                (Purpose::Reduce, Side::Failing) => "the whole input",
                (Purpose::Reduce, Side::Passing) => "the empty input",
                (Purpose::Isolate, Side::Failing) => "what fails",
                (Purpose::Isolate, Side::Passing) => "what passes",
            };
            session.tell(&Event::Checking { what }).map_err(stopped)?;
            for observed in observe(session, &vec![candidate.clone(); count as usize])? {
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
    calibrator.policy(DECISIONS).map(|policy| (policy, slowest)).map_err(|why| Refusal::DoesNotFail {
        headline: format!("{} cannot be told from {} by repeating the test: {why}", sides.names[1], sides.names[0]),
        advice: format!("looked for: {}\nmake the test fail more often\n{}", oracle.reading().describe(), sides.recipe),
    })
}
