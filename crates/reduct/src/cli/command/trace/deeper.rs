//! Deeper records: of a program that executes more than can be recorded, what is left is recorded again, deeper, and reduced on.

use super::recording::{LONGEST_RUN, MOST, first_difference};
use crate::cli::view::{self, INTERRUPTED, Interruption, Looks};
use reduct_lib::{Job, Refusal, Replay, Run, RunReport, fails, last_record, resume_deeper, run_each};
use reduct_oracle::Exit;
use reduct_report::listing::{self, NotDeeper};
use reduct_report::turns;
use reduct_session::Stops;
use reduct_session::event::Why;
use reduct_session::publish::keep_unless;
use reduct_trace::{ControlFlow, ExecutionPlan, RecordingError, read_deeper, record_file};
use std::ffi::OsString;
use std::fs::{self, Permissions, read_to_string};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// With this status, a driver ends a program that executes something else than what was recorded.
const UNRESOLVED: i32 = 125;

/// How far a run has come.
pub(in crate::cli::command) struct Reached {
    pub(in crate::cli::command) job: Job,
    pub(in crate::cli::command) run: PathBuf,
    pub(in crate::cli::command) why: Why,
    fails: bool,
    tests: u64,
    elapsed: Duration,
}

impl Reached {
    pub(in crate::cli::command) fn of(job: &Job, report: &RunReport) -> Reached {
        Reached {
            job: job.clone(),
            run: report.run.clone(),
            why: report.ended.why.clone(),
            fails: report.ended.confirmed != Some(false),
            tests: report.ended.asked,
            elapsed: report.ended.elapsed,
        }
    }

    /// Returns whether what is left is about executions, and not recorded as a whole.
    pub(in crate::cli::command) fn can_go_on(&self) -> bool {
        Left::of(&self.job, &self.run).is_some()
    }

    /// Returns how far a run has come that was done before.
    pub(in crate::cli::command) fn done(job: Job, run: &Run) -> Reached {
        let run = run.folder.clone();
        Reached { job, run, why: Why::Done, fails: true, tests: 0, elapsed: Duration::ZERO }
    }
}

/// How far a run has come, and how the last search ended that began here, if there was one.
pub(in crate::cli::command) type Gone = (Reached, Result<Option<ExitCode>, Refusal>);

/// Goes on with a run that has come to its end, as long as what is left can be recorded deeper. Whatever ends that, what the run had come to
/// by then holds.
///
/// # Errors
/// If signals cannot be listened for. In what is returned: if the program cannot be run, or the run cannot be gone on with.
pub(in crate::cli::command) fn go_on(
    mut reached: Reached,
    (mut stops, jobs): (Stops, Option<usize>),
    looks: &Looks,
) -> Result<Gone, Refusal> {
    let interruption = Interruption::new()?;
    let mut done = None;
    while reached.why == Why::Done && reached.fails {
        let Some(left) = Left::of(&reached.job, &reached.run) else { break };
        let further = Further { reached: &mut reached, interruption: &interruption, looks };
        match further.search(&left, &mut stops, jobs) {
            Ok(None) => break,
            Ok(status) => done = status,
            Err(Refusal::Stopped(_, Why::Interrupted) | Refusal::StoppedLater(_, Why::Interrupted)) => {
                view::say("Interrupted.");
                reached.why = Why::Interrupted;
                return Ok((reached, Ok(Some(ExitCode::from(INTERRUPTED)))));
            }
            Err(error) => {
                reached.why = Why::Stopped;
                return Ok((reached, Err(error)));
            }
        }
    }
    Ok((reached, Ok(done)))
}

/// One step further: what is left is recorded deeper, and the search goes on with that.
struct Further<'a> {
    reached: &'a mut Reached,
    interruption: &'a Interruption,
    looks: &'a Looks,
}

impl Further<'_> {
    /// Records what is left deeper, and searches. Returns how that ended; nothing, if it cannot be recorded deeper.
    fn search(self, left: &Left, stops: &mut Stops, jobs: Option<usize>) -> Result<Option<ExitCode>, Refusal> {
        let Further { reached, interruption, looks } = self;
        let say = |line: String| {
            if !looks.is_quiet() {
                view::say(&line);
            }
        };
        let cannot = |why: &NotDeeper| {
            say(listing::not_deeper(why, left.below));
            Ok(None)
        };
        say(listing::recording_again(left.below));
        let (run, began) = (Run::at(reached.run.clone()).with_jobs(jobs), Instant::now());
        let number = last_record(&run)? + 1;
        let deeper = match left.recorded_again(&reached.job, number, interruption)? {
            Ok(deeper) => deeper,
            Err(why) => return cannot(&why),
        };
        let begin = deeper.kept().to_text(&left.language);
        match left.keep(&deeper, &run) {
            Ok(Some((place, kept))) => {
                let short = |path: &Path| path.strip_prefix(&reached.job.folder).unwrap_or(path).to_owned();
                say(turns::kept(&short(&place), &short(&kept)));
            }
            Ok(None) => {}
            Err(why) => return cannot(&why),
        }
        if !view::hear(|audience| fails(&run, begin.as_bytes(), interruption.told(audience)))? {
            return cannot(&NotDeeper::DoesNotFail);
        }
        let more = deeper.events().len().saturating_sub(left.plan.events().len());
        say(listing::recorded_again(more, deeper.about.deepest));
        *stops = what_is_left(std::mem::take(stops), (reached.tests, reached.elapsed + began.elapsed()));
        let status = view::watch(looks, |audience| {
            let resumed = resume_deeper(&run, (number, begin.as_bytes()), *stops, interruption.told(audience))?;
            *reached = resumed
                .as_ref()
                .map_or(Reached::done(reached.job.clone(), &run), |(job, report)| Reached::of(job, report));
            Ok(resumed)
        })?;
        Ok(Some(status))
    }
}

/// Returns the rules by which to stop after so many tests and so much time: that of searches, and of recording what is left.
fn what_is_left(stops: Stops, (tests, time): (u64, Duration)) -> Stops {
    let left = (stops.tests.map(|it| it.saturating_sub(tests)), stops.time.map(|it| it.saturating_sub(time)));
    stops.with_tests(left.0).with_time(left.1)
}

/// Returns what is left of a run, as its journal has it: what stands at the place of the result may have been edited.
fn left_of(run: &Path) -> Option<String> {
    let mut replay = Replay::of(&Run::at(run.to_owned())).ok()?;
    replay.by_ref().for_each(drop);
    String::from_utf8(replay.best().0.artifact().bytes().to_vec()).ok()
}

/// What is left of a run that was not recorded as a whole.
struct Left {
    /// The first record, and the one that the plan is of.
    first: PathBuf,
    record: ExecutionPlan,
    plan: ExecutionPlan,
    text: String,
    language: String,
    /// Down to this level, it is recorded.
    below: usize,
    most: usize,
}

impl Left {
    /// Returns what is left of the executions of a job. Nothing, if it is about something else, all is recorded, or control goes as it was
    /// recorded.
    fn of(job: &Job, run: &Path) -> Option<Left> {
        let ((options, _), [input]) = (job.stepped()?, &job.inputs[..]) else { return None };
        let first = job.folder.join(input);
        let text = left_of(run)?;
        let plan = ExecutionPlan::parse(&text).ok().filter(|plan| plan.about.control == ControlFlow::Natural)?;
        let below = plan.about.deepest?;
        let record = read_to_string(record_file(&first, plan.record_number())).ok()?;
        let language = ExecutionPlan::language_of(&record)?.to_owned();
        let record = ExecutionPlan::parse(&record).ok().filter(|record| record.about == plan.about)?;
        let most = options.windows(2).find(|words| words[0] == "--most").and_then(|words| words[1].to_str());
        let most = most.and_then(|most| most.parse().ok()).unwrap_or(MOST);
        Some(Left { first, record, plan, text, language, below, most })
    }

    /// Records it twice, as deep as fits.
    fn recorded_again(
        &self,
        job: &Job,
        number: u32,
        interruption: &Interruption,
    ) -> Result<Result<ExecutionPlan, NotDeeper>, Refusal> {
        let (mut deepest, mut first) = (None, None);
        loop {
            let deeper = match self.once(job, deepest, interruption)? {
                Ok(Some(deeper)) => deeper,
                Ok(None) => return Ok(Err(NotDeeper::NothingDeeper)),
                Err(RecordingError::TooLong { fits: Some(fits), .. }) if fits > self.below && deepest.is_none() => {
                    deepest = Some(fits);
                    continue;
                }
                // Once it is known how deep it fits, it is longer for another reason: it is not the same each time.
                Err(RecordingError::TooLong { events, .. }) if deepest.is_none() => {
                    return Ok(Err(NotDeeper::TooMany(events)));
                }
                Err(error) => return Ok(Err(NotDeeper::Unreadable(error.to_string()))),
            };
            let Some(first) = &first else {
                first = Some(deeper);
                continue;
            };
            if let Some(event) = first_difference(first, &deeper, deeper.about.build.is_some()) {
                return Ok(Err(NotDeeper::NotTheSame(event.place.clone())));
            }
            let mut deeper = deeper;
            deeper.about.deepest = deepest;
            deeper.note_more_files(&job.folder);
            deeper.number(number);
            return Ok(Ok(deeper));
        }
    }

    /// Records it once. Nothing, if nothing is deeper.
    fn once(
        &self,
        job: &Job,
        deepest: Option<usize>,
        interruption: &Interruption,
    ) -> Result<Result<Option<ExecutionPlan>, RecordingError>, Refusal> {
        let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for the record"))?;
        let to = own.path().join("record");
        let mut command = job.command.clone();
        let at = command.iter().position(|word| word == "--").unwrap_or(command.len());
        let mut options: Vec<OsString> = vec!["--record".into(), to.clone().into(), "--deeper".into()];
        if let Some(deepest) = deepest {
            options.extend(["--deepest".into(), deepest.to_string().into()]);
        }
        command.splice(at..at, options);
        let limits = job.limits.with_time(job.limits.time.or(Some(LONGEST_RUN)));
        let job = job.clone().with_command(command).with_limits(limits);
        let name = self.first.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let observed = view::hear(|audience| {
            let mut audience = interruption.told(audience);
            let (size, text) = (self.text.len(), self.text.as_bytes());
            run_each(&job, own.path(), size, &mut audience, |tests| tests.run(&name, text))
        })?;
        // Something else was executed than what is left.
        if observed.exit == Exit::Code(UNRESOLVED) {
            return Ok(Err(RecordingError::Malformed));
        }
        Ok(read_deeper(&to, (&self.record, &self.plan), self.most))
    }

    /// Puts a deeper record beside the first one. Returns where what another run had left in its place is kept.
    fn keep(&self, deeper: &ExecutionPlan, run: &Run) -> Result<Option<(PathBuf, PathBuf)>, NotDeeper> {
        let place = record_file(&self.first, deeper.record_number());
        let cannot = |error: std::io::Error| NotDeeper::Unreadable(format!("{}: {error}", place.display()));
        let text = deeper.to_text(&self.language);
        let kept = match fs::read(&place) {
            Ok(there) if there == text.as_bytes() => return Ok(None),
            Ok(there) if ExecutionPlan::is_recorded(&String::from_utf8_lossy(&there)) => {
                keep_unless(None, &place, &run.folder).map_err(cannot)?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            _ => return Err(NotDeeper::InTheWay(place)),
        };
        let folder = place.parent().unwrap_or(Path::new("."));
        // Like the first record, for all who may read what this user makes.
        let mode = Permissions::from_mode(0o666);
        let fresh = tempfile::Builder::new().permissions(mode).tempfile_in(folder).map_err(cannot)?;
        fs::write(fresh.path(), text).map_err(cannot)?;
        fresh.persist(&place).map_err(|error| cannot(error.error))?;
        Ok(kept.map(|kept| (place, kept)))
    }
}
