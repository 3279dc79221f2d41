//! A search and the sweep after it, as one search.

use reduct_core::search::Minimiser;
use reduct_core::{Config, Learned, Outcome, Search, Sweep};

/// Ends 1-minimal, whatever the search promises.
#[derive(Clone)]
pub(crate) struct Certified {
    search: Minimiser,
    swept: bool,
    learned: Option<Learned>,
}

impl Certified {
    pub(crate) fn new(search: Minimiser) -> Certified {
        let mut search = Certified { search, swept: false, learned: None };
        search.go_on();
        search
    }

    /// Returns what the search has learned, once it is over.
    pub(super) fn learned(&self) -> Option<Learned> {
        self.learned
    }

    fn go_on(&mut self) {
        if !self.swept && self.search.ask().is_none() {
            self.learned = self.search.learned();
            self.search = Minimiser::Sweep(Sweep::new(self.search.best()));
            self.swept = true;
        }
    }
}

impl Search for Certified {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        self.search.ask()
    }

    fn tell(&mut self, outcome: Outcome) {
        self.search.tell(outcome);
        self.go_on();
    }

    fn best(&self) -> Config {
        self.search.best()
    }

    fn odds(&self) -> Option<f32> {
        self.search.odds()
    }

    fn sharing(&self) -> Option<usize> {
        self.search.sharing()
    }

    /// No sweep follows a share.
    fn shares(&self) -> Vec<Certified> {
        let share = |search| Certified { search, swept: true, learned: None };
        self.search.shares().into_iter().map(share).collect()
    }
}
