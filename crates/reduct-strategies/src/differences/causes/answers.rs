//! What a search for causes concludes from an answer: the next step, or a cause.

use super::cause::{Cause, Tried, others, union};
use super::{Causes, Narrowing};
use crate::differences::narrow::{Side, Sides};
use crate::weave::Level;
use reduct_core::Config;
use reduct_core::Outcome::{self, Fail, Pass};

impl Causes {
    /// Takes the answer to a question that no narrowing asked; what cannot be is unresolved.
    pub(super) fn learn(&mut self, tested: Option<Side>, outcome: Outcome) {
        self.step = match std::mem::replace(&mut self.step, Narrowing::Over) {
            Narrowing::Alone { parts } => self.after_alone(parts, tested, outcome),
            Narrowing::Needed { parts, at, dropped } => self.after_needed(parts, at, dropped, tested, outcome),
            Narrowing::AloneWith { level, group } => self.after_alone_with(level, group, outcome),
            Narrowing::Undo => {
                self.note(|cause| cause.undone = Some(outcome));
                match self.wider(None) {
                    Some((level, group)) if outcome == Outcome::Unresolved => Narrowing::UndoWith { level, group },
                    _ => self.after_undo(tested, outcome),
                }
            }
            Narrowing::UndoWith { level, group } => match self.wider(Some((level, &group))) {
                Some((level, group)) if outcome == Outcome::Unresolved => Narrowing::UndoWith { level, group },
                _ => {
                    self.note(|cause| cause.undone_with = Some(Tried { level, deltas: group, outcome }));
                    self.after_undo(tested, outcome)
                }
            },
            step @ (Narrowing::Narrow { .. } | Narrowing::Over) => step,
        };
    }

    /// Goes on once it was asked whether these parts fail alone.
    fn after_alone(&mut self, parts: Vec<Config>, tested: Option<Side>, outcome: Outcome) -> Narrowing {
        match (outcome, tested) {
            // Fails alone: is each of them needed? Without the last, it passed.
            (Fail, Some(tested)) => {
                // If it brings what it builds on, the narrower sides are those that were found.
                let others = self.alone(&parts[..parts.len() - 1]);
                if parts.last().is_some_and(|last| tested.config.minus(&others) == *last)
                    && let Some(others) = Side::new(&self.field.weave, others)
                {
                    self.sides = Sides { passing: others, failing: tested };
                }
                self.needed(parts, 0, false)
            }
            // Something else is needed too.
            (Pass, Some(tested)) => self.narrow(tested, self.sides.failing.clone(), parts),
            _ => self.conclude(parts, outcome),
        }
    }

    /// Goes on once it was asked whether the others fail without part `at`.
    fn after_needed(
        &mut self,
        parts: Vec<Config>,
        at: usize,
        dropped: bool,
        tested: Option<Side>,
        outcome: Outcome,
    ) -> Narrowing {
        match (outcome, tested) {
            // What passes at first and what is left differ in their outcomes, which were both seen.
            (Fail, Some(tested)) => {
                self.sides = Sides { passing: self.given.clone(), failing: tested };
                self.needed(others(&parts, at), at, true)
            }
            (Pass, Some(tested)) if at + 1 == parts.len() => {
                self.sides.passing = tested;
                self.conclude(parts, Fail)
            }
            _ => self.needed(parts, at + 1, dropped),
        }
    }

    /// Goes on once it was asked what a group of changes around the last cause does alone.
    fn after_alone_with(&mut self, level: Level, group: Config, outcome: Outcome) -> Narrowing {
        match self.wider(Some((level, &group))) {
            Some((level, group)) if outcome == Outcome::Unresolved => Narrowing::AloneWith { level, group },
            _ => {
                self.note(|cause| cause.alone_with = Some(Tried { level, deltas: group, outcome }));
                Narrowing::Undo
            }
        }
    }

    /// Writes something down of the last cause.
    fn note(&mut self, what: impl FnOnce(&mut Cause)) {
        if let Some(cause) = self.found.last_mut() {
            what(cause);
        }
    }

    /// Asks whether part `at` or a later one is needed. That the last one is, is known as long as none was
    /// dropped.
    fn needed(&mut self, parts: Vec<Config>, at: usize, dropped: bool) -> Narrowing {
        let is_open = at + usize::from(!dropped) < parts.len() && parts.len() > 1;
        if is_open { Narrowing::Needed { parts, at, dropped } } else { self.conclude(parts, Fail) }
    }

    /// Writes down a cause, and asks what it does by itself if that is not known.
    fn conclude(&mut self, parts: Vec<Config>, alone: Outcome) -> Narrowing {
        let cause = union(&parts);
        let whole = self.whole.config.clone();
        let (passing, failing) = self.sides();
        self.found.push(Cause {
            passing,
            failing,
            needs: self.alone(&parts).minus(&self.given.config).minus(&cause),
            dependents: whole.minus(&cause).minus(&self.field.weave.without(&whole, &cause)),
            parts,
            whole,
            alone,
            alone_with: None,
            undone: None,
            undone_with: None,
        });
        match self.wider(None) {
            Some((level, group)) if alone == Outcome::Unresolved => Narrowing::AloneWith { level, group },
            _ => Narrowing::Undo,
        }
    }

    /// Looks for another cause if what is left without the last one still fails.
    fn after_undo(&mut self, undone: Option<Side>, outcome: Outcome) -> Narrowing {
        match undone {
            // It still fails: for another reason.
            Some(undone) if outcome == Fail && self.found.len() < self.most => {
                self.whole = undone;
                self.narrow(self.given.clone(), self.whole.clone(), vec![])
            }
            _ => Narrowing::Over,
        }
    }
}
