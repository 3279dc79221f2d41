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
    failed: u64,
    passed: u64,
    unresolved: u64,
}

impl Confidence {
    /// Nothing decided yet.
    pub fn new(policy: Policy) -> Confidence {
        Confidence { policy, failed: 0, passed: 0, unresolved: 0 }
    }

    /// Counts a candidate.
    pub fn add(&mut self, outcome: Outcome) {
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

    /// How likely it is at most that any decision was wrong.
    pub fn any_wrong(&self) -> f64 {
        (self.decided() as f64 * self.policy.error()).min(1.0)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
