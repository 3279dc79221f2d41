//! What a run has come through: its accepted steps, branch by branch.

pub(crate) mod passed;
pub(crate) mod refused;

use crate::errors::Refusal;
use crate::open;
use crate::runs::Run;
pub use passed::{Branch, Passed};
use reduct_session::journal;

/// Walks through all branches of a run, in the order in which they were begun.
///
/// # Errors
/// If the run cannot be read.
pub fn history(run: &Run, mut visit: impl FnMut(Passed<'_>)) -> Result<(), Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, input) = run.job(&records)?;
    open::of_run(&job, run, input)?.history(&records, run, &mut visit)
}
