//! A phase: one list of parts, and the search over it.

use super::{Candidate, Circumstances, Config, Measure, Minimiser, Monotone, Outline, Parts, Plan, Search};
use std::sync::Arc;

/// One list of parts, and the search over it.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// Which of the plan's kinds.
    pub(super) kind: usize,
    pub(super) outline: Arc<Outline>,
    pub(super) level: usize,
    pub(super) parts: Arc<Parts>,
    pub(super) search: Monotone<Minimiser>,
    pub(super) next: Option<Candidate>,
    /// Whether the outline is no longer that of the best.
    pub(super) progress: bool,
}

impl Phase {
    pub(super) fn passing(&self) -> Option<Candidate> {
        match self.search.inner() {
            Minimiser::Isolate(isolate) => self.parts.candidate(&isolate.passing()),
            _ => None,
        }
    }

    /// How many units would go with what `config` leaves out. Makes no candidate, which costs more.
    pub(super) fn removed(&self, plan: &Plan, config: &Config) -> usize {
        let gone = self.search.best().minus(config);
        match plan.measure() {
            Measure::Bytes => self.parts.size(&gone),
            Measure::Events if self.parts.are_edits() => self.parts.places(&gone),
            Measure::Parts | Measure::Events => gone.len(),
        }
    }
}
