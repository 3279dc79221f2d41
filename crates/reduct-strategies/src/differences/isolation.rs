//! The smallest difference between an input that passes and one that fails: files, then lines, then words,
//! then characters.

use super::narrow::{Field, Narrow, Side, Sides};
use crate::phase::Phase;
use crate::weave::{Grain, Level, Weave, WeaveBuilder};
use reduct_core::{Config, Outcome, Search};
use reduct_input::Candidate;
use reduct_input::Circumstances;
use reduct_input::Grammars;
use reduct_input::{Artifact, TooLarge};
use std::sync::Arc;

/// An isolation, paused before one test.
#[derive(Clone, Debug)]
pub struct Isolation {
    grammars: Option<Arc<dyn Grammars>>,
    /// What is still to come, the coarsest last.
    grains: Vec<Grain>,
    grain: Grain,
    narrow: Narrow,
    skipped: u64,
}

impl Isolation {
    /// Narrows the difference between `passing`, which passes, and `failing`, which fails, in pieces of these
    /// grains, one after the other; files and functions come before lines.
    ///
    /// # Errors
    /// If both together are too large.
    ///
    /// # Panics
    /// If no grain is given.
    pub fn new(
        passing: &Artifact,
        failing: &Artifact,
        grains: &[Grain],
        grammars: Option<Arc<dyn Grammars>>,
    ) -> Result<Isolation, TooLarge> {
        assert!(!grains.is_empty(), "an isolation is in some grain");
        let mut grains: Vec<Grain> = grains.iter().rev().copied().collect();
        let grain = grains.pop().unwrap_or(Grain::Lines);
        let narrow = begin(passing, failing, grain, grammars.as_deref())?;
        let mut isolation = Isolation { grammars, grains, grain, narrow, skipped: 0 };
        isolation.refine();
        Ok(isolation)
    }

    /// Returns what differs between the two sides, in what it is counted in now.
    pub fn left(&self) -> usize {
        self.narrow.sides().left()
    }

    /// Returns what the difference is counted in.
    pub fn grain(&self) -> Grain {
        self.grain
    }

    /// Returns what passes.
    pub fn passing(&self) -> Candidate {
        self.narrow.sides().passing.candidate.clone()
    }

    /// Returns how many phases were given up.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Returns what is being done now; `None` once all is done.
    pub fn phase(&self) -> Option<Phase> {
        self.narrow.phase()
    }

    /// Returns all differences, and which of them are in what is asked.
    pub fn asked(&self) -> Option<(&Arc<Weave>, &Config)> {
        self.narrow.asked()
    }

    /// Goes on in a finer grain, if this one is done.
    fn refine(&mut self) {
        while self.narrow.ask().is_none()
            && let Some(grain) = self.grains.pop()
        {
            let passing = self.passing().artifact();
            let failing = self.best().artifact();
            // What fitted before fits again: it is less.
            let finer = begin(&passing, &failing, grain, self.grammars.as_deref());
            let Ok(finer) = finer else { return };
            self.grain = grain;
            self.narrow = finer;
        }
    }
}

/// Begins to narrow a difference in one grain.
fn begin(
    passing: &Artifact,
    failing: &Artifact,
    grain: Grain,
    grammars: Option<&dyn Grammars>,
) -> Result<Narrow, TooLarge> {
    const COARSE: &[Level] = &[Level::Feature, Level::Folder, Level::File, Level::Function, Level::Hunk, Level::Each];
    const FINE: &[Level] = &[Level::Each];
    let weave = WeaveBuilder::between(passing, failing, grain)?;
    let all = Config::full(weave.len());
    let levels = if grain == Grain::Lines { COARSE } else { FINE };
    let side = |artifact: &Artifact, config: &Config| Side {
        config: config.clone(),
        candidate: weave.candidate(config).unwrap_or_else(|| Candidate::whole(artifact.clone().into())),
    };
    let sides = Sides { passing: side(passing, &Config::empty()), failing: side(failing, &all) };
    let field = Field::new(weave, grain, levels, &Config::empty(), &all, grammars);
    Ok(Narrow::new(field, sides))
}

impl Search for Isolation {
    type Question = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.narrow.ask().cloned()
    }

    fn tell(&mut self, outcome: Outcome) {
        self.narrow.tell(outcome);
        self.refine();
    }

    fn best(&self) -> Candidate {
        self.narrow.sides().failing.candidate.clone()
    }

    fn odds(&self) -> Option<f32> {
        Some(0.5)
    }

    fn skip(&mut self) {
        self.skipped += u64::from(self.narrow.ask().is_some());
        self.narrow.skip();
        self.refine();
    }
}
