//! A lane: a stretch of the list that is decided from its back.

use super::super::relevance::Learned;
use crate::config::{Config, Delta};

/// What goes with at least this probability is a small group, if nothing stands before it.
const SMALL: f64 = 0.6;

/// Undecided deltas, the last `dirty` of which are known to hold a needed one.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    undecided: Config,
    dirty: usize,
    /// Whether nothing behind the dirty ones was undecided when they were judged.
    in_order: bool,
}

/// The last deltas of a lane, chosen for a question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) count: usize,
    /// How many of them stand before a needed one.
    after_needed: usize,
    /// How likely they can go.
    pub(super) odds: f32,
    /// Whether that is all there is in the lane, and less than would make a good question.
    pub(super) is_small: bool,
}

impl Chosen {
    /// Notes that they went.
    pub(super) fn has_gone(&self, learned: &mut Learned) {
        learned.gone_each(self.after_needed, self.count);
    }
}

/// A needed delta that was found.
pub(super) struct Found {
    pub(super) delta: Delta,
    pub(super) in_order: bool,
}

impl Lane {
    pub(super) fn new(undecided: Config) -> Lane {
        Lane { undecided, dirty: 0, in_order: true }
    }

    pub(super) fn len(&self) -> usize {
        self.undecided.len()
    }

    /// Returns the last `count` deltas.
    pub(super) fn last(&self, count: usize) -> Config {
        self.undecided.at(self.len() - count..self.len())
    }

    /// Returns all that is undecided, with `others`.
    pub(super) fn joined(&self, others: Config) -> Config {
        others.union(&self.undecided)
    }

    fn clean(&self) -> usize {
        self.len() - self.dirty
    }

    /// Returns the last deltas that can go with a probability of ½.
    pub(super) fn choose(&self, learned: &Learned, needed: &Config) -> Chosen {
        if self.dirty == 0 {
            let (count, after_needed, clean) = longest(&self.undecided, learned, needed, self.len(), 0.5);
            let is_small = count == self.len() && clean > SMALL;
            return Chosen { count, after_needed, odds: clean as f32, is_small };
        }
        let dirty = self.last(self.dirty);
        let (_, _, all) = longest(&dirty, learned, needed, self.dirty, 0.0);
        let (count, after_needed, clean) = longest(&dirty, learned, needed, self.dirty - 1, all + 0.5 * (1.0 - all));
        let odds = ((clean - all) / (1.0 - all)) as f32;
        Chosen { count, after_needed, odds, is_small: false }
    }

    /// Takes whether the last `count` went; nothing behind them is undecided if `in_order`.
    pub(super) fn told(&mut self, count: usize, goes: bool, in_order: bool) -> Option<Found> {
        if goes {
            self.undecided = self.undecided.at(0..self.len() - count);
            self.dirty = self.dirty.saturating_sub(count);
        } else {
            self.in_order = if self.dirty == 0 { in_order } else { self.in_order && in_order };
            self.dirty = count;
        }
        let delta = self.undecided.get(self.len().checked_sub(1)?).filter(|_| self.dirty == 1)?;
        self.undecided = self.undecided.at(0..self.len() - 1);
        self.dirty = 0;
        Some(Found { delta, in_order: self.in_order && in_order })
    }

    /// Makes what was judged out of order undecided again.
    pub(super) fn forget_unless_in_order(&mut self) {
        if !self.in_order {
            self.dirty = 0;
        }
        self.in_order = true;
    }

    /// Takes those of `deltas` that stand before the dirty ones, and returns them.
    pub(super) fn take_back(&mut self, deltas: &Config) -> Config {
        let dirty = self.undecided.get(self.clean()).map_or(u32::MAX, |first| first.0);
        let again = Config::from_ranges(deltas.within(0..dirty));
        self.undecided = self.undecided.union(&again);
        again
    }

    /// Takes `deltas`, wherever they stand.
    pub(super) fn put_back(&mut self, deltas: &Config) {
        self.undecided = self.undecided.union(deltas);
        self.dirty = 0;
    }
}

/// Moves what is left of a lane and too little for a good question to the lane behind it, or before it. None is empty then.
pub(super) fn join(lanes: &mut Vec<Lane>, learned: &Learned, needed: &Config) {
    lanes.retain(|lane| lane.len() > 0);
    let mut at = 0;
    while at < lanes.len() && lanes.len() > 1 {
        let is_small = lanes[at].choose(learned, needed).is_small;
        if is_small && at > 0 {
            let lane = lanes.remove(at);
            lanes[at - 1].undecided = lane.joined(lanes[at - 1].undecided.clone());
        } else if is_small && lanes[at + 1].dirty == 0 {
            let lane = lanes.remove(at);
            lanes[at].undecided = lane.joined(lanes[at].undecided.clone());
        } else {
            at += 1;
        }
    }
}

/// Cuts the largest lanes in two until there are `width`, as long as at least `expected` needed deltas are expected in each.
pub(super) fn cut(lanes: &mut Vec<Lane>, learned: &Learned, width: usize, expected: f64) {
    while lanes.len() < width {
        let largest = (0..lanes.len()).rev().max_by_key(|at| lanes[*at].clean());
        let Some(at) = largest.filter(|at| lanes[*at].clean() as f64 * learned.odds(false).0 >= expected) else {
            return;
        };
        let lane = &mut lanes[at];
        let middle = lane.clean() / 2;
        let front = Lane { in_order: false, ..Lane::new(lane.undecided.at(0..middle)) };
        lane.undecided = lane.undecided.at(middle..lane.len());
        lanes.insert(at + 1, front);
    }
}

/// Returns how many of the last of at most `limit` deltas can go with a probability of at least `least`, but 1 at least; how
/// many of these stand before a needed one; and the probability.
fn longest(set: &Config, learned: &Learned, needed: &Config, limit: usize, least: f64) -> (usize, usize, f64) {
    let (mut count, mut after_needed, mut clean) = (0, 0, 1.0);
    let ranges: Vec<_> = set.ranges().collect();
    for range in ranges.into_iter().rev() {
        let is_after = needed.contains(Delta(range.end));
        let odds = learned.odds(is_after);
        let len = range.len();
        let mut taken = 0;
        while taken < len.min(limit - count) {
            let next = clean * (1.0 - if taken == 0 { odds.0 } else { odds.1 });
            if next < least && count + taken > 0 {
                break;
            }
            clean = next;
            taken += 1;
        }
        after_needed += usize::from(is_after && taken > 0);
        count += taken;
        if taken < len {
            break;
        }
    }
    (count, after_needed, clean)
}
