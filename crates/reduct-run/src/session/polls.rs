//! What is known of candidates that take several runs, while nothing is settled.

use super::running::Running;
use crate::flaky::{Confidence, Policy, Tally, Vote, Votes};
use reduct_core::{Key, Outcome};
use std::collections::{HashMap, HashSet};

/// The votes on all candidates that are not settled. Without a policy, the first run settles.
pub(super) struct Polls {
    policy: Option<Policy>,
    /// For candidates whose outcome is to be surer: it takes a while to make a policy.
    surer: HashMap<u8, Policy>,
    votes: HashMap<Key, Votes>,
    /// Of which votes are known from earlier.
    earlier: HashSet<Key>,
    confidence: Option<Confidence>,
}

/// What a candidate was settled to, and by which votes if it took any.
pub(super) type Settled = (Outcome, Option<Tally>);

impl Polls {
    /// Begins with what is known from earlier.
    pub(super) fn new(policy: Option<Policy>, votes: HashMap<Key, Votes>) -> Polls {
        let earlier = votes.keys().copied().collect();
        Polls { policy, surer: HashMap::new(), votes, earlier, confidence: policy.map(Confidence::new) }
    }

    /// The policy for candidates that are to be so sure.
    fn policy(&mut self, sure: u8) -> Option<Policy> {
        let policy = self.policy?;
        Some(*self.surer.entry(sure).or_insert_with(|| policy.surely(sure)))
    }

    /// What a candidate is settled to by what is known from earlier: nothing, unless it was settled right before the
    /// end.
    pub(super) fn settled(&mut self, key: Key, sure: u8) -> Option<Outcome> {
        if !self.earlier.remove(&key) {
            return None;
        }
        let policy = self.policy(sure)?;
        Some(self.votes.get(&key)?.settle(&policy)?.0)
    }

    /// Takes what the run of this number said of a candidate that is to be so sure.
    pub(super) fn take(&mut self, (key, sure): (Key, u8), number: u32, vote: Vote) -> Option<Settled> {
        let Some(policy) = &self.policy(sure) else { return Some((vote.outcome, None)) };
        let votes = self.votes.entry(key).or_default();
        votes.put(number, vote);
        let (outcome, tally) = votes.settle(policy)?;
        self.votes.remove(&key);
        Some((outcome, Some(tally)))
    }

    /// The number of the next run of this candidate.
    pub(super) fn next_number(&self, key: Key, running: &Running) -> u32 {
        let is_free = |number: &u32| !running.is_under_way(key, *number);
        let known = self.votes.get(&key).and_then(|votes| votes.open().find(is_free));
        known.or_else(|| (0..).find(is_free)).unwrap_or(0)
    }

    /// How often this candidate may be under way at a time.
    pub(super) fn room(&mut self, key: Key, sure: u8) -> usize {
        let Some(policy) = &self.policy(sure) else { return 1 };
        self.votes.get(&key).map_or_else(|| policy.silent_to_go(0, 0), |votes| votes.room(policy)) as usize
    }

    /// Counts what the search took, for how sure it is in the end.
    pub(super) fn count(&mut self, outcome: Outcome, sure: u8) {
        if let Some(confidence) = &mut self.confidence {
            confidence.add(outcome, sure);
        }
    }

    /// How sure the result is, in words.
    pub(super) fn confidence(&self) -> Option<String> {
        self.confidence.as_ref().map(Confidence::to_string)
    }
}
