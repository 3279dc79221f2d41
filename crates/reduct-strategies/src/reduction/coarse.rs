//! When small parts of a tree wait until larger ones were asked about.
//!
//! Of a program that has to work, something goes in nearly every needed part, a few bytes a test, while whole statements that are not
//! executed stand before it. Where many of its tests fail, though, others would hardly tell more, however little each removes.

use super::Reduction;
use reduct_core::search::Minimiser;

/// Of fewer bytes all is soon asked about one by one.
const WORTH_IT: usize = 1 << 10;

/// A needed part waits if so many times as many parts stand before it as there are in it.
const TIMES: u32 = 8;

/// If at least this share of the tests failed, the search goes on as it is.
const OFTEN: f64 = 0.25;

impl Reduction {
    /// Has small parts wait in a search of the tree of a program if so many tests removed too little, and seldom anything.
    pub(super) fn let_small_parts_wait(&mut self, trial: usize) {
        let left = self.best.len();
        let is_slow = left >= WORTH_IT && self.bar.is_missed_at_first(trial, left) && self.bar.has_seldom_failed(OFTEN);
        if !is_slow || !self.is_program() {
            return;
        }
        if let Some(Minimiser::Descent(descent)) = self.phase.as_mut().map(|phase| phase.search.inner_mut()) {
            descent.become_coarse(TIMES);
        }
    }
}
