//! Begins a run.

use crate::ask;
use crate::audience::Audience;
use crate::engine::RunReport;
use crate::errors::Refusal;
use crate::job::Job;
use crate::open;
use crate::runs;
use crate::story::story;
use reduct_session::Stops;

/// Begins a run and does it, to its end or until it is stopped. With `force`, its result may replace what stands in its
/// place.
///
/// ```standalone_crate
/// use reduct_lib::{Audience, Failure, Job, Stops};
/// use std::time::Duration;
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("begin-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "a\nb\nc\nd\n")?;
///     let words = ["grep", "-q", "c", "{}"].map(Into::into);
///     let job = Job::new(vec!["list".into()], words.into(), folder.join("small"))
///         .with_folder(folder.clone())
///         .with_failure(Failure::ExitZero)
///         .with_jobs(Some(2));
///     let stops = Stops::default().with_time(Some(Duration::from_secs(600)));
///     let report = reduct_lib::begin(&job, false, stops, Audience::default())?;
///     assert_eq!(report.ended.best.artifact().bytes(), b"c");
///     // A run is kept in `.reduct`, where it can be resumed and verified.
///     assert!(report.run.is_dir());
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If the job cannot be understood, the inputs not read, or the failure does not occur. Nothing is changed then.
pub fn begin(job: &Job, force: bool, stops: Stops, audience: Audience<'_>) -> Result<RunReport, Refusal> {
    ask::read_stories_by(story);
    let opened = open::of_new(job, force)?;
    runs::check_kept(job.runs_folder())?;
    opened.begin(stops, audience)
}
