//! What came of a job, as data.

use crate::RunReport;
use crate::errors::Refusal;
use reduct_input::{Artifact, Candidate};
use reduct_session::event::Why;
use reduct_sources::load_published;
use reduct_strategies::Evidence;
use std::path::PathBuf;

/// What came of a job.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JobResult {
    /// The smallest that fails; of [`isolate`](crate::isolate()) the side that fails.
    pub best: Candidate,
    /// Of [`isolate`](crate::isolate()): the side that passes.
    pub passing: Option<Candidate>,
    /// What is known of it.
    pub evidence: Evidence,
    /// Why the search ended.
    pub why: Why,
    /// Whether it failed when it was run again at the end; `None` if it was not run again.
    pub confirmed: Option<bool>,
    /// How many tests the search asked for: the same at any number of jobs.
    pub tests: u64,
    /// How many of them were unresolved.
    pub unresolved: u64,
    /// How many tests were run.
    pub runs: u64,
    /// Where the result is, if [`Builder::out`](crate::Builder::out) or `in_place` asked for it.
    pub out: Option<PathBuf>,
    /// The folder of the run, if runs are kept.
    pub run: Option<PathBuf>,
    /// All that is known, in words too: for those who report it as the command does. Places in it that are not kept are
    /// gone.
    pub report: RunReport,
    /// What was published.
    published: Artifact,
}

impl JobResult {
    /// Takes what came of a job from its report and from the disk.
    ///
    /// # Errors
    /// If what was published cannot be read.
    pub(super) fn of(report: RunReport, (keeps_out, keeps_run): (bool, bool)) -> Result<JobResult, Refusal> {
        let ended = report.ended.clone();
        let is_there = report.out.symlink_metadata().is_ok();
        let published = if report.out.is_dir() {
            load_published(&report.out, None)?
        } else if is_there {
            let name = report.out.file_name().map(PathBuf::from);
            load_published(&report.out, name.as_deref())?
        } else {
            ended.best.artifact()
        };
        Ok(JobResult {
            best: ended.best,
            passing: ended.passing,
            evidence: ended.evidence,
            why: ended.why,
            confirmed: ended.confirmed,
            tests: ended.asked,
            unresolved: ended.unresolved,
            runs: ended.runs,
            out: Some(report.out.clone()).filter(|_| keeps_out),
            run: Some(report.run.clone()).filter(|_| keeps_run),
            report,
            published,
        })
    }

    /// Returns the contents of [`JobResult::best`]: of several files, one after the other.
    pub fn bytes(&self) -> Vec<u8> {
        self.best.artifact().bytes().to_vec()
    }

    /// Returns the files that were published, with their contents, by their paths: of a reduction the smaller input, else
    /// both sides, all minima, or the patches and what is said of them.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        self.published.files().map(|(path, _, bytes)| (path.to_owned(), bytes.to_vec())).collect()
    }
}
