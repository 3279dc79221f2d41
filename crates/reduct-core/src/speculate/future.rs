//! Positions that a search may come to, the likeliest first.

use crate::outcome::Outcome;
use std::cmp::Ordering;

/// A position that may be reached, and how likely.
pub(super) struct Future {
    pub(super) odds: f32,
    pub(super) order: usize,
    /// From where, and by which outcome; `None`: it is there.
    pub(super) node: usize,
    pub(super) told: Option<Outcome>,
}

impl Ord for Future {
    fn cmp(&self, other: &Future) -> Ordering {
        self.odds.total_cmp(&other.odds).then(other.order.cmp(&self.order))
    }
}

impl PartialOrd for Future {
    fn partial_cmp(&self, other: &Future) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Future {
    fn eq(&self, other: &Future) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Future {}
