//! What a search is, and how searches are put together.

pub mod bisect;
pub mod cdd;
pub mod ddmin;
pub mod ddplus;
pub mod descent;
pub mod halves;
pub mod isolate;
mod kinds;
mod learned;
pub mod merge;
pub mod minima;
pub mod neighbours;
mod odds;
pub mod probdd;
pub mod relevance;
pub mod scripted;
pub mod stretches;
pub mod sweep;
pub mod waves;

use crate::config::Config;
use crate::outcome::Outcome;
use crate::question::Question;

/// A deterministic search, written as if tests ran one at a time: questions out, outcomes in.
///
/// A search does no I/O and reads no clock. It is a small value: cloned, told an outcome that is
/// only expected, and asked again, it says what would be asked next, which is all that speculation,
/// caching and resuming need (`Speculator`). [`crate::laws`] checks what every search promises.
pub trait Search: Clone {
    /// What is tested.
    type Question: Question;

    /// Returns what to test next; `None` once the search is over.
    fn ask(&self) -> Option<Self::Question>;

    /// Takes the outcome of what `ask` named. Must not be called once `ask` says `None`.
    fn tell(&mut self, outcome: Outcome);

    /// Returns the best that is known to fail; at first, what the search began with.
    fn best(&self) -> Self::Question;

    /// Returns how likely the answer to `ask` is `Fail`, from 0 to 1, if the search has an opinion; without one, the
    /// last outcomes are the guide. Steers speculation, never the result.
    fn odds(&self) -> Option<f32> {
        None
    }

    /// Returns a number as long as what is asked falls into shares that do not depend on each other, and another number once these
    /// are other shares.
    fn sharing(&self) -> Option<usize> {
        None
    }

    /// Returns these shares: searches each of which asks, in its order, some of what this one is going to ask, whatever comes of
    /// the questions of the others, and then ends. What comes of any question may break them off; then this search asks less.
    /// Steers speculation, never the result.
    fn shares(&self) -> Vec<Self> {
        vec![]
    }

    /// Gives up the phase the search is in and goes on with the next one, if it has phases.
    fn skip(&mut self) {}

    /// Gives up all phases of the kind of the one that the search is in, now and later; where there are no kinds of phases,
    /// this one.
    fn disable(&mut self) {
        self.skip();
    }

    /// Returns how many deltas of its list it has still to decide, if it decides one after the other.
    fn undecided(&self) -> Option<usize> {
        None
    }
}

/// Runs a search to its end, one test at a time: the meaning of every parallel run.
pub fn run<S: Search>(mut search: S, mut test: impl FnMut(&S::Question) -> Outcome) -> S {
    while let Some(question) = search.ask() {
        search.tell(test(&question));
    }
    search
}

/// A search for a small failing configuration, by name, so that published runs can be repeated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Minimiser {
    /// Groups by counters.
    Cdd(cdd::Cdd),
    /// ddmin, in either form.
    Ddmin(ddmin::Ddmin),
    /// dd+: changes that are to blame together.
    DdPlus(ddplus::DdPlus),
    /// Groups by learned relevance in a tree, from the back.
    Descent(descent::Descent),
    /// One needed delta after the other by binary search.
    Halves(halves::Halves),
    /// dd: the smallest difference rather than the smallest input.
    Isolate(isolate::Isolate),
    /// Each alone, then together.
    Merge(merge::Merge),
    /// Groups by probability, with or without weights.
    ProbDd(probdd::ProbDd),
    /// Groups by learned relevance.
    Relevance(relevance::Relevance),
    /// Stretches of a tree, by halves.
    Stretches(stretches::Stretches),
    /// One by one until nothing more goes.
    Sweep(sweep::Sweep),
    /// Groups by learned relevance, many against the same base.
    Waves(waves::Waves),
}

macro_rules! each {
    ($self:ident, $search:ident => $body:expr) => {
        match $self {
            Minimiser::Cdd($search) => $body,
            Minimiser::Ddmin($search) => $body,
            Minimiser::DdPlus($search) => $body,
            Minimiser::Descent($search) => $body,
            Minimiser::Halves($search) => $body,
            Minimiser::Isolate($search) => $body,
            Minimiser::Merge($search) => $body,
            Minimiser::ProbDd($search) => $body,
            Minimiser::Relevance($search) => $body,
            Minimiser::Stretches($search) => $body,
            Minimiser::Sweep($search) => $body,
            Minimiser::Waves($search) => $body,
        }
    };
}

impl Minimiser {
    /// Returns what it has learned of how likely deltas are needed, if it learns.
    pub fn learned(&self) -> Option<relevance::Learned> {
        match self {
            Minimiser::Descent(descent) => Some(descent.learned()),
            Minimiser::Relevance(relevance) => Some(relevance.learned()),
            Minimiser::Waves(waves) => Some(waves.learned()),
            _ => None,
        }
    }
}

impl Search for Minimiser {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        each!(self, search => search.ask())
    }

    fn tell(&mut self, outcome: Outcome) {
        each!(self, search => search.tell(outcome));
    }

    fn best(&self) -> Config {
        each!(self, search => search.best())
    }

    fn odds(&self) -> Option<f32> {
        each!(self, search => search.odds())
    }

    fn shares(&self) -> Vec<Minimiser> {
        match self {
            Minimiser::Waves(waves) => waves.shares().into_iter().map(Minimiser::Waves).collect(),
            _ => vec![],
        }
    }

    fn sharing(&self) -> Option<usize> {
        each!(self, search => search.sharing())
    }

    fn undecided(&self) -> Option<usize> {
        each!(self, search => search.undecided())
    }
}
