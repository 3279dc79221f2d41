//! Whether the test of a run in copies of a project looks at files of it that have changed.
//!
//! It is asked now, and answers for then: a test that looks at nothing that has changed does what it did, and looked at
//! nothing else before.

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::Listed;
use crate::list::List;
use crate::preflight::note;
use crate::problem::Problem;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::{Criterion, Oracle};
use reduct_report::run;
use reduct_sandbox::looked::{self, LookedAt};
use reduct_session::Session;
use reduct_session::event::Why;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A traced run may take so long, at least.
const A_LOOK: Duration = Duration::from_secs(10);

/// Returns those of these files at which the test looks on what the first runs were made on. `None` if that cannot be found
/// out, or if it does not fail where it did.
///
/// # Errors
/// If the session was interrupted.
pub(super) fn among(
    problem: &impl Problem,
    changed: &[PathBuf],
    (reading, time_limit): (&Criterion, Option<Duration>),
    audience: &mut Audience<'_>,
) -> Result<Option<Vec<PathBuf>>, Refusal> {
    let job = problem.job();
    let invocation = job.invocation()?;
    let runs_more = invocation.build.is_some() || invocation.server.is_some() || invocation.after.reference.is_some();
    if !job.source().is_command() || runs_more {
        return Ok(None);
    }
    if changed.is_empty() {
        return Ok(Some(vec![]));
    }
    note(audience, run::looks_at(changed));
    let time_limit = time_limit.unwrap_or_default().max(A_LOOK);
    let oracle = Oracle::new(reading.clone(), problem.words().clone());
    let mut all = BTreeSet::new();
    for (candidate, must_fail) in [(problem.whole(), true), (&problem.other(), false)] {
        let Some((paths, outcome)) = look(problem, candidate, (&oracle, time_limit), audience)? else {
            return Ok(None);
        };
        if must_fail && outcome != Outcome::Fail {
            return Ok(None);
        }
        all.extend(paths);
    }
    Ok(Some(changed.iter().filter(|file| all.contains(*file)).cloned().collect()))
}

/// Runs the test once, and returns where it looks in its project, and what it says.
fn look(
    problem: &impl Problem,
    candidate: &Candidate,
    (oracle, time_limit): (&Oracle, Duration),
    audience: &mut Audience<'_>,
) -> Result<Option<(BTreeSet<PathBuf>, Outcome)>, Refusal> {
    let Ok(list) = List::new(problem.job()) else { return Ok(None) };
    let Some(Ok(mut executor)) = problem.watched(Listed::Looked, &list) else { return Ok(None) };
    executor.time_limit = Some(time_limit);
    audience.connect(&*executor);
    let seen = Session::new(&mut *executor, vec![], Duration::ZERO).observe(std::slice::from_ref(candidate));
    let observed = match seen {
        Err(why @ (Why::Interrupted | Why::Stopped)) => return Err(Refusal::stopped(why)),
        Err(_) => return Ok(None),
        Ok(observed) => observed,
    };
    let (Some(observed), Some(looked)) = (observed.first(), looked::read(&list.path())) else { return Ok(None) };
    let outcome = oracle.verdict_on(observed, candidate).outcome;
    let job = problem.job();
    Ok(job.top().and_then(|top| in_project(&looked, &job.inside(), top)).map(|paths| (paths, outcome)))
}

/// Returns the paths that lead into the copy of the project, as they are called in it, and those that lead into the project
/// itself, which is at `original`. `inside` is where in it the command runs.
fn in_project(looked: &LookedAt, inside: &Path, original: &Path) -> Option<BTreeSet<PathBuf>> {
    let copy = looked.folder.ancestors().nth(inside.components().count())?;
    if !looked.folder.ends_with(inside) {
        return None;
    }
    let canonical = original.canonicalize().unwrap_or_else(|_| original.to_owned());
    let tops = [copy, original, &canonical];
    let called = |path: &PathBuf| tops.iter().find_map(|top| path.strip_prefix(top).ok()).map(Path::to_owned);
    Some(looked.paths.iter().filter_map(called).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_project_wherever_in_it_the_command_runs() {
        let paths =
            ["/slot/copy/a", "/slot/copy/in/b", "/slot/other", "/etc/c", "/project/d"].map(PathBuf::from).into();
        let looked = LookedAt { folder: "/slot/copy/in/deep".into(), paths };
        let expected = ["a", "in/b", "d"].map(PathBuf::from).into();
        let original = Path::new("/project");
        assert_eq!(in_project(&looked, Path::new("in/deep"), original), Some(expected));
        assert_eq!(in_project(&looked, Path::new("in/other"), original), None);
    }
}
