//! Tests that are run outside of a search, confined and limited as those of a search are.

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::executor;
use crate::job::Job;
use reduct_input::{Artifact, Candidate};
use reduct_oracle::Observed;
use reduct_session::Session;
use reduct_session::confinement::{Confinement, Strength};
use reduct_sources::load;
use std::path::Path;

/// Runs the test of a job once on its inputs, and returns what was observed. It may also write to the folder `own`. The audience
/// can interrupt it.
///
/// ```standalone_crate
/// use reduct_lib::{Audience, Job};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("run-once-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "a\n")?;
///     let job = Job::new(vec!["list".into()], ["cat", "{}"].map(Into::into).into(), "".into()).with_folder(folder.clone());
///     let seen = reduct_lib::run_once(&job, &folder, &mut Audience::default())?;
///     assert_eq!(seen.stdout, b"a\n");
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If it cannot be run, or its inputs cannot be read.
pub fn run_once(job: &Job, own: &Path, audience: &mut Audience<'_>) -> Result<Observed, Refusal> {
    let whole = whole(job)?;
    run_each(job, own, whole.len(), audience, |tests| tests.observe(&whole))
}

/// Returns the inputs of a job as one candidate.
fn whole(job: &Job) -> Result<Candidate, Refusal> {
    let paths: Vec<_> = job.inputs.iter().map(|input| job.folder.join(input)).collect();
    Ok(Candidate::whole(load(&paths)?.into()))
}

/// Returns whether a test of a job on its inputs shows the same if it is forked (see [`reduct_oracle::Invocation::forks`]): how it ends, and what it
/// prints. If tests of this job are not forked, nothing is run. The tests may also write to the folder `own`.
///
/// A program that looks for other processes finds the one that forks it.
///
/// # Errors
/// If it cannot be run, or its inputs cannot be read.
pub fn is_same_if_forked(job: &Job, own: &Path, audience: &mut Audience<'_>) -> Result<bool, Refusal> {
    if !job.invocation()?.forks {
        return Ok(true);
    }
    let whole = whole(job)?;
    run_each(job, own, whole.len(), audience, |tests| {
        let forked = tests.session.observe_reused(&whole).map_err(Refusal::stopped)?;
        let started = tests.observe(&whole)?;
        let shown = |it: &Observed| (it.exit.clone(), it.stdout.clone(), it.stderr.clone());
        Ok(forked.is_some_and(|forked| shown(&forked) == shown(&started)))
    })
}

/// Runs the test of a job on texts of at most `size` bytes, one after the other, as `work` asks for them.
///
/// ```no_run
/// # use reduct_lib::{Audience, Job};
/// let job = Job::new(vec![], ["./browser", "{}"].map(Into::into).into(), "".into());
/// let slowest = reduct_lib::run_each(&job, ".".as_ref(), 1 << 10, &mut Audience::default(), |tests| {
///     let pages = [("a.html", "<p>"), ("b.html", "<select>")];
///     let seen = pages.iter().map(|(name, page)| tests.run(name, page.as_bytes()));
///     Ok(seen.collect::<Result<Vec<_>, _>>()?.into_iter().max_by_key(|seen| seen.elapsed))
/// })?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If it cannot be run, or the work ends with one.
pub fn run_each<T>(
    job: &Job,
    own: &Path,
    size: usize,
    audience: &mut Audience<'_>,
    work: impl FnOnce(&mut SingleTests<'_>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let confinement = job.confinement.clone().map(|it| {
        let writable = it.writable.iter().cloned().chain([own.to_owned()]).collect();
        it.with_writable(writable)
    });
    let job = Job { confinement, jobs: Some(1), ..job.clone() };
    let mut executor = executor(&job, job.handed, size)?;
    executor.time_limit = job.limits.time;
    audience.connect(&executor);
    let confined = executor.confined.clone();
    work(&mut SingleTests { session: Session::new(&mut *executor, vec![], job.patience), confined })
}

/// Runs tests one after the other.
pub struct SingleTests<'a> {
    session: Session<'a>,
    confined: Option<(Confinement, Strength)>,
}

impl SingleTests<'_> {
    /// Runs the test on a file with this name and these contents.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn run(&mut self, name: &str, contents: &[u8]) -> Result<Observed, Refusal> {
        let artifact = Artifact::of_file(name, contents).map_err(|error| Refusal::Executor(error.to_string()))?;
        self.observe(&Candidate::whole(artifact.into()))
    }

    fn observe(&mut self, candidate: &Candidate) -> Result<Observed, Refusal> {
        let observed = self.session.observe(std::slice::from_ref(candidate)).map_err(Refusal::stopped)?;
        observed.into_iter().next().ok_or_else(|| Refusal::Executor("a run said nothing".into()))
    }

    /// Returns how the tests are confined, if they are.
    pub fn confined(&self) -> Option<&(Confinement, Strength)> {
        self.confined.as_ref()
    }
}
