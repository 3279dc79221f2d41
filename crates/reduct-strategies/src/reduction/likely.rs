//! How likely what is asked next fails: what the search over the parts expects, and what the last tests of the pass said.
//!
//! It only steers which tests are run ahead, never what is asked. Over all tests of bench/curve.md the outcome then is a
//! surprise of 0.61 bits, with the search's own expectation alone of 0.73, with even odds of 0.93; docs/ALGORITHMS.md, 4.5.

/// How much of what earlier tests said is left after each further one: some ten of them count.
const KEPT: f32 = 0.9;

/// What is expected of a pass before anything is known of it.
const AT_FIRST: Rate = Rate { failed: 0.3, asked: 1.0 };

/// Searches that expect more than this are too sure: of such candidates fewer than half fail.
const MOST: f32 = 0.5;

/// How much the search and the tests count, each: they are not independent, but either knows what the other does not.
const WEIGHT: f32 = 0.7;

/// How often candidates of a pass failed lately.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    failed: f32,
    asked: f32,
}

impl Default for Rate {
    fn default() -> Rate {
        AT_FIRST
    }
}

impl Rate {
    /// Takes what came of a test of this pass.
    pub(super) fn told(&mut self, failed: bool) {
        self.failed = (self.failed - AT_FIRST.failed) * KEPT + AT_FIRST.failed + f32::from(u8::from(failed));
        self.asked = (self.asked - AT_FIRST.asked) * KEPT + AT_FIRST.asked + 1.0;
    }

    /// Returns how likely the next candidate fails of which the search expects so much.
    pub(super) fn odds(self, expected: f32) -> f32 {
        let against = |p: f32| (1.0 - p) / p;
        let expected = expected.clamp(0.01, MOST);
        let seen = (self.failed / self.asked).clamp(0.01, 0.99);
        1.0 / (1.0 + (against(expected) * against(seen)).powf(WEIGHT))
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    #[test]
    fn what_failed_lately_is_likelier_to_fail_and_so_is_what_the_search_expects() {
        let after = |failed: [bool; 12]| {
            let mut rate = Rate::default();
            failed.into_iter().for_each(|failed| rate.told(failed));
            rate
        };
        let (none, some, all) = (after([false; 12]), after(std::array::from_fn(|at| at % 2 == 0)), after([true; 12]));
        for expected in [0.0, 0.03, 0.5, 1.0] {
            let odds = [none, some, all].map(|rate| rate.odds(expected));
            assert!(0.0 < odds[0] && odds[0] < odds[1] && odds[1] < odds[2] && odds[2] < 1.0, "{odds:?}");
        }
        assert!(some.odds(0.03) < some.odds(0.3) && some.odds(0.3) < some.odds(0.5));
        // Of two that say even odds, neither changes the other.
        assert!((Rate { failed: 1.0, asked: 2.0 }.odds(0.5) - 0.5).abs() < 1e-6);
    }
}
