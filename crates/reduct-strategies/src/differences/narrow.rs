//! Narrowing a difference in a weave from both sides, coarse groups first.
//!
//! Commits are bisected as they were; what that leaves, and all finer groups, are isolated by dd. A group is
//! taken apart only once it is known to matter. What lacks something that it needs cannot be, and is unresolved
//! without a test.

use crate::phase::Phase;
use crate::weave::{Grain, Level, Places, Weave, set};
use reduct_core::{Bisect, Config, Delta, Isolate, Order, Outcome, Search};
use reduct_input::Candidate;
use reduct_input::Circumstances;
use reduct_input::Grammars;
use std::sync::Arc;

/// A weave, and in which groups its deltas are tried.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub weave: Arc<Weave>,
    pub grain: Grain,
    /// The coarsest first.
    pub levels: Arc<[Level]>,
    places: Arc<Places>,
}

impl Field {
    /// Returns the field of a weave. `passing` and `failing` are the ends between which differences are looked for: their texts say what belongs
    /// together.
    pub fn new(
        weave: Weave,
        grain: Grain,
        levels: &[Level],
        passing: &Config,
        failing: &Config,
        grammars: Option<&dyn Grammars>,
    ) -> Field {
        let mut places = Places::default();
        if levels.contains(&Level::Function) {
            places.functions = weave.functions(failing, grammars);
        }
        if levels.contains(&Level::Feature) {
            places.features = weave.features(passing, failing);
        }
        Field { weave: Arc::new(weave), grain, levels: levels.into(), places: Arc::new(places) }
    }

    /// Returns the deltas of a configuration in groups.
    pub fn groups(&self, config: &Config, level: Level) -> Vec<Config> {
        self.weave.groups(config, level, &self.places)
    }
}

/// A version that was tested, or is to be. Made once: its digest is linear in it.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub config: Config,
    pub candidate: Candidate,
}

impl Side {
    /// Returns a side; `None` if it cannot be.
    pub fn new(weave: &Weave, config: Config) -> Option<Side> {
        let candidate = weave.candidate(&config)?;
        Some(Side { config, candidate })
    }
}

/// What passes and what fails, as far as it is narrowed.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    /// Passed when it was tested, is contained in `failing`.
    pub passing: Side,
    pub failing: Side,
}

impl Sides {
    /// Returns the deltas that are still in question.
    pub fn difference(&self) -> Config {
        self.failing.config.minus(&self.passing.config)
    }

    /// Returns how many deltas are still in question.
    pub fn left(&self) -> usize {
        self.failing.config.len() - self.passing.config.len()
    }
}

/// A narrowing, paused before one test.
#[derive(Clone, Debug)]
pub(crate) struct Narrow {
    field: Field,
    sides: Sides,
    /// How many levels were begun.
    begun: usize,
    round: Option<Round>,
    next: Option<Side>,
}

/// A search at one level.
#[derive(Clone, Debug)]
struct Round {
    level: Level,
    /// What is in all its questions.
    passing: Config,
    /// What its deltas stand for.
    groups: Arc<[Config]>,
    search: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Bisect(Bisect),
    Isolate(Isolate),
}

impl Narrow {
    /// Narrows the difference between two sides, which were both tested.
    pub fn new(field: Field, sides: Sides) -> Narrow {
        let mut narrow = Narrow { field, sides, begun: 0, round: None, next: None };
        narrow.advance();
        narrow
    }

    /// Returns how far it is narrowed.
    pub fn sides(&self) -> &Sides {
        &self.sides
    }

    pub fn phase(&self) -> Option<Phase> {
        let round = self.round.as_ref()?;
        Some(Phase::new(round.level.unit(self.field.grain), round.groups.len()))
    }

    pub fn ask(&self) -> Option<&Candidate> {
        self.next.as_ref().map(|next| &next.candidate)
    }

    /// Returns the weave, and which of its deltas are in what is asked.
    pub fn asked(&self) -> Option<(&Arc<Weave>, &Config)> {
        self.next.as_ref().map(|next| (&self.field.weave, &next.config))
    }

    pub fn tell(&mut self, outcome: Outcome) {
        let Some(tested) = self.next.take() else { return };
        self.learn(outcome, Some(tested));
        self.advance();
    }

    /// Goes on to the next level, whatever this one has still to ask.
    pub fn skip(&mut self) {
        self.next = None;
        self.round = None;
        self.advance();
    }

    fn learn(&mut self, outcome: Outcome, tested: Option<Side>) {
        let Some(round) = &mut self.round else { return };
        round.tell(outcome);
        let passing = round.deltas(&round.passing_groups());
        let failing = round.deltas(&round.failing_groups());
        move_to(&mut self.sides.passing, passing, tested.as_ref(), &self.field.weave);
        move_to(&mut self.sides.failing, failing, tested.as_ref(), &self.field.weave);
    }

    /// Finds the next question that needs an answer from outside, at this level or a finer one.
    fn advance(&mut self) {
        loop {
            let Some(config) = self.round.as_ref().and_then(Round::ask) else {
                if self.begin() { continue } else { return }
            };
            if config == self.sides.passing.config {
                self.learn(Outcome::Pass, None);
            } else if config == self.sides.failing.config {
                self.learn(Outcome::Fail, None);
            } else if let Some(side) = Side::new(&self.field.weave, config) {
                self.next = Some(side);
                return;
            } else {
                // What lacks something that it needs: that is no test.
                self.learn(Outcome::Unresolved, None);
            }
        }
    }

    /// Begins the next level that has anything to tell apart. `false` if there is none.
    fn begin(&mut self) -> bool {
        // What a bisection could not tell apart of changes, their subsets may.
        let mut again =
            self.round.take().filter(|round| matches!(round.search, Way::Bisect(_))).map(|round| round.level);
        loop {
            let is_first = again.is_none();
            let Some(level) = again.take().or_else(|| self.next_level()) else { return false };
            let groups: Arc<[Config]> = self.field.groups(&self.sides.difference(), level).into();
            if groups.len() < 2 {
                continue;
            }
            let search = if level == Level::Change && is_first {
                Way::Bisect(self.bisection(&groups))
            } else {
                Way::Isolate(Isolate::new(Config::empty(), Config::full(groups.len()), Order::Onward))
            };
            self.round = Some(Round { level, passing: self.sides.passing.config.clone(), groups, search });
            return true;
        }
    }

    fn next_level(&mut self) -> Option<Level> {
        let level = self.field.levels.get(self.begun).copied();
        self.begun += 1;
        level
    }

    /// Returns a bisection of the changes that these groups are of.
    fn bisection(&self, groups: &[Config]) -> Bisect {
        let change = |group: &Config| group.iter().next().map(|delta| self.field.weave.change_of(delta) as u32);
        let changes: Vec<u32> = groups.iter().filter_map(change).collect();
        let upto = self.field.weave.upto();
        // In terms of the groups, which are in the order of their changes.
        let of_groups = |change: &u32| {
            let below = &upto[*change as usize];
            (0..changes.len() as u32).map(Delta).filter(|at| below.contains(Delta(changes[at.0 as usize]))).collect()
        };
        let upto: Arc<[Config]> = changes.iter().map(of_groups).collect();
        Bisect::new(upto, Config::empty(), Config::full(changes.len()))
    }
}

impl Round {
    fn ask(&self) -> Option<Config> {
        let groups = match &self.search {
            Way::Bisect(bisect) => bisect.ask(),
            Way::Isolate(isolate) => isolate.ask(),
        };
        groups.map(|groups| self.deltas(&groups))
    }

    fn tell(&mut self, outcome: Outcome) {
        match &mut self.search {
            Way::Bisect(bisect) => bisect.tell(outcome),
            Way::Isolate(isolate) => isolate.tell(outcome),
        }
    }

    /// Returns the groups that pass.
    fn passing_groups(&self) -> Config {
        match &self.search {
            Way::Bisect(bisect) => bisect.passing(),
            Way::Isolate(isolate) => isolate.passing(),
        }
    }

    /// Returns the groups that fail.
    fn failing_groups(&self) -> Config {
        match &self.search {
            Way::Bisect(bisect) => bisect.best(),
            Way::Isolate(isolate) => isolate.best(),
        }
    }

    /// Returns what its search means by some of its groups.
    fn deltas(&self, groups: &Config) -> Config {
        let deltas = groups.iter().flat_map(|Delta(at)| self.groups[at as usize].ranges());
        self.passing.union(&set(deltas.collect()))
    }
}

/// Makes a side that of another configuration: what was tested last, if it is that.
fn move_to(side: &mut Side, config: Config, tested: Option<&Side>, weave: &Weave) {
    if side.config == config {
        return;
    }
    let tested = tested.filter(|tested| tested.config == config).cloned();
    // It was tested, so it can be.
    if let Some(moved) = tested.or_else(|| Side::new(weave, config)) {
        *side = moved;
    }
}
