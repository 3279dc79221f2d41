//! Why a run cannot go on from one of its steps.

use std::borrow::Cow;
use std::path::PathBuf;

/// Why a run cannot go on from one of its steps.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// There is no such step.
    #[error("there is no step {number}: the run has {steps}")]
    NoStep {
        /// The number that was named.
        number: usize,
        /// How many there are.
        steps: usize,
    },
    /// It does not make one input smaller.
    #[error("this run does not make one input smaller, so that it cannot go on from one of its steps")]
    NoReduction,
    /// Nothing is remembered.
    #[error("a run with --no-cache remembers no outcome of a candidate, so that it cannot go on from one of its steps")]
    NotRemembered,
    /// What a step has taken away is not there any more, or it takes nothing away.
    #[error("nothing of what step {never} took away is there in step {from}")]
    NothingStays {
        /// The step whose edit is not to be made.
        never: usize,
        /// The step to go on from.
        from: usize,
    },
    /// The steps are not those of the journal.
    #[error("the steps of {run} cannot be found again: it was searched by another version, or its journal was changed")]
    Otherwise {
        /// The folder of the run.
        run: PathBuf,
    },
}

impl HistoryError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            HistoryError::NoStep { .. } => "`reduct history` lists them; 0 is the whole input",
            HistoryError::NoReduction | HistoryError::NotRemembered => {
                "`reduct history show` prints what a step consists of: begin a new run with that"
            }
            HistoryError::NothingStays { never, .. } => {
                return format!("go on from a step before it: `reduct history diff {never}` shows what it took away")
                    .into();
            }
            HistoryError::Otherwise { .. } => "begin a new run; --reuse takes what is known of the candidates",
        }
        .into()
    }
}
