//! Which search goes over a list of parts, and what it knows at its beginning.

use super::{Reduction, kinds};
use crate::plan::Measure;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Delta, Descent, Learned, Nesting, Stretches, Sweep, Waves};
use reduct_input::{Circumstances, Parts};
use reduct_passes::{Needs, Stage};
use std::sync::Arc;

/// From this share of edits on that are likely to be made, all of them are tried at once first.
const SURE: f64 = 0.75;

/// What share of its edits is expected to be made at most when a pass has another turn: those that are left were in vain before, but for what has
/// changed around them. And what share of parts goes then, about as many as not.
const AGAIN: f64 = 0.3;
const PARTS_AGAIN: f64 = 0.49;

/// After so many needed parts in a row of what is no text the next ones are tried in groups only, and left to the proof: most of a list whose
/// bytes hang together cannot go one by one, and coarser passes may help.
const PATIENCE: usize = 32;

/// The same of edits there, of which there are fewer: where parts hang together, as by a sum over all bytes, nearly all are in vain.
const PATIENCE_OF_EDITS: usize = 16;

/// Stretches are left out as long as a test is expected to remove so many bytes.
const WORTH: usize = 64;

/// And as long as it is expected to remove so many times what a test has to remove for a search of the tree to go on.
const STRETCHES: f64 = 2.0;

/// The same in another turn, which is seldom in vain for long: what stays of it is asked about by the tree once more.
const STRETCHES_AGAIN: f64 = 3.0;

/// The same in another turn before the tree: three tests in vain end it.
const STRETCHES_BEFORE_TREE: f64 = 0.75;

/// There they are at most this fraction of what is left. As far as anything is known, one goes with this chance, so a quarter of it as likely as not.
const BEFORE_TREE: usize = 8;
const SELDOM: f64 = 0.0625;

/// From so many parts on, the only list that there is is searched in lanes, as far as they go well: with several jobs, that is faster.
const LONG: usize = 256;

/// Returns where parts begin; at last, where all end.
fn places(parts: &Parts) -> Arc<[u32]> {
    let starts = (0..parts.len() as u32).map(|part| parts.addresses(Delta(part)).start);
    starts.chain([parts.base().bytes().len() as u32]).collect()
}

impl Reduction {
    /// Returns the search over the parts of a pass.
    pub(super) fn search(&self, pass: usize, parts: &Parts, kept: &Config) -> Minimiser {
        let split = self.plan.cut.split(|| parts.joints());
        let likely = self.plan.pass(pass).success_prior;
        // Each group is of another kind.
        let known = self.learned[self.teacher(pass, parts)].filter(|_| !self.is_of_group(pass));
        // A search that goes on where it was left knows what it knew.
        let is_early = parts.nesting().is_some() || self.comes_before_tree(pass);
        let goes_on = is_early && self.schedule.is_called_again(pass);
        let of_another = |known: Learned| if goes_on { known } else { known.faded(self.expected(pass, parts)) };
        let learned = known.map_or_else(|| Learned::expecting(likely, parts.len()), of_another);
        let list = Config::full(parts.len()).minus(kept);
        let least = self.parts_of_min_removal(parts);
        // What was never tried is searched. A proof tries each part alone.
        let again = if self.plan.descends() { self.proves } else { self.schedule.is_again(pass, self.best.len()) };
        if let Some(nesting) = parts.nesting() {
            if self.plan.pass(pass).stage == Stage::Stretches {
                return Minimiser::Stretches(self.stretches(nesting, parts, goes_on));
            }
            let search = Descent::new(nesting.clone(), learned);
            let (left, was_slow) = (self.best.len(), self.bar.has_fallen());
            let search = if goes_on { self.turns.descent(search, left, was_slow) } else { search };
            // At last, as the search goes into what is needed at once, unless that is to wait.
            return Minimiser::Descent(search.keeping(kept.clone()));
        }
        match self.plan.method.search(list.clone(), split, again, learned, || parts.sizes()) {
            Minimiser::Relevance(_) if self.is_for_lanes(pass, parts, least) => {
                Minimiser::Waves(Waves::new(list, learned))
            }
            Minimiser::Relevance(relevance) => {
                let relevance = relevance.at_least(least);
                let relevance = match self.patience(pass, parts) {
                    Some(patience) => relevance.with_patience(patience),
                    None => relevance,
                };
                let first = if goes_on { self.turns.first_to_ask(pass, parts, &list) } else { None };
                let relevance = match first {
                    Some(count) => relevance.of_the_first(count),
                    None => relevance,
                };
                // Each group is of another kind, whatever its first lines say.
                let is_of_kinds = self.plan.descends() && self.plan.pass(pass).stage != Stage::Group;
                let kinds = if is_of_kinds { kinds::of(parts, &list) } else { None };
                let relevance = match kinds {
                    Some(kinds) => relevance.with_kinds(kinds),
                    None => relevance,
                };
                let can_be_sure = parts.are_edits() || self.plan.pass(pass).follows_others;
                let is_sure = can_be_sure && !list.is_empty() && (likely >= SURE || self.schedule.is_early(pass));
                Minimiser::Relevance(if is_sure { relevance.all_first() } else { relevance })
            }
            // ddmin takes it that nothing at all passes, which is not so of one list of several.
            Minimiser::Ddmin(_) if list.len() == 1 && (self.plan.repeats() || self.best.entry_count() > 1) => {
                Minimiser::Sweep(Sweep::new(list))
            }
            other => other,
        }
    }

    /// Returns the search of stretches, in its first turn or in another one.
    fn stretches(&self, nesting: &Arc<Nesting>, parts: &Parts, goes_on: bool) -> Stretches {
        let is_before_tree = goes_on && !self.bar.has_fallen();
        let share = match (goes_on, is_before_tree) {
            (false, _) => STRETCHES,
            (true, true) => STRETCHES_BEFORE_TREE,
            (true, false) => STRETCHES_AGAIN,
        };
        let search = Stretches::new(nesting.clone(), places(parts), share * self.bar.share(), WORTH);
        let left = parts.base().bytes().len();
        match goes_on {
            true if is_before_tree => search.expecting(SELDOM).of_at_most(left / BEFORE_TREE),
            true => self.turns.stretches(search, left),
            false => search,
        }
    }

    /// Returns whether a list is long, the only one, and of parts that are all to be tried.
    fn is_for_lanes(&self, pass: usize, parts: &Parts, least: usize) -> bool {
        self.plan.counts_parts()
            && !parts.are_edits()
            && parts.len() >= LONG
            && least <= 1
            && self.patience(pass, parts).is_none()
    }

    /// Returns after how many needed parts of what is no text the next ones are tried in groups only.
    fn patience(&self, pass: usize, parts: &Parts) -> Option<usize> {
        let is_binary = self.believes() && !self.subject.binaries().is_empty();
        // Other edits are of texts that stand beside; the last passes have no others to wait for.
        let is_of_any =
            self.plan.pass(pass).needs == Needs::Nothing && pass + self.plan.lasts() < self.plan.passes.len();
        match parts.are_edits() {
            false => is_binary.then_some(PATIENCE),
            true => (is_binary && is_of_any).then_some(PATIENCE_OF_EDITS),
        }
    }

    /// Returns what is expected of a list, beside what others have taught.
    fn expected(&self, pass: usize, parts: &Parts) -> Learned {
        let likely = self.plan.pass(pass).success_prior;
        let was_visited = self.schedule.visits(pass) > 1 && parts.nesting().is_none();
        match (self.learns_from_its_pass_only(pass, parts), was_visited) {
            (true, true) => Learned::expecting(likely.min(AGAIN), parts.len()),
            (true, false) => Learned::expecting(likely, parts.len()),
            (false, true) => Learned::expecting(PARTS_AGAIN, parts.len()),
            (false, false) => Learned::new(parts.len()),
        }
    }

    /// Returns from what a list learns how much of it is likely to go: edits, and sets of parts that a pass makes, from those of their pass, other parts
    /// from whatever parts were tried last.
    pub(super) fn teacher(&self, pass: usize, parts: &Parts) -> usize {
        if self.learns_from_its_pass_only(pass, parts) { pass } else { self.learned.len() - 1 }
    }

    /// Returns whether what other passes have found says nothing of a list.
    fn learns_from_its_pass_only(&self, pass: usize, parts: &Parts) -> bool {
        parts.are_edits() || self.plan.pass(pass).stage == Stage::Rewrite
    }

    /// Returns how many parts, about, it takes to remove the plan's least.
    fn parts_of_min_removal(&self, parts: &Parts) -> usize {
        if self.plan.measure() != Measure::Bytes || self.plan.min_removal <= 1 {
            return self.plan.min_removal;
        }
        let size = parts.size(&Config::full(parts.len())).max(1);
        (self.plan.min_removal.min(size) * parts.len()).div_ceil(size)
    }
}
