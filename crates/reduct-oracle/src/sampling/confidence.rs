//! How sure the result of a whole run is, in words.

use super::Policy;
use reduct_core::Outcome;
use std::fmt;

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
    /// Nothing decided yet.
    pub fn new(policy: Policy) -> Confidence {
        Confidence { policy, audit: None, failed: 0, passed: 0, unresolved: 0, certificates: (0, 0.0) }
    }

    /// From now on, what is to be surer was decided by this.
    pub fn audit_with(&mut self, audit: Policy) {
        self.audit = Some(audit);
    }

    /// Counts a candidate that was to be so sure, see [`Policy::surely`].
    pub fn add(&mut self, outcome: Outcome, sure: u8) {
        if sure > 0 && outcome != Outcome::Unresolved {
            self.certificates.0 += 1;
            self.certificates.1 += self.audit.unwrap_or(self.policy).missed(sure);
        }
        match outcome {
            Outcome::Fail => self.failed += 1,
            Outcome::Pass => self.passed += 1,
            Outcome::Unresolved => self.unresolved += 1,
        }
    }

    /// How many candidates were decided.
    pub fn decided(&self) -> u64 {
        self.failed + self.passed
    }

    /// How likely it is at most that the audits of a reduction overlooked what could go.
    pub fn any_overlooked(&self) -> f64 {
        self.certificates.1.min(1.0)
    }

    /// How likely it is at most that any decision was wrong.
    pub fn any_wrong(&self) -> f64 {
        (self.decided() as f64 * self.policy.error()).min(1.0)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.policy.is_provisional() {
            return self.describe_audit(f);
        }
        // Rounded so that what is said stays true.
        let r1 = (self.policy.r1() * 1e3).ceil() / 1e3;
        let r0 = (self.policy.r0() * 1e3).floor() / 1e3;
        if self.decided() == 0 {
            write!(f, "nothing was decided")?;
        } else {
            if self.policy.r0() == 0.0 {
                let silent = self.policy.silent_to_go(0, 0);
                write!(f, "each candidate that passes was silent in {silent} runs; at a failure rate of {r1} or more")?;
            } else {
                write!(
                    f,
                    "if what fails does so in a share of {r1} of its runs or more, and what passes in {r0} or less,"
                )?;
            }
            let wrong = (self.any_wrong() * 1e3).ceil() / 10.0;
            match self.decided() {
                1 => write!(f, " the chance that the one decision is wrong is at most {wrong} %")?,
                many => write!(f, " the chance that one of the {many} decisions is wrong is at most {wrong} %")?,
            }
        }
        match self.unresolved {
            0 => Ok(()),
            1 => write!(f, "; one candidate stayed unresolved"),
            many => write!(f, "; {many} candidates stayed unresolved"),
        }
    }
}

impl Confidence {
    /// Of a reduction: what its audits are worth.
    fn describe_audit(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let r1 = (self.audit.unwrap_or(self.policy).r1() * 1e3).ceil() / 1e3;
        match self.certificates.0 {
            0 => write!(f, "there was no audit, so nothing is said of what could still go"),
            count => {
                let sure = ((1.0 - self.any_overlooked()) * 1e3).floor() / 10.0;
                let times = if count == 1 {
                    "in the one audit of a part".into()
                } else {
                    format!("in all {count} audits of parts together")
                };
                write!(
                    f,
                    "{sure} %, {times}, that nothing was overlooked that fails in a share of {r1} of its runs or more"
                )
            }
        }
    }
}
