//! What came of a run.

use crate::job::Job;
use crate::originals::{Changed, Originals};
use reduct_session::event::Ended;
use reduct_session::other_failures::Met;
use std::path::PathBuf;

/// What came of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunReport {
    /// How it ended.
    pub ended: Ended,
    /// What was taken for the failure, in words.
    pub failure: String,
    /// The size of the whole input, and what it is counted in.
    pub size_before: (usize, &'static str),
    /// Of an isolation: the folder with what passes.
    pub passing: Option<PathBuf>,
    /// Where the result is.
    pub out: PathBuf,
    /// Whether it could be written there.
    pub written: bool,
    /// Where something is now that stood in its place and was no result.
    pub found: Option<PathBuf>,
    /// The run's folder.
    pub run: PathBuf,
    /// The user's own files that are not what they were when the tests began.
    pub changed: Vec<Changed>,
    /// Other failures met.
    pub others: Met,
    /// What was found, line by line, if that is more than a smaller input.
    pub says: Vec<String>,
    /// Why not all is known that the test relies on, if so: a resumed run begins again.
    pub starts_over: Option<String>,
}

impl RunReport {
    /// Returns the same, with what became of the user's own files.
    pub(super) fn with(mut self, originals: &Originals, job: &Job) -> RunReport {
        self.changed = originals.changed();
        self.says.extend(originals.remarks(job));
        self
    }
}
