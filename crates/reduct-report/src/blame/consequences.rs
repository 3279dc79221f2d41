//! What comes of a cause alone, and of all without it.

use super::{Blamed, lines_of, listed};
use crate::human;
use reduct_core::Outcome;
use reduct_strategies::{Cause, PatchScope, Tried};

impl Blamed<'_> {
    /// Returns what the versions do with and without cause number `at`, line by line.
    pub(super) fn consequences(&self, at: usize, cause: &Cause) -> Vec<String> {
        let mut lines = vec![];
        self.alone(&mut lines, at, cause);
        self.undone(&mut lines, at, cause);
        let [passing, _] = self.names;
        if let PatchScope::Between(left_out) = self.search.patch_scope(cause) {
            let number = at + 1;
            let but = match &left_out[..] {
                [] => String::new(),
                paths => format!(", but for what no patch can tell of {}", listed(paths)),
            };
            let last = if cause.parts.len() > 1 { " (the last of these)" } else { "" };
            lines.push(format!(
                "It was seen between two other versions: before-{number}.patch makes of {passing} one that works, \
                 difference-{number}.patch{last} of that one that fails{but}."
            ));
        }
        lines
    }

    /// Says what the version that fails does without a cause.
    fn undone(&self, lines: &mut Vec<String>, at: usize, cause: &Cause) {
        let [_, failing] = self.names;
        let without_it = if at == 0 { "without it" } else { "without it and the causes before it" };
        let how = if cause.dependents.is_empty() {
            String::new()
        } else {
            let changes = human::counted(self.search.changes_of(&cause.dependents).len() as u64, "changes");
            let lines = lines_of(&cause.dependents);
            format!(" (by itself it conflicts: {lines} of {changes} build on it, and were undone too)")
        };
        lines.extend(match cause.undone {
            Some(Outcome::Pass) => Some(format!("{failing} {without_it} works again{how}.")),
            Some(Outcome::Fail) => Some(format!("{failing} {without_it} still fails, for another reason{how}.")),
            Some(Outcome::Unresolved) => Some(format!("{failing} {without_it} cannot be built or told{how}.")),
            None => None,
        });
        if let Some(Tried { level, deltas, outcome }) = &cause.undone_with {
            let without = format!("{failing} without all changes of that {} ({})", level.name(), lines_of(deltas));
            lines.extend(match outcome {
                Outcome::Pass => Some(format!("{without} works again.")),
                Outcome::Fail => Some(format!("{without} still fails, for another reason.")),
                Outcome::Unresolved => None,
            });
        }
    }

    /// Says what the version that passes does with a cause, and nothing else.
    fn alone(&self, lines: &mut Vec<String>, at: usize, cause: &Cause) {
        let passing = &self.names[0];
        let it = if cause.parts.len() > 1 { "just these" } else { "just this" };
        let it = match cause.needs.len() {
            0 => it.to_owned(),
            _ => format!("{it} and the {} it builds on", lines_of(&cause.needs)),
        };
        lines.push(match cause.alone {
            Outcome::Fail => format!("{passing} with {it} fails."),
            Outcome::Pass => format!("{passing} with {it} still works."),
            Outcome::Unresolved => {
                format!("{passing} with {it} cannot be told: perhaps it needs other changes to be built or run.")
            }
        });
        if let PatchScope::Partly(paths) = self.search.patch_scope(cause) {
            let paths = listed(&paths);
            let number = at + 1;
            lines.push(format!(
                "difference-{number}.patch is not all of it: no patch can tell in what these differ: {paths}. The trees do."
            ));
        }
        if let Some(Tried { level, deltas, outcome }) = &cause.alone_with {
            let with = format!("{passing} with all changes of that {} ({})", level.name(), lines_of(deltas));
            lines.extend(match outcome {
                Outcome::Fail if self.search.failing_with_group(cause).is_some() => {
                    Some(format!("{with} fails: group-{}.patch.", at + 1))
                }
                Outcome::Fail => Some(format!("{with} fails.")),
                Outcome::Pass => Some(format!("{with} still works.")),
                Outcome::Unresolved => None,
            });
        }
    }
}
