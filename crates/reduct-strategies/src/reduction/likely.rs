//! How likely what is asked next fails: what the search over the parts expects, how large the group is, and what earlier tests
//! of the pass said.
//!
//! It only steers which tests are run ahead, never what is asked. Over all tests of bench/curve.md the outcome then is a
//! surprise of 0.60 bits, with the search's own expectation alone of 0.73, with even odds of 0.93; docs/ALGORITHMS.md, 4.5.

use std::sync::Arc;

/// How much of what earlier tests of a visit said is left after each further one: some ten of them count.
const KEPT: f32 = 0.9;

/// What is expected of a visit before anything is known of it.
const AT_FIRST: Rate = Rate { failed: 0.3, asked: 1.0 };

/// Searches that expect more than this are too sure: of such candidates fewer than half fail.
const MOST: f32 = 0.5;

/// How much counts, in logarithms of odds, what the search expects, the last tests of the visit, and all tests of the pass: these are not
/// independent, but each knows what the others do not.
const EXPECTED: f32 = 0.6;
const LATELY: f32 = 0.55;
const ALWAYS: f32 = 0.3;

/// What these three underestimate.
const MORE: f32 = 0.35;

/// Where at least two tests in a row have failed, more do: what goes stands together.
const IN_A_ROW: u32 = 2;
const AFTER_THOSE: f32 = 0.7;

/// Groups of so many parts go less often than is expected: they are large while little is known.
const LARGE: usize = 64;
const OF_LARGE: f32 = -1.0;

/// How often candidates failed.
#[derive(Clone, Copy, Debug)]
struct Rate {
    failed: f32,
    asked: f32,
}

impl Rate {
    fn log_odds(self) -> f32 {
        log_odds(self.failed / self.asked)
    }
}

/// How often candidates of each pass failed, and those of this visit.
#[derive(Clone, Debug)]
pub(super) struct Likely {
    visit: Rate,
    /// How many have failed in a row in this visit.
    in_a_row: u32,
    /// Those of each pass, in all visits.
    passes: Arc<Vec<Rate>>,
}

impl Likely {
    /// Returns what is known of so many passes at first.
    pub(super) fn of_passes(count: usize) -> Likely {
        Likely { visit: AT_FIRST, in_a_row: 0, passes: Arc::new(vec![Rate { failed: 0.0, asked: 0.0 }; count]) }
    }

    /// Begins a visit.
    pub(super) fn begin(&mut self) {
        (self.visit, self.in_a_row) = (AT_FIRST, 0);
    }

    /// Takes what came of a test of this pass.
    pub(super) fn told(&mut self, pass: usize, failed: bool) {
        self.in_a_row = if failed { self.in_a_row + 1 } else { 0 };
        let failed = f32::from(u8::from(failed));
        let Rate { failed: before, asked } = self.visit;
        self.visit = Rate {
            failed: (before - AT_FIRST.failed) * KEPT + AT_FIRST.failed + failed,
            asked: (asked - AT_FIRST.asked) * KEPT + AT_FIRST.asked + 1.0,
        };
        if let Some(all) = Arc::make_mut(&mut self.passes).get_mut(pass) {
            *all = Rate { failed: all.failed + failed, asked: all.asked + 1.0 };
        }
    }

    /// Returns how likely the next candidate of this pass fails, without a group of so many parts, if the search expects so much.
    pub(super) fn odds(&self, pass: usize, group: usize, expected: f32) -> f32 {
        let known = self.passes.get(pass).filter(|all| all.asked > 0.0);
        let always = known.map_or(0.0, |all| {
            Rate { failed: all.failed + AT_FIRST.failed, asked: all.asked + AT_FIRST.asked }.log_odds()
        });
        let mut sum = MORE + EXPECTED * log_odds(expected.min(MOST)) + LATELY * self.visit.log_odds() + ALWAYS * always;
        if self.in_a_row >= IN_A_ROW {
            sum += AFTER_THOSE;
        }
        if group >= LARGE {
            sum += OF_LARGE;
        }
        1.0 / (1.0 + (-sum).exp())
    }
}

fn log_odds(p: f32) -> f32 {
    let p = p.clamp(0.01, 0.99);
    (p / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::{LARGE, Likely};

    fn after(failed: impl IntoIterator<Item = bool>) -> Likely {
        let mut likely = Likely::of_passes(1);
        failed.into_iter().for_each(|failed| likely.told(0, failed));
        likely
    }

    #[test]
    fn what_failed_lately_is_likelier_to_fail_and_so_is_what_the_search_expects() {
        let (none, some, all) = (after([false; 12]), after((0..12).map(|at| at % 2 == 0)), after([true; 12]));
        for expected in [0.0, 0.03, 0.5, 1.0] {
            let odds = [&none, &some, &all].map(|likely| likely.odds(0, 1, expected));
            assert!(0.0 < odds[0] && odds[0] < odds[1] && odds[1] < odds[2] && odds[2] < 1.0, "{odds:?}");
        }
        assert!(some.odds(0, 1, 0.03) < some.odds(0, 1, 0.3) && some.odds(0, 1, 0.3) < some.odds(0, 1, 0.5));
    }

    #[test]
    fn a_new_visit_remembers_the_pass_and_large_groups_go_less_often() {
        let (mut seldom, mut often) = (after([false; 12]), after([true; 12]));
        [&mut seldom, &mut often].into_iter().for_each(Likely::begin);
        assert!(seldom.odds(0, 1, 0.5) < often.odds(0, 1, 0.5));
        // Of another pass neither knows anything.
        assert_eq!(seldom.odds(1, 1, 0.5), often.odds(1, 1, 0.5));
        assert!(often.odds(0, LARGE, 0.5) < often.odds(0, LARGE - 1, 0.5));
    }
}
