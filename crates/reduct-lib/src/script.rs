//! A script that tells the failure, checked before it is handed out.

pub(crate) mod refused;

use crate::audience::Audience;
use crate::beside::words_of;
use crate::errors::{Refusal, does_not_fail};
use crate::executor::executor;
use crate::job::{Failure, InputDelivery, Job, ResourceLimits};
use crate::place::make_room;
use crate::preflight::{establish_baseline, explain, note};
use crate::probe::Probe;
use crate::recorded::{policy, time_limit};
use crate::runs::Run;
use reduct_core::Outcome;
use reduct_input::{Artifact, Candidate};
use reduct_oracle::script::{Terms, script};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Oracle};
use reduct_report::confinement::OF_A_SCRIPT;
use reduct_session::Session;
use reduct_session::executor::Opened;
use reduct_session::journal;
use reduct_sources::load;
use refused::OracleScriptError;
use std::fs::{self, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Returns the script for a job that would be a reduction.
///
/// ```no_run
/// # use reduct_lib::{Audience, Test};
/// let test = Test::command(["./browser", "{}"]);
/// let job = reduct_lib::reduce("page.html").test(test).to_job();
/// let script = reduct_lib::script_of_job(&job, "page.sh", Audience::default())?;
/// reduct_lib::write_script(&script, "page.sh".as_ref(), false)?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If the failure does not occur, cannot be told by a shell, or is told otherwise by the script.
pub fn script_of_job(job: &Job, called: &str, mut audience: Audience<'_>) -> Result<Vec<u8>, Refusal> {
    let artifact = load(&job.input_paths())?;
    let words = words_of(job, &[&artifact]);
    let whole = Candidate::whole(artifact.into());
    let mut executor = executor(job, job.handed, whole.len())?;
    audience.connect(&*executor);
    let mut session = Session::new(&mut *executor, audience.views(), job.patience);
    let baseline = establish_baseline(&mut session, job, &whole, &words, vec![]);
    drop(session);
    let (baseline, of_empty) =
        baseline.map_err(|no_baseline| explain((job, &whole, &words), &mut audience, &mut *executor, no_baseline))?;
    let wanted = [Outcome::Fail, of_empty];
    checked(job, (&baseline.reading, baseline.time_limit), &whole, wanted, called, audience)
}

/// Returns the script for the failure of an earlier reduction.
///
/// ```no_run
/// # use reduct_lib::{Audience, Run};
/// let run = Run::find(".".as_ref())?;
/// let script = reduct_lib::script_of_run(&run, "page.sh", Audience::default())?;
/// reduct_lib::write_script(&script, "page.sh".as_ref(), false)?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If the run was no reduction, cannot be read, or its failure cannot be told by a shell.
pub fn script_of_run(run: &Run, called: &str, mut audience: Audience<'_>) -> Result<Vec<u8>, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, input) = run.job(&records)?;
    if !job.goal.is_reduction() {
        return Err(OracleScriptError::TwoSides.into());
    }
    if !job.source().is_command() {
        return Err(OracleScriptError::NoCommand.into());
    }
    if job.top().is_some() {
        return Err(OracleScriptError::NeedsProject.into());
    }
    if policy(&records).is_some() {
        return Err(OracleScriptError::Flaky.into());
    }
    let artifact: Artifact = run.load(input)?;
    let words = words_of(&job, &[&artifact]);
    let whole = Candidate::whole(artifact.into());
    let executor = executor(&job, job.handed, whole.len())?;
    let mut probe = Probe::open(&job, (run, &records), words, executor, &mut audience)?;
    let time = time_limit(&records).unwrap_or(Duration::from_secs(300));
    job.limit_time(&mut *probe.executor, Some(time));
    let wanted = outcomes(&mut *probe.executor, &job, &probe.oracle, &whole, &mut audience)?;
    checked(&job, (probe.oracle.reading(), time), &whole, wanted, called, audience)
}

/// Returns what an oracle says of the whole and the empty input.
fn outcomes(
    executor: &mut Opened,
    job: &Job,
    oracle: &Oracle,
    whole: &Candidate,
    audience: &mut Audience<'_>,
) -> Result<[Outcome; 2], Refusal> {
    let both = [whole.clone(), Candidate::nothing(whole.base().clone())];
    let mut session = Session::new(executor, audience.views(), job.patience);
    let mut said = [Outcome::Unresolved; 2];
    for (said, candidate) in said.iter_mut().zip(&both) {
        let seen = session.observe(std::slice::from_ref(candidate)).map_err(|why| Refusal::stopped_later(why, None))?;
        *said = seen.first().map_or(Outcome::Unresolved, |observed| oracle.verdict(observed).outcome);
    }
    Ok(said)
}

/// Returns the script, once it was seen to say of the whole and of the empty input what reduct itself says.
fn checked(
    job: &Job,
    (reading, time): (&Criterion, Duration),
    whole: &Candidate,
    wanted: [Outcome; 2],
    called: &str,
    mut audience: Audience<'_>,
) -> Result<Vec<u8>, Refusal> {
    if job.confinement.is_some() {
        note(&mut audience, OF_A_SCRIPT.into());
    }
    let invocation = job.invocation()?;
    let terms = Terms { reading, invocation: &invocation, time, memory: job.limits.memory, called };
    let script = script(&terms).map_err(OracleScriptError::Unsayable)?;
    let there = Draft::write(&script)?;
    let trial = Job {
        command: vec![there.0.clone().into_os_string()],
        failure: Failure::ExitZero,
        handed: InputDelivery::default(),
        // The script has a time limit of its own, and a moment more for itself.
        limits: ResourceLimits { time: Some(time + ROOM), memory: None, ..job.limits },
        ..job.clone()
    };
    let mut executor = executor(&trial, trial.handed, whole.len())?;
    audience.connect(&*executor);
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
    let said = outcomes(&mut *executor, &trial, &oracle, whole, &mut audience)?;
    for ((said, wanted), input) in said.into_iter().zip(wanted).zip(["whole", "empty"]) {
        if (said == Outcome::Fail) != (wanted == Outcome::Fail) {
            let looked_for = reading.describe().to_string();
            let error = OracleScriptError::Differs { input, said, wanted, looked_for };
            return Err(does_not_fail(&error, error.help()));
        }
    }
    Ok(script)
}

/// How much longer than its test a script may take.
const ROOM: Duration = Duration::from_secs(10);

/// A script on trial, removed in the end.
struct Draft(PathBuf);

impl Draft {
    fn write(script: &[u8]) -> Result<Draft, Refusal> {
        let place = std::env::temp_dir().join(format!("reduct-oracle-{}.sh", std::process::id()));
        // What is left of a process of the same number is in nobody's use; a link is not followed.
        let _ = fs::remove_file(&place);
        let open = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&place);
        let draft = Draft(place);
        open.and_then(|mut file| file.write_all(script)).map_err(Refusal::io("write", &draft.0))?;
        Ok(draft)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It stands where the system tidies up.
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes a script, so that it can be started.
///
/// ```
/// let place = std::env::temp_dir().join(format!("script-{}.sh", std::process::id()));
/// reduct_lib::write_script(b"#!/bin/sh\n", &place, false)?;
/// assert!(reduct_lib::is_program(&place) && reduct_lib::is_script(&place));
/// // Nothing that stands there is replaced unasked.
/// assert!(reduct_lib::write_script(b"#!/bin/sh\n", &place, false).is_err());
/// std::fs::remove_file(place)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it cannot be written, or something stands there.
pub fn write_script(script: &[u8], place: &Path, force: bool) -> Result<(), Refusal> {
    if !force && fs::symlink_metadata(place).is_ok() {
        return Err(Refusal::OutExists(place.to_owned()));
    }
    make_room(place)?;
    fs::write(place, script)
        .and_then(|()| fs::set_permissions(place, Permissions::from_mode(0o755)))
        .map_err(Refusal::io("write", place))
}
