//! Candidates that follow their language less than what they are made of: *broken* ones.
//!
//! Hardly any test fails on a text that does not parse, and each token of a result makes such a candidate. So they are
//! asked about until it is clear that this test is none of the few: once so many were asked in vain and none has
//! failed, no more are. What was not asked so since the last change is taken note of, for the claim.

use reduct_core::Key;
use std::collections::BTreeSet;

/// After so many in vain no more are asked about.
const ENOUGH: usize = 32;

/// What is known of broken candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Broken {
    /// Those that were asked and did not fail.
    in_vain: BTreeSet<Key>,
    /// Whether one has failed.
    has_failed: bool,
    /// The passes of which some were not asked since the last change.
    left_out: BTreeSet<usize>,
}

impl Broken {
    /// Returns whether it still matters which candidates are broken.
    pub(super) fn matter(&self) -> bool {
        !self.has_failed
    }

    /// Returns whether none has failed, and enough were asked about.
    pub(super) fn are_hopeless(&self) -> bool {
        !self.has_failed && self.in_vain.len() >= ENOUGH
    }

    /// Notes that one was asked about.
    pub(super) fn told(&mut self, key: Key, fails: bool) {
        self.has_failed |= fails;
        if !fails && self.in_vain.len() < ENOUGH {
            self.in_vain.insert(key);
        }
    }

    /// Notes that what fails and is gone on from does not parse itself.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
    }

    /// Notes that one of a pass was not asked about.
    pub(super) fn leave_out(&mut self, pass: usize) {
        self.left_out.insert(pass);
    }

    /// Notes that what is left has changed: of that everything is to be asked about.
    pub(super) fn changed(&mut self) {
        self.left_out.clear();
    }

    /// Returns whether some of a pass were not asked about what is left now.
    pub(super) fn are_left_out_of(&self, pass: usize) -> bool {
        self.left_out.contains(&pass)
    }

    /// Takes over what was learned from tests by another one, whose result is not gone on from.
    pub(super) fn learn_from(&mut self, other: &Broken) {
        self.has_failed |= other.has_failed;
        self.in_vain.clone_from(&other.in_vain);
    }
}
