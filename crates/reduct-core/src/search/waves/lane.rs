//! A lane: a stretch of the list that is decided from its back.

use super::super::odds::{Odds, Streak};
use super::super::relevance::Learned;
use crate::config::{Config, Delta};
use crate::outcome::Outcome;

/// What goes with at least this probability is a small group, if nothing stands before it.
const SMALL: f64 = 0.6;

/// How many needed deltas are expected at least in a lane that is cut in two, and how long it is; and how many in all lanes.
const EXPECTED: f64 = 1.0;
const SHORTEST: usize = 32;
const EXPECTED_IN_ALL: f64 = 4.0;

/// Where nothing was needed yet, and so many groups in a row went, a lane is not cut: there may be little in it.
const SPARSE: u32 = 2;

/// Undecided deltas, the last `dirty` of which are known to hold a needed one; and what its questions of this round depend on,
/// which are its own outcomes and what was known when the round began.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    undecided: Config,
    dirty: usize,
    /// Whether nothing behind the dirty ones was undecided when they were judged.
    in_order: bool,
    /// What went in this round, which the other lanes do not know.
    gone: Config,
    /// What is known to be needed.
    needed: Config,
    /// What is expected of the lane, and what it has taught itself.
    learned: Learned,
    own: Learned,
    streak: Streak,
}

/// A group of a lane, and its outcome once it is known.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Its number.
    pub(super) lane: usize,
    pub(super) deltas: Config,
    pub(super) chosen: Chosen,
    pub(super) outcome: Option<Outcome>,
}

/// The last deltas of a lane, chosen for a question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    count: usize,
    /// How many of them stand before a needed one.
    after_needed: usize,
    /// Whether they are a part of a group that could not go.
    pub(super) is_part: bool,
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
    /// Whether it stands before a needed one.
    pub(super) after_needed: bool,
}

impl Lane {
    pub(super) fn new(undecided: Config, learned: Learned) -> Lane {
        let (gone, needed) = (Config::empty(), Config::empty());
        let (own, streak) = (Learned::nothing(), Streak::default());
        Lane { undecided, dirty: 0, in_order: true, gone, needed, learned, own, streak }
    }

    /// Begins a round with what is known.
    pub(super) fn begin(&mut self, learned: Learned, needed: &Config) {
        let learned = learned.of_region(self.own);
        (self.gone, self.needed, self.learned) = (Config::empty(), needed.clone(), learned);
    }

    /// Returns what went in this round.
    pub(super) fn gone(&self) -> &Config {
        &self.gone
    }

    /// Forgets what went in this round.
    pub(super) fn take_gone(&mut self) -> Config {
        std::mem::replace(&mut self.gone, Config::empty())
    }

    /// Returns the group to ask about, if something is undecided. `at` is the number of the lane.
    pub(super) fn group(&self, at: usize) -> Option<Group> {
        let chosen = (self.len() > 0).then(|| self.choose())?;
        Some(Group { lane: at, deltas: self.last(chosen.count), chosen, outcome: None })
    }

    pub(super) fn len(&self) -> usize {
        self.undecided.len()
    }

    /// Returns the last `count` deltas.
    fn last(&self, count: usize) -> Config {
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
    fn choose(&self) -> Chosen {
        let (learned, needed) = (&self.learned, &self.needed);
        if self.dirty == 0 {
            let odds = |is_after| self.seen(learned.odds(is_after));
            let (count, after_needed, clean) = longest(&self.undecided, odds, needed, self.len(), 0.5);
            let is_small = count == self.len() && clean > SMALL;
            return Chosen { count, after_needed, is_part: false, odds: clean as f32, is_small };
        }
        let (dirty, odds) = (self.last(self.dirty), |is_after| learned.odds(is_after));
        let (_, _, all) = longest(&dirty, odds, needed, self.dirty, 0.0);
        let (count, after_needed, clean) = longest(&dirty, odds, needed, self.dirty - 1, all + 0.5 * (1.0 - all));
        let odds = ((clean - all) / (1.0 - all)) as f32;
        Chosen { count, after_needed, is_part: true, odds, is_small: false }
    }

    /// Returns what is expected of a group, as the last groups let it appear.
    fn seen(&self, odds: Odds) -> Odds {
        if self.own.has_no_needed() { self.streak.see_at_first(odds) } else { self.streak.see(odds) }
    }

    /// Takes the outcome of its group; nothing behind it is undecided if `in_order`.
    pub(super) fn told(&mut self, group: &Group, in_order: bool) -> Option<Found> {
        let count = group.chosen.count;
        if self.dirty == 0 {
            self.streak.tell(group.outcome == Some(Outcome::Fail));
        }
        if group.outcome == Some(Outcome::Fail) {
            self.gone = self.gone.union(&group.deltas);
            group.chosen.has_gone(&mut self.learned);
            group.chosen.has_gone(&mut self.own);
            self.undecided = self.undecided.at(0..self.len() - count);
            self.dirty = self.dirty.saturating_sub(count);
        } else {
            self.in_order = if self.dirty == 0 { in_order } else { self.in_order && in_order };
            self.dirty = count;
        }
        let delta = self.undecided.get(self.len().checked_sub(1)?).filter(|_| self.dirty == 1)?;
        self.undecided = self.undecided.at(0..self.len() - 1);
        self.dirty = 0;
        let after_needed = self.needed.contains(Delta(delta.0 + 1));
        self.learned.needed(after_needed);
        self.own.needed(after_needed);
        self.needed = self.needed.union(&Config::from_deltas([delta]));
        Some(Found { delta, in_order: self.in_order && in_order, after_needed })
    }

    /// Returns how many needed deltas are expected in it.
    fn expected(&self) -> f64 {
        self.clean() as f64 * self.learned.odds(false).first
    }

    /// Returns whether it is long enough to be cut in two, and enough is expected in it.
    fn can_be_cut(&self) -> bool {
        let is_sparse = self.own.has_no_needed() && self.streak.len() >= SPARSE;
        self.clean() >= SHORTEST && !is_sparse && self.expected() >= EXPECTED
    }

    /// Cuts it in two, and returns the half in front.
    fn cut(&mut self) -> Lane {
        let middle = self.clean() / 2;
        let undecided = self.undecided.at(0..middle);
        let mut front = Lane { undecided, dirty: 0, in_order: false, ..self.clone() };
        self.undecided = self.undecided.at(middle..self.len());
        if !self.own.has_no_needed() {
            // What was needed is all behind it.
            (front.own, front.streak) = (Learned::nothing(), Streak::default());
        }
        front
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
pub(super) fn join(lanes: &mut Vec<Lane>) {
    lanes.retain(|lane| lane.len() > 0);
    let mut at = 0;
    while at < lanes.len() && lanes.len() > 1 {
        let is_small = lanes[at].choose().is_small;
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

/// Cuts the largest lanes in two until there are `width`, as long as that pays.
pub(super) fn cut(lanes: &mut Vec<Lane>, width: usize) {
    if lanes.iter().map(Lane::expected).sum::<f64>() < EXPECTED_IN_ALL {
        return;
    }
    while lanes.len() < width {
        let largest = (0..lanes.len()).rev().max_by_key(|at| lanes[*at].clean());
        let Some(at) = largest.filter(|at| lanes[*at].can_be_cut()) else { return };
        let front = lanes[at].cut();
        lanes.insert(at + 1, front);
    }
}

/// Returns how many of the last of at most `limit` deltas can go with a probability of at least `least`, but 1 at least; how
/// many of these stand before a needed one; and the probability.
fn longest(
    set: &Config,
    odds: impl Fn(bool) -> Odds,
    needed: &Config,
    limit: usize,
    least: f64,
) -> (usize, usize, f64) {
    let (mut count, mut after_needed, mut clean) = (0, 0, 1.0);
    let ranges: Vec<_> = set.ranges().collect();
    for range in ranges.into_iter().rev() {
        let is_after = needed.contains(Delta(range.end));
        let odds = odds(is_after);
        let len = range.len();
        let mut taken = 0;
        while taken < len.min(limit - count) {
            let next = clean * (1.0 - if taken == 0 { odds.first } else { odds.further });
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
