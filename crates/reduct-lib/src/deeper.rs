//! Deeper records of the executions of a program: what is left of a run is recorded again, deeper, and the search goes on with that.

use crate::audience::Audience;
use crate::beside::words_of;
use crate::errors::Refusal;
use crate::executor::executor;
use crate::job::Job;
use crate::probe::Probe;
use crate::runs::Run;
use reduct_input::{Artifact, Candidate};
use reduct_session::journal::{self, JournalRecord};

/// Returns the number of the last record of the executions of a run's program: 1, or that of the last deeper one.
///
/// ```no_run
/// # use reduct_lib::Run;
/// let number = reduct_lib::last_record(&Run::find(".".as_ref())?)?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If the run cannot be read.
pub fn last_record(run: &Run) -> Result<u32, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let numbers = records.iter().filter_map(|record| match record {
        JournalRecord::Branch { record, .. } => *record,
        _ => None,
    });
    Ok(numbers.max().unwrap_or(1))
}

/// Returns whether the test of a run fails on a text in place of its one input.
///
/// ```no_run
/// # use reduct_lib::{Audience, Run};
/// let fails = reduct_lib::fails(&Run::find(".".as_ref())?, b"prog.py:1_1 x = 1\n", Audience::default())?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If the run cannot be read, or had not come so far as to know what the failure is; if no test can be run.
pub fn fails(run: &Run, text: &[u8], mut audience: Audience<'_>) -> Result<bool, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    let whole = Candidate::whole(artifact(&job, text)?.into());
    let words = words_of(&job, &[whole.base()]);
    let executor = executor(&job, job.handed, whole.len())?;
    let mut probe = Probe::open(&job, (run, &records), words, executor, &mut audience)?;
    let (mut session, judge) = probe.session(audience.views());
    judge.fails(&mut session, &whole).map_err(Refusal::stopped)
}

/// Returns a text under the name of the one input of a job.
pub(crate) fn artifact(job: &Job, text: &[u8]) -> Result<Artifact, Refusal> {
    let name = job.inputs.first().and_then(|input| input.file_name()).unwrap_or_default();
    Artifact::of_file(name, text).map_err(|error| Refusal::Executor(error.to_string()))
}
