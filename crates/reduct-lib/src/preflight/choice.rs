//! Where tests run: in a folder with nothing but the candidate, or in a copy of the project that it belongs to.
//!
//! If nobody said which, what fails is run in both. If it fails otherwise there, or only there, the test needs its
//! project, and what the bare folder showed was made by what is missing in it.

mod both;
mod project;

use super::look::{Copied, Look, copied, note_differences, note_unseen_writes, place, seen};
use super::{Settled, Unsettled, agree, in_a_bare_folder, missing, observe};
use crate::errors::Refusal;
use crate::job::{Failure, Job, Place};
use crate::task::Task;
use crate::work::Audience;
use both::{fails_there, left_over};
use project::{in_the_project, instead, note_bare, rather_in_the_project};
use reduct_core::Outcome;
use reduct_oracle::signature::{Signature, Words, describe};
use reduct_oracle::{Exit, Observed};
use reduct_oracle::{Oracle, Reading};
use reduct_session::Session;
use reduct_session::executor::Executor;
use std::time::Duration;

/// What passes in the copy, and fails in the bare folder, is run so many times more there, or so long.
const MORE_RUNS: usize = 5;
const MORE_TIME: Duration = Duration::from_secs(2);

/// What came of the runs before a search.
pub(crate) struct Begun {
    /// Where its tests run.
    pub(crate) lab: Box<dyn Executor>,
    /// What the failure is.
    pub(crate) settled: Settled,
    /// What the test said of [`Task::other`].
    pub(crate) of_other: Outcome,
}

/// Makes the runs before a search, and has the task stand where its test works.
///
/// # Errors
/// If there is nothing to search for, and why.
pub(crate) fn begin<T: Task>(task: &mut T, audience: &mut Audience<'_>) -> Result<Begun, Refusal> {
    if task.job().place == Place::Open {
        return open(task, audience);
    }
    note_differences(task.job(), audience, None)?;
    let lab = place(task, audience)?;
    here(task, audience, lab, vec![])
}

/// Settles it at one place, where this was `seen` already.
fn there<T: Task>(
    task: &T,
    audience: &mut Audience<'_>,
    mut lab: Box<dyn Executor>,
    seen: Vec<Observed>,
) -> Result<Begun, (Unsettled, Box<dyn Executor>)> {
    audience.connect(&*lab);
    let mut session = Session::new(&mut *lab, audience.views(), task.job().patience);
    let settled = match task.job().ask {
        Some(_) => Ok((crate::ask::settled(), Outcome::Pass)),
        None => task.settle(&mut session, seen),
    };
    drop(session);
    match settled {
        Ok((settled, of_other)) => Ok(Begun { lab, settled, of_other }),
        Err(unsettled) => Err((unsettled, lab)),
    }
}

fn explain<T: Task>(task: &T, audience: &mut Audience<'_>, lab: &mut dyn Executor, unsettled: Unsettled) -> Refusal {
    super::explain((task.job(), task.whole(), task.words()), audience, lab, unsettled)
}

/// Settles it where the task stands, or finds out why it cannot be.
fn here<T: Task>(
    task: &T,
    audience: &mut Audience<'_>,
    lab: Box<dyn Executor>,
    seen: Vec<Observed>,
) -> Result<Begun, Refusal> {
    there(task, audience, lab, seen).map_err(|(unsettled, mut lab)| explain(task, audience, &mut *lab, unsettled))
}

/// Where nobody said where.
fn open<T: Task>(task: &mut T, audience: &mut Audience<'_>) -> Result<Begun, Refusal> {
    task.stand(Place::Bare);
    if task.job().ask.is_some() || task.job().persistent.is_some() {
        note_unseen_writes(task.job(), audience);
        let bare = place(task, audience)?;
        return here(task, audience, bare, vec![]);
    }
    let look = copied(task, audience)?;
    if !matches!(look, Look::Copied(_)) {
        note_unseen_writes(task.job(), audience);
    }
    match look {
        Look::Nothing => {
            let (bare, in_bare) = in_bare(task, audience, false)?;
            here(task, audience, bare, in_bare)
        }
        Look::Not(why) => unseen(task, audience, &why),
        Look::Copied(copied) => either(task, audience, copied),
    }
}

/// Runs what fails in a bare folder.
fn in_bare<T: Task>(
    task: &T,
    audience: &mut Audience<'_>,
    is_one_of_two: bool,
) -> Result<(Box<dyn Executor>, Vec<Observed>), Refusal> {
    let mut bare = place(task, audience)?;
    let (times, patience) = (if task.job().repeat { 1 } else { 2 }, task.job().patience);
    let what = if is_one_of_two { in_a_bare_folder(task.whole_is()) } else { task.whole_is() };
    let seen = seen(task, audience, &mut *bare, (what, times, patience))?;
    Ok((bare, seen))
}

/// Settles it in a bare folder if nothing was seen to be missing there, as it cannot be seen what the test would do in its
/// project.
fn unseen<T: Task>(task: &mut T, audience: &mut Audience<'_>, why: &str) -> Result<Begun, Refusal> {
    let (bare, in_bare) = in_bare(task, audience, false)?;
    let missing = |observed: &Observed| {
        let named =
            missing::named(task.job(), observed).map(|file| format!("the test names {file}, which stands in yours"));
        named.or_else(|| Some(format!("the test says “{}”", missing::said(observed)?.trim())))
    };
    if let Some(what) = in_bare.iter().find_map(missing) {
        return Err(Refusal::Usage {
            what: format!("in a bare folder, {what}, and {why}"),
            help: format!(
                "--in DIR runs it in copies of a folder that holds the input and all that the test needs, however large \
                 (--in . is the one in which you stand); --bare takes what fails in a bare folder for the failure\n{}",
                super::recipe::recipe(task.job())
            ),
        });
    }
    task.job_mut()
        .caveats
        .push(format!("Not seen: whether the test needs more of your folder than the input, as {why}."));
    here(task, audience, bare, in_bare)
}

/// Settles it in a bare folder or in a copy of the project, where it was run already.
fn either<T: Task>(
    task: &mut T,
    audience: &mut Audience<'_>,
    Copied { project, mut seen, uses }: Copied,
) -> Result<Begun, Refusal> {
    if let Some(why) = &uses.writes {
        // In a bare folder, it would write to that of the user.
        let why = format!("as {why}");
        task.stand(project);
        return in_the_project(task, audience, (seen, &uses), (None, &why));
    }
    let (bare, in_bare) = in_bare(task, audience, true)?;
    let Some(first) = in_bare.first() else { return here(task, audience, bare, in_bare) };
    let works = |observed: &Observed| observed.exit == Exit::Code(0);
    if !works(first) && seen.iter().all(works) {
        task.stand(project.clone());
        seen = once_more(task, audience, seen)?;
        task.stand(Place::Bare);
    }
    let why = why_there(task, (&in_bare, first), (&project, &seen))?;
    if let Some(why) = why {
        drop(bare);
        task.stand(project);
        return in_the_project(task, audience, (seen, &uses), (Some(first), &why));
    }
    if let Some(what) = uses.in_words() {
        drop(bare);
        return rather_in_the_project(task, audience, (project, seen, &uses), (in_bare, &what));
    }
    // Where it exits with 0 in the bare folder, it is a trace of an earlier run; else it is the failure, or part of it.
    let says = seen.first().filter(|_| works_by_convention(task.job(), first)).and_then(left_over);
    match there(task, audience, bare, in_bare.clone()) {
        Ok(begun) => {
            if let Some(says) = says {
                note_bare(task, audience, &format!("the test says “{says}”, which an earlier run may have left"));
            }
            Ok(begun)
        }
        Err((unsettled, bare)) => instead(task, audience, (unsettled, bare, &in_bare), (project, seen, &uses)),
    }
}

/// Why it is to run in the project, by what was seen in both places; if that says so.
fn why_there<T: Task>(
    task: &T,
    (in_bare, first): (&[Observed], &Observed),
    (project, seen): (&Place, &[Observed]),
) -> Result<Option<String>, Refusal> {
    let (job, words) = (task.job(), task.words());
    let by_convention = works_by_convention(job, first);
    let lacks = missing::only_in(first, seen);
    if by_convention && lacks {
        return Ok(Some("as it fails otherwise in a bare folder: something is missing there".to_owned()));
    }
    let is_other = if by_convention {
        fails_there(job, words, (project, seen.first()))?
    } else {
        seen.first().is_some_and(|other| differ(job, words, in_bare, other))
    };
    let shown = || Oracle::read_first(first, words).map(|reading| reading.describe());
    let shown = || shown().unwrap_or_else(|| describe(&first.exit));
    Ok((lacks || is_other).then(|| format!("as it fails otherwise in a bare folder: {}", shown())))
}

/// Runs what passed in the copy some more times, until it fails: it may do so now and then. What failed comes first.
fn once_more<T: Task>(
    task: &T,
    audience: &mut Audience<'_>,
    mut passed: Vec<Observed>,
) -> Result<Vec<Observed>, Refusal> {
    let mut lab = place(task, audience)?;
    let mut took = Duration::ZERO;
    for _ in 0..MORE_RUNS {
        let mut session = Session::new(&mut *lab, audience.views(), task.job().patience);
        let Some(observed) = observe(&mut session, std::slice::from_ref(task.whole()))?.pop() else { break };
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

/// What a test said, but for numbers, as those of its folder.
fn said(observed: &Observed) -> Vec<u8> {
    [&observed.stdout[..], &observed.stderr[..]].concat().into_iter().filter(|byte| !byte.is_ascii_digit()).collect()
}

/// Whether it is a reducer script that finds in a bare folder all that it needs.
fn works_by_convention(job: &Job, first: &Observed) -> bool {
    first.exit == Exit::Code(0) && matches!(job.failure, Failure::Observed | Failure::ExitZero)
}

/// Whether a run elsewhere shows another failure than these runs did, or none where they did, or one where they did not.
fn differ(job: &Job, words: &Words, in_bare: &[Observed], other: &Observed) -> bool {
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
    let says = |reading: Reading, observed: &Observed| Oracle::new(reading, words.clone()).verdict(observed).outcome;
    let fails = |reading: &Reading, observed: &Observed| says(reading.clone(), observed) == Outcome::Fail;
    let stated = match &job.failure {
        Failure::ExitZero => Some(Reading::ExitZero),
        Failure::Conditions(all) => Some(Reading::Conditions(all.clone())),
        Failure::Like(signature) => Some(Reading::Same(signature.clone())),
        Failure::Observed => None,
    };
    let shown = || agree(Reading::Same(Signature::of(first, words)), second, words);
    match stated {
        Some(reading) if fails(&reading, first) && fails(&reading, other) => {
            reading != Reading::ExitZero && first.exit != Exit::Code(0) && !fails(&shown(), other)
        }
        Some(reading) => fails(&reading, first) != fails(&reading, other),
        None => match (Oracle::read_first(first, words), Oracle::read_first(other, words)) {
            (Some(reading), Some(_)) => !fails(&agree(reading, second, words), other),
            (None, Some(_)) => true,
            (_, None) => false,
        },
    }
}
