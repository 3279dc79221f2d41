//! Where tests are run.

use crate::errors::Refusal;
use crate::job::{Handed, Job};
use reduct_run::executor::local::{Local, Setup};
use reduct_run::executor::{Executor, Ground, Invocation};
use reduct_run::warden;
use std::sync::Arc;

/// A place to run the test of a job on inputs of at most `size` bytes.
///
/// # Errors
/// If no test can be run here.
pub fn lab(job: &Job, handed: Handed, size: usize) -> Result<Box<dyn Executor>, Refusal> {
    if job.ask.is_some() {
        return crate::ask::lab(&Job { handed, ..job.clone() });
    }
    let invocation = Job { handed, ..job.clone() }.invocation()?;
    place_of(job, invocation, size, None)
}

/// A place to run this on what stands on a ground.
///
/// # Errors
/// If no test can be run here.
pub(crate) fn place_of(
    job: &Job,
    invocation: Invocation,
    size: usize,
    ground: Option<Arc<dyn Ground>>,
) -> Result<Box<dyn Executor>, Refusal> {
    let setup = Setup {
        jobs: job.job_count(),
        invocation,
        limits: job.limits(None, size),
        scratch: job.scratch.clone(),
        room: size as u64,
        // What a test has made must not be there for the next one.
        fresh: ground.is_some(),
        ground,
        warden: warden::command(),
        random_addresses: job.limits.aslr,
    };
    match Local::new(setup) {
        Ok(lab) => Ok(Box::new(lab)),
        Err(error) => Err(Refusal::Executor(error.to_string())),
    }
}
