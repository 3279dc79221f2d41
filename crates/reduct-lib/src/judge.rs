//! Says what a candidate is, by as many runs as that takes.

use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::Oracle;
use reduct_oracle::sampling::{Calibrator, Policy, Purpose, Rate, Side};
use reduct_session::Session;
use reduct_session::event::Why;
use std::time::Duration;

/// How likely it may be at most that an audit overlooks something that could go.
pub(crate) const DOUBT: f64 = 0.01;

/// Judges candidates: the oracle, and after how many runs it has said enough.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) oracle: &'a Oracle,
    /// `None` if one run tells.
    pub(crate) policy: Option<Policy>,
}

/// After the time of a search is over, a result is run so long still; what fails now and then, so often in any case.
pub(crate) const SPARE: Duration = Duration::from_secs(1);
const FEWEST: u32 = 5;

impl Judge<'_> {
    /// Runs a candidate until it is clear what it is.
    ///
    /// # Errors
    /// If the session was interrupted, or met trouble that did not pass.
    pub(crate) fn outcome(self, session: &mut Session<'_>, candidate: &Candidate) -> Result<Outcome, Why> {
        session.poll(self.oracle, self.policy, candidate).map(|(outcome, _)| outcome)
    }

    /// Returns whether a candidate fails.
    ///
    /// # Errors
    /// Likewise.
    pub(crate) fn fails(self, session: &mut Session<'_>, candidate: &Candidate) -> Result<bool, Why> {
        Ok(self.outcome(session, candidate)? == Outcome::Fail)
    }

    /// Runs what fails now and then often enough to say how often. `None` if one run tells.
    ///
    /// # Errors
    /// Likewise.
    pub(crate) fn rate(self, session: &mut Session<'_>, result: &Candidate) -> Result<Option<Rate>, Why> {
        let Some(floor) = self.policy.map(|policy| policy.r0()) else { return Ok(None) };
        let mut calibrator = Calibrator::new(Purpose::Reduce, false);
        loop {
            let wanted = calibrator.wanted();
            let is_late = session.over_at().is_some_and(|over| session.now() >= over + SPARE);
            if wanted.is_enough() || is_late && calibrator.calibration().failing.1 >= FEWEST {
                return Ok(Some(Rate::of(&calibrator, floor)));
            }
            // In time, all are run at once.
            let at_once = if session.over_at().is_some() { wanted.failing.min(FEWEST) } else { wanted.failing };
            for observed in session.observe(&vec![result.clone(); at_once as usize])? {
                calibrator.count(Side::Failing, self.oracle.verdict_on(&observed, result).outcome);
            }
        }
    }
}
