//! Which changes of a history made it fail: each cause with all changes that it takes together, and what
//! undoing it does.
//!
//! One cause is found by narrowing from both sides: k narrowings for k changes that interfere, each
//! logarithmic as long as everything can be built. For a change that fails only together with others is held
//! fast while the others are looked for (the insertion of MUS extraction; the interference of Zeller's dd+,
//! 1999). If the whole still fails with the cause undone, there is another one, which is looked for in what
//! is left.

use super::narrow::{Field, Narrow, Side, Sides};
use crate::reduction::Phase;
use crate::weave::{Grain, Level, Weave};
use reduct_core::Outcome::{self, Fail, Pass};
use reduct_core::{Config, Search};
use reduct_input::Candidate;
use reduct_input::Circumstances;
use reduct_input::Grammars;
use std::sync::Arc;

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

    /// As long as a cause is looked for: the parts of it that are known, and what another part of it is among.
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
        Some(Phase { kind, level: 1, round: 1, parts })
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

    /// Goes on to the next question that needs an answer from outside.
    fn advance(&mut self) {
        self.next = None;
        loop {
            if let Narrowing::Narrow { narrow, parts } = &self.step {
                if narrow.ask().is_some() {
                    return;
                }
                let sides = narrow.sides().clone();
                let parts = parts.iter().cloned().chain([sides.difference()]).collect();
                self.sides = sides;
                self.step = Narrowing::Alone { parts };
            }
            let Some(config) = self.question() else { return };
            let known = self.known(&config);
            match Side::new(&self.field.weave, config) {
                None => self.learn(None, Outcome::Unresolved),
                Some(side) => match known {
                    Some(outcome) => self.learn(Some(side), outcome),
                    None => {
                        self.next = Some(side);
                        return;
                    }
                },
            }
        }
    }

    /// Returns what is to be tested in this step, unless it is a narrowing.
    fn question(&self) -> Option<Config> {
        Some(match &self.step {
            Narrowing::Narrow { .. } | Narrowing::Over => return None,
            Narrowing::Alone { parts } => self.alone(parts),
            Narrowing::Needed { parts, at, .. } => self.alone(&others(parts, *at)),
            Narrowing::AloneWith { group, .. } => self.alone(std::slice::from_ref(group)),
            Narrowing::Undo => self.field.weave.without(&self.whole.config, &self.blamed()),
            Narrowing::UndoWith { group, .. } => self.field.weave.without(&self.whole.config, group),
        })
    }

    /// Returns what is known of it without a test.
    fn known(&self, config: &Config) -> Option<Outcome> {
        let fails = match &self.step {
            Narrowing::Alone { .. } => *config == self.sides.failing.config,
            // One that another needs stays in any case.
            Narrowing::Needed { parts, .. } => *config == self.alone(parts),
            _ => false,
        };
        fails.then_some(Fail).or((*config == self.given.config).then_some(Pass))
    }

    /// Returns the smallest group around the last cause that is larger than this one, or than the cause itself.
    fn wider(&self, than: Option<(Level, &Config)>) -> Option<(Level, Config)> {
        let cause = self.blamed();
        let (level, here) = than.unwrap_or((Level::Each, &cause));
        let coarser = Level::ALL.into_iter().rev().filter(|coarser| *coarser < level);
        let around = |level: Level| {
            let groups = self.field.groups(&self.whole.config, level);
            let touched = groups.iter().filter(|group| group.minus(&cause).len() < group.len());
            touched.fold(cause.clone(), |all, group| all.union(group))
        };
        coarser.map(|level| (level, around(level))).find(|(_, group)| group.len() > here.len())
    }

    /// Takes the answer to a question that no narrowing asked; what cannot be is unresolved.
    fn learn(&mut self, tested: Option<Side>, outcome: Outcome) {
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
