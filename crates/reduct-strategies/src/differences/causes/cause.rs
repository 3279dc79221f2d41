//! A cause: what was found, and what was seen of it.

use crate::weave::Level;
use reduct_core::{Config, Outcome};

/// A cause: changes that make it fail, all of them together.
#[derive(Clone, Debug)]
pub struct Cause {
    /// What is to blame, in the order in which it was found: each a smallest difference.
    pub parts: Vec<Config>,
    /// Two sides that differ in nothing but its last part; this one passed, and is contained in the other.
    pub passing: Config,
    /// This one failed.
    pub failing: Config,
    /// What failed when it was looked for: all that fails, less the causes found before.
    pub whole: Config,
    /// What was said of the changes that pass, with just this cause and what it needs: `Fail` if nothing
    /// else is needed.
    pub alone: Outcome,
    /// If that could not be told: the smallest group of changes around it with which it could, and what was
    /// said then.
    pub alone_with: Option<Tried>,
    /// What was said of all that fails, without this cause and what needs it; `None` as long as it is not known.
    pub undone: Option<Outcome>,
    /// If that could not be told: the smallest group of changes around it without which it could, and what was
    /// said then.
    pub undone_with: Option<Tried>,
    /// What it builds on, besides what passes: it cannot be without.
    pub needs: Config,
    /// What had to be undone with it, as it builds on it.
    pub dependents: Config,
}

impl Cause {
    /// Returns what was undone when it was last tried.
    pub fn undoing(&self) -> Config {
        self.undone_with.as_ref().map_or_else(|| union(&self.parts), |with| with.deltas.clone())
    }
}

/// A group of changes around a cause, and what was said of it.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What kind of group it is.
    pub level: Level,
    /// The group, the cause included.
    pub deltas: Config,
    /// What was said.
    pub outcome: Outcome,
}

/// Returns all deltas of these parts.
pub(super) fn union(parts: &[Config]) -> Config {
    parts.iter().fold(Config::empty(), |all, part| all.union(part))
}

/// Returns the parts but number `at`.
pub(super) fn others(parts: &[Config], at: usize) -> Vec<Config> {
    [&parts[..at], &parts[at + 1..]].concat()
}
