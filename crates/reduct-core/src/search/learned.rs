//! What a list of deltas has taught of how many of the next ones are needed.

use super::odds::Odds;

/// How often deltas were needed and not, after one that was needed and after one that went.
///
/// Carried from list to list: what one list taught, the next one begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learned {
    after_gone: Count,
    after_needed: Count,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Count {
    needed: f64,
    gone: f64,
}

impl Count {
    fn needed(self) -> f64 {
        self.needed / (self.needed + self.gone)
    }
}

/// What is left of a count with each further needed delta: needed ones stand more densely in some regions than in others.
const KEPT: f64 = 0.95;

/// A region is taken to be unlike the others if it has so many standard deviations, and one, more or fewer needed deltas than there are expected in it.
const DEVIATIONS: f64 = 1.5;

/// For how many deltas counts what was learned elsewhere, in a region that is unlike the others.
const ELSEWHERE: f64 = 20.0;

/// Returns how many deltas are taken to have gone before anything is known of a list of `len`.
fn hope(len: usize) -> f64 {
    (len as f64 / 32.0).max(6.0)
}

impl Learned {
    /// Returns what to expect of a list of `len` deltas before anything is known of it.
    ///
    /// The counts are those of docs/ALGORITHMS.md, 4.2; a long list begins with larger groups, since a wrong
    /// start costs no more than the bisection of one group, and a timid one costs a test a doubling.
    pub fn new(len: usize) -> Learned {
        Learned { after_gone: Count { needed: 0.5, gone: hope(len) }, after_needed: Count { needed: 1.0, gone: 1.0 } }
    }

    /// Returns what to expect of a list of `len` deltas of which this share is likely to go.
    ///
    /// One count, dealt out as the share says: edits of one kind mostly go all or not at all, so that the first ones say more
    /// than what is usual.
    pub fn expecting(share: f64, len: usize) -> Learned {
        if share >= 0.5 {
            // Whether nearly all can go or most, large groups tell soonest.
            return Learned::new(len);
        }
        let count = Count { needed: 1.0 - share, gone: share };
        Learned { after_gone: count, after_needed: count }
    }

    /// Returns no experience.
    pub(super) fn nothing() -> Learned {
        let count = Count { needed: 0.0, gone: 0.0 };
        Learned { after_gone: count, after_needed: count }
    }

    /// Returns whether nothing was needed so far.
    pub(super) fn has_no_needed(&self) -> bool {
        self.after_gone.needed + self.after_needed.needed == 0.0
    }

    /// Returns what to expect of a region: the same as of all, or mostly what it has taught itself, if that is something else.
    pub(super) fn of_region(self, own: Learned) -> Learned {
        let sum = |of: Learned| Count {
            needed: of.after_gone.needed + of.after_needed.needed,
            gone: of.after_gone.gone + of.after_needed.gone,
        };
        let here = sum(own);
        let expected = (here.needed + here.gone) * sum(self).needed();
        let usual = DEVIATIONS * expected.sqrt() + 1.0;
        if (here.needed - expected).abs() <= usual {
            return self;
        }
        let add = |all: Count, own: Count| {
            let keep = (ELSEWHERE / (all.needed + all.gone)).min(1.0);
            Count { needed: all.needed * keep + own.needed, gone: all.gone * keep + own.gone }
        };
        Learned {
            after_gone: add(self.after_gone, own.after_gone),
            after_needed: add(self.after_needed, own.after_needed),
        }
    }

    /// Returns the same experience, trusted less, on top of what is expected of a list before anything is known of it.
    pub fn faded(self, fresh: Learned) -> Learned {
        let fade = |count: Count, fresh: Count| {
            let keep = (8.0 / (count.needed + count.gone)).min(1.0);
            Count { needed: count.needed * keep + fresh.needed, gone: count.gone * keep + fresh.gone }
        };
        Learned {
            after_gone: fade(self.after_gone, fresh.after_gone),
            after_needed: fade(self.after_needed, fresh.after_needed),
        }
    }
}

/// How large groups are, and how they teach. `after_needed` says whether the delta that was decided
/// before, which stands behind the group, is needed.
impl Learned {
    /// Returns [`Odds::part`] of what is expected.
    pub(super) fn part(&self, after_needed: bool, dirty: usize) -> usize {
        self.odds(after_needed).part(dirty)
    }

    /// Returns what is expected of a group.
    pub(super) fn odds(&self, after_needed: bool) -> Odds {
        let first = if after_needed { self.after_needed } else { self.after_gone };
        Odds { first: first.needed(), further: self.after_gone.needed() }
    }

    /// Notes that a group of `count` went.
    pub(super) fn gone(&mut self, after_needed: bool, count: usize) {
        if after_needed {
            self.after_needed.gone += 1.0;
            self.after_gone.gone += (count - 1) as f64;
        } else {
            self.after_gone.gone += count as f64;
        }
    }

    /// Notes that a group of `count` went, so many of them after a needed one.
    pub(super) fn gone_each(&mut self, after_needed: usize, count: usize) {
        self.after_needed.gone += after_needed as f64;
        self.after_gone.gone += (count - after_needed) as f64;
    }

    /// Expects no more of a list of `len` deltas than of a short one, once the first needed delta has shown how many there may be.
    pub(super) fn forget_hope(&mut self, len: usize) {
        let least = self.after_gone.gone.min(hope(0));
        self.after_gone.gone = (self.after_gone.gone - (hope(len) - hope(0))).max(least);
    }

    /// Notes that a delta is needed.
    pub(super) fn needed(&mut self, after_needed: bool) {
        let count = if after_needed { &mut self.after_needed } else { &mut self.after_gone };
        (count.needed, count.gone) = (count.needed * KEPT + 1.0, count.gone * KEPT);
    }
}
