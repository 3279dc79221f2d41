//! What is known of candidates that take several runs, while nothing is decided.

use super::running::Running;
use reduct_core::{Key, Outcome};
use reduct_input::Certainty;
use reduct_oracle::sampling::{Confidence, Policy, Tally, Vote, Votes};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What is checked is taken for passing at most once in 2 to the power of this: all that came of it would be lost.
const CHECKED: u8 = 7;

/// The votes on all candidates that are not decided. Without a policy, the first run decides.
pub(super) struct Polls {
    policy: Option<Policy>,
    /// For those of an audit.
    audit: Option<Policy>,
    /// For candidates whose outcome is to be surer: it takes a while to make a policy.
    surer: HashMap<Certainty, Policy>,
    votes: HashMap<Key, Votes>,
    /// Of which votes are known from earlier.
    earlier: HashSet<Key>,
    confidence: Option<Confidence>,
}

/// What a candidate was decided as, and by which votes if it took any.
pub(super) type Decided = (Outcome, Option<Tally>);

impl Polls {
    /// Begins with what is known from earlier.
    pub(super) fn new(policy: Option<Policy>, votes: HashMap<Key, Votes>) -> Polls {
        let earlier = votes.keys().copied().collect();
        Polls { policy, audit: None, surer: HashMap::new(), votes, earlier, confidence: policy.map(Confidence::new) }
    }

    /// Returns whether it is known how often what an audit looks for fails.
    pub(super) fn can_audit(&self) -> bool {
        self.policy.is_none() || self.audit.is_some()
    }

    /// Has audits look for what fails in so large a share of its runs, if that is less than what the search looks for.
    pub(super) fn audit_at(&mut self, rate: f64) {
        self.audit = self.policy.map(|policy| policy.for_rate(rate));
        self.surer.clear();
        if let (Some(confidence), Some(audit)) = (&mut self.confidence, self.audit) {
            confidence.audit_with(audit);
        }
    }

    /// Returns what audits look for fails in so large a share of its runs or more. `None` if there was none.
    pub(super) fn audited_share(&self) -> Option<f64> {
        self.audit.map(|audit| audit.r1())
    }

    /// Returns what the runs of these numbers said, as far as they are known without a gap.
    pub(super) fn known(&self, key: Key, mut numbers: Range<u32>) -> Vec<Vote> {
        let votes = self.votes.get(&key);
        std::iter::from_fn(|| votes?.get(numbers.next()?)).collect()
    }

    /// Notes what a run said that decides nothing.
    pub(super) fn note(&mut self, key: Key, number: u32, vote: Vote) {
        self.votes.entry(key).or_default().put(number, vote);
    }

    /// Returns the policy for candidates that are to be so sure.
    fn policy(&mut self, sure: Certainty) -> Option<Policy> {
        let (policy, audit) = (self.policy?, self.audit);
        let made = || match sure {
            Certainty::Usual => policy,
            Certainty::Hasty => policy.hasty(),
            Certainty::Checked => policy.surely(CHECKED),
            Certainty::Audited(bits) => audit.unwrap_or(policy).surely(bits),
        };
        Some(*self.surer.entry(sure).or_insert_with(made))
    }

    /// Returns what a candidate is decided as by what is known from earlier: nothing, unless it was decided right
    /// before the end.
    pub(super) fn decided(&mut self, key: Key, sure: Certainty) -> Option<Outcome> {
        if !self.earlier.remove(&key) {
            return None;
        }
        let policy = self.policy(sure)?;
        Some(self.votes.get(&key)?.decide(&policy)?.0)
    }

    /// Takes what the run of this number said of a candidate that is to be so sure.
    pub(super) fn take(&mut self, (key, sure): (Key, Certainty), number: u32, vote: Vote) -> Option<Decided> {
        let Some(policy) = &self.policy(sure) else { return Some((vote.outcome, None)) };
        let votes = self.votes.entry(key).or_default();
        votes.put(number, vote);
        let (outcome, tally) = votes.decide(policy)?;
        self.votes.remove(&key);
        Some((outcome, Some(tally)))
    }

    /// Returns the number of the next run of this candidate.
    pub(super) fn next_number(&self, key: Key, running: &Running) -> u32 {
        let is_free = |number: &u32| !running.is_under_way(key, *number);
        let known = self.votes.get(&key).and_then(|votes| votes.open().find(is_free));
        known.or_else(|| (0..).find(is_free)).unwrap_or(0)
    }

    /// Returns how often this candidate may be under way at a time.
    pub(super) fn room(&mut self, key: Key, sure: Certainty) -> usize {
        let Some(policy) = &self.policy(sure) else { return 1 };
        self.votes.get(&key).map_or_else(|| policy.silent_to_go(0, 0), |votes| votes.room(policy)) as usize
    }

    /// Counts what the search took, for how sure it is in the end.
    pub(super) fn count(&mut self, outcome: Outcome, sure: Certainty) {
        if let Some(confidence) = &mut self.confidence {
            confidence.add(outcome, sure.bits());
        }
    }

    /// Returns how sure the result is.
    pub(super) fn confidence(&self) -> Option<Confidence> {
        self.confidence
    }
}
