//! How large a group of deltas is tried, by how likely each of them is needed.

/// The least probability with which a group after a needed delta is expected to go.
const EVEN: f64 = 0.47;

/// After so many groups in a row that went, needed deltas are expected to be rarer than was counted; and where nothing was needed yet.
const LONG: u32 = 3;
const LONG_AT_FIRST: u32 = 2;

/// By this factor with each of these groups.
const RARER: f64 = 1.5;

/// How many groups in a row went, each of which could go with a probability of ½ as far as was known.
///
/// A long streak says that a sparse region has begun.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Streak(u32);

impl Streak {
    /// Takes the outcome of a group.
    pub(super) fn tell(&mut self, went: bool) {
        self.0 = if went { self.0.saturating_add(1) } else { 0 };
    }

    /// Returns these odds as the streak lets them appear.
    pub(super) fn see(self, odds: Odds) -> Odds {
        self.see_after(LONG, odds)
    }

    /// Returns the same where nothing was needed yet.
    pub(super) fn see_at_first(self, odds: Odds) -> Odds {
        self.see_after(LONG_AT_FIRST, odds)
    }

    /// Returns how many groups in a row went.
    pub(super) fn len(self) -> u32 {
        self.0
    }

    fn see_after(self, long: u32, odds: Odds) -> Odds {
        let times = power(RARER, (self.0 + 1).saturating_sub(long) as usize);
        Odds { first: odds.first / times, further: odds.further / times }
    }
}

/// How likely the first delta of a group is needed, and each further one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    pub(super) first: f64,
    pub(super) further: f64,
}

impl Odds {
    /// Returns the longest of the last of `limit` deltas that can go with a probability of ½, one at least.
    pub(super) fn group(self, limit: usize) -> usize {
        self.longest(limit, 0.5)
    }

    /// Returns the same after a delta that is needed, where somewhat less than ½ is enough: what was counted wavers around it where every third one
    /// is needed, and two at once are better than one there.
    pub(super) fn group_after_needed(self, limit: usize) -> usize {
        self.longest(limit, EVEN)
    }

    /// Returns the part of `dirty` deltas, not all of which can go, that can go with a probability of ½.
    pub(super) fn part(self, dirty: usize) -> usize {
        // P(the first k are clean | the dirty ones are not all clean) ≈ ½, so that both answers are
        // equally likely; the probability falls with k.
        let all_clean = self.clean(dirty);
        self.longest(dirty - 1, all_clean + 0.5 * (1.0 - all_clean))
    }

    /// Returns how likely it is that `count` deltas can go, of which the last of `dirty` cannot all go, if there are such.
    pub(super) fn likely(self, count: usize, dirty: usize) -> f32 {
        let can = self.clean(count);
        let all = if dirty == 0 { 0.0 } else { self.clean(dirty) };
        ((can - all) / (1.0 - all)) as f32
    }

    /// Returns the probability that `count` deltas can all go. Multiplications only, which are the same on every machine.
    fn clean(self, count: usize) -> f64 {
        if count == 0 { 1.0 } else { (1.0 - self.first) * power(1.0 - self.further, count - 1) }
    }

    /// Returns the longest group of at most `limit` that is clean with a probability of at least `least`, but 1 at least.
    /// Logarithmic, as the probability falls with the length.
    fn longest(self, limit: usize, least: f64) -> usize {
        let (mut low, mut high) = (1, limit.max(1));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.clean(middle) >= least { low = middle } else { high = middle - 1 }
        }
        low
    }
}

fn power(base: f64, mut exponent: usize) -> f64 {
    let (mut result, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}
