//! What an experiment with two failures said (pure).

use reduct_report::triage::Experiment;
pub use reduct_report::triage::{How, Says};

/// What an experiment with what is left of two inputs said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrossTest {
    /// The one of which less is left.
    pub small: usize,
    /// The one of which more is left.
    pub large: usize,
    /// What was done.
    pub how: How,
    /// What was run: of several texts the one that decided.
    pub text: Vec<u8>,
    /// What it says of them.
    pub says: Says,
}

impl CrossTest {
    /// Returns whether it is about these two.
    pub fn is_of(&self, one: usize, other: usize) -> bool {
        [self.small, self.large] == [one, other] || [self.large, self.small] == [one, other]
    }

    /// Returns what there is to tell of it, of two that are called so.
    pub(super) fn of(&self, small: &str, large: &str) -> Experiment {
        let CrossTest { how, says, .. } = *self;
        let (small, large, text) = (small.into(), large.into(), self.text.clone());
        Experiment { small, large, how, says, text, of_others: false }
    }

    /// Returns how much it counts: what shows something more than what does not, and what brings together more than what
    /// keeps apart.
    pub(super) fn weight(&self) -> u8 {
        match self.says {
            Says::Nothing => 0,
            Says::Different => 1,
            Says::Same => 2,
        }
    }
}
