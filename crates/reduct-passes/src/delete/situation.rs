//! Arguments, variables and files of a command, each as a whole. These passes have no names for `--by`: only what
//! a command is given has such parts.

use super::Levels;
use crate::pass::{Pass, Proposals, Stage};
use reduct_input::Subject;
use reduct_input::parts::Entries;
use reduct_input::situation::{SituationRole, is_given};
use std::ops::Range;

const fn whole(name: &'static str, unit: &'static str, propose: fn(&Subject) -> Proposals) -> Pass {
    Pass { stage: Stage::Given, ..Pass::deleting(name, unit, unit, propose) }
}

/// Arguments, each alone.
pub(crate) const ARGUMENTS: Pass = whole("arguments", "arguments", arguments);
/// Two neighbouring arguments at a time: an option and its value.
pub(crate) const NEIGHBOURS: Pass = whole("neighbours", "pairs of neighbouring arguments", neighbours);
/// Variables of the environment.
pub(crate) const VARIABLES: Pass = whole("variables", "variables", variables);
/// Folders and files, but for what is neither.
pub(crate) const FILES: Pass = whole("files", "files", files);

/// Returns the entries that are arguments or variables, which stand one after the other.
fn entries(subject: &Subject, is: fn(&SituationRole) -> bool) -> Vec<u32> {
    let entries = subject.artifact().entries().iter().enumerate();
    let found = entries.filter(|(_, entry)| is_given(entry) && is(&SituationRole::of(&entry.path)));
    found.map(|(at, _)| at as u32).collect()
}

fn one_list(parts: Vec<Range<u32>>) -> Proposals {
    if parts.is_empty() { vec![] } else { vec![Entries(parts.into()).into()] }
}

fn arguments(subject: &Subject) -> Proposals {
    let all = entries(subject, |role| matches!(role, SituationRole::Argument(_)));
    one_list(all.into_iter().map(|at| at..at + 1).collect())
}

fn variables(subject: &Subject) -> Proposals {
    let all = entries(subject, |role| matches!(role, SituationRole::Variable(_)));
    one_list(all.into_iter().map(|at| at..at + 1).collect())
}

/// Returns a level with the pairs that begin at even places, and one with those between.
fn neighbours(subject: &Subject) -> Proposals {
    let all = entries(subject, |role| matches!(role, SituationRole::Argument(_)));
    let pairs = |from: usize| -> Vec<Range<u32>> {
        all.get(from..).unwrap_or(&[]).chunks_exact(2).map(|pair| pair[0]..pair[1] + 1).collect()
    };
    [0, 1].into_iter().flat_map(|from| one_list(pairs(from))).collect()
}

fn files(subject: &Subject) -> Proposals {
    let entries = subject.artifact().entries();
    let mut levels = Levels::default();
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| !is_given(entry)) {
        let below = entries[at + 1..].iter().take_while(|inner| inner.path.starts_with(&entry.path)).count();
        let depth = entry.path.components().count();
        levels.add(depth.saturating_sub(1), at as u32..(at + 1 + below) as u32);
    }
    levels.finish(Entries)
}
