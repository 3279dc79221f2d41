//! Which changes of a history made it fail: each cause with all changes that it takes together, and what
//! undoing it does.
//!
//! One cause is found by narrowing from both sides: k narrowings for k changes that interfere, each
//! logarithmic as long as everything can be built. For a change that fails only together with others is held
//! fast while the others are looked for (the insertion of MUS extraction; the interference of Zeller's dd+,
//! 1999). If the whole still fails with the cause undone, there is another one, which is looked for in what
//! is left.

use super::narrow::{Field, Narrow};
use crate::candidate::Candidate;
use crate::circumstances::Circumstances;
use crate::reduction::Whereabouts;
use crate::tree::Grammars;
use crate::weave::{Grain, Level, Weave};
use reduct_core::Outcome::{self, Fail, Pass};
use reduct_core::{Config, Search};
use std::sync::Arc;

/// A cause: changes that make it fail, all of them together.
#[derive(Clone, Debug)]
pub struct Cause {
    /// What is to blame, in the order in which it was found: each a smallest difference.
    pub parts: Vec<Config>,
    /// Two sides that differ in the last part at most; this one passed, and is contained in the other.
    pub passing: Config,
    /// This one failed.
    pub failing: Config,
    /// What failed when it was looked for: all that fails, less the causes found before.
    pub whole: Config,
    /// What was said of the changes that pass, with just this cause and what it needs: `Fail` if nothing
    /// else is needed. `None` if it was not asked.
    pub alone: Option<Outcome>,
    /// If that could not be told: the smallest group of changes around it with which it could, and what was
    /// said then.
    pub alone_with: Option<Tried>,
    /// What was said of all that fails, without this cause and what needs it.
    pub undone: Option<Outcome>,
    /// If that could not be told: the smallest group of changes around it without which it could, and what was
    /// said then.
    pub undone_with: Option<Tried>,
    /// What it builds on, besides what passes: it cannot be without.
    pub needs: Config,
    /// What had to be undone with it, as it builds on it.
    pub dependents: Config,
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

/// A search for causes, paused before one test.
#[derive(Clone, Debug)]
pub struct Causes {
    field: Field,
    /// The changes that are there in what passes.
    given: Config,
    /// What fails, less the causes found so far.
    whole: Config,
    /// How many causes are looked for at most.
    most: usize,
    found: Vec<Cause>,
    step: Step,
    /// What is asked, unless a narrowing asks.
    next: Option<(Config, Candidate)>,
    skipped: u64,
}

#[derive(Clone, Debug)]
enum Step {
    /// Looks for a part of a cause of which these parts are known.
    Narrow {
        narrow: Box<Narrow>,
        parts: Vec<Config>,
    },
    /// Whether these parts fail alone, found last between these sides.
    Alone {
        parts: Vec<Config>,
        sides: (Config, Config),
    },
    /// Whether part number `at` of a cause that fails alone is needed; `dropped` if one was not.
    Needed {
        parts: Vec<Config>,
        sides: (Config, Config),
        at: usize,
        dropped: bool,
    },
    /// What the last cause does alone, with all around it of this level.
    AloneWith(Level),
    /// What undoing the last cause does.
    Undo,
    /// What undoing it does, with all around it of this level.
    UndoWith(Level),
    Over,
}

impl Causes {
    /// Looks for the causes, `most` at most, why `weave` as a whole fails, where it passes with `given` alone.
    pub fn new(weave: Weave, given: Config, levels: &[Level], most: usize, grammars: Option<&dyn Grammars>) -> Causes {
        let whole = Config::full(weave.len());
        let field = Field::new(weave, Grain::Lines, levels, (&given, &whole), grammars);
        let narrow = Narrow::new(field.clone(), given.clone(), whole.clone());
        let step = Step::Narrow { narrow: Box::new(narrow), parts: vec![] };
        let mut causes = Causes { field, given, whole, most, found: vec![], step, next: None, skipped: 0 };
        causes.advance();
        causes
    }

    /// The changes that are searched.
    pub fn weave(&self) -> &Arc<Weave> {
        &self.field.weave
    }

    /// What was found so far.
    pub fn found(&self) -> &[Cause] {
        &self.found
    }

    /// What is there in what passes.
    pub fn given(&self) -> &Config {
        &self.given
    }

    /// How many deltas are in question now.
    pub fn left(&self) -> usize {
        match &self.step {
            Step::Narrow { narrow, .. } => narrow.left(),
            Step::Alone { sides, .. } | Step::Needed { sides, .. } => sides.1.len() - sides.0.len(),
            _ => self.found.last().map_or(0, |cause| cause.parts.iter().map(Config::len).sum()),
        }
    }

    /// What passes and what fails, as far as it is narrowed now.
    pub fn sides(&self) -> (Config, Config) {
        match &self.step {
            Step::Narrow { narrow, .. } => (narrow.passing().clone(), narrow.failing().clone()),
            Step::Alone { sides, .. } | Step::Needed { sides, .. } => sides.clone(),
            _ => match self.found.last() {
                Some(cause) => (cause.passing.clone(), cause.failing.clone()),
                None => (self.given.clone(), self.whole.clone()),
            },
        }
    }

    /// A configuration as a candidate, if it can be.
    pub fn candidate(&self, config: &Config) -> Option<Candidate> {
        self.field.weave.candidate(config)
    }

    /// How many phases were given up.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What is being done now; `None` once all is done.
    pub fn whereabouts(&self) -> Option<Whereabouts> {
        let at = |kind, parts| Some(Whereabouts { kind, level: 1, round: 1, parts });
        match &self.step {
            Step::Narrow { narrow, .. } => narrow.whereabouts(),
            Step::Alone { parts, .. } => at("alone", parts.len()),
            Step::Needed { parts, .. } => at("needed", parts.len()),
            Step::AloneWith(level) => at("alone", *level as usize),
            Step::Undo => at("undone", self.found.last().map_or(0, |cause| cause.parts.len())),
            Step::UndoWith(level) => at("undone", *level as usize),
            Step::Over => None,
        }
    }

    /// What passes, with these parts and all that they need.
    fn alone(&self, parts: &[Config]) -> Config {
        let all = parts.iter().fold(self.given.clone(), |all, part| all.union(part));
        self.field.weave.with_needs(&all)
    }

    /// Goes on to the next question that needs an answer from outside.
    fn advance(&mut self) {
        loop {
            self.next = None;
            let (config, known) = match &self.step {
                Step::Over => return,
                Step::Narrow { narrow, parts } => {
                    if narrow.ask().is_some() {
                        return;
                    }
                    let sides = (narrow.passing().clone(), narrow.failing().clone());
                    let mut parts = parts.clone();
                    parts.push(sides.1.minus(&sides.0));
                    self.step = Step::Alone { parts, sides };
                    continue;
                }
                Step::Alone { parts, sides } => {
                    let alone = self.alone(parts);
                    let known = (alone == sides.1).then_some(Fail);
                    (alone, known)
                }
                Step::Needed { parts, at, .. } => {
                    let others: Vec<Config> = others(parts, *at);
                    // One that another needs stays in any case.
                    let known = (self.alone(&others) == self.alone(parts)).then_some(Fail);
                    (self.alone(&others), known)
                }
                Step::AloneWith(level) => {
                    let group = self.around(*level);
                    (self.field.weave.with_needs(&self.given.union(&group)), None)
                }
                Step::Undo => (self.undone(), None),
                Step::UndoWith(level) => (self.field.weave.without(&self.whole, &self.around(*level)), None),
            };
            let is_passing = config == self.given;
            match known.or(is_passing.then_some(Pass)) {
                Some(outcome) => self.learn(&config, outcome),
                None => match self.field.weave.candidate(&config) {
                    Some(candidate) => {
                        self.next = Some((config, candidate));
                        return;
                    }
                    None => self.learn(&config, Outcome::Unresolved),
                },
            }
        }
    }

    /// All that belongs together with the last cause at a level.
    fn around(&self, level: Level) -> Config {
        let cause = self.found.last().map_or(Config::empty(), |cause| union(&cause.parts));
        let groups = self.field.groups(&self.whole, level);
        let touched = groups.iter().filter(|group| group.minus(&cause).len() < group.len());
        touched.fold(cause.clone(), |all, group| all.union(group))
    }

    /// The next coarser level than this, at which what is around the last cause is more.
    fn coarser(&self, level: Level) -> Option<Level> {
        let here = self.around(level).len();
        let mut coarser = Level::ALL.into_iter().rev().filter(|other| *other < level);
        coarser.find(|other| self.around(*other).len() > here)
    }

    /// The whole without the last cause and all that needs it.
    fn undone(&self) -> Config {
        let cause = self.found.last().map_or(Config::empty(), |cause| union(&cause.parts));
        self.field.weave.without(&self.whole, &cause)
    }

    /// Takes the answer to a question that no narrowing asked.
    fn learn(&mut self, tested: &Config, outcome: Outcome) {
        self.step = match std::mem::replace(&mut self.step, Step::Over) {
            Step::Alone { parts, sides } => match outcome {
                // Fails alone: is each of them needed? Without the last, it passed.
                Fail => {
                    // If it brings what it builds on, the narrower sides are those that were found.
                    let others = self.alone(&parts[..parts.len() - 1]);
                    let is_just_this = parts.last().is_some_and(|last| tested.minus(&others) == *last);
                    let sides = if is_just_this { (others, tested.clone()) } else { sides };
                    self.needed(parts, sides, 0, false)
                }
                // Something else is needed too.
                Pass => {
                    let narrow = Narrow::new(self.field.clone(), tested.clone(), sides.1.clone());
                    Step::Narrow { narrow: Box::new(narrow), parts }
                }
                Outcome::Unresolved => self.conclude(parts, sides, Some(outcome)),
            },
            Step::Needed { parts, sides, at, dropped } => match outcome {
                // What passes at first and what is left are known to differ in their outcomes.
                Fail => self.needed(others(&parts, at), (self.given.clone(), tested.clone()), at, true),
                Pass if at + 1 == parts.len() => {
                    let failing = self.alone(&parts);
                    self.conclude(parts, (tested.clone(), failing), Some(Fail))
                }
                _ => self.needed(parts, sides, at + 1, dropped),
            },
            Step::AloneWith(level) => match self.coarser(level) {
                Some(coarser) if outcome == Outcome::Unresolved => Step::AloneWith(coarser),
                _ => {
                    let deltas = self.around(level);
                    if let Some(cause) = self.found.last_mut() {
                        cause.alone_with = Some(Tried { level, deltas, outcome });
                    }
                    Step::Undo
                }
            },
            Step::Undo => {
                if let Some(cause) = self.found.last_mut() {
                    cause.undone = Some(outcome);
                }
                match self.coarser(Level::Each) {
                    Some(coarser) if outcome == Outcome::Unresolved => Step::UndoWith(coarser),
                    _ => self.after_undo(tested, outcome),
                }
            }
            Step::UndoWith(level) => match self.coarser(level) {
                Some(coarser) if outcome == Outcome::Unresolved => Step::UndoWith(coarser),
                _ => {
                    let deltas = self.around(level);
                    if let Some(cause) = self.found.last_mut() {
                        cause.undone_with = Some(Tried { level, deltas, outcome });
                    }
                    self.after_undo(tested, outcome)
                }
            },
            other => other,
        };
    }

    /// Asks whether part `at` or a later one is needed. That the last one is, is known as long as none was
    /// dropped.
    fn needed(&mut self, parts: Vec<Config>, sides: (Config, Config), at: usize, dropped: bool) -> Step {
        let is_open = at + usize::from(!dropped) < parts.len() && parts.len() > 1;
        if is_open { Step::Needed { parts, sides, at, dropped } } else { self.conclude(parts, sides, Some(Fail)) }
    }

    fn conclude(&mut self, parts: Vec<Config>, (passing, failing): (Config, Config), alone: Option<Outcome>) -> Step {
        let dependents = {
            let cause = union(&parts);
            self.whole.minus(&cause).minus(&self.field.weave.without(&self.whole, &cause))
        };
        let (alone_with, undone, undone_with) = (None, None, None);
        let whole = self.whole.clone();
        let needs = self.alone(&parts).minus(&self.given).minus(&union(&parts));
        self.found.push(Cause {
            parts,
            passing,
            failing,
            whole,
            alone,
            alone_with,
            undone,
            undone_with,
            needs,
            dependents,
        });
        match self.coarser(Level::Each) {
            Some(coarser) if alone == Some(Outcome::Unresolved) => Step::AloneWith(coarser),
            _ => Step::Undo,
        }
    }

    fn after_undo(&mut self, undone: &Config, outcome: Outcome) -> Step {
        if outcome != Fail || self.found.len() == self.most {
            return Step::Over;
        }
        // It still fails: for another reason.
        self.whole = undone.clone();
        let narrow = Narrow::new(self.field.clone(), self.given.clone(), undone.clone());
        Step::Narrow { narrow: Box::new(narrow), parts: vec![] }
    }
}

fn union(parts: &[Config]) -> Config {
    parts.iter().fold(Config::empty(), |all, part| all.union(part))
}

fn others(parts: &[Config], at: usize) -> Vec<Config> {
    [&parts[..at], &parts[at + 1..]].concat()
}

impl Search for Causes {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        match &self.step {
            Step::Narrow { narrow, .. } => narrow.ask().map(|(_, candidate)| candidate.clone()),
            _ => self.next.as_ref().map(|(_, candidate)| candidate.clone()),
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match &mut self.step {
            Step::Narrow { narrow, .. } => narrow.tell(outcome),
            _ => {
                let Some((tested, _)) = self.next.take() else { return };
                self.learn(&tested, outcome);
            }
        }
        self.advance();
    }

    fn best(&self) -> Candidate {
        let (_, failing) = self.sides();
        let made = self.field.weave.candidate(&failing);
        made.unwrap_or_else(|| Candidate::nothing(self.field.weave.base().clone()))
    }

    fn odds(&self) -> Option<f32> {
        Some(0.5)
    }

    fn skip(&mut self) {
        self.skipped += u64::from(!matches!(self.step, Step::Over));
        match &mut self.step {
            Step::Narrow { narrow, .. } => narrow.skip(),
            _ => {
                let Some((tested, _)) = self.next.take() else { return };
                self.learn(&tested, Outcome::Unresolved);
            }
        }
        self.advance();
    }
}
