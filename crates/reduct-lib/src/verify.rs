//! Checks the claim of an earlier run again.

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::job::{Job, VersionOptions};
use crate::open;
use crate::recheck::{Claimed, Recheck};
use crate::runs::Run;
use reduct_session::journal;

/// Runs the result of a run again, in a fresh folder, with nothing remembered; then each single
/// deletion, if the run claims that none can go.
///
/// # Errors
/// If the run or its result cannot be read.
pub fn verify(run: &Run, audience: Audience<'_>) -> Result<Recheck, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, input) = run.job(&records)?;
    // What is built is built from nothing this time.
    let job = Job { comparing: VersionOptions { fresh: true, ..job.comparing.clone() }, ..job };
    open::of_run(&job, run, input)?.recheck(Claimed { run, records: &records }, audience)
}
