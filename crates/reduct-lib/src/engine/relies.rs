//! What the test of a run relies on, and whether that is still what it was.

use super::looked;
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::problem::Problem;
use crate::recorded::{around, files, oracle_of, policy, time_limit};
use crate::reliance::Witness;
use crate::runs::Run;
use crate::{identity, reliance};
use reduct_core::Key;
use reduct_oracle::Criterion;
use reduct_oracle::sampling::Policy;
use reduct_report::run::{NotAsBefore, changed_unseen, other_environment};
use reduct_session::executor::Opened;
use reduct_session::journal::JournalRecord;
use reduct_session::relied::{Around, Own, Relied};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns which test it is, where it is run. `own` are files of its project that do not count.
pub(super) fn identity(
    problem: &impl Problem,
    executor: &Opened,
    (reading, policy): (&Criterion, Option<&Policy>),
    (files, around): (&[Relied], &Around),
) -> Result<Key, Refusal> {
    let project = project(problem, executor, around);
    identity_in(problem, project.as_deref(), (reading, policy), (files, around))
}

/// Returns which test it is, where its project was this.
fn identity_in(
    problem: &impl Problem,
    project: Option<&[u8]>,
    (reading, policy): (&Criterion, Option<&Policy>),
    (files, around): (&[Relied], &Around),
) -> Result<Key, Refusal> {
    let about = (problem.input(), &problem.surroundings()[..], project);
    identity::of(problem.job(), reading, policy, about, (files, &around.variables))
}

/// Returns what the project is that tests get copies of, but for its files that do not count.
pub(super) fn project(problem: &impl Problem, executor: &Opened, around: &Around) -> Option<Vec<u8>> {
    let own: Vec<PathBuf> = around.own.iter().map(|own| own.path.clone()).collect();
    let base_tree = executor.base_tree().filter(|_| problem.job().top().is_some());
    base_tree.map(|base_tree| base_tree.identity_but(&own))
}

/// What has become of a test since its run began.
pub(super) enum Since {
    Same,
    /// These files of its project are others, and it does not look at them.
    Unseen(Vec<PathBuf>),
    Changed(NotAsBefore),
}

impl Since {
    /// Returns why it is another test, if it is, and what is to be said if it is not.
    pub(super) fn told(self) -> (Option<NotAsBefore>, Option<String>) {
        match self {
            Since::Same => (None, None),
            Since::Unseen(files) => (None, Some(changed_unseen(&files))),
            Since::Changed(what) => (Some(what), None),
        }
    }
}

/// Returns what of the test is not what it was when the run began, as far as can be known.
pub(super) fn what_changed(
    problem: &impl Problem,
    (run, records, reading): (&Run, &[JournalRecord], &Criterion),
    executor: &Opened,
    (witness, audience): (Option<&Witness>, &mut Audience<'_>),
) -> Result<Since, Refusal> {
    let Some(witness) = witness else { return Ok(Since::Same) };
    let Some(files) = files(records) else {
        return Ok(Since::Changed(NotAsBefore::NotNoted));
    };
    let around = around(records);
    if let Some(unknown) = reliance::unknown(around.as_ref()) {
        return Ok(Since::Changed(unknown));
    }
    let changed = reliance::changed(&files);
    if !changed.is_empty() {
        return Ok(Since::Changed(NotAsBefore::Files(changed)));
    }
    let read = around.as_ref().map(|around| reliance::differing(&around.variables, witness.variables()).0);
    if let Some(read) = read.filter(|read| !read.is_empty()) {
        return Ok(Since::Changed(NotAsBefore::Variables(read)));
    }
    let around = around.unwrap_or_default();
    let Some(then) = oracle_of(records) else { return Ok(Since::Same) };
    let (policy, rests) = (policy(records), (&files[..], &around));
    let criterion = (reading, policy.as_ref());
    if identity(problem, executor, criterion, rests)? == then {
        return Ok(Since::Same);
    }
    // All else is as it was if it is that test where the project is what it was then.
    let Ok(project) = fs::read(run.project()) else { return Ok(Since::Changed(NotAsBefore::Surroundings)) };
    if identity_in(problem, Some(&project), criterion, rests)? != then {
        return Ok(Since::Changed(NotAsBefore::Surroundings));
    }
    let own: Vec<PathBuf> = around.own.iter().map(|own| own.path.clone()).collect();
    let changed = executor.base_tree().and_then(|base_tree| base_tree.changed_since(&project, &own));
    let Some(changed) = changed else { return Ok(Since::Changed(NotAsBefore::Surroundings)) };
    Ok(match looked::among(problem, &changed, (reading, time_limit(records)), audience)? {
        None => Since::Changed(NotAsBefore::Surroundings),
        Some(seen) if seen.is_empty() => Since::Unseen(changed),
        Some(seen) => Since::Changed(NotAsBefore::Files(seen)),
    })
}

/// Returns the files of the project that are written while the run goes on, by whomever.
pub(super) fn own(problem: &impl Problem, executor: &Opened, written: &BTreeSet<PathBuf>) -> Vec<Own> {
    let Some(top) = problem.job().top() else { return vec![] };
    let found = executor.base_tree().map(|base_tree| base_tree.own()).unwrap_or_default();
    let written = written.iter().filter_map(|path| path.strip_prefix(top).ok()).map(Path::to_owned);
    let own: BTreeSet<PathBuf> = found.into_iter().chain(written).collect();
    own.into_iter().map(|path| Own { path }).collect()
}

/// Returns what is to be said of variables that have changed, and that the test is not known to read.
pub(super) fn describe_environment(records: &[JournalRecord], witness: Option<&Witness>) -> Option<String> {
    let then = around(records)?.variables;
    let (_, others) = reliance::differing(&then, witness?.variables());
    (!others.is_empty()).then(|| other_environment(others))
}
