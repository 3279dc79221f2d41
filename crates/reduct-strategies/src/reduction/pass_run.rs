//! A phase: one list of parts, and the search over it.

use super::alone::Alone;
use super::broken::Lacking;
use crate::plan::{Measure, Plan};
use reduct_core::search::Minimiser;
use reduct_core::{Config, Keyed, Monotone, Neighbours, Outcome, Search};
use reduct_input::{Candidate, Circumstances, Parts, Splice};
use reduct_passes::Proposals;
use std::ops::Range;
use std::sync::Arc;

/// By how many characters on either side places of the same text are told apart.
const AROUND: usize = 4;

/// One list of parts, and the search over it.
#[derive(Clone, Debug)]
pub(super) struct PassRun {
    /// Which of the plan's passes.
    pub(super) pass: usize,
    pub(super) proposals: Arc<Proposals>,
    pub(super) level: usize,
    pub(super) parts: Arc<Parts>,
    pub(super) search: Monotone<Minimiser>,
    /// What came of single parts so far.
    pub(super) alone: Alone,
    /// The search of neighbours that go together, while it has its turn.
    pub(super) neighbours: Option<Box<Neighbours>>,
    /// The parts that are believed to be needed, and not tried.
    pub(super) kept: Config,
    pub(super) next: Option<Candidate>,
    /// The parts that were left out of what was refused, and of no question of their own.
    pub(super) unasked: Config,
    /// Whether that follows its language less than what it is made of, as far as that was looked at.
    pub(super) is_next_broken: bool,
    /// What it then lacks, if that is a single part and it matters.
    pub(super) lacking: Option<Lacking>,
    /// What there is to look at if its test fails.
    pub(super) reading: Reading,
    /// Whether the proposals are no longer those of the best.
    pub(super) progress: bool,
}

/// Whether a candidate that fails is read before it is gone on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// It is not.
    None,
    /// It is, and it matters whether one that is broken fails.
    Noted,
    /// It is, and one that is broken is not gone on from.
    Required,
}

impl PassRun {
    /// Returns the configuration to test next.
    pub(super) fn asks(&self) -> Option<Config> {
        match &self.neighbours {
            Some(neighbours) => neighbours.ask(),
            None => Some(self.with_kept(self.search.ask()?)),
        }
    }

    /// Returns the smallest configuration that is known to fail.
    pub(super) fn best(&self) -> Config {
        match &self.neighbours {
            Some(neighbours) => neighbours.best(),
            None => self.with_kept(self.search.best()),
        }
    }

    /// Takes the outcome of what it asks.
    pub(super) fn tell(&mut self, outcome: Outcome) {
        let Some(neighbours) = &mut self.neighbours else { return self.search.tell(outcome) };
        neighbours.tell(outcome);
        if neighbours.hits() == 0 && neighbours.ask().is_none() {
            self.neighbours = None;
        }
    }

    /// Returns the parts that its search has found to be needed; `None` if it is in the midst of a group, or does not decide one after the other.
    pub(super) fn decided(&self) -> Option<Config> {
        match self.search.inner() {
            Minimiser::Relevance(relevance) => relevance.needed_between_groups(),
            Minimiser::Descent(descent) => descent.needed_between_groups(),
            _ => None,
        }
    }

    /// Returns how likely what it asks fails, if its search has an opinion.
    pub(super) fn odds(&self) -> Option<f32> {
        match &self.neighbours {
            Some(neighbours) => neighbours.odds(),
            None => self.search.odds(),
        }
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

    /// Notes that what it asks is refused.
    pub(super) fn refuse(&mut self) {
        if let Some(config) = self.asks() {
            self.unasked = self.unasked.union(&self.best().minus(&config));
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

    /// Returns how large the largest part is that `config` leaves out, if larger ones were passed over.
    pub(super) fn largest_after_larger(&self, config: Option<&Config>) -> Option<usize> {
        let Minimiser::Relevance(relevance) = self.search.inner() else { return None };
        let config = config.filter(|_| !relevance.passed().is_empty())?;
        let gone = self.best().minus(config);
        gone.iter().map(|part| self.parts.size(&Config::from_deltas([part]))).max()
    }

    /// Returns what is lacking with what `config` leaves out, but for blanks, if that is a single part.
    pub(super) fn lacking(&self, config: &Config) -> Option<Lacking> {
        let gone = self.best().minus(config);
        let part = gone.iter().next().filter(|_| gone.len() == 1 && !self.parts.are_edits())?;
        let [Splice { at: Range { start, end }, .. }] = self.parts.changes(part)[..] else { return None };
        let text = self.parts.base().bytes();
        let (before, after) = text.split_at(start as usize);
        let (gone, after) = after.split_at((end - start) as usize);
        let digest = |parts: &[&[u8]]| {
            let mut keyed = Keyed::default();
            for part in parts {
                part.iter().for_each(|byte| keyed.add(u64::from(*byte)));
                keyed.add(u64::MAX);
            }
            keyed.finish()
        };
        let filled = |byte: &&u8| !byte.is_ascii_whitespace();
        let gone: Vec<u8> = gone.iter().filter(filled).copied().collect();
        let before: Vec<u8> = before.iter().rev().filter(filled).take(AROUND).copied().collect();
        let after: Vec<u8> = after.iter().filter(filled).take(AROUND).copied().collect();
        Some(Lacking { text: digest(&[&gone]), place: digest(&[&before, &gone, &after]) })
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
