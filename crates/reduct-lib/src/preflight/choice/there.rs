//! The baseline at one place, which is chosen already.

use super::super::baseline::{Baseline, NoBaseline};
use super::super::why;
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::problem::Problem;
use reduct_core::Outcome;
use reduct_oracle::Observed;
use reduct_session::Session;
use reduct_session::executor::Opened;

/// What came of the runs before a search.
pub(crate) struct Begun {
    /// Where its tests run.
    pub(crate) executor: Box<Opened>,
    /// What the failure is.
    pub(crate) baseline: Baseline,
    /// What the test said of [`Problem::other`].
    pub(crate) of_other: Outcome,
}

/// Establishes the baseline at one place, where this was `seen` already.
pub(in crate::preflight) fn there<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    mut executor: Box<Opened>,
    seen: Vec<Observed>,
) -> Result<Begun, (NoBaseline, Box<Opened>)> {
    audience.connect(&*executor);
    let mut session = Session::new(&mut *executor, audience.views(), problem.job().patience);
    let baseline = if problem.job().source().needs_baseline() {
        problem.establish_baseline(&mut session, seen)
    } else {
        Ok((Baseline::by_word(), Outcome::Pass))
    };
    drop(session);
    match baseline {
        Ok((baseline, of_other)) => Ok(Begun { executor, baseline, of_other }),
        Err(no_baseline) => Err((no_baseline, executor)),
    }
}

/// Finds out why no baseline could be established at a place.
pub(in crate::preflight) fn explain<T: Problem>(
    problem: &T,
    audience: &mut Audience<'_>,
    executor: &mut Opened,
    no_baseline: NoBaseline,
) -> Refusal {
    why::explain((problem.job(), problem.whole(), problem.words()), audience, executor, no_baseline)
}

/// Returns what a test said, but for numbers, as those of its folder.
pub(in crate::preflight) fn said(observed: &Observed) -> Vec<u8> {
    [&observed.stdout[..], &observed.stderr[..]].concat().into_iter().filter(|byte| !byte.is_ascii_digit()).collect()
}
