//! The patches of an answer: which of them there are, what each applies to, and what they are called.
//!
//! `cause-N.patch` is only there if what passes was tested with just this cause, and failed: it makes it fail. So does
//! `group-N.patch`, with more than the cause. `difference-N.patch` separates two versions in between, of which
//! `before-N.patch` makes the one that passes.

use reduct_core::{Config, Outcome};
use reduct_input::patch::Objects;
use reduct_input::{Candidate, Circumstances, patch};
use reduct_strategies::{Cause, Causes};
use std::path::PathBuf;

/// What the patches of a cause are between.
pub(super) enum Shown {
    /// What passes at first fails with the cause and what it builds on, and a patch can say so.
    Alone,
    /// Likewise, but no patch can say what these paths differ in.
    Partly(Vec<PathBuf>),
    /// Two versions between what passes at first and what fails. No patch can say what these paths differ in.
    Between(Vec<PathBuf>),
}

/// Returns what was shown of a cause.
pub(super) fn shown(search: &Causes, cause: &Cause) -> Shown {
    let (passing, failing) = search.sides_of(cause);
    if cause.alone != Outcome::Fail {
        let before = left_out(search, search.given(), &passing);
        return Shown::Between([before, left_out(search, &passing, &failing)].concat());
    }
    let left_out = left_out(search, &passing, &failing);
    if left_out.is_empty() { Shown::Alone } else { Shown::Partly(left_out) }
}

/// Of a cause that cannot be told alone: what passes at first with the group of changes around it with which it fails, if
/// a patch can say so.
pub(super) fn group(search: &Causes, cause: &Cause) -> Option<Config> {
    let tried = cause.alone_with.as_ref().filter(|tried| tried.outcome == Outcome::Fail)?;
    let failing = search.given_with(&tried.deltas);
    left_out(search, search.given(), &failing).is_empty().then_some(failing)
}

fn left_out(search: &Causes, old: &Config, new: &Config) -> Vec<PathBuf> {
    match (search.candidate(old), search.candidate(new)) {
        (Some(old), Some(new)) => patch::left_out(&old, &new),
        _ => vec![],
    }
}

/// Returns the patches of cause number `at`: their names and texts.
pub(super) fn of_cause(search: &Causes, at: usize, cause: &Cause) -> Vec<(String, Vec<u8>)> {
    let number = at + 1;
    let (passing, failing) = search.sides_of(cause);
    let between = between(search, &passing, &failing);
    let mut all = match shown(search, cause) {
        Shown::Alone => vec![(format!("cause-{number}.patch"), between)],
        Shown::Partly(_) => vec![(format!("difference-{number}.patch"), between)],
        Shown::Between(_) => vec![
            (format!("before-{number}.patch"), self::between(search, search.given(), &passing)),
            (format!("difference-{number}.patch"), between),
        ],
    };
    let group = group(search, cause).map(|failing| self::between(search, search.given(), &failing));
    all.extend(group.map(|patch| (format!("group-{number}.patch"), patch)));
    all.push((format!("undo-{number}.patch"), undo(search, cause)));
    all
}

/// From all that fails, so that it applies there, to what is left without this cause, what builds on it and
/// the causes before it.
pub(super) fn undo(search: &Causes, cause: &Cause) -> Vec<u8> {
    let weave = search.weave();
    between(search, &Config::full(weave.len()), &weave.without(&cause.whole, &cause.undoing()))
}

/// From one version to another.
pub(super) fn between(search: &Causes, old: &Config, new: &Config) -> Vec<u8> {
    match (search.candidate(old), search.candidate(new)) {
        (Some(old), Some(new)) => patch::unified(&old, &new, search.weave().objects()),
        _ => vec![],
    }
}

/// What a search that is still under way has as its answer.
pub(in crate::changes) const SO_FAR: &str = "so-far.patch";

/// Returns what lies between what passes and what fails, as far as it is narrowed.
pub(in crate::changes) fn so_far(passing: Option<&Candidate>, failing: &Candidate, objects: Objects) -> Vec<u8> {
    passing.map(|passing| patch::unified(passing, failing, objects)).unwrap_or_default()
}
