//! The search for causes: which changes of a history made it fail, each cause with all its changes, and what undoing
//! the cause does.
//!
//! A cause is found by narrowing from both sides. k changes that fail only together take k narrowings, each of a
//! logarithmic number of questions as long as everything can be built. Parts of a cause that were found are kept
//! while the next one is searched (the insertion of MUS extraction; the interference of Zeller's dd+, 1999). If the
//! whole still fails with the cause undone, there is another cause, which is searched in what is left.

mod answers;
mod cause;
mod questions;

use super::narrow::{Field, Narrow, Side, Sides};
use crate::phase::Phase;
use crate::weave::{Grain, Level, Weave};
use cause::union;
pub use cause::{Cause, Tried};
use reduct_core::Outcome::{self, Fail};
use reduct_core::{Config, Search};
use reduct_input::Candidate;
use reduct_input::Circumstances;
use reduct_input::Grammars;
use std::sync::Arc;

/// A search for causes, paused before one test.
#[derive(Clone, Debug)]
pub struct Causes {
    field: Field,
    /// The changes that are there in what passes.
    given: Side,
    /// What fails, less the causes found so far.
    whole: Side,
    /// How many causes are looked for at most.
    most: usize,
    found: Vec<Cause>,
    step: Narrowing,
    /// What passes and what fails, as far as it was narrowed before this step.
    sides: Sides,
    /// What is asked, unless a narrowing asks.
    next: Option<Side>,
    skipped: u64,
}

/// What is being asked.
#[derive(Clone, Debug)]
enum Narrowing {
    /// Looks for a part of a cause of which these parts are known.
    Narrow {
        narrow: Box<Narrow>,
        parts: Vec<Config>,
    },
    /// Whether these parts fail alone.
    Alone {
        parts: Vec<Config>,
    },
    /// Whether part number `at` of a cause that fails alone is needed; `dropped` if one was not.
    Needed {
        parts: Vec<Config>,
        at: usize,
        dropped: bool,
    },
    /// What the last cause does alone, with a group of changes around it.
    AloneWith {
        level: Level,
        group: Config,
    },
    /// What undoing the last cause does.
    Undo,
    /// What undoing it does, with a group of changes around it.
    UndoWith {
        level: Level,
        group: Config,
    },
    Over,
}

impl Causes {
    /// Looks for the causes, `most` at most, why `weave` as a whole fails, where it passes with `given` alone.
    ///
    /// # Panics
    /// If one of the two cannot be: neither was tested then.
    pub fn new(weave: Weave, given: Config, levels: &[Level], most: usize, grammars: Option<&dyn Grammars>) -> Causes {
        let whole = Config::full(weave.len());
        let field = Field::new(weave, Grain::Lines, levels, &given, &whole, grammars);
        let tested = |config| Side::new(&field.weave, config).expect("what was tested can be");
        let given = tested(given);
        let whole = tested(whole);
        let sides = Sides { passing: given.clone(), failing: whole.clone() };
        let found = vec![];
        let mut causes =
            Causes { field, given, whole, most, found, step: Narrowing::Over, sides, next: None, skipped: 0 };
        causes.step = causes.narrow(causes.given.clone(), causes.whole.clone(), vec![]);
        causes.advance();
        causes
    }

    /// Returns the changes that are searched.
    pub fn weave(&self) -> &Arc<Weave> {
        &self.field.weave
    }

    /// Returns what was found so far.
    pub fn found(&self) -> &[Cause] {
        &self.found
    }

    /// Returns what passes and what fails because of a cause. If it fails alone, that is what passes at first, without
    /// and with the cause and what it needs; else two versions in between, which differ in its last part.
    pub fn sides_of(&self, cause: &Cause) -> (Config, Config) {
        match cause.alone {
            Fail => (self.given.config.clone(), self.given.config.union(&cause.needs).union(&union(&cause.parts))),
            _ => (cause.passing.clone(), cause.failing.clone()),
        }
    }

    /// Returns what passes at first, with a group of changes and what they need.
    pub fn given_with(&self, group: &Config) -> Config {
        self.alone(std::slice::from_ref(group))
    }

    /// Returns what passes at first.
    pub fn given(&self) -> &Config {
        &self.given.config
    }

    /// Returns, as long as a cause is looked for, the parts of it that are known, and what another part of it is among.
    pub fn open(&self) -> Option<(&[Config], Config)> {
        match &self.step {
            Narrowing::Narrow { narrow, parts } => Some((parts, narrow.sides().difference())),
            Narrowing::Alone { parts } | Narrowing::Needed { parts, .. } => Some((parts, Config::empty())),
            _ => None,
        }
    }

    /// Returns how many deltas are in question now; once all is done, how many all causes take together.
    pub fn left(&self) -> usize {
        match &self.step {
            Narrowing::Narrow { narrow, .. } => narrow.sides().left(),
            Narrowing::Alone { .. } | Narrowing::Needed { .. } => self.sides.left(),
            Narrowing::AloneWith { .. } | Narrowing::Undo | Narrowing::UndoWith { .. } => self.blamed().len(),
            Narrowing::Over => {
                self.found.iter().fold(Config::empty(), |all, cause| all.union(&union(&cause.parts))).len()
            }
        }
    }

    /// Returns how far it is narrowed now.
    fn now(&self) -> &Sides {
        match &self.step {
            Narrowing::Narrow { narrow, .. } => narrow.sides(),
            _ => &self.sides,
        }
    }

    /// Returns what passes and what fails, as far as it is narrowed now.
    pub fn sides(&self) -> (Config, Config) {
        let sides = self.now();
        (sides.passing.config.clone(), sides.failing.config.clone())
    }

    /// Returns what passes, as far as it is narrowed now.
    pub fn passing(&self) -> Candidate {
        self.now().passing.candidate.clone()
    }

    /// Returns a configuration as a candidate, if it can be.
    pub fn candidate(&self, config: &Config) -> Option<Candidate> {
        self.field.weave.candidate(config)
    }

    /// Returns all changes, and which of them are in what is asked.
    pub fn asked(&self) -> Option<(&Arc<Weave>, &Config)> {
        match &self.step {
            Narrowing::Narrow { narrow, .. } => narrow.asked(),
            _ => self.next.as_ref().map(|next| (&self.field.weave, &next.config)),
        }
    }

    /// Returns how many phases were given up.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Returns what is being done now; `None` once all is done.
    pub fn phase(&self) -> Option<Phase> {
        let (kind, parts) = match &self.step {
            Narrowing::Narrow { narrow, .. } => return narrow.phase(),
            Narrowing::Alone { parts } => ("alone", parts.len()),
            Narrowing::Needed { parts, .. } => ("needed", parts.len()),
            Narrowing::AloneWith { group, .. } => ("alone", group.len()),
            Narrowing::Undo => ("undone", self.blamed().len()),
            Narrowing::UndoWith { group, .. } => ("undone", group.len()),
            Narrowing::Over => return None,
        };
        Some(Phase::new(kind, parts))
    }

    /// Returns the step that looks for another part between two sides.
    fn narrow(&self, passing: Side, failing: Side, parts: Vec<Config>) -> Narrowing {
        Narrowing::Narrow { narrow: Box::new(Narrow::new(self.field.clone(), Sides { passing, failing })), parts }
    }

    /// Returns what passes, with these parts and all that they need.
    fn alone(&self, parts: &[Config]) -> Config {
        self.field.weave.with_needs(&self.given.config.union(&union(parts)))
    }

    /// Returns the deltas of the last cause.
    fn blamed(&self) -> Config {
        self.found.last().map_or(Config::empty(), |cause| union(&cause.parts))
    }
}

impl Search for Causes {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        match &self.step {
            Narrowing::Narrow { narrow, .. } => narrow.ask().cloned(),
            _ => self.next.as_ref().map(|next| next.candidate.clone()),
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match &mut self.step {
            Narrowing::Narrow { narrow, .. } => narrow.tell(outcome),
            _ => {
                let tested = self.next.take();
                self.learn(tested, outcome);
            }
        }
        self.advance();
    }

    fn best(&self) -> Candidate {
        self.now().failing.candidate.clone()
    }

    fn odds(&self) -> Option<f32> {
        Some(0.5)
    }

    fn skip(&mut self) {
        self.skipped += u64::from(!matches!(self.step, Narrowing::Over));
        match &mut self.step {
            Narrowing::Narrow { narrow, .. } => narrow.skip(),
            _ => self.learn(None, Outcome::Unresolved),
        }
        self.advance();
    }
}
