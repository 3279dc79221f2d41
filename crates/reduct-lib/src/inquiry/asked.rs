//! The searches of an inquiry.

use reduct_core::{Outcome, Search};
use reduct_input::Candidate;
use reduct_session::InputSearch;
use reduct_session::event::Why;
use reduct_strategies::{Claim, Phase, Unproved};

/// A search whose candidates are counted in a unit.
#[derive(Clone)]
#[non_exhaustive]
pub struct Counted<S> {
    search: S,
    unit: &'static str,
    size: fn(&Candidate) -> usize,
}

impl<S> Counted<S> {
    /// Counts what this search asks about.
    pub fn new(search: S, unit: &'static str, size: fn(&Candidate) -> usize) -> Counted<S> {
        Counted { search, unit, size }
    }

    pub(super) fn inner(self) -> S {
        self.search
    }
}

impl<S: Search<Question = Candidate>> Search for Counted<S> {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.search.ask()
    }

    fn tell(&mut self, outcome: Outcome) {
        self.search.tell(outcome);
    }

    fn best(&self) -> Candidate {
        self.search.best()
    }

    fn odds(&self) -> Option<f32> {
        self.search.odds()
    }

    fn sharing(&self) -> Option<usize> {
        self.search.sharing()
    }

    fn shares(&self) -> Vec<Counted<S>> {
        self.search.shares().into_iter().map(|search| Counted { search, ..*self }).collect()
    }
}

impl<S: Search<Question = Candidate> + Send + Sync + 'static> InputSearch for Counted<S> {
    fn unit(&self) -> &'static str {
        self.unit
    }

    fn size(&self, candidate: &Candidate) -> usize {
        (self.size)(candidate)
    }

    fn left(&self) -> usize {
        (self.size)(&self.search.best())
    }

    fn phase(&self) -> Option<Phase> {
        None
    }

    fn passing(&self) -> Option<Candidate> {
        None
    }

    fn claim(&self, _: &Why, _: &Candidate) -> Claim {
        Claim::Fails(Unproved::Unfinished)
    }
}

/// What a search of an inquiry came to.
#[non_exhaustive]
pub struct Searched<S> {
    /// The search.
    pub search: S,
    /// Why it ended.
    pub why: Why,
    /// Whether it was its own number of tests that ended it, and none of the run.
    pub is_out_of_tests: bool,
    /// What failed last.
    pub best: Candidate,
    /// How many questions it asked.
    pub asked: u64,
    /// To how many of them there was no answer.
    pub unresolved: u64,
}
