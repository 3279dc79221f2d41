//! What happens while something is fuzzed, and what comes of it.

use super::finding_store::Filed;
use reduct_report::fuzzing::InputSource;
use reduct_report::triage::Reason;
use reduct_session::confinement::{Confinement, Strength};
use std::path::PathBuf;

/// What happens, for observers.
#[derive(Debug)]
#[non_exhaustive]
pub enum Happening<'a> {
    /// Tests are confined in this way, and so far.
    Confined(&'a Confinement, &'a Strength),
    /// It begins, at this trial.
    Began {
        /// The trial.
        at: u64,
        /// What makes inputs.
        from: InputSource,
    },
    /// So it goes.
    Progress {
        /// How many trials were run, those of earlier sessions included.
        trials: u64,
        /// How many of them a second, of late.
        rate: f64,
        /// How many different failures were found.
        findings: usize,
    },
    /// A failure that was not met before is in its folder.
    Found(&'a Filed),
    /// It was reduced, or it was found out why not.
    Reduced(&'a Filed),
    /// What was in this folder is the same as another finding, which counts it from now on.
    Same {
        /// The folder, which stays.
        folder: &'a str,
        /// The other one.
        of: &'a Filed,
        /// Why they are the same.
        why: &'a Reason,
    },
}

/// What came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fuzzed {
    /// The different failures.
    pub findings: Vec<Filed>,
    /// How many trials were run, those of earlier sessions included.
    pub trials: u64,
    /// Where everything is.
    pub folder: PathBuf,
    /// Whether somebody interrupted it.
    pub interrupted: bool,
    /// Whether there is nothing left to run.
    pub exhausted: bool,
}
