//! Why a run cannot go on from one of its steps.

use miette::Diagnostic;
use std::path::PathBuf;

/// Why a run cannot go on from one of its steps.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum HistoryError {
    /// There is no such step.
    #[error("there is no step {number}: the run has {steps}")]
    #[diagnostic(help("`reduct history` lists them; 0 is the whole input"))]
    NoStep {
        /// The number that was named.
        number: usize,
        /// How many there are.
        steps: usize,
    },
    /// It does not make one input smaller.
    #[error("this run does not make one input smaller, so that it cannot go on from one of its steps")]
    #[diagnostic(help("`reduct history show` prints what a step consists of: begin a new run with that"))]
    NoReduction,
    /// Nothing is remembered.
    #[error("a run with --no-cache remembers no outcome of a candidate, so that it cannot go on from one of its steps")]
    #[diagnostic(help("`reduct history show` prints what a step consists of: begin a new run with that"))]
    NotRemembered,
    /// What a step has taken away is not there any more, or it takes nothing away.
    #[error("nothing of what step {never} took away is there in step {from}")]
    #[diagnostic(help("go on from a step before it: `reduct history diff {never}` shows what it took away"))]
    NothingStays {
        /// The step whose edit is not to be made.
        never: usize,
        /// The step to go on from.
        from: usize,
    },
    /// The steps are not those of the journal.
    #[error("the steps of {run} cannot be found again: it was searched by another version, or its journal was changed")]
    #[diagnostic(help("begin a new run; --reuse takes what is known of the candidates"))]
    Otherwise {
        /// The folder of the run.
        run: PathBuf,
    },
}
