//! What is known of candidates that take several runs, while nothing is settled.

use super::Session;
use super::running::Running;
use crate::event::Why;
use crate::flaky::{Confidence, Policy, Tally, Vote, Votes};
use crate::journal::depends_on_the_day;
use crate::oracle::Oracle;
use reduct_circumstances::Candidate;
use reduct_core::{Key, Outcome, Question};
use std::collections::HashMap;

/// The votes on all candidates that are not settled. Without a policy, the first run settles.
pub(super) struct Polls {
    policy: Option<Policy>,
    votes: HashMap<Key, Votes>,
    confidence: Option<Confidence>,
}

/// What a candidate was settled to, and by which votes if it took any.
pub(super) type Settled = (Outcome, Option<Tally>);

impl Polls {
    /// Begins with what is known from earlier.
    pub(super) fn new(policy: Option<Policy>, votes: HashMap<Key, Votes>) -> Polls {
        Polls { policy, votes, confidence: policy.map(Confidence::new) }
    }

    /// What is settled by what is known from earlier: nothing, unless it was settled right before the end.
    pub(super) fn settled(&self) -> Vec<(Key, Outcome)> {
        let Some(policy) = &self.policy else { return vec![] };
        self.votes.iter().filter_map(|(key, votes)| Some((*key, votes.settle(policy)?.0))).collect()
    }

    /// Takes what the run of this number said.
    pub(super) fn take(&mut self, key: Key, number: u32, vote: Vote) -> Option<Settled> {
        let Some(policy) = &self.policy else { return Some((vote.outcome, None)) };
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
    pub(super) fn room(&self, key: Key) -> usize {
        let Some(policy) = &self.policy else { return 1 };
        self.votes.get(&key).map_or_else(|| policy.silent_to_go(0, 0), |votes| votes.room(policy)) as usize
    }

    /// Counts what the search took, for how sure it is in the end.
    pub(super) fn count(&mut self, outcome: Outcome) {
        if let Some(confidence) = &mut self.confidence {
            confidence.add(outcome);
        }
    }

    /// How sure the result is, in words.
    pub(super) fn confidence(&self) -> Option<String> {
        self.confidence.as_ref().map(Confidence::to_string)
    }
}

impl Session<'_> {
    /// Runs one candidate, outside of any search, until it is settled, and returns what it is and by which votes. Without
    /// a policy, one run settles.
    ///
    /// # Errors
    /// If the session was interrupted, or met trouble that did not pass.
    pub fn poll(
        &mut self,
        oracle: &Oracle,
        policy: Option<Policy>,
        candidate: &Candidate,
    ) -> Result<(Outcome, Tally), Why> {
        let key = candidate.key();
        let (mut polls, mut first) = (Polls::new(policy, HashMap::new()), 0);
        loop {
            let count = polls.room(key).clamp(1, self.lab.slots());
            let seen = self.observe_from(first, &vec![candidate.clone(); count])?;
            for (number, observed) in (first..).zip(seen) {
                let (outcome, limited) = (oracle.verdict(&observed).outcome, depends_on_the_day(&observed.exit));
                let vote = Vote { outcome, limited };
                if let Some((outcome, votes)) = polls.take(key, number, vote) {
                    return Ok((outcome, votes.unwrap_or_else(|| Tally::of(vote))));
                }
            }
            first += count as u32;
        }
    }
}
