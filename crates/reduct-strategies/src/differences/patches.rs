//! What was shown of a cause, and what a patch can say of it.

use super::causes::{Cause, Causes};
use reduct_core::{Config, Outcome};
use reduct_input::{About, patch};
use std::path::PathBuf;

/// What the patches of a cause are between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchScope {
    /// What passes at first fails with the cause and what it builds on, and a patch can say so.
    Alone,
    /// Likewise, but no patch can say what these paths differ in.
    Partly(Vec<PathBuf>),
    /// Two versions between what passes at first and what fails. No patch can say what these paths differ in.
    Between(Vec<PathBuf>),
}

impl Causes {
    /// Returns what was shown of a cause.
    pub fn patch_scope(&self, cause: &Cause) -> PatchScope {
        let (passing, failing) = self.sides_of(cause);
        if cause.alone != Outcome::Fail {
            let before = self.left_out(self.given(), &passing);
            return PatchScope::Between([before, self.left_out(&passing, &failing)].concat());
        }
        let left_out = self.left_out(&passing, &failing);
        if left_out.is_empty() { PatchScope::Alone } else { PatchScope::Partly(left_out) }
    }

    /// Returns, of a cause that cannot be told alone, what passes at first with the group of changes around it with which
    /// it fails, if a patch can say so.
    pub fn failing_with_group(&self, cause: &Cause) -> Option<Config> {
        let tried = cause.alone_with.as_ref().filter(|tried| tried.outcome == Outcome::Fail)?;
        let failing = self.given_with(&tried.deltas);
        self.left_out(self.given(), &failing).is_empty().then_some(failing)
    }

    fn left_out(&self, old: &Config, new: &Config) -> Vec<PathBuf> {
        match (self.candidate(old), self.candidate(new)) {
            (Some(old), Some(new)) => patch::left_out(&old, &new),
            _ => vec![],
        }
    }

    /// Returns, of a search that ended early, the parts of a cause that are known, and what another part is among; nothing
    /// of one that `is_done` and has found a cause.
    pub fn unfinished(&self, is_done: bool) -> Option<(&[Config], Config)> {
        if is_done && !self.found().is_empty() {
            return None;
        }
        let (passing, failing) = self.sides();
        self.open().or_else(|| self.found().is_empty().then(|| (&[][..], failing.minus(&passing))))
    }

    /// Returns the changes that these deltas are of, in their order.
    pub fn changes_of(&self, deltas: &Config) -> Vec<&About> {
        let mut numbers: Vec<usize> = deltas.iter().map(|delta| self.weave().change_of(delta)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let all: Vec<&About> = self.weave().changes().collect();
        numbers.into_iter().map(|number| all[number]).collect()
    }
}
