//! What is known of a folder of inputs.

use super::evidence::CrossTest;
use super::group::{Failing, Grouping};
use reduct_report::triage::{TriageNote, failing_in};
use std::path::PathBuf;

/// What is known of a folder of inputs.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Triaged {
    /// Those that fail, with what is left of them.
    pub failing: Vec<Failing>,
    /// For each of those: the size of the whole and of what is left in bytes, how many tests that took, where it is.
    pub reductions: Vec<Reduced>,
    /// Those that do not fail, and what was seen.
    pub passing: Vec<(String, String)>,
    /// What experiments said of those that fail.
    pub crossings: Vec<CrossTest>,
    /// How many of those were reduced before.
    pub known: usize,
}

impl Triaged {
    /// Returns which of them are the same.
    pub fn grouping(&self) -> Grouping<'_> {
        Grouping::crossed(&self.failing, &self.crossings)
    }

    /// Says how many fail, in how many ways.
    pub fn describe(&self, ways: usize) -> String {
        failing_in(self.failing.len(), ways)
    }
}

/// What became of an input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reduced {
    /// Its size in bytes.
    pub before: usize,
    /// What is left, in bytes.
    pub after: usize,
    /// Where what is left is.
    pub place: PathBuf,
    /// What is to be known of it, if anything.
    pub note: Option<TriageNote>,
}
