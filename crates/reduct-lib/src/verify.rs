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
/// ```standalone_crate
/// use reduct_lib::{Audience, ClaimCheck, Run, Test};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("verify-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "a\nb\nc\nd\n")?;
///     let test = Test::shell("grep -q c {}").exit_zero();
///     reduct_lib::reduce("list").folder(&folder).test(test).out("small").keep_runs(true).run()?;
///
///     // Later, perhaps in another process:
///     let check = reduct_lib::verify(&Run::find(&folder)?, Audience::default())?;
///     assert!(matches!(check.holds, ClaimCheck::OneMinimal(_)));
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
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
