//! Tests run in a copy of the project: the baseline is established there, and said why.

use super::super::baseline::{Doubt, NoBaseline, refuse};
use super::super::look::{note, note_differences, place as place_of};
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
use reduct_report::preflight::advice::{Advice, advise};
use reduct_report::preflight::place::{self, InCopy, PlaceCaveat, PlaceNote, Use, WhyCopy};
use reduct_report::preflight::refused::NoFailure;
use reduct_session::executor::Opened;
use std::path::Path;

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
    let why = WhyCopy::FailsOtherwise(no_baseline.refusal.to_string());
    let says_other = in_bare.first().map(said) != seen.first().map(said);
    problem.stand(project);
    let executor = place_of(problem, audience)?;
    match there(problem, audience, executor, vec![]) {
        Ok(begun) => {
            note_differences(problem.job(), audience, uses.all.as_deref())?;
            say_where(problem, audience, begun, why)
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
    (in_bare, why): (Option<&Observed>, &WhyCopy),
) -> Result<Begun, Refusal> {
    let works = in_copy.first().is_some_and(|observed| observed.exit == Exit::Code(0));
    let failed = in_bare.filter(|observed| observed.exit != Exit::Code(0));
    note_differences(problem.job(), audience, uses.all.as_deref())?;
    let copy = place_of(problem, audience)?;
    // Twice in the same copy, so that what a test makes anew each time is known; but what fails now and then is not asked
    // again whether it does.
    let known = if in_copy.len() > 1 { in_copy } else { vec![] };
    match (there(problem, audience, copy, known), failed) {
        (Ok(begun), _) => say_where(problem, audience, begun, why.clone()),
        (Err((NoBaseline { doubt: Some(Doubt::EmptyFails(_)), .. }, _)), Some(failed))
            if works && problem.job().failure == Failure::Observed =>
        {
            let as_bare = Oracle::read_first(failed, problem.words()).map(|reading| reading.describe());
            let as_bare = as_bare.unwrap_or_else(|| describe(&failed.exit));
            let (top, recipe) = (problem.job().top().unwrap_or(Path::new("")), recipe(problem.job()));
            let advice = [Advice::MakeItFail(as_bare), Advice::Lines(&recipe)];
            Err(refuse(&NoFailure::WorksInACopy(top.to_owned()), advice))
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
    (in_bare, opens): (Vec<Observed>, Use),
) -> Result<Begun, Refusal> {
    let why = WhyCopy::Uses(opens.clone());
    problem.stand(project.clone());
    let copy = place_of(problem, audience)?;
    let known = if seen.len() > 1 { seen } else { vec![] };
    let no_baseline = match there(problem, audience, copy, known) {
        Ok(begun) => {
            note_differences(problem.job(), audience, uses.all.as_deref())?;
            return say_where(problem, audience, begun, why);
        }
        Err((NoBaseline { refusal: refusal @ Refusal::Stopped(..), .. }, _)) => return Err(refusal),
        Err(no_baseline) => no_baseline,
    };
    if let Some(seen) = no_baseline.0.doubt.as_ref().and_then(|doubt| in_a_copy(doubt, opens)) {
        problem.stand(TestPlace::Bare);
        if let Some(begun) = after_all(problem, audience, in_bare, seen)? {
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
    seen: InCopy,
) -> Result<Option<Begun>, Refusal> {
    let bare = place_of(problem, audience)?;
    let begun = match there(problem, audience, bare, in_bare) {
        Ok(begun) => begun,
        Err((NoBaseline { refusal: refusal @ Refusal::Stopped(..), .. }, _)) => return Err(refusal),
        Err(_) => return Ok(None),
    };
    note_bare(problem, audience, seen);
    Ok(Some(begun))
}

/// Says that tests run in a bare folder, as this was seen in a copy of the project, at once and among the last lines.
pub(super) fn note_bare<T: Problem>(problem: &mut T, audience: &mut Audience<'_>, seen: InCopy) {
    note(audience, place::note(&PlaceNote::RunsBare(seen.clone())));
    problem.job_mut().caveats.push(place::caveat(&PlaceCaveat::Bare(seen)));
}

/// Returns what speaks against the copy, and not against the test, which uses so much of it: what fails there now and
/// then may do so anywhere.
fn in_a_copy(doubt: &Doubt, used: Use) -> Option<InCopy> {
    match doubt {
        Doubt::EmptyFails(_) => Some(InCopy::EmptyFails(used)),
        Doubt::CannotTell(_) => Some(InCopy::CannotTell(used)),
        Doubt::DoesNotFail(oracle, seen) => {
            let fails = |observed: &Observed| oracle.verdict(observed).outcome == Outcome::Fail;
            (!seen.iter().any(fails)).then_some(InCopy::DoesNotFail(used))
        }
    }
}

/// Returns why no baseline can be established in a copy of the project, and that it was tried there.
fn refused_there<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    (no_baseline, mut executor): (NoBaseline, Box<Opened>),
    why: &WhyCopy,
) -> Refusal {
    let mut refusal = explain(problem, audience, &mut *executor, no_baseline);
    let top = problem.job().top().unwrap_or(Path::new(""));
    if let Refusal::DoesNotFail { advice, .. }
    | Refusal::EmptyFails { advice, .. }
    | Refusal::NeverOpened { advice, .. } = &mut refusal
    {
        *advice = advise([Advice::RanInACopy(top, why), Advice::Lines(advice)]);
    }
    refusal
}

/// Says that tests run in the project, and why.
fn say_where<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    begun: Begun,
    reason: WhyCopy,
) -> Result<Begun, Refusal> {
    let files = problem.job().project()?.map_or(0, |project| project.files());
    let top = problem.job().top().map(Path::to_owned).unwrap_or_default();
    note(audience, place::note(&PlaceNote::RunsInCopy { top, files, reason }));
    Ok(begun)
}
