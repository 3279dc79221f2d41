//! Deltas of one kind: where one went, the others are asked about at once.
//!
//! Parts that say the same in like places are mostly of like use, and stand between parts of other kinds, so that groups of neighbours
//! hold needed ones: each would go alone. How many are asked about at once halves whenever they do not go, or one of the kind is needed, and doubles
//! whenever some go; so a kind costs log₂ n questions in vain at most, if none goes, and one more for each that goes.

use crate::config::{Config, Delta};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What went with more neighbours at once says little of each.
const FEW: usize = 16;

/// Which deltas are of one kind, and what came of asking about those.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    /// The kind of each delta.
    of: Arc<[u32]>,
    /// The deltas of each kind, in ascending order.
    members: Arc<BTreeMap<u32, Vec<u32>>>,
    /// How many of a kind are asked about at once, if that is known to be too many or too few.
    most: Arc<BTreeMap<u32, usize>>,
    /// What is asked about, and of which kinds that is.
    asks: Option<(Config, Vec<u32>)>,
}

impl Kinds {
    /// Returns what is known at first, if each delta is of this kind.
    pub(super) fn new(of: Arc<[u32]>) -> Kinds {
        let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (delta, kind) in of.iter().enumerate() {
            members.entry(*kind).or_default().push(delta as u32);
        }
        members.retain(|_, all| all.len() > 2);
        Kinds { of, members: Arc::new(members), most: Arc::default(), asks: None }
    }

    /// Returns what is to be left out next, with all that is known to go.
    pub(super) fn asks(&self) -> Option<&Config> {
        self.asks.as_ref().map(|(others, _)| others)
    }

    fn kind(&self, delta: Delta) -> Option<u32> {
        self.of.get(delta.0 as usize).copied().filter(|kind| self.members.contains_key(kind))
    }

    /// Notes that these went, and chooses those of the same kinds among the first `undecided` that are left, if there are two and `least` of them. Neighbours of the same kind will be asked about anyway.
    pub(super) fn went(&mut self, gone: &Config, left: &Config, undecided: usize, least: usize) {
        let Some(last) = undecided.checked_sub(1).and_then(|last| left.get(last)).filter(|_| gone.len() <= FEW) else {
            return;
        };
        let mut kinds: Vec<u32> = gone.iter().filter_map(|delta| self.kind(delta)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if self.kind(last).is_some_and(|kind| kinds.contains(&kind)) {
            return;
        }
        let mut others = vec![];
        for kind in &kinds {
            let all = &self.members[kind];
            let before = &all[..all.partition_point(|delta| *delta <= last.0)];
            let most = self.most.get(kind).copied().unwrap_or(usize::MAX);
            others.extend(
                before.iter().rev().map(|delta| Delta(*delta)).filter(|delta| left.contains(*delta)).take(most),
            );
        }
        others.sort_unstable();
        if others.len() >= least.max(2) {
            self.asks = Some((Config::from_deltas(others), kinds));
        } else {
            kinds.into_iter().for_each(|kind| self.change(kind, |most| most.saturating_mul(2)));
        }
    }

    /// Notes that a delta is needed.
    pub(super) fn needed(&mut self, delta: Delta) {
        if let Some(kind) = self.kind(delta) {
            self.change(kind, |most| most / 2);
        }
    }

    /// Takes whether what was asked about went, and returns it.
    pub(super) fn told(&mut self, went: bool) -> Config {
        let Some((others, kinds)) = self.asks.take() else { return Config::empty() };
        let each = others.len().div_ceil(kinds.len().max(1));
        kinds
            .into_iter()
            .for_each(|kind| self.change(kind, |most| if went { most.saturating_mul(2) } else { most.min(each) / 2 }));
        others
    }

    fn change(&mut self, kind: u32, change: impl Fn(usize) -> usize) {
        let all = self.members.get(&kind).map_or(0, Vec::len);
        let most = Arc::make_mut(&mut self.most).entry(kind).or_insert(all);
        *most = change(*most).max(1);
    }
}
