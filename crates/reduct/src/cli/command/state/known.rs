//! What was recorded of both runs, as a run keeps it.

use crate::cli::command::trace::again::changed;
use crate::cli::usage;
use reduct_lib::Refusal;
use reduct_lib::inquiry::Begun;
use reduct_oracle::{Criterion, Observed};
use reduct_trace::{ExecutionPlan, changed_file};

/// Under this name, the recorded run that passes is kept.
pub(super) const GOOD: &str = "good.plan.txt";

/// Under this name, the one that fails.
pub(super) const BAD: &str = "bad.plan.txt";

/// Under this name, what its failure is.
pub(super) const FAILURE: &str = "failure.json";

/// Under this name, a digest of what the run that passes printed.
pub(super) const PRINTED: &str = "printed";

/// What was recorded.
pub(super) struct Known {
    pub(super) good: ExecutionPlan,
    pub(super) bad: ExecutionPlan,
    pub(super) failure: Criterion,
    /// The language of the program.
    pub(super) language: String,
    /// A digest of what the run that passes printed.
    pub(super) printed: String,
}

/// Returns a digest of what a run printed.
pub(super) fn printed(observed: &Observed) -> String {
    blake3::hash(&observed.stdout).to_hex().to_string()
}

impl Known {
    /// Reads what a run has kept of it.
    pub(super) fn kept(begun: &Begun) -> Result<Known, Refusal> {
        let plan = |name: &str| ExecutionPlan::parse(&begun.kept(name)?).ok();
        let failure = || serde_json::from_str(&begun.kept(FAILURE)?).ok();
        let language = || Some(ExecutionPlan::language_of(&begun.kept(BAD)?)?.to_owned());
        let known = || {
            let (good, bad, failure, language) = (plan(GOOD)?, plan(BAD)?, failure()?, language()?);
            Some(Known { good, bad, failure, language, printed: begun.kept(PRINTED)? })
        };
        known().ok_or_else(|| usage("the run was stopped before it had recorded the program", "begin again"))
    }

    /// Checks whether the program is what it was.
    pub(super) fn is_unchanged(&self, begun: &Begun) -> Result<(), Refusal> {
        match changed_file(&self.bad.about, &begun.job.folder) {
            None => Ok(()),
            Some(file) => Err(changed("state", &file)),
        }
    }
}
