//! How densely needed parts stand where a descent is, learned anew as it goes on.
//!
//! As [`Learned`], with two differences. Of a long list few parts are hoped to be needed; each needed one that is found halves this
//! hope. Otherwise, where many are needed, each of them would be looked for in nearly all that is left. And what was seen counts
//! less with each further needed part, as a descent comes from dense regions into sparse ones and back.

use crate::search::relevance::{Learned, clean, longest};

/// What was seen of parts after one that went, and after one that was needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Density {
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
        let (after_needed, after_gone) = learned.odds(true);
        Density {
            after_gone: Seen { needed: 0.5, gone: 0.0 },
            after_needed: Seen { needed: 1.0, gone: 1.0 / after_needed - 1.0 },
            hope: 0.5 / after_gone - 0.5,
        }
    }

    fn odds(&self, after_needed: bool) -> (f64, f64) {
        let further = self.after_gone.needed / (self.after_gone.needed + self.after_gone.gone + self.hope);
        let near = self.after_needed.needed / (self.after_needed.needed + self.after_needed.gone);
        (if after_needed { near } else { further }, further)
    }

    /// Returns the longest of the last of `limit` parts that can go with a probability of ½, one at least.
    pub(super) fn group(&self, after_needed: bool, limit: usize) -> usize {
        let (first, further) = self.odds(after_needed);
        longest(first, further, limit, 0.5)
    }

    /// Returns the part of `dirty` parts, not all of which can go, that can go with a probability of ½.
    pub(super) fn part(&self, after_needed: bool, dirty: usize) -> usize {
        let (first, further) = self.odds(after_needed);
        let all_clean = clean(first, further, dirty);
        longest(first, further, dirty - 1, all_clean + 0.5 * (1.0 - all_clean))
    }

    /// Returns how likely it is that `count` parts can go, of which the last of `dirty` cannot all go, if there are such.
    pub(super) fn likely(&self, after_needed: bool, count: usize, dirty: usize) -> f32 {
        let (first, further) = self.odds(after_needed);
        let can = clean(first, further, count);
        let all = if dirty == 0 { 0.0 } else { clean(first, further, dirty) };
        ((can - all) / (1.0 - all)) as f32
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
