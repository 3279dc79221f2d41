//! Goes on with a run, whatever it looks for.

use crate::ask;
use crate::audience::Audience;
use crate::deeper;
use crate::engine::RunReport;
use crate::errors::Refusal;
use crate::job::Job;
use crate::live;
use crate::open;
use crate::place;
use crate::runs::Run;
use crate::story::story;
use reduct_session::Stops;
use reduct_session::journal::{Journal, JournalRecord};

/// Goes on with a run where it stopped. No test whose outcome is known is run again. `None` if there
/// is nothing left to do.
///
/// ```standalone_crate
/// use reduct_lib::{Audience, Run, Stops, Test, Why};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("resume-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "a\nb\nc\nd\n")?;
///     let test = Test::shell("grep -q c {}").exit_zero();
///     let job = reduct_lib::reduce("list").folder(&folder).test(test).out("small").keep_runs(true);
///     assert_eq!(job.tests(1).run()?.why, Why::Tests(1));
///
///     // Later, perhaps in another process:
///     let run = Run::find(&folder)?;
///     let resumed = reduct_lib::resume(&run, Stops::default(), Audience::default())?;
///     assert!(resumed.is_some_and(|(_, report)| report.ended.why == Why::Done));
///     assert_eq!(std::fs::read(folder.join("small"))?, b"c");
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If its journal cannot be used, or its input is not what it began with.
pub fn resume(run: &Run, stops: Stops, audience: Audience<'_>) -> Result<Option<(Job, RunReport)>, Refusal> {
    go_on(run, stops, audience, Before::Nothing)
}

/// Goes on likewise, after the last answer of a person is taken back, also if the run had come to its end with it.
///
/// ```no_run
/// # use reduct_lib::{Audience, Run, Stops};
/// let run = Run::find(".".as_ref())?;
/// reduct_lib::resume_without_the_last_answer(&run, Stops::default(), Audience::default())?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// Likewise, and if no person is asked in the run, nobody is there to be asked again, or nothing was answered. Nothing
/// is taken back then.
pub fn resume_without_the_last_answer(
    run: &Run,
    stops: Stops,
    audience: Audience<'_>,
) -> Result<Option<(Job, RunReport)>, Refusal> {
    go_on(run, stops, audience, Before::Undo)
}

/// Goes on likewise, from a step that was accepted, 0 being the whole input, also if the run had come to its end: the search
/// begins again with what is left there. What the steps of `never` took away stays then.
///
/// ```standalone_crate
/// use reduct_lib::{Audience, Run, Stops, Test, Why};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("resume-from-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "a\nb\nc\nd\n")?;
///     let test = Test::shell("grep -q c {}").exit_zero();
///     reduct_lib::reduce("list").folder(&folder).test(test).out("small").keep_runs(true).run()?;
///
///     // Later, perhaps in another process:
///     let run = Run::find(&folder)?;
///     // Again from the whole input, without what the first step did.
///     let again = reduct_lib::resume_from(&run, (0, &[1]), Stops::default(), Audience::default())?;
///     assert!(again.is_some_and(|(_, report)| report.ended.why == Why::Done));
///     assert!(std::fs::read(folder.join("small"))?.len() > 1);
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// Likewise, and if the run has no such step, or cannot go on from one. Nothing is changed then.
pub fn resume_from(
    run: &Run,
    (from, never): (usize, &[usize]),
    stops: Stops,
    audience: Audience<'_>,
) -> Result<Option<(Job, RunReport)>, Refusal> {
    go_on(run, stops, audience, Before::Fork(from, never))
}

/// Goes on likewise, with a deeper record of the executions of a program that are left, `begin`, also if the run had come to its end: the
/// search goes on with that. It has this number (see [`crate::last_record`]), and fails ([`crate::fails`]).
///
/// ```no_run
/// # use reduct_lib::{Audience, Run, Stops};
/// let run = Run::find(".".as_ref())?;
/// let number = reduct_lib::last_record(&run)? + 1;
/// let begin = std::fs::read("prog.py.trace.2.txt")?;
/// reduct_lib::resume_deeper(&run, (number, &begin), Stops::default(), Audience::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Likewise, and if the deeper record cannot be kept, or the run remembers no outcomes.
pub fn resume_deeper(
    run: &Run,
    (number, begin): (u32, &[u8]),
    stops: Stops,
    audience: Audience<'_>,
) -> Result<Option<(Job, RunReport)>, Refusal> {
    go_on(run, stops, audience, Before::Deeper(number, begin))
}

/// What is done before a run is gone on with.
#[derive(Clone, Copy)]
enum Before<'a> {
    Nothing,
    /// The last answer of a person is taken back.
    Undo,
    /// It goes back to a step, and leaves in place what others took away.
    Fork(usize, &'a [usize]),
    /// What is left of the executions of a program was recorded again, deeper: the number of that record, and its text.
    Deeper(u32, &'a [u8]),
}

fn go_on(
    run: &Run,
    stops: Stops,
    audience: Audience<'_>,
    before: Before<'_>,
) -> Result<Option<(Job, RunReport)>, Refusal> {
    ask::read_stories_by(story);
    let (mut journal, records) = Journal::resume(&run.journal())?;
    journal.rest_on(run.input());
    let (job, input) = run.job(&records)?;
    let is_done = records.iter().any(|record| matches!(record, JournalRecord::Ended { done: true, .. }));
    if is_done && matches!(before, Before::Nothing) {
        // If it was killed at its very end, nobody else looks for what it has left.
        reduct_sandbox::local::sweep_all(job.scratch.as_deref());
        live::sweep(&run.folder);
        return Ok(None);
    }
    check_resumable(run, &job)?;
    let problem = open::of_run(&job, run, input)?;
    let first = match before {
        Before::Nothing => None,
        Before::Undo => ask::taking_back(&job, &records)?,
        Before::Fork(from, never) => Some(problem.fork(&records, run, (from, never))?),
        Before::Deeper(number, begin) => {
            let branch = problem.deeper(&records, run, (number, &deeper::artifact(&job, begin)?))?;
            journal.rest_on(run.record_folder(number));
            Some(branch)
        }
    };
    let found = place::clear(&job, run, open::recognizes(&job))?;
    let report = problem.resume(run, journal, (&records, first), stops, audience)?;
    let report = RunReport { found: found.or(report.found.clone()), ..report };
    Ok(Some((job, report)))
}

/// Checks whether a run stands where it was made: its paths are those of that folder.
fn check_resumable(run: &Run, job: &Job) -> Result<(), Refusal> {
    let made_in = run.folder.canonicalize().ok().and_then(|folder| Some(folder.parent()?.parent()?.to_owned()));
    if made_in.is_none() || made_in != job.runs_folder().canonicalize().ok() {
        return Err(Refusal::RunMoved { run: run.folder.clone(), made_in: job.runs_folder().to_owned() });
    }
    Ok(())
}
