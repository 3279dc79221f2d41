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
/// ```standalone_crate
/// use reduct_lib::{Passed, Run, Test};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("history-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "a\nb\nc\nd\n")?;
///     let test = Test::shell("grep -q c {}").exit_zero();
///     reduct_lib::reduce("list").folder(&folder).test(test).out("small").keep_runs(true).run()?;
///
///     // Later, perhaps in another process:
///     let run = Run::find(&folder)?;
///     let mut sizes = vec![];
///     reduct_lib::history(&run, |passed| match passed {
///         Passed::Branch(branch) => sizes.push(branch.begin.len()),
///         Passed::Test(test) => sizes.extend(test.accepted.as_ref().map(|step| step.best.len())),
///         _ => {}
///     })?;
///     assert!(sizes.is_sorted_by(|before, after| before > after));
///     assert_eq!((sizes.first(), sizes.last()), (Some(&8), Some(&1)));
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If the run cannot be read.
pub fn history(run: &Run, mut visit: impl FnMut(Passed<'_>)) -> Result<(), Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, input) = run.job(&records)?;
    open::of_run(&job, run, input)?.history(&records, run, &mut visit)
}
