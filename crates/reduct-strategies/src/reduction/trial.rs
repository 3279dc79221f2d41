//! What is known of a trial that is under way, and of those that could follow.

use reduct_input::Candidate;
use reduct_input::Edit;
use std::sync::Arc;

/// How likely an edit that grows the input keeps it failing: about as likely as not where it was built with
/// understanding, and hardly otherwise.
pub(super) const ODDS: f32 = 0.2;

/// Trials, and the one that is under way.
#[derive(Clone, Debug)]
pub(super) struct Trial<Before> {
    /// What could be tried, on the base it was found for.
    pub(super) edits: Option<Arc<[Edit]>>,
    /// Which one is next.
    pub(super) at: usize,
    /// How many in a row came to nothing.
    pub(super) fruitless: usize,
    /// What is asked of the next one.
    pub(super) asks: Option<Candidate>,
    /// What it was before the trial that is under way, and how many tests that may still take.
    pub(super) held: Option<(Arc<Before>, usize)>,
}

impl<Before> Default for Trial<Before> {
    fn default() -> Trial<Before> {
        Trial { edits: None, at: 0, fruitless: 0, asks: None, held: None }
    }
}

impl<Before> Trial<Before> {
    pub(super) fn asks(&self) -> Option<Candidate> {
        self.asks.clone()
    }

    /// Forgets what could be tried, which was found for another base.
    pub(super) fn forget_edits(&mut self) {
        (self.edits, self.at) = (None, 0);
    }

    pub(super) fn is_asking(&self) -> bool {
        self.asks.is_some()
    }

    /// Returns the search as it was before the trial that is under way.
    pub(super) fn before(&self) -> Option<&Before> {
        self.held.as_ref().map(|(before, _)| &**before)
    }
}
