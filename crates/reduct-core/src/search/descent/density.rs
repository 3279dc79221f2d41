//! How densely needed parts stand where a descent is, learned anew as it goes on.
//!
//! As [`Learned`], with two differences. Of a long list few parts are hoped to be needed; each needed one that is found halves this
//! hope. Otherwise, where many are needed, each of them would be looked for in nearly all that is left. And what was seen counts
//! less with each further needed part, as a descent comes from dense regions into sparse ones and back.

use crate::search::odds::Odds;
use crate::search::relevance::Learned;

/// What a descent has seen of parts after one that went, and after one that was needed.
#[derive(Clone, Copy, Debug)]
pub struct Density {
    after_gone: Seen,
    after_needed: Seen,
    /// How many parts that go are hoped for beyond those seen.
    hope: f64,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    needed: f64,
    gone: f64,
}

/// What is left of the hope after each needed part, and the least hope.
const SOBER: f64 = 0.5;
const LEAST_HOPE: f64 = 6.0;

/// What is left of what was seen after each further needed part.
const KEPT: f64 = 0.8;

impl Density {
    /// Returns what these expect.
    pub(super) fn of(learned: Learned) -> Density {
        let Odds { first: after_needed, further: after_gone } = learned.odds(true);
        Density {
            after_gone: Seen { needed: 0.5, gone: 0.0 },
            after_needed: Seen { needed: 1.0, gone: 1.0 / after_needed - 1.0 },
            hope: 0.5 / after_gone - 0.5,
        }
    }

    /// Returns what is expected of a group after a part that was needed, or went.
    pub(super) fn odds(&self, after_needed: bool) -> Odds {
        let further = self.after_gone.needed / (self.after_gone.needed + self.after_gone.gone + self.hope);
        let near = self.after_needed.needed / (self.after_needed.needed + self.after_needed.gone);
        Odds { first: if after_needed { near } else { further }, further }
    }

    /// Notes that a group of `count` went.
    pub(super) fn gone(&mut self, after_needed: bool, count: usize) {
        let first = usize::from(after_needed);
        self.after_needed.gone += first as f64;
        self.after_gone.gone += (count - first) as f64;
    }

    /// Notes that a part is needed.
    pub(super) fn needed(&mut self, after_needed: bool) {
        self.hope = (self.hope * SOBER).max(self.hope.min(LEAST_HOPE));
        let seen = if after_needed { &mut self.after_needed } else { &mut self.after_gone };
        (seen.needed, seen.gone) = (seen.needed * KEPT + 1.0, seen.gone * KEPT);
    }
}
