//! Fuzzes, then simplifies: runs a program on inputs that it does not expect, and reduces each failure as soon as it
//! is met for the first time.
//!
//! Trials are taken in the order of their numbers, in whatever order they end. After each of them all that is known
//! stands in one file, which is replaced as a whole: a session that was killed goes on from there.

mod again;
mod campaign;
mod finding_store;
mod folder;
mod fuzzing;
mod happening;
mod inputs;
mod merging;
pub(crate) mod refused;
mod seen;
mod slug;
pub(crate) mod stop_signal;

pub(crate) use finding_store::try_bytes;
pub use finding_store::{Filed, FindingStatus, is_fuzzing};
pub use fuzzing::{ClassicOptions, Fuzzing, Until};
pub use happening::{Fuzzed, Happening};

use crate::audience::Audience;
use crate::errors::Refusal;
use campaign::Campaign;
use finding_store::FindingStore;
use inputs::Inputs;
use std::path::Path;

/// Fuzzes, in a folder of its own that must not exist, or may be replaced with `force` if it is of this sort.
///
/// ```standalone_crate
/// use reduct_lib::{Audience, Fuzzing, Test, Until};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("fuzz-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     let test = Test::shell("grep -q '[0-9]' {}").exit_zero();
///     let mut job = reduct_lib::reduce("input").folder(&folder).test(test).to_job();
///     job.out = folder.join("found");
///     let until = Until::default().with_findings(Some(1)).with_trials(Some(1000));
///     let fuzzed = reduct_lib::fuzz(&Fuzzing::new(job), false, until, Audience::default(), &mut |_| {})?;
///     assert_eq!(fuzzed.findings.len(), 1);
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If the inputs cannot be made or the command cannot be started. Nothing is changed then.
pub fn fuzz(
    fuzzing: &Fuzzing,
    force: bool,
    until: Until,
    audience: Audience<'_>,
    watcher: &mut dyn FnMut(&Happening<'_>),
) -> Result<Fuzzed, Refusal> {
    let mut inputs = Inputs::of(fuzzing)?;
    campaign::can_start(fuzzing)?;
    let mut state = FindingStore::begin(fuzzing, force, until)?;
    inputs.follow(&mut state);
    state.save()?;
    Campaign::new(state, inputs, until, audience, watcher)?.run()
}

/// Goes on in a folder where it stopped. What `until` leaves open is as it was said at the beginning, if it was not
/// reached yet.
///
/// ```standalone_crate
/// use reduct_lib::{Audience, Fuzzing, Test, Until};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("fuzz-again-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     let test = Test::shell("grep -q '[0-9]' {}").exit_zero();
///     let job = reduct_lib::reduce("input").folder(&folder).test(test).to_job().with_out(folder.join("found"));
///     let until = |trials| Until::default().with_trials(Some(trials));
///     let fuzzed = reduct_lib::fuzz(&Fuzzing::new(job), false, until(2), Audience::default(), &mut |_| {})?;
///     assert_eq!(fuzzed.trials, 2);
///
///     // Later, perhaps in another process:
///     let fuzzed = reduct_lib::fuzz_again(&folder.join("found"), until(4), Audience::default(), &mut |_| {})?;
///     assert_eq!(fuzzed.trials, 4);
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If the folder is not of this sort, or its examples are not there any more.
pub fn fuzz_again(
    folder: &Path,
    until: Until,
    audience: Audience<'_>,
    watcher: &mut dyn FnMut(&Happening<'_>),
) -> Result<Fuzzed, Refusal> {
    let mut state = FindingStore::read(folder)?;
    let mut inputs = Inputs::of(&state.fuzzing)?;
    inputs.follow(&mut state);
    let until = state.until(until);
    Campaign::new(state, inputs, until, audience, watcher)?.run()
}
