//! Where tests run: in a folder with nothing but the candidate, or in a copy of the project that it belongs to.
//!
//! If nobody said which, what fails is run in both. If it fails otherwise there, or only there, the test needs its
//! project, and what the bare folder showed was made by what is missing in it.

use super::{Doubt, Settled, Unsettled, agree, observe, stopped};
use crate::errors::Refusal;
use crate::job::{Failure, Job, Place};
use crate::task::Task;
use crate::work::Audience;
use reduct_core::Outcome;
use reduct_report::human;
use reduct_run::event::{Event, Why};
use reduct_run::executor::{Executor, Exit, Observed};
use reduct_run::oracle::signature::{Signature, Words, describe};
use reduct_run::oracle::{Oracle, Reading};
use reduct_run::session::Session;
use std::time::Duration;

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
    let lab = place(task, audience)?;
    here(task, audience, lab, vec![])
}

/// A place for the tests of the task, as it stands, to which signals go from now on.
fn place<T: Task>(task: &T, audience: &mut Audience<'_>) -> Result<Box<dyn Executor>, Refusal> {
    let lab = task.lab(task.job().handed)?;
    audience.connect(&*lab);
    Ok(lab)
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

/// Runs what fails so many times; trouble is waited out so long.
fn seen<T: Task>(
    task: &T,
    audience: &mut Audience<'_>,
    lab: &mut dyn Executor,
    (what, times, patience): (&'static str, usize, Duration),
) -> Result<Vec<Observed>, Refusal> {
    audience.connect(lab);
    let mut session = Session::new(lab, audience.views(), patience);
    session.tell(&Event::Checking { what }).map_err(stopped)?;
    let mut seen = vec![];
    for _ in 0..times {
        // One after the other, as the time limit is made from how long they take.
        seen.extend(observe(&mut session, std::slice::from_ref(task.whole()))?);
        if seen.iter().any(|observed| matches!(observed.exit, Exit::NotStarted(_))) {
            break;
        }
    }
    Ok(seen)
}

fn note<T: Task>(task: &T, audience: &mut Audience<'_>, lab: &mut dyn Executor, text: String) -> Result<(), Refusal> {
    let mut session = Session::new(lab, audience.views(), task.job().patience);
    session.tell(&Event::Note { text }).map_err(stopped)
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
    let mut bare = place(task, audience)?;
    if task.job().ask.is_some() || task.job().persistent.is_some() {
        return here(task, audience, bare, vec![]);
    }
    let patience = task.job().patience;
    let times = if task.job().repeat { 1 } else { 2 };
    let in_bare = seen(task, audience, &mut *bare, (task.whole_is(), times, patience))?;
    if in_bare.first().is_some_and(|first| works_by_convention(task.job(), first)) {
        if in_bare.first().is_some_and(misses_something)
            && let Some(Copied { project, lab, seen }) = copied(task, audience, &mut *bare)?
            && !seen.first().is_some_and(misses_something)
        {
            task.stand(project);
            return in_the_project(task, audience, (lab, seen), (&in_bare, "something is missing there"));
        }
        let (unsettled, mut bare) = match there(task, audience, bare, in_bare.clone()) {
            Ok(begun) => return Ok(begun),
            Err(unsettled) => unsettled,
        };
        return match copied(task, audience, &mut *bare)? {
            Some(copied) => instead(task, audience, (unsettled, bare, &in_bare), copied),
            None => Err(explain(task, audience, &mut *bare, unsettled)),
        };
    }
    let Some(Copied { project, lab, seen }) = copied(task, audience, &mut *bare)? else {
        return here(task, audience, bare, in_bare);
    };
    let is_other = seen.first().is_some_and(|other| differ(task.job(), task.words(), &in_bare, other));
    if let Some(first) = in_bare.first().filter(|_| is_other) {
        let shown = Oracle::read_first(first, task.words()).map(|reading| reading.describe());
        let as_bare = shown.unwrap_or_else(|| describe(&first.exit));
        task.stand(project);
        return in_the_project(task, audience, (lab, seen), (&in_bare, &as_bare));
    }
    match there(task, audience, bare, in_bare.clone()) {
        Ok(begun) => Ok(begun),
        Err((unsettled, bare)) => instead(task, audience, (unsettled, bare, &in_bare), Copied { project, lab, seen }),
    }
}

/// A copy of the project, and what was seen in it.
struct Copied {
    project: Place,
    lab: Box<dyn Executor>,
    seen: Vec<Observed>,
}

/// Runs what fails once in a copy of the project. `None` if there is none, or if it cannot be copied.
fn copied<T: Task>(
    task: &mut T,
    audience: &mut Audience<'_>,
    bare: &mut dyn Executor,
) -> Result<Option<Copied>, Refusal> {
    let project = match task.job().likely_project() {
        Ok(Some(project)) => project,
        Ok(None) => return Ok(None),
        Err(why) => {
            note(task, audience, bare, format!("{why}; --in copies it all the same."))?;
            return Ok(None);
        }
    };
    task.stand(project.clone());
    let looked = look(task, audience);
    task.stand(Place::Bare);
    match looked {
        Ok((lab, seen)) => Ok(Some(Copied { project, lab, seen })),
        // What cannot be copied is not needed, as far as anybody knows.
        Err(Refusal::Stopped(why, Why::Trouble(_))) | Err(Refusal::Executor(why)) => {
            note(task, audience, bare, format!("The folder cannot be copied: {why}; tests run without it."))?;
            Ok(None)
        }
        Err(refusal) => Err(refusal),
    }
}

/// Whether a test says that a file or a program is missing, which it may take for success.
fn misses_something(observed: &Observed) -> bool {
    let said = [&observed.stderr[..], &observed.stdout[..]].concat();
    let said = String::from_utf8_lossy(&said);
    ["not found", "No such file", "cannot open", "can't open"].iter().any(|words| said.contains(words))
}

/// What a test said, but for numbers, as those of its folder.
fn said(observed: &Observed) -> Vec<u8> {
    [&observed.stdout[..], &observed.stderr[..]].concat().into_iter().filter(|byte| !byte.is_ascii_digit()).collect()
}

/// Settles it in a copy of the project, as it cannot be in the bare folder. If it cannot be there either, that is
/// explained where the test finds more of what it needs.
fn instead<T: Task>(
    task: &mut T,
    audience: &mut Audience<'_>,
    (unsettled, mut bare, in_bare): (Unsettled, Box<dyn Executor>, &[Observed]),
    Copied { project, lab, seen }: Copied,
) -> Result<Begun, Refusal> {
    if !unsettled.is_of_the_place() {
        return Err(explain(task, audience, &mut *bare, unsettled));
    }
    let as_bare = unsettled.refusal.to_string();
    let says_other = in_bare.first().map(said) != seen.first().map(said);
    task.stand(project);
    match there(task, audience, lab, seen) {
        Ok(begun) => in_words(task, audience, begun, &as_bare),
        Err((Unsettled { refusal: refusal @ Refusal::Stopped(..), .. }, _)) => Err(refusal),
        Err((unsettled, mut lab)) if says_other => Err(explain(task, audience, &mut *lab, unsettled)),
        Err(_) => {
            task.stand(Place::Bare);
            Err(explain(task, audience, &mut *bare, unsettled))
        }
    }
}

/// Runs what fails once where the task stands, without patience for trouble.
fn look<T: Task>(task: &T, audience: &mut Audience<'_>) -> Result<(Box<dyn Executor>, Vec<Observed>), Refusal> {
    let mut lab = place(task, audience)?;
    let seen = seen(task, audience, &mut *lab, ("a copy of the project", 1, Duration::ZERO))?;
    Ok((lab, seen))
}

/// Settles it in a copy of the project, where what fails does otherwise than in the bare folder.
fn in_the_project<T: Task>(
    task: &mut T,
    audience: &mut Audience<'_>,
    (copy, in_copy): (Box<dyn Executor>, Vec<Observed>),
    (in_bare, as_bare): (&[Observed], &str),
) -> Result<Begun, Refusal> {
    let works = in_copy.first().is_some_and(|observed| observed.exit == Exit::Code(0));
    let failed = in_bare.first().is_some_and(|observed| observed.exit != Exit::Code(0));
    match there(task, audience, copy, in_copy) {
        Ok(begun) => in_words(task, audience, begun, as_bare),
        Err((Unsettled { doubt: Some(Doubt::EmptyFails(_)), .. }, _))
            if works && failed && task.job().failure == Failure::Observed =>
        {
            let top = task.job().top().map(|top| top.display().to_string()).unwrap_or_default();
            Err(Refusal::DoesNotFail {
                headline: format!("the test works in a copy of {top}: it exits with 0, on an empty input too"),
                advice: format!(
                    "it fails in a bare folder only ({as_bare}), where it misses something\n\
                     run it so that it fails, or say what the failure is with --fails-if\n{}",
                    super::recipe::recipe(task.job())
                ),
            })
        }
        Err((unsettled, mut lab)) => Err(explain(task, audience, &mut *lab, unsettled)),
    }
}

/// Says that tests run in the project.
fn in_words<T: Task>(task: &T, audience: &mut Audience<'_>, mut begun: Begun, as_bare: &str) -> Result<Begun, Refusal> {
    let files = task.job().project()?.map_or(0, |project| project.files());
    let top = task.job().top().map(|top| top.display().to_string()).unwrap_or_default();
    let text = format!(
        "The test runs in a copy of {top} ({}), as it fails otherwise in a bare folder: {as_bare}; --bare for the bare \
         folder.",
        human::counted(files as u64, "other files")
    );
    note(task, audience, &mut *begun.lab, text)?;
    Ok(begun)
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
