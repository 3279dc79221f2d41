//! A failure, and what is kept of it.

use crate::fuzz::seen::FailureSeen;
use reduct_oracle::signature::Signature;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How far a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FindingStatus {
    /// It is to be reduced.
    New,
    /// Nothing more can go.
    Reduced,
    /// The time for its reduction was over; it is as small as it got.
    Bounded,
    /// It occurs without any input.
    Empty,
    /// It did not occur again, so it is not reduced.
    Flaky,
    /// It could not be reduced.
    Unreduced,
}

/// A failure, and what is kept of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Filed {
    /// Its folder, below that of all.
    pub folder: String,
    /// What it looks like.
    pub failure: String,
    /// How far it is.
    pub standing: FindingStatus,
    /// What made the input.
    pub generator: String,
    /// The number of the trial.
    pub trial: u64,
    /// The file it was, if it was found.
    #[serde(with = "reduct_system::os_path::optional", default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The size of the input.
    pub bytes: usize,
    /// The size it was reduced to.
    pub reduced: Option<usize>,
    /// How many tests that took.
    pub tests: u64,
    /// How often it was met.
    pub seen: u64,
    /// Why it could not be reduced, or which finding it is the same as, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What tells it from others.
    pub signature: Signature,
    /// The same without words of its input.
    pub own: Signature,
    /// Other ways in which it was seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Signature>,
    /// What was filed apart before it turned out to be the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<Filed>,
    /// For a hang: how long a test of its reduction may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Duration>,
}

impl Filed {
    pub(in crate::fuzz) fn new(
        FailureSeen { signature, own }: FailureSeen,
        standing: FindingStatus,
        (from, trial, file): (&str, u64, Option<PathBuf>),
        bytes: usize,
    ) -> Filed {
        let (folder, failure, generator) = (String::new(), signature.to_string(), from.to_owned());
        let (reduced, tests, seen, why) = (None, 0, 1, None);
        let (also, same, limit) = (vec![], vec![], None);
        Filed {
            folder,
            failure,
            standing,
            generator,
            trial,
            file,
            bytes,
            reduced,
            tests,
            seen,
            why,
            signature,
            own,
            also,
            same,
            limit,
        }
    }
}
