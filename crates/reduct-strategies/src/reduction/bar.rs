//! How much a test has to remove for a search of the tree to go on while other passes wait that ask for more at once.
//!
//! What removes little waits, and what may remove more has another turn, until none does. Then all are content with less: the bar
//! falls. So large parts that are no longer needed do not stand while small ones are asked about one by one.

/// What share of what is left a test has to remove, at first.
const AT_FIRST: f64 = 0.005;

/// The bar falls to this fraction each time.
const LOWER: f64 = 0.25;

/// If a test removed a smaller share than this on average, next to nothing went.
const NEXT_TO_NOTHING: f64 = 0.001;

/// If a test removed a smaller share on average, other parts of the same kind are not tried.
const IN_VAIN: f64 = 0.000_25;

/// Below this, a region of the tree that misses the bar waits for the others.
const LOW: f64 = 0.000_1;

/// Below this the search of the tree goes on to its end.
const LEAST: f64 = 0.000_001;

/// The bar, and how the search that has to clear it has got on since it was last looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    share: f64,
    /// How often it has fallen.
    falls: u32,
    tests: usize,
    /// How many of these tests failed.
    hits: usize,
    /// How many bytes there were then.
    left: usize,
    /// How many tests of all passes there were since room was made, and how many bytes were left then.
    since_room: Option<(usize, usize)>,
    /// The pass that has left room for others, which are counted with it.
    leaver: Option<usize>,
}

impl Bar {
    pub(super) fn new(left: usize) -> Bar {
        Bar { share: AT_FIRST, falls: 0, tests: 0, hits: 0, left, since_room: None, leaver: None }
    }

    /// Returns what share of what is left a test has to remove.
    pub(super) fn share(&self) -> f64 {
        self.share
    }

    /// Begins to look at a visit, unless what others remove counts for the one before.
    pub(super) fn begin(&mut self, left: usize) {
        if self.leaver.is_none() {
            (self.tests, self.hits, self.left) = (0, 0, left);
        }
    }

    /// Counts the tests of other passes for this one, which is looked at, until its own turn comes again.
    pub(super) fn count_others_for(&mut self, pass: usize) {
        self.leaver = Some(pass);
    }

    /// Returns whether this pass is one for which others were counted, and all of them together missed the bar. Then it counts for itself again.
    pub(super) fn is_missed_by_others(&mut self, pass: usize, left: usize) -> bool {
        self.leaver.take_if(|leaver| *leaver == pass).is_some() && self.is_missed(0, left)
    }

    /// Counts a test that failed, or did not.
    pub(super) fn count(&mut self, failed: bool) {
        self.tests += 1;
        self.hits += usize::from(failed);
        self.since_room = self.since_room.map(|(tests, before)| (tests + 1, before));
    }

    /// Returns whether so many tests or more removed too little, with so much left; begins anew if they removed enough.
    pub(super) fn is_missed(&mut self, tests: usize, left: usize) -> bool {
        self.is_below(self.share, tests, left)
    }

    /// Returns the same of the bar as it was at first.
    pub(super) fn is_missed_at_first(&mut self, tests: usize, left: usize) -> bool {
        self.is_below(AT_FIRST, tests, left)
    }

    /// Returns whether less than this share of the tests failed since it was last looked at.
    pub(super) fn has_seldom_failed(&self, share: f64) -> bool {
        (self.hits as f64) < self.tests as f64 * share
    }

    /// Returns the same of a bar so low that to go on in the same way is in vain.
    pub(super) fn has_seen_nothing(&mut self, tests: usize, left: usize) -> bool {
        self.is_below(IN_VAIN, tests, left)
    }

    /// Returns the same of a bar at this share.
    fn is_below(&mut self, share: f64, tests: usize, left: usize) -> bool {
        if self.tests < tests {
            return false;
        }
        let removed = self.left.saturating_sub(left) as f64;
        let is_missed = removed < self.tests as f64 * left as f64 * share;
        if !is_missed {
            self.begin(left);
        }
        is_missed
    }

    /// Returns whether all passes together removed next to nothing since room was made, with so much left; begins anew.
    pub(super) fn has_stalled(&mut self, left: usize) -> bool {
        let since = self.since_room.replace((0, left));
        since.is_some_and(|(tests, before)| {
            (before.saturating_sub(left) as f64) < tests as f64 * left as f64 * NEXT_TO_NOTHING
        })
    }

    /// Has all be content with less.
    pub(super) fn lower(&mut self) {
        self.share *= LOWER;
        self.falls += 1;
    }

    /// Returns how often it has fallen.
    pub(super) fn falls(&self) -> u32 {
        self.falls
    }

    /// Returns whether it was missed before.
    pub(super) fn has_fallen(&self) -> bool {
        self.share < AT_FIRST
    }

    /// Returns whether it is so low that a region which misses it waits for the others.
    pub(super) fn is_low(&self) -> bool {
        self.share < LOW
    }

    /// Returns whether it falls no more.
    pub(super) fn is_lowest(&self) -> bool {
        self.share < LEAST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether so many tests that remove that much in all are a stall, from a thousand bytes on.
    fn stalls(tests: usize, removed: usize) -> bool {
        let mut bar = Bar::new(1000);
        assert!(!bar.has_stalled(1000), "no room was made before");
        (0..tests).for_each(|_| bar.count(false));
        bar.has_stalled(1000 - removed)
    }

    #[test]
    fn a_stall_is_less_than_a_thousandth_a_test() {
        assert!(stalls(100, 0) && stalls(100, 90));
        assert!(!stalls(100, 92) && !stalls(10, 500));
    }

    #[test]
    fn other_parts_of_a_kind_are_tried_if_a_test_removed_a_quarter_of_a_thousandth() {
        let mut bar = Bar::new(100_000);
        (0..12).for_each(|_| bar.count(false));
        assert!(bar.has_seen_nothing(12, 100_000 - 290) && !bar.has_seen_nothing(13, 100_000));
        assert!(!bar.has_seen_nothing(12, 100_000 - 310), "25 for each of 12 tests are 300");
    }

    #[test]
    fn it_is_seen_from_one_time_to_the_next() {
        let mut bar = Bar::new(1000);
        bar.has_stalled(1000);
        (0..100).for_each(|_| bar.count(false));
        assert!(!bar.has_stalled(500));
        (0..100).for_each(|_| bar.count(false));
        assert!(bar.has_stalled(490));
    }
}
