//! Narrowing a difference in a weave from both sides, coarse groups first.
//!
//! Commits are bisected as they were; what that leaves, and all finer groups, are isolated by dd. A group is
//! taken apart only once it is known to matter. What lacks something that it needs cannot be, and is unresolved
//! without a test.

use crate::candidate::Candidate;
use crate::circumstances::Circumstances;
use crate::reduction::Whereabouts;
use crate::tree::Grammars;
use crate::weave::{Grain, Level, Places, Weave, set};
use reduct_core::{Bisect, Config, Delta, Isolate, Order, Outcome, Search};
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
    /// `passing` and `failing` are the ends between which differences are looked for: their texts say what belongs
    /// together.
    pub fn new(
        weave: Weave,
        grain: Grain,
        levels: &[Level],
        (passing, failing): (&Config, &Config),
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

    /// The deltas of a configuration in groups.
    pub fn groups(&self, config: &Config, level: Level) -> Vec<Config> {
        self.weave.groups(config, level, &self.places)
    }
}

/// A narrowing, paused before one test.
#[derive(Clone, Debug)]
pub(crate) struct Narrow {
    field: Field,
    /// Passed when it was tested, is contained in `failing`.
    passing: Config,
    failing: Config,
    /// How many levels were begun.
    begun: usize,
    round: Option<Round>,
    next: Option<(Config, Candidate)>,
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
    /// Narrows the difference between `passing` and `failing`, which contains it; both are closed, and were
    /// tested.
    pub fn new(field: Field, passing: Config, failing: Config) -> Narrow {
        let mut narrow = Narrow { field, passing, failing, begun: 0, round: None, next: None };
        narrow.advance();
        narrow
    }

    pub fn passing(&self) -> &Config {
        &self.passing
    }

    pub fn failing(&self) -> &Config {
        &self.failing
    }

    /// How many deltas are still in question.
    pub fn left(&self) -> usize {
        self.failing.len() - self.passing.len()
    }

    /// What passes and what fails, as they were tested.
    pub fn sides(&self) -> (Candidate, Candidate) {
        let make = |config: &Config| {
            let made = self.field.weave.candidate(config);
            made.unwrap_or_else(|| Candidate::nothing(self.field.weave.base().clone()))
        };
        (make(&self.passing), make(&self.failing))
    }

    pub fn whereabouts(&self) -> Option<Whereabouts> {
        self.round.as_ref().map(|round| Whereabouts {
            kind: round.level.unit(self.field.grain),
            level: 1,
            round: 1,
            parts: round.groups.len(),
        })
    }

    pub fn ask(&self) -> Option<&(Config, Candidate)> {
        self.next.as_ref()
    }

    pub fn tell(&mut self, outcome: Outcome) {
        self.next = None;
        self.learn(outcome);
        self.advance();
    }

    /// Goes on to the next level, whatever this one has still to ask.
    pub fn skip(&mut self) {
        (self.next, self.round) = (None, None);
        self.advance();
    }

    fn learn(&mut self, outcome: Outcome) {
        let Some(round) = &mut self.round else { return };
        match &mut round.search {
            Way::Bisect(bisect) => bisect.tell(outcome),
            Way::Isolate(isolate) => isolate.tell(outcome),
        }
        if outcome != Outcome::Unresolved {
            let (passing, failing) = round.sides();
            self.passing = self.among(&passing);
            self.failing = self.among(&failing);
        }
    }

    /// What a search means by some of its groups.
    fn among(&self, groups: &Config) -> Config {
        let Some(round) = &self.round else { return Config::empty() };
        let deltas = groups.iter().flat_map(|Delta(at)| round.groups[at as usize].ranges());
        round.passing.union(&set(deltas.collect()))
    }

    /// Finds the next question that needs an answer from outside, at this level or a finer one.
    fn advance(&mut self) {
        loop {
            let Some(asked) = self.round.as_ref().and_then(Round::ask) else {
                if self.begin() { continue } else { return }
            };
            let config = self.among(&asked);
            // What lacks something that it needs cannot be: that is no test.
            if self.field.weave.closed(&config) != config {
                self.learn(Outcome::Unresolved);
            } else if config == self.passing {
                self.learn(Outcome::Pass);
            } else if config == self.failing {
                self.learn(Outcome::Fail);
            } else if let Some(candidate) = self.field.weave.candidate(&config) {
                self.next = Some((config, candidate));
                return;
            } else {
                self.learn(Outcome::Unresolved);
            }
        }
    }

    /// Begins the next level that has anything to tell apart. `false` if there is none.
    fn begin(&mut self) -> bool {
        // What a bisection could not tell apart of changes, their subsets may.
        let again = self.round.take().filter(|round| matches!(round.search, Way::Bisect(_)));
        while let Some(level) = again.as_ref().map(|round| round.level).or(self.field.levels.get(self.begun).copied()) {
            self.begun += usize::from(again.is_none());
            let difference = self.failing.minus(&self.passing);
            let groups: Arc<[Config]> = self.field.groups(&difference, level).into();
            let is_first = again.is_none();
            if groups.len() > 1 {
                let passing = self.passing.clone();
                let search = match level {
                    Level::Change if is_first => Way::Bisect(self.bisection(&groups)),
                    _ => {
                        let all = Config::full(groups.len());
                        Way::Isolate(Isolate::new(Config::empty(), all, Order::Onward))
                    }
                };
                self.round = Some(Round { level, passing, groups, search });
                return true;
            }
            if !is_first {
                return self.begin();
            }
        }
        false
    }

    /// A bisection of the changes that these groups are of.
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
        match &self.search {
            Way::Bisect(bisect) => bisect.ask(),
            Way::Isolate(isolate) => isolate.ask(),
        }
    }

    /// What passes and what fails.
    fn sides(&self) -> (Config, Config) {
        match &self.search {
            Way::Bisect(bisect) => (bisect.passing(), bisect.best()),
            Way::Isolate(isolate) => (isolate.passing(), isolate.best()),
        }
    }
}
