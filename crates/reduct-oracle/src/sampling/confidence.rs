//! How sure the result of a whole run is.

use super::Policy;
use reduct_core::Outcome;

/// How often a policy decided what, and how likely any of it is wrong.
///
/// Each decision is wrong with a probability of at most [`Policy::error`], whatever was decided before it, since it is
/// taken by runs of its own; so the chance that one of `n` is wrong is at most `n` times that. What is unresolved was
/// not decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    policy: Policy,
    /// By which the audits went, if by another one.
    audit: Option<Policy>,
    failed: u64,
    passed: u64,
    unresolved: u64,
    /// Decisions that had to be surer than others: how many, and how likely any of them is wrong.
    certificates: (u64, f64),
}

impl Confidence {
    /// Returns the confidence before anything is decided.
    pub fn new(policy: Policy) -> Confidence {
        Confidence { policy, audit: None, failed: 0, passed: 0, unresolved: 0, certificates: (0, 0.0) }
    }

    /// Takes the policy by which what is to be surer is decided from now on.
    pub fn audit_with(&mut self, audit: Policy) {
        self.audit = Some(audit);
    }

    /// Counts a candidate that was to be so sure, see [`Policy::surely`].
    pub fn add(&mut self, outcome: Outcome, sure: u8) {
        if sure > 0 && outcome != Outcome::Unresolved {
            self.certificates.0 += 1;
            self.certificates.1 += self.audit_policy().missed(sure);
        }
        match outcome {
            Outcome::Fail => self.failed += 1,
            Outcome::Pass => self.passed += 1,
            Outcome::Unresolved => self.unresolved += 1,
        }
    }

    /// Returns the policy by which candidates were decided.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Returns the policy by which what had to be surer was decided.
    pub fn audit_policy(&self) -> Policy {
        self.audit.unwrap_or(self.policy)
    }

    /// Returns how many decisions had to be surer than others: each is of an audit of a part.
    pub fn audits(&self) -> u64 {
        self.certificates.0
    }

    /// Returns how many candidates were not decided.
    pub fn unresolved(&self) -> u64 {
        self.unresolved
    }

    /// Returns how many candidates were decided.
    pub fn decided(&self) -> u64 {
        self.failed + self.passed
    }

    /// Returns how likely it is at most that the audits of a reduction overlooked what could go.
    pub fn any_overlooked(&self) -> f64 {
        self.certificates.1.min(1.0)
    }

    /// Returns how likely it is at most that any decision was wrong.
    pub fn any_wrong(&self) -> f64 {
        (self.decided() as f64 * self.policy.error()).min(1.0)
    }
}
