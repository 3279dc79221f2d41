//! A phase: one list of parts, and the search over it.

use crate::plan::{Measure, Plan};
use reduct_core::search::Minimiser;
use reduct_core::{Config, Monotone, Search};
use reduct_input::{Candidate, Circumstances, Parts};
use reduct_passes::Proposals;
use std::sync::Arc;

/// One list of parts, and the search over it.
#[derive(Clone, Debug)]
pub(super) struct PassRun {
    /// Which of the plan's passes.
    pub(super) pass: usize,
    pub(super) proposals: Arc<Proposals>,
    pub(super) level: usize,
    pub(super) parts: Arc<Parts>,
    pub(super) search: Monotone<Minimiser>,
    /// The parts that are believed to be needed, and not tried.
    pub(super) kept: Config,
    pub(super) next: Option<Candidate>,
    /// The parts that were left out of what was refused, and of no question of their own.
    pub(super) unasked: Config,
    /// Whether that follows its language less than what it is made of, as far as that was looked at.
    pub(super) is_next_broken: bool,
    /// Whether the proposals are no longer those of the best.
    pub(super) progress: bool,
}

impl PassRun {
    /// Returns the configuration to test next.
    pub(super) fn asks(&self) -> Option<Config> {
        Some(self.with_kept(self.search.ask()?))
    }

    /// Returns the smallest configuration that is known to fail.
    pub(super) fn best(&self) -> Config {
        self.with_kept(self.search.best())
    }

    fn with_kept(&self, config: Config) -> Config {
        if self.kept.is_empty() { config } else { config.union(&self.kept) }
    }

    pub(super) fn passing(&self) -> Option<Candidate> {
        match self.search.inner() {
            Minimiser::Isolate(isolate) => self.parts.candidate(&isolate.passing()),
            _ => None,
        }
    }

    /// Notes that this was asked about: what it leaves out, if that is a single part, was asked about alone.
    pub(super) fn note_asked(&mut self, config: Option<&Config>) {
        let Some(config) = config.filter(|_| !self.unasked.is_empty()) else { return };
        let gone = self.best().minus(config);
        if gone.len() == 1 {
            self.unasked = self.unasked.minus(&gone);
        }
    }

    /// Returns how many units would go with what `config` leaves out. Makes no candidate, which costs more.
    pub(super) fn removed(&self, plan: &Plan, config: &Config) -> usize {
        let gone = self.best().minus(config);
        match plan.measure() {
            Measure::Bytes => self.parts.size(&gone),
            Measure::Events if self.parts.are_edits() => self.parts.places(&gone),
            Measure::Parts | Measure::Events => gone.len(),
        }
    }
}
