//! Monotony: what is contained in a passed configuration is not run.

use crate::config::{Config, Delta};
use crate::outcome::Outcome;
use crate::search::Search;
use std::sync::Arc;

/// Trusts that a part of what passes passes too (Cleve and Zeller 2000, section 3), and answers such
/// questions itself. With it ddmin is linear at worst if nothing is unresolved. Where the trust is
/// misplaced the result may be larger than it need be; it always fails.
///
/// ```
/// use reduct_core::{Config, Ddmin, Delta, Form, Monotone, Outcome, Search, Split, run};
///
/// let fails = |config: &Config| Outcome::from(config.contains(Delta(2)) && config.contains(Delta(5)));
/// let ddmin = Ddmin::new(Config::full(8), Form::Complements, Split::Book);
/// assert_eq!(run(Monotone::new(ddmin, true), fails).best(), Config::from_deltas([Delta(2), Delta(5)]));
/// ```
#[derive(Clone, Debug)]
pub struct Monotone<S> {
    search: S,
    trusted: bool,
    /// What each passed configuration lacks of the best one, by first delta: without all of a gap the
    /// failure does not occur. None contains another, and all are within the best.
    gaps: Arc<Vec<Config>>,
}

impl<S: Search<Question = Config>> Monotone<S> {
    /// Returns the same search, with fewer questions if monotony is `trusted`.
    pub fn new(search: S, trusted: bool) -> Monotone<S> {
        Monotone { search, trusted, gaps: Arc::default() }
    }

    /// Returns the search inside.
    pub fn inner(&self) -> &S {
        &self.search
    }

    /// Returns the search inside, to have it ask something else next.
    pub fn inner_mut(&mut self) -> &mut S {
        &mut self.search
    }

    /// Returns whether `config` is contained in what passed: it is within the best, of which it lacks a whole gap. Only
    /// gaps that begin where something is lacking are looked at. What is beyond the best, as dd+ asks it, is not known:
    /// of that, the gaps say nothing.
    fn is_known(&self, config: &Config) -> bool {
        let best = self.search.best();
        if self.gaps.is_empty() || !config.is_subset(&best) {
            return false;
        }
        let lacking = best.minus(config);
        lacking.ranges().any(|range| {
            let at = self.gaps.partition_point(|gap| first(gap) < Some(Delta(range.start)));
            let here = self.gaps[at..].iter().take_while(|gap| first(gap) < Some(Delta(range.end)));
            here.into_iter().any(|gap| gap.is_subset(&lacking))
        })
    }

    fn passed(&mut self, config: &Config) {
        let gap = self.search.best().minus(config);
        if !gap.is_empty() {
            let gaps = Arc::make_mut(&mut self.gaps);
            gaps.retain(|known| !gap.is_subset(known));
            gaps.insert(gaps.partition_point(|known| first(known) < first(&gap)), gap);
        }
    }

    /// Leaves of the gaps what is within the best. One of which nothing is left shows that monotony
    /// does not hold there.
    fn reduced(&mut self) {
        let best = self.search.best();
        let within = |gap: &Config| gap.minus(&gap.minus(&best));
        let mut gaps: Vec<Config> = self.gaps.iter().map(within).filter(|gap| !gap.is_empty()).collect();
        gaps.sort_by_key(first);
        self.gaps = Arc::new(gaps);
    }
}

fn first(config: &Config) -> Option<Delta> {
    config.get(0)
}

impl<S: Search<Question = Config>> Search for Monotone<S> {
    type Question = Config;

    fn ask(&self) -> Option<Config> {
        self.search.ask()
    }

    fn tell(&mut self, outcome: Outcome) {
        if self.trusted
            && outcome == Outcome::Pass
            && let Some(config) = self.ask()
        {
            self.passed(&config);
        }
        self.search.tell(outcome);
        if self.trusted && outcome == Outcome::Fail {
            self.reduced();
        }
        while self.trusted && self.ask().is_some_and(|next| self.is_known(&next)) {
            self.search.tell(Outcome::Pass);
        }
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

    fn shares(&self) -> Vec<Monotone<S>> {
        self.search.shares().into_iter().map(|search| Monotone { search, ..self.clone() }).collect()
    }

    fn skip(&mut self) {
        self.search.skip();
    }

    fn disable(&mut self) {
        self.search.disable();
    }

    fn undecided(&self) -> Option<usize> {
        self.search.undecided()
    }
}
