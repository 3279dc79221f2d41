//! A test, run once and looked at, as the tests of a search are run.

use crate::errors::Refusal;
use crate::executor::executor;
use crate::job::Job;
use reduct_input::Candidate;
use reduct_oracle::Observed;
use reduct_session::Session;
use reduct_session::confinement::Confinement;
use reduct_sources::load;
use std::path::Path;

/// Runs the test of a job once on its inputs, confined as its tests are, and returns what was observed. It may also write to
/// the folder `own`.
///
/// # Errors
/// If it cannot be run, or its inputs cannot be read.
pub fn run_once(job: &Job, own: &Path) -> Result<Observed, Refusal> {
    let confinement = job.confinement.clone().map(|it| {
        let writable = it.writable.iter().cloned().chain([own.to_owned()]).collect();
        Confinement { writable, ..it }
    });
    let job = Job { confinement, jobs: Some(1), ..job.clone() };
    let paths: Vec<_> = job.inputs.iter().map(|input| job.folder.join(input)).collect();
    let whole = Candidate::whole(load(&paths)?.into());
    let mut executor = executor(&job, job.handed, whole.len())?;
    executor.time_limit = job.limits.time;
    let mut session = Session::new(&mut *executor, vec![], job.patience);
    let observed = session.observe(std::slice::from_ref(&whole)).map_err(Refusal::stopped)?;
    observed.into_iter().next().ok_or_else(|| Refusal::Executor("a run said nothing".into()))
}
