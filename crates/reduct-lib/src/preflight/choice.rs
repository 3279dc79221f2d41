//! Where tests run: in a folder with nothing but the candidate, or in a copy of the project that it belongs to.
//!
//! If nobody said which, what fails is run in both. If it fails otherwise there, or only there, the test needs its
//! project, and what the bare folder showed was made by what is missing in it.

mod both;
mod project;
mod there;

use super::baseline::{agree, in_a_bare_folder, observe};
use super::look::{Copied, Look, copied, note_differences, note_unseen_writes, place, seen};
use super::recipe::recipe;
use super::{confined, missing};
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::job::{Failure, Job, TestPlace};
use crate::problem::Problem;
use both::{fails_there, left_over};
use project::{in_the_project, instead, note_bare, rather_in_the_project};
use reduct_core::Outcome;
use reduct_oracle::signature::{InputVocabulary, Signature, describe};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Observed};
use reduct_report::preflight::advice::{Advice, advise};
use reduct_report::preflight::place::{InCopy, NoCopy, PlaceCaveat, Sign, WhyCopy, caveat, lacks_in_bare};
use reduct_session::Session;
use reduct_session::executor::Opened;
use std::time::Duration;
pub(crate) use there::Begun;
use there::{explain, there};

/// What passes in the copy, and fails in the bare folder, is run so many times more there, or so long.
const MORE_RUNS: usize = 5;
const MORE_TIME: Duration = Duration::from_secs(2);

/// Makes the runs before a search, and has the problem stand where its test works.
///
/// # Errors
/// If there is nothing to search for, and why.
pub(crate) fn begin<T: Problem>(problem: &mut T, audience: &mut Audience<'_>) -> Result<Begun, Refusal> {
    let begun = begin_somewhere(problem, audience);
    confined::compare(problem, audience, begun)
}

/// Does so where the job says, or where the test works.
fn begin_somewhere<T: Problem>(problem: &mut T, audience: &mut Audience<'_>) -> Result<Begun, Refusal> {
    if problem.job().place == TestPlace::Open {
        return open(problem, audience);
    }
    note_differences(problem.job(), audience, None)?;
    let executor = place(problem, audience)?;
    here(problem, audience, executor, vec![])
}

/// Establishes the baseline where the problem stands, or finds out why it cannot be.
fn here<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    executor: Box<Opened>,
    seen: Vec<Observed>,
) -> Result<Begun, Refusal> {
    there(problem, audience, executor, seen)
        .map_err(|(no_baseline, mut executor)| explain(problem, audience, &mut *executor, no_baseline))
}

/// Returns where nobody said where.
fn open<T: Problem>(problem: &mut T, audience: &mut Audience<'_>) -> Result<Begun, Refusal> {
    problem.stand(TestPlace::Bare);
    if !problem.job().source().may_need_a_project() {
        note_unseen_writes(problem.job(), audience);
        let bare = place(problem, audience)?;
        return here(problem, audience, bare, vec![]);
    }
    let look = copied(problem, audience)?;
    if !matches!(look, Look::Copied(_)) {
        note_unseen_writes(problem.job(), audience);
    }
    match look {
        Look::Nothing => {
            let (bare, in_bare) = in_bare(problem, audience, false)?;
            here(problem, audience, bare, in_bare)
        }
        Look::Not(why) => unseen(problem, audience, why),
        Look::Copied(copied) => either(problem, audience, copied),
    }
}

/// Runs what fails in a bare folder.
fn in_bare<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    is_one_of_two: bool,
) -> Result<(Box<Opened>, Vec<Observed>), Refusal> {
    let mut bare = place(problem, audience)?;
    let (times, patience) = (if problem.job().repeat { 1 } else { 2 }, problem.job().patience);
    let what = if is_one_of_two { in_a_bare_folder(problem.whole_is()) } else { problem.whole_is() };
    let seen = seen(problem, audience, &mut *bare, (what, times, patience))?;
    Ok((bare, seen))
}

/// Establishes the baseline in a bare folder if nothing was seen to be missing there, as it cannot be seen what the test would do in its
/// project.
fn unseen<T: Problem>(problem: &mut T, audience: &mut Audience<'_>, why: NoCopy) -> Result<Begun, Refusal> {
    let (bare, in_bare) = in_bare(problem, audience, false)?;
    let missing = |observed: &Observed| {
        let named = missing::named(problem.job(), observed).map(Sign::Names);
        named.or_else(|| Some(Sign::Says(missing::said(observed)?.trim().to_owned())))
    };
    if let Some(sign) = in_bare.iter().find_map(missing) {
        let recipe = recipe(problem.job());
        return Err(Refusal::Usage {
            what: lacks_in_bare(&sign, &why),
            help: advise([Advice::ChooseFolder, Advice::Lines(&recipe)]),
        });
    }
    problem.job_mut().caveats.push(caveat(&PlaceCaveat::NoCopy(why)));
    here(problem, audience, bare, in_bare)
}

/// Establishes the baseline in a bare folder or in a copy of the project, where it was run already.
fn either<T: Problem>(
    problem: &mut T,
    audience: &mut Audience<'_>,
    Copied { project, mut seen, uses }: Copied,
) -> Result<Begun, Refusal> {
    if let Some(why) = &uses.writes {
        // In a bare folder, it would write to that of the user.
        let why = WhyCopy::Uses(why.clone());
        problem.stand(project);
        return in_the_project(problem, audience, (seen, &uses), (None, &why));
    }
    let (bare, in_bare) = in_bare(problem, audience, true)?;
    let Some(first) = in_bare.first() else { return here(problem, audience, bare, in_bare) };
    let works = |observed: &Observed| observed.exit == Exit::Code(0);
    if !works(first) && seen.iter().all(works) {
        problem.stand(project.clone());
        seen = once_more(problem, audience, seen)?;
        problem.stand(TestPlace::Bare);
    }
    let why = why_there(problem, (&in_bare, first), (&project, &seen))?;
    if let Some(why) = why {
        drop(bare);
        problem.stand(project);
        return in_the_project(problem, audience, (seen, &uses), (Some(first), &why));
    }
    if let Some(opens) = uses.opens() {
        drop(bare);
        return rather_in_the_project(problem, audience, (project, seen, &uses), (in_bare, opens));
    }
    // Where it exits with 0 in the bare folder, it is a trace of an earlier run; else it is the failure, or part of it.
    let says = seen.first().filter(|_| works_by_convention(problem.job(), first)).and_then(left_over);
    match there(problem, audience, bare, in_bare.clone()) {
        Ok(begun) => {
            if let Some(says) = says {
                note_bare(problem, audience, InCopy::LeftOver(says));
            }
            Ok(begun)
        }
        Err((no_baseline, bare)) => instead(problem, audience, (no_baseline, bare, &in_bare), (project, seen, &uses)),
    }
}

/// Returns why it is to run in the project, by what was seen in both places; if that says so.
fn why_there<T: Problem>(
    problem: &T,
    (in_bare, first): (&[Observed], &Observed),
    (project, seen): (&TestPlace, &[Observed]),
) -> Result<Option<WhyCopy>, Refusal> {
    let (job, words) = (problem.job(), problem.words());
    let by_convention = works_by_convention(job, first);
    let lacks = missing::only_in(first, seen);
    if by_convention && lacks {
        return Ok(Some(WhyCopy::Missing));
    }
    let is_other = if by_convention {
        fails_there(job, words, (project, seen.first()))?
    } else {
        seen.first().is_some_and(|other| differ(job, words, in_bare, other))
    };
    let shown = || Oracle::read_first(first, words).map(|reading| reading.describe());
    let shown = || shown().unwrap_or_else(|| describe(&first.exit));
    Ok((lacks || is_other).then(|| WhyCopy::FailsOtherwise(shown())))
}

/// Runs what passed in the copy some more times, until it fails: it may do so now and then. What failed comes first.
fn once_more<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    mut passed: Vec<Observed>,
) -> Result<Vec<Observed>, Refusal> {
    let mut executor = place(problem, audience)?;
    let mut took = Duration::ZERO;
    for _ in 0..MORE_RUNS {
        let mut session = Session::new(&mut *executor, audience.views(), problem.job().patience);
        let Some(observed) = observe(&mut session, std::slice::from_ref(problem.whole()))?.pop() else { break };
        took += observed.elapsed;
        if observed.exit != Exit::Code(0) {
            passed.insert(0, observed);
            passed.truncate(2);
            break;
        }
        if took > MORE_TIME {
            break;
        }
    }
    Ok(passed)
}

/// Returns whether it is a reducer script that finds in a bare folder all that it needs.
fn works_by_convention(job: &Job, first: &Observed) -> bool {
    first.exit == Exit::Code(0) && matches!(job.failure, Failure::Observed | Failure::ExitZero)
}

/// Returns whether a run elsewhere shows another failure than these runs did, or none where they did, or one where they
/// did not.
fn differ(job: &Job, words: &InputVocabulary, in_bare: &[Observed], other: &Observed) -> bool {
    let Some(first) = in_bare.first() else { return false };
    let started = |observed: &Observed| !matches!(observed.exit, Exit::NotStarted(_));
    if !started(first) || !started(other) {
        return started(other);
    }
    // What fails now and then is judged by what it says when it fails.
    if job.repeat && (first.exit == Exit::Code(0) || other.exit == Exit::Code(0)) {
        return false;
    }
    let second = in_bare.get(1).unwrap_or(first);
    let says = |reading: Criterion, observed: &Observed| Oracle::new(reading, words.clone()).verdict(observed).outcome;
    let fails = |reading: &Criterion, observed: &Observed| says(reading.clone(), observed) == Outcome::Fail;
    let stated = match &job.failure {
        Failure::ExitZero => Some(Criterion::ExitZero),
        Failure::Conditions(all) => Some(Criterion::Conditions(all.clone())),
        Failure::Like(signature) => Some(Criterion::Same(signature.clone())),
        Failure::Observed => None,
    };
    let shown = || agree(Criterion::Same(Signature::of(first, words)), second, words);
    match stated {
        Some(reading) if fails(&reading, first) && fails(&reading, other) => {
            reading != Criterion::ExitZero && first.exit != Exit::Code(0) && !fails(&shown(), other)
        }
        Some(reading) => fails(&reading, first) != fails(&reading, other),
        None => match (Oracle::read_first(first, words), Oracle::read_first(other, words)) {
            (Some(reading), Some(_)) => !fails(&agree(reading, second, words), other),
            (None, Some(_)) => true,
            (_, None) => false,
        },
    }
}
