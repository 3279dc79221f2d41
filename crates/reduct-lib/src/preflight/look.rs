//! A look at what fails in a copy of its project: how it ends there, and what it uses of it.

use super::baseline::{observe, where_it_runs};
use super::uses::{Uses, leading_back};
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::Listed;
use crate::job::{Job, TestPlace};
use crate::list::List;
use crate::originals::around::Around;
use crate::problem::Problem;
use reduct_oracle::{Death, Exit, Observed};
use reduct_report::preflight::place::{self, NoCopy, PlaceCaveat, PlaceNote};
use reduct_report::remarks;
use reduct_sandbox::opened;
use reduct_session::Session;
use reduct_session::event::{Event, Why};
use reduct_session::executor::Opened;
use reduct_sources::ProjectError;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What came of it.
pub(super) enum Look {
    /// There is no project.
    Nothing,
    /// It cannot be copied, and why.
    Not(NoCopy),
    /// It was run.
    Copied(Copied),
}

/// A project, and what was seen in a copy of it.
pub(super) struct Copied {
    pub(super) project: TestPlace,
    pub(super) seen: Vec<Observed>,
    pub(super) uses: Uses,
}

/// Returns a place for the tests of the problem, as it stands, to which signals go from now on.
pub(super) fn place<T: Problem>(problem: &T, audience: &mut Audience<'_>) -> Result<Box<Opened>, Refusal> {
    let executor = problem.executor(problem.job().handed)?;
    audience.connect(&*executor);
    Ok(executor)
}

/// Runs what fails so many times; trouble is waited out so long.
pub(super) fn seen<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    executor: &mut Opened,
    (what, times, patience): (&'static str, usize, Duration),
) -> Result<Vec<Observed>, Refusal> {
    audience.connect(executor);
    let mut session = Session::new(executor, audience.views(), patience);
    session.emit(&Event::Checking { what }).map_err(Refusal::stopped)?;
    let mut seen = vec![];
    for _ in 0..times {
        // One after the other, as the time limit is made from how long they take.
        seen.extend(observe(&mut session, std::slice::from_ref(problem.whole()))?);
        if seen.iter().any(|observed| matches!(observed.exit, Exit::NotStarted(_))) {
            break;
        }
    }
    Ok(seen)
}

/// Says what of the project of a job is not as it is where the user stands, if it is known what the test opens of it, of
/// that only.
pub(super) fn note_differences(
    job: &Job,
    audience: &mut Audience<'_>,
    opened: Option<&[PathBuf]>,
) -> Result<(), Refusal> {
    let Some(project) = job.project()? else { return Ok(()) };
    project.notes().iter().for_each(|remark| note(audience, format!("{}.", remarks::describe(remark))));
    let leading = job.watched.pause.during(|| match opened {
        Some(opened) => leading_back(&project, opened.iter().map(PathBuf::as_path)),
        None => leading_back(&project, project.paths()),
    });
    if let Some(file) = leading {
        let is_configured = is_configured(&file);
        note(audience, place::note(&PlaceNote::HoldsFullPath { file, is_configured }));
    }
    Ok(())
}

/// Says that what is started from the user's folder may write there, where that is not looked at in a copy.
pub(super) fn note_unseen_writes(job: &Job, audience: &mut Audience<'_>) {
    let is_ours = |path: &PathBuf| job.folder.starts_with(path);
    if job.confinement.as_ref().is_some_and(|confinement| !confinement.writable.iter().any(is_ours)) {
        return;
    }
    if let Some(goer) = job.goer(&job.stands(), &[]).filter(|goer| goer.asks) {
        note(audience, place::note(&PlaceNote::WritesToYours(goer)));
    }
}

/// Returns whether a file was made by a tool that can make it again.
fn is_configured(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == "CMakeCache.txt")
}

/// Says something while nothing runs.
pub(crate) fn note(audience: &mut Audience<'_>, text: String) {
    let event = Event::Note { text };
    audience.views().iter_mut().for_each(|view| drop(view.on(&event)));
}

/// Runs what fails in a copy of the project, if there is one. The problem stands in a bare folder before and after.
pub(super) fn copied<T: Problem>(problem: &mut T, audience: &mut Audience<'_>) -> Result<Look, Refusal> {
    let project = match problem.job().likely_project() {
        Ok(Some(project)) => project,
        Ok(None) => return Ok(Look::Nothing),
        Err(error @ ProjectError::TooLarge { .. }) => {
            note(audience, place::note(&PlaceNote::TooLarge(error.to_string())));
            return Ok(Look::Not(NoCopy::TooLarge(error.to_string())));
        }
        Err(ProjectError::Io { path, source }) => return Ok(not(audience, format!("{}: {source}", path.display()))),
    };
    problem.stand(project.clone());
    let around = Around::of(problem.job());
    let looked = look(problem, audience);
    note_changed(problem, audience, &around);
    problem.stand(TestPlace::Bare);
    match looked {
        Ok((seen, uses)) => Ok(Look::Copied(Copied { project, seen, uses })),
        Err(Refusal::Stopped(why, Why::Trouble(_)) | Refusal::Executor(why)) => Ok(not(audience, why)),
        Err(refusal) => Err(refusal),
    }
}

/// Says at once, and among the last lines again, what of the user's folder changed while a test ran in a copy of it.
fn note_changed<T: Problem>(problem: &mut T, audience: &mut Audience<'_>, around: &Around) {
    let Some(files) = around.changed_meanwhile(problem.job()) else { return };
    note(audience, place::note(&PlaceNote::ChangedMeanwhile(files.clone())));
    problem.job_mut().caveats.push(place::caveat(&PlaceCaveat::ChangedMeanwhile(files)));
}

fn not(audience: &mut Audience<'_>, why: String) -> Look {
    note(audience, place::note(&PlaceNote::NotCopied(why.clone())));
    Look::Not(NoCopy::Impossible(why))
}

/// Runs it once where the problem stands, without patience for trouble, and watches what it opens; a second time,
/// unwatched, if watching was in the way.
fn look<T: Problem>(problem: &T, audience: &mut Audience<'_>) -> Result<(Vec<Observed>, Uses), Refusal> {
    let once = (where_it_runs(problem.job(), problem.whole_is()), 1, Duration::ZERO);
    let project = problem.job().project()?;
    let mut uses = project.as_ref().map(|project| Uses::unheard(problem.job(), project)).unwrap_or_default();
    let list = List::new(problem.job())?;
    if let Some(executor) = problem.watched(Listed::Opened, &list) {
        let observed = seen(problem, audience, &mut *executor?, once)?;
        if let (Some(touched), Some(project)) = (opened::read(&list.path()), &project) {
            uses = Uses::of(problem.job(), project, &touched);
        }
        // Where it died is asked of the test itself, and so is why it does not start.
        let is_asked_again =
            |exit: &Exit| matches!(exit, Exit::Signal(_) | Exit::Code(127)) || Death::of(exit).is_some();
        if !observed.iter().any(|observed| is_asked_again(&observed.exit)) {
            return Ok((observed, uses));
        }
    }
    let mut executor = place(problem, audience)?;
    Ok((seen(problem, audience, &mut *executor, once)?, uses))
}
