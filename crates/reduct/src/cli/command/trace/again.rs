//! The build of a program for a run that goes on: the copy in which it was built may be gone.

use super::built::{Build, as_tests, held};
use crate::cli::{usage, view};
use reduct_lib::{Job, Refusal, Run};
use reduct_session::journal;
use reduct_trace::{BuiltTree, ExecutionPlan, changed_file};
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

/// What the command of a run says of the build.
struct Built<'a> {
    line: &'a OsStr,
    place: &'a Path,
    only: Vec<PathBuf>,
}

/// Checks whether the program whose executions a run reduces is what it was when they were recorded: under a plan, another one says nothing.
///
/// # Errors
/// If it is another one, or the run cannot be read.
pub(in crate::cli::command) fn refuse_if_changed(run: &Run) -> Result<(), Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    let ([input], Some(_)) = (&job.inputs[..], job.stepped()) else { return Ok(()) };
    let recorded = std::fs::read_to_string(run.input().join(input.file_name().unwrap_or_default())).unwrap_or_default();
    if !ExecutionPlan::is_recorded(&recorded) {
        return Ok(());
    }
    let about = ExecutionPlan::parse(&recorded).unwrap_or_default().about;
    changed_file(&about, &job.folder).map_or(Ok(()), |file| Err(changed("trace", &file)))
}

/// Returns the refusal of a run whose program has changed.
pub(in crate::cli::command) fn changed(command: &str, file: &str) -> Refusal {
    let what =
        format!("{file} has changed since the program was recorded: what was found is about the program as it was");
    usage(what, format!("put it back as it was; or `reduct {command}` again, with the same words"))
}

/// Builds the program of a run again if it was built and the copy is not what it was any more: better once now than in each test. Returns what
/// keeps the copy in its place as long as it is held, if the program was built.
///
/// # Errors
/// If the run cannot be read, or the program cannot be built as it was.
pub(in crate::cli::command) fn build_if_gone(run: &Run) -> Result<Option<File>, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    let Some(Built { line, place, only }) = built_by(&job) else { return Ok(None) };
    if BuiltTree::at(place).is_ok_and(|built| built.is_as_built()) {
        return Ok(held(place));
    }
    view::say("Building the program with guards again.");
    let build = Build { line, project: &job.folder, only: &only, is_confined: true };
    build.built_again(place, &mut as_tests(&job))?;
    Ok(held(place))
}

/// Returns what the command of a run says of the build, if it says that.
fn built_by(job: &Job) -> Option<Built<'_>> {
    let (options, _) = job.stepped()?;
    let values =
        |name: &'static str| options.windows(2).filter(move |words| words[0] == name).map(|words| words[1].as_os_str());
    let (line, place) = (values("--build").next()?, values("--prepared").next()?);
    Some(Built { line, place: Path::new(place), only: values("--only").map(PathBuf::from).collect() })
}
