//! Tests run in a copy of the project: the baseline is established there, and said why.

use super::super::baseline::{Doubt, NoBaseline};
use super::super::look::{note, note_differences, place};
use super::super::recipe::recipe;
use super::super::uses::Uses;
use super::there::{Begun, explain, said, there};
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::job::{Failure, TestPlace};
use crate::problem::Problem;
use reduct_core::Outcome;
use reduct_oracle::Oracle;
use reduct_oracle::signature::describe;
use reduct_oracle::{Exit, Observed};
use reduct_report::human;
use reduct_session::executor::Opened;

/// Establishes the baseline in a copy of the project, as it cannot be in the bare folder. If it cannot be there either, that is
/// explained where the test finds more of what it needs.
pub(super) fn instead<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    (no_baseline, mut bare, in_bare): (NoBaseline, Box<Opened>, &[Observed]),
    (project, seen, uses): (TestPlace, Vec<Observed>, &Uses),
) -> Result<Begun, Refusal> {
    if !no_baseline.is_of_the_place() {
        return Err(explain(problem, audience, &mut *bare, no_baseline));
    }
    let why = format!("as it fails otherwise in a bare folder: {}", no_baseline.refusal);
    let says_other = in_bare.first().map(said) != seen.first().map(said);
    problem.stand(project);
    let executor = place(problem, audience)?;
    match there(problem, audience, executor, vec![]) {
        Ok(begun) => {
            note_differences(problem.job(), audience, uses.all.as_deref())?;
            in_words(problem, audience, begun, &why)
        }
        Err((NoBaseline { refusal: refusal @ Refusal::Stopped(..), .. }, _)) => Err(refusal),
        Err((no_baseline, mut executor)) if says_other => {
            note_differences(problem.job(), audience, uses.all.as_deref())?;
            Err(explain(problem, audience, &mut *executor, no_baseline))
        }
        Err(_) => {
            problem.stand(TestPlace::Bare);
            Err(explain(problem, audience, &mut *bare, no_baseline))
        }
    }
}

/// Establishes the baseline in a copy of the project, where what fails does otherwise than in the bare folder.
pub(super) fn in_the_project<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    (in_copy, uses): (Vec<Observed>, &Uses),
    (in_bare, why): (Option<&Observed>, &str),
) -> Result<Begun, Refusal> {
    let works = in_copy.first().is_some_and(|observed| observed.exit == Exit::Code(0));
    let failed = in_bare.filter(|observed| observed.exit != Exit::Code(0));
    note_differences(problem.job(), audience, uses.all.as_deref())?;
    let copy = place(problem, audience)?;
    // Twice in the same copy, so that what a test makes anew each time is known; but what fails now and then is not asked
    // again whether it does.
    let known = if in_copy.len() > 1 { in_copy } else { vec![] };
    match (there(problem, audience, copy, known), failed) {
        (Ok(begun), _) => in_words(problem, audience, begun, why),
        (Err((NoBaseline { doubt: Some(Doubt::EmptyFails(_)), .. }, _)), Some(failed))
            if works && problem.job().failure == Failure::Observed =>
        {
            let as_bare = Oracle::read_first(failed, problem.words()).map(|reading| reading.describe());
            let as_bare = as_bare.unwrap_or_else(|| describe(&failed.exit));
            let top = problem.job().top().map(|top| top.display().to_string()).unwrap_or_default();
            Err(Refusal::DoesNotFail {
                headline: format!("the test works in a copy of {top}: it exits with 0, on an empty input too"),
                advice: format!(
                    "it fails in a bare folder only ({as_bare}), where it misses something\n\
                     run it so that it fails, or say what the failure is with --fails-if\n{}",
                    recipe(problem.job())
                ),
            })
        }
        (Err(no_baseline), _) => Err(refused_there(problem, audience, no_baseline, why)),
    }
}

/// Establishes the baseline in a copy of the project, as the test opens other files there. If it cannot be there, as where all inputs
/// fail since such a file holds what is looked for, but in a bare folder, it is established there.
pub(super) fn rather_in_the_project<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    (project, seen, uses): (TestPlace, Vec<Observed>, &Uses),
    (in_bare, opens): (Vec<Observed>, &str),
) -> Result<Begun, Refusal> {
    let why = format!("as {opens}");
    problem.stand(project.clone());
    let copy = place(problem, audience)?;
    let known = if seen.len() > 1 { seen } else { vec![] };
    let no_baseline = match there(problem, audience, copy, known) {
        Ok(begun) => {
            note_differences(problem.job(), audience, uses.all.as_deref())?;
            return in_words(problem, audience, begun, &why);
        }
        Err((NoBaseline { refusal: refusal @ Refusal::Stopped(..), .. }, _)) => return Err(refusal),
        Err(no_baseline) => no_baseline,
    };
    if let Some(what) = no_baseline.0.doubt.as_ref().and_then(in_a_copy) {
        problem.stand(TestPlace::Bare);
        if let Some(begun) = after_all(problem, audience, in_bare, &format!("{what}, and {opens}"))? {
            return Ok(begun);
        }
        problem.stand(project);
    }
    note_differences(problem.job(), audience, uses.all.as_deref())?;
    Err(refused_there(problem, audience, no_baseline, &why))
}

/// Establishes the baseline in a bare folder, if it can be there, as this was seen in a copy of the project.
fn after_all<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    in_bare: Vec<Observed>,
    what: &str,
) -> Result<Option<Begun>, Refusal> {
    let bare = place(problem, audience)?;
    let begun = match there(problem, audience, bare, in_bare) {
        Ok(begun) => begun,
        Err((NoBaseline { refusal: refusal @ Refusal::Stopped(..), .. }, _)) => return Err(refusal),
        Err(_) => return Ok(None),
    };
    note_bare(problem, audience, what);
    Ok(Some(begun))
}

/// Says that tests run in a bare folder, as this was seen in a copy of the project, at once and among the last lines.
pub(super) fn note_bare<T: Problem>(problem: &mut T, audience: &mut Audience<'_>, what: &str) {
    let remark = format!("in a copy of your folder, {what}");
    note(audience, format!("The test runs in a bare folder, as {remark}; --in . for the copy."));
    let caveat = format!("Not seen: whether the test needs more of your folder than the input: {remark}.");
    problem.job_mut().caveats.push(caveat);
}

/// Returns what speaks against the copy, and not against the test: what fails there now and then may do so anywhere.
fn in_a_copy(doubt: &Doubt) -> Option<&'static str> {
    match doubt {
        Doubt::EmptyFails(_) => Some("an empty input fails too"),
        Doubt::CannotTell(_) => Some("it cannot be told whether the input fails"),
        Doubt::DoesNotFail(oracle, seen) => {
            let fails = |observed: &Observed| oracle.verdict(observed).outcome == Outcome::Fail;
            (!seen.iter().any(fails)).then_some("the input does not fail")
        }
    }
}

/// Returns why no baseline can be established in a copy of the project, and that it was tried there.
fn refused_there<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    (no_baseline, mut executor): (NoBaseline, Box<Opened>),
    why: &str,
) -> Refusal {
    let mut refusal = explain(problem, audience, &mut *executor, no_baseline);
    let top = problem.job().top().map(|top| top.display().to_string()).unwrap_or_default();
    if let Refusal::DoesNotFail { advice, .. }
    | Refusal::EmptyFails { advice, .. }
    | Refusal::NeverOpened { advice, .. } = &mut refusal
    {
        *advice = format!("it was run in a copy of {top}, {why} (--bare: without it)\n{advice}");
    }
    refusal
}

/// Says that tests run in the project, and why.
fn in_words<T: Problem>(problem: &T, audience: &mut Audience<'_>, begun: Begun, why: &str) -> Result<Begun, Refusal> {
    let files = problem.job().project()?.map_or(0, |project| project.files());
    let top = problem.job().top().map(|top| top.display().to_string()).unwrap_or_default();
    let files = human::counted(files as u64, "other files");
    note(audience, format!("The test runs in a copy of {top} ({files}), {why}; --bare for the bare folder."));
    Ok(begun)
}
