//! How often the failure occurs where it should and where it should not, and what follows for the policy.

use super::{Policy, Unsuitable, at_least, at_most};

/// How sure the bounds on the measured rates are.
pub const LEVEL: f64 = 0.95;

/// How likely it is that any decision of a whole run is wrong, at most, if it decides as often as expected.
const WHOLE_RUN: f64 = 0.01;

/// What fires less often than that is too seldom to be of use, however often the original does.
const LEAST_FLOOR: f64 = 0.05;

/// What the decisions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To make a failing input smaller. Each step goes on from the one before, so a rate that is allowed to sink a
    /// little with each would sink to nothing: what fires in less than half as many runs as the original is not
    /// accepted (the *floor*), whether it could be called failing or not.
    Reduce,
    /// To find what tells what fails from what passes. Here both answers move a side, and the side that passes is
    /// compared with to the end. A floor would have it move onto versions that fail, only more seldom than the
    /// original does. So nothing passes that fires more often than the passing side itself may.
    Isolate,
}

/// What was counted of the two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// In how many runs what fails fired, and how many there were.
    pub failing: (u32, u32),
    /// In how many runs what passes fired, and how many there were. `None`: it never does, because the failure
    /// cannot be mistaken for anything else. That is an assumption, and not to be had from counts.
    pub passing: Option<(u32, u32)>,
    /// How sure the bounds are: [`LEVEL`], unless it was looked at the counts more than once.
    pub level: f64,
}

impl Calibration {
    /// Returns what fails fires at least in this share of its runs.
    pub fn failing_rate(&self) -> f64 {
        at_least(self.failing.0, self.failing.1, self.level)
    }

    /// Returns what passes fires at most in this share of its runs.
    pub fn passing_rate(&self) -> f64 {
        self.passing.map_or(0.0, |(fired, runs)| at_most(fired, runs, self.level))
    }

    /// Returns about how often what passes fires: between what was counted and one half, by so little as one run is worth (Laplace
    /// with half a run on each side).
    fn passing_estimate(&self) -> f64 {
        self.passing.map_or(0.0, |(fired, runs)| (f64::from(fired) + 0.5) / (f64::from(runs) + 1.0))
    }

    /// Returns what fires no more often than this is not accepted in a reduction.
    pub fn floor(&self) -> f64 {
        (0.5 * self.failing_rate()).max(LEAST_FLOOR)
    }

    /// Returns the policy for a run that is expected to take so many decisions: each may be wrong so seldom that the
    /// chance of any wrong one stays below 1 % (the union bound).
    ///
    /// # Errors
    /// If the failure occurs too seldom, or almost as often where it should not.
    pub fn policy(&self, purpose: Purpose, decisions: u32) -> Result<Policy, Unsuitable> {
        let r1 = self.failing_rate();
        let r0 = match purpose {
            Purpose::Reduce => self.passing_rate().max(self.floor()),
            Purpose::Isolate => self.passing_rate(),
        };
        if r1 <= LEAST_FLOOR {
            return Err(Unsuitable::TooRare(r1));
        }
        // A decision is wrong in one of the two ways only: which one depends on what the candidate is.
        let error = WHOLE_RUN / f64::from(decisions.max(1));
        let policy = Policy::new(r1, r0, error, error)?;
        Ok(match purpose {
            Purpose::Reduce => policy.where_passing_fires(self.passing_estimate()),
            Purpose::Isolate => policy,
        })
    }
}
