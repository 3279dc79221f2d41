//! The phases of a search as people see them: what one pass did in one go, at all its levels.

use crate::human::count;
use crate::story::StorySearch;
use crate::words;
use reduct_passes::{REGISTRY, Stage};
use reduct_strategies::Phase;

/// What one pass did in one go.
#[derive(Clone, Copy, Debug)]
pub struct MergedPhase {
    /// Which pass, and how often it has come round; `None` if the search does not say.
    pub phase: Option<Phase>,
    /// The number of its first test.
    pub first: u64,
    /// The number of its last test.
    pub last: u64,
}

/// Returns the phases of a search, those of one visit of a pass as one.
pub fn merged(search: &StorySearch) -> Vec<MergedPhase> {
    let mut merged: Vec<MergedPhase> = vec![];
    let visit = |phase: Option<Phase>| phase.map(|phase| (phase.kind, phase.round));
    for phase in &search.phases {
        match merged.last_mut() {
            Some(last) if visit(last.phase) == visit(phase.phase) => last.last = phase.last,
            _ => merged.push(MergedPhase { phase: phase.phase, first: phase.first, last: phase.last }),
        }
    }
    merged
}

impl MergedPhase {
    /// Returns the name of its pass.
    pub fn name(&self) -> String {
        self.phase.map_or_else(|| "search".into(), |phase| words::kind(phase.kind).to_owned())
    }

    /// Returns how often its pass has come round, if that is known.
    pub fn round(&self) -> Option<usize> {
        self.phase.map(|phase| phase.round)
    }

    /// Returns what its pass tries.
    pub fn tries(&self) -> Option<String> {
        let pass = REGISTRY.iter().find(|pass| self.phase.is_some_and(|phase| phase.kind == pass.name))?;
        use Stage::{Delete, Given, GroupParts, Stretches, Tree};
        let leaves_out = matches!(pass.stage, Delete | Tree | Stretches | GroupParts | Given);
        Some(if leaves_out { format!("leaves out {}", pass.about) } else { pass.about.to_owned() })
    }

    /// Returns its tests.
    pub fn tests(&self) -> String {
        match self.first == self.last {
            true => format!("test {}", count(self.first)),
            false => format!("tests {} to {}", count(self.first), count(self.last)),
        }
    }

    /// Returns what it is in one line; `number` is its position.
    pub fn told(&self, number: usize) -> String {
        let number = number + 1;
        let round = self.round().map_or(String::new(), |round| format!(", round {round}"));
        format!("{number}: {}{round}; {}", self.name(), self.tests())
    }
}

/// Returns the pass of a test on a page: `pass lines`, and how often it has come round if that is more than once.
pub fn pass_at(search: &StorySearch, at: usize) -> String {
    let Some(phase) = search.phases.get(at).and_then(|phase| phase.phase) else { return "search".into() };
    let is_pass = REGISTRY.iter().any(|pass| pass.name == phase.kind);
    let level = if phase.level > 1 { format!(", level {}", phase.level) } else { String::new() };
    let round = if phase.round > 1 { format!(", round {}", phase.round) } else { String::new() };
    format!("{}{}{level}{round}", if is_pass { "pass " } else { "" }, words::kind(phase.kind))
}
