//! The patches of an answer: which of them there are, what each applies to, and what they are called.
//!
//! `cause-N.patch` is only there if what passes was tested with just this cause, and failed: it makes it fail. So does
//! `group-N.patch`, with more than the cause. `difference-N.patch` separates two versions in between, of which
//! `before-N.patch` makes the one that passes.

use reduct_core::Config;
use reduct_input::patch::Objects;
use reduct_input::{Candidate, Circumstances, patch};
use reduct_strategies::{Cause, Causes, PatchScope};

/// Returns the patches of cause number `at`: their names and texts.
pub(super) fn of_cause(search: &Causes, at: usize, cause: &Cause) -> Vec<(String, Vec<u8>)> {
    let number = at + 1;
    let (passing, failing) = search.sides_of(cause);
    let between = between(search, &passing, &failing);
    let mut all = match search.patch_scope(cause) {
        PatchScope::Alone => vec![(format!("cause-{number}.patch"), between)],
        PatchScope::Partly(_) => vec![(format!("difference-{number}.patch"), between)],
        PatchScope::Between(_) => vec![
            (format!("before-{number}.patch"), self::between(search, search.given(), &passing)),
            (format!("difference-{number}.patch"), between),
        ],
    };
    let group = search.failing_with_group(cause).map(|failing| self::between(search, search.given(), &failing));
    all.extend(group.map(|patch| (format!("group-{number}.patch"), patch)));
    all.push((format!("undo-{number}.patch"), undo(search, cause)));
    all
}

/// Returns the patch from all that fails, so that it applies there, to what is left without this cause, what builds on it and
/// the causes before it.
pub(super) fn undo(search: &Causes, cause: &Cause) -> Vec<u8> {
    let weave = search.weave();
    between(search, &Config::full(weave.len()), &weave.without(&cause.whole, &cause.undoing()))
}

/// Returns the patch from one version to another.
pub(super) fn between(search: &Causes, old: &Config, new: &Config) -> Vec<u8> {
    match (search.candidate(old), search.candidate(new)) {
        (Some(old), Some(new)) => patch::unified(&old, &new, search.weave().objects()),
        _ => vec![],
    }
}

/// Returns what lies between what passes and what fails, as far as it is narrowed.
pub(in crate::changes) fn so_far(passing: Option<&Candidate>, failing: &Candidate, objects: Objects) -> Vec<u8> {
    passing.map(|passing| patch::unified(passing, failing, objects)).unwrap_or_default()
}
