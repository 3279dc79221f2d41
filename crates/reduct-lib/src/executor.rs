//! Where tests are run.

use crate::errors::Refusal;
use crate::job::{InputDelivery, Job};
use crate::list::List;
use reduct_oracle::{Afterwards, Invocation};
use reduct_sandbox::local::{Local, Setup};
use reduct_sandbox::{looked, opened, refused, supervisor};
use reduct_session::executor::Opened;
use reduct_sources::BaseTree;
use std::path::Path;
use std::sync::Arc;

/// Returns a place to run the test of a job on inputs of at most `size` bytes.
///
/// # Errors
/// If no test can be run here.
pub fn executor(job: &Job, handed: InputDelivery, size: usize) -> Result<Box<Opened>, Refusal> {
    if let Some(options) = job.source().person() {
        return crate::ask::executor(&Job { handed, ..job.clone() }, options.by);
    }
    let invocation = Job { handed, ..job.clone() }.invocation()?;
    open_local(job, invocation, size, None)
}

/// What is written to a list while a test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// The files below the folder of the command that it opens: see [`opened`].
    Opened,
    /// The calls that the system refuses to it: see [`refused`].
    Refused,
    /// The paths at which it looks: see [`looked`].
    Looked,
}

/// Returns the same, where this is written to a list.
///
/// # Errors
/// If no test can be run here.
pub(crate) fn watched(job: &Job, size: usize, (what, list): (Listed, &List)) -> Result<Box<Opened>, Refusal> {
    let invocation = job.invocation()?;
    let before = match what {
        Listed::Opened => opened::before(&list.path()),
        Listed::Refused => refused::before(&list.path()),
        Listed::Looked => looked::before(&list.path()),
    };
    let argv = [&before[..], &invocation.argv[..]].concat();
    // gdb would be asked about the one that watches.
    let after = Afterwards { backtraces: false, ..invocation.after };
    open_local(&writing(job, list), Invocation { argv, after, forks: false, ..invocation }, size, None)
}

/// Returns a job whose tests may also write to a list, which stands outside of their folders.
pub(crate) fn writing(job: &Job, list: &List) -> Job {
    let folder = list.folder().map(Path::to_owned);
    let confinement = job.confinement.clone().map(|it| {
        let writable = it.writable.iter().cloned().chain(folder).collect();
        it.with_writable(writable)
    });
    Job { confinement, ..job.clone() }
}

/// Returns a place to run this on what stands on a base tree, or in copies of the project of the job.
///
/// # Errors
/// If no test can be run here.
pub(crate) fn open_local(
    job: &Job,
    invocation: Invocation,
    size: usize,
    base_tree: Option<Arc<dyn BaseTree>>,
) -> Result<Box<Opened>, Refusal> {
    let pause = &job.watched.pause;
    let project = pause.during(|| job.project())?.map(Arc::new);
    let room = project.as_ref().map_or(0, |project| project.bytes());
    let base_tree = project.map(|project| project as Arc<dyn BaseTree>).or(base_tree);
    let setup = Setup {
        jobs: job.job_count(),
        invocation,
        limits: job.limits(None, size),
        scratch: job.scratch.clone(),
        room: room.saturating_add(size as u64),
        // What a test has made must not be there for the next one, unless that is seen to otherwise.
        fresh: base_tree.as_ref().is_some_and(|base_tree| !base_tree.lays_again()),
        base_tree,
        supervisor: supervisor::command(),
        random_addresses: job.limits.aslr,
        confinement: job.confined(),
    };
    // The project is copied.
    match pause.during(|| Local::open(setup)) {
        Ok(executor) => Ok(Box::new(executor)),
        Err(error) => Err(Refusal::of_setup(error)),
    }
}
