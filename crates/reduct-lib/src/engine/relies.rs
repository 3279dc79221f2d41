//! What the test of a run relies on, and whether that is still what it was.

use crate::errors::Refusal;
use crate::problem::Problem;
use crate::recorded::{around, files, oracle_of, policy};
use crate::reliance::Witness;
use crate::{identity, reliance};
use reduct_core::Key;
use reduct_oracle::Criterion;
use reduct_oracle::sampling::Policy;
use reduct_report::run::{NotAsBefore, other_environment};
use reduct_session::executor::Opened;
use reduct_session::journal::JournalRecord;
use reduct_session::relied::{Around, Own, Relied};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns which test it is, where it is run. `own` are files of its project that do not count.
pub(super) fn identity(
    problem: &impl Problem,
    executor: &Opened,
    (reading, policy): (&Criterion, Option<&Policy>),
    (files, around): (&[Relied], &Around),
) -> Result<Key, Refusal> {
    let own: Vec<PathBuf> = around.own.iter().map(|own| own.path.clone()).collect();
    let base_tree = executor.base_tree().filter(|_| problem.job().top().is_some());
    let project = base_tree.map(|base_tree| base_tree.identity_but(&own));
    let about = (problem.input(), &problem.surroundings()[..], project.as_deref());
    identity::of(problem.job(), reading, policy, about, (files, &around.variables))
}

/// Returns what of the test is not what it was when the run began, as far as can be known.
pub(super) fn what_changed(
    problem: &impl Problem,
    records: &[JournalRecord],
    reading: &Criterion,
    executor: &Opened,
    witness: Option<&Witness>,
) -> Result<Option<NotAsBefore>, Refusal> {
    let Some(witness) = witness else { return Ok(None) };
    let Some(files) = files(records) else {
        return Ok(Some(NotAsBefore::NotNoted));
    };
    let around = around(records);
    if let Some(unknown) = reliance::unknown(around.as_ref()) {
        return Ok(Some(unknown));
    }
    let changed = reliance::changed(&files);
    if !changed.is_empty() {
        return Ok(Some(NotAsBefore::Files(changed)));
    }
    let read = around.as_ref().map(|around| reliance::differing(&around.variables, witness.variables()).0);
    if let Some(read) = read.filter(|read| !read.is_empty()) {
        return Ok(Some(NotAsBefore::Variables(read)));
    }
    let around = around.unwrap_or_default();
    let now = identity(problem, executor, (reading, policy(records).as_ref()), (&files, &around))?;
    let is_same = oracle_of(records).is_none_or(|then| then == now);
    Ok((!is_same).then_some(NotAsBefore::Surroundings))
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
