//! Reads a run back as data, from its folder alone: for the report, the history, the pictures.

mod columns;
mod diff;
mod differences;
mod executions;
#[cfg(feature = "page")]
mod growing;
mod rows;
mod tested;
mod walked;

use crate::errors::Refusal;
use crate::goal::PerGoal;
use crate::job::{Failure, Job, Means};
use crate::preflight::{describe_failure, plain_line, repeat_line};
use crate::recorded::{never, reading};
use crate::replay::Replay;
use crate::runs::{ANSWER, KEPT, Run, SOUGHT, published};
use crate::shell::{as_typed, quoted};
pub use diff::{DIFF_CAP, diff};
pub use executions::{ExecutionsLeft, executions_left, keep_listing, records_of_executions};
#[cfg(feature = "page")]
pub(crate) use growing::Growing;
use reduct_report::excerpt;
use reduct_report::inquiries::{InquiryAnswer, tested};
use reduct_report::schedules::{ANY_FAILURE, Sought};
use reduct_report::story::{OtherFailure, Story, StoryEnd, StoryGap, StoryQuestion, StorySearch};
use reduct_session::event::Why;
use reduct_session::journal::{self, JournalRecord};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// Reads a run back. What cannot be read of it is named in [`Story::missing`].
///
/// ```no_run
/// # use reduct_lib::Run;
/// let story = reduct_lib::story(&Run::find(".".as_ref())?)?;
/// println!("{}", reduct_report::page::page(&story));
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If its journal cannot be read.
pub fn story(run: &Run) -> Result<Story, Refusal> {
    story_of(run, Replay::of(run), &mut tested)
}

/// Reads a run back whose tests are walked through so. Of the text of a test of an inquiry, it has what `shown` returns.
pub(crate) fn story_of(
    run: &Run,
    replay: Result<Replay, Refusal>,
    shown: &mut dyn FnMut(&str) -> String,
) -> Result<Story, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    let search = replay.map(|replay| match question(&job).is_inquiry() {
        true => tested::walk(replay, inquiry(run).as_ref(), shown),
        false => walked::walk(replay, &why(end(&records).as_ref()), never(&records)),
    });
    Ok(told(run, (job, &records), search))
}

/// Returns what is told of a run with this job and these records, whose search is this.
fn told(run: &Run, (job, records): (Job, &[JournalRecord]), search: Result<StorySearch, Refusal>) -> Story {
    let tool = records.iter().find_map(|record| match record {
        JournalRecord::Run { tool, .. } => Some(tool.clone()),
        _ => None,
    });
    let end = end(records);
    let question = question(&job);
    let inquiry = inquiry(run);
    let (search, mut missing) = match search {
        Ok(search) => (Some(search), vec![]),
        Err(refusal) => (None, vec![StoryGap::Search(refusal.to_string())]),
    };
    let improved = if question.is_inquiry() { vec![] } else { improved(records) };
    if let Some(search) = &search {
        let (walked, had) = (search.tests.len() as u64, improved.last().map_or(0, |(n, _)| *n));
        if walked < had {
            missing.push(StoryGap::Outcomes { walked, had });
        }
    }
    let is_done = end.as_ref().is_some_and(|end| end.is_done);
    missing.extend((question.is_inquiry() && is_done && inquiry.is_none()).then_some(StoryGap::InquiryAnswer));
    let (runs, ms) = runs(records);
    let failure = reading(records).map(|reading| match question {
        // Before a schedule fails, any failure is looked for.
        StoryQuestion::Switches if matches!(job.failure, Failure::Observed) => ANY_FAILURE.to_owned(),
        _ if question.is_inquiry() => reading.describe(),
        _ => describe_failure(&job, &reading),
    });
    let out = published(records).unwrap_or_else(|| job.out.clone());
    let (person, is_repeated) = (job.source().person(), job.repeat);
    let executions = executions(run, (question, &job), search.as_ref());
    let again = |left: &ExecutionsLeft| left.again(&job.folder);
    let repeat = executions.as_ref().map(again).or_else(|| repeat_line(&job, &out));
    let plain = if executions.is_some() { None } else { plain_line(&job, &out) };
    let run_folder = run.folder.canonicalize().unwrap_or_else(|_| run.folder.clone());
    let run_quoted = quoted(run_folder.strip_prefix(&job.folder).unwrap_or(&run_folder).as_os_str());
    let question = if executions.is_some() { StoryQuestion::Executions } else { question };
    let search = search.map(|search| with_all_recorded(search, executions.as_ref()));
    let of_job = of_job(job, executions.as_ref().map(|left| &left.program[..]));
    Story {
        run: run_folder,
        tool: tool.unwrap_or_default(),
        question,
        listing: executions.map(|left| left.listing),
        sought: sought(run),
        inquiry,
        failure,
        runs,
        ms,
        search,
        improved,
        end,
        others: others(&run.others()),
        explanation: object(&run.folder.join("explain.json")),
        answer: object(&run.folder.join("answer/answer.json")).or_else(|| object(&out.join("answer.json"))),
        answer_text: text(&run.folder.join("answer/answer.txt")).or_else(|| text(&out.join("answer.txt"))),
        missing,
        by_person: person.is_some(),
        asked_on_page: person.is_some_and(|person| person.by != Means::Terminal),
        is_repeated,
        plain,
        repeat,
        run_quoted,
        out,
        ..of_job
    }
}

/// Returns a search whose whole is all that was recorded, if some of it was recorded later.
fn with_all_recorded(mut search: StorySearch, executions: Option<&ExecutionsLeft>) -> StorySearch {
    if let (Some(branch), Some(left)) = (search.branch.as_mut().filter(|branch| branch.is_deeper), executions) {
        branch.whole.0 = left.listing.recorded;
    }
    search
}

/// Returns what is left of the executions of a program, if a run reduces some.
fn executions(
    run: &Run,
    (question, job): (StoryQuestion, &Job),
    search: Option<&StorySearch>,
) -> Option<ExecutionsLeft> {
    let left = search.map(|search| search.best.artifact());
    let left = left.as_ref().map(|left| left.bytes());
    (question == StoryQuestion::Reduce).then(|| executions_left(run, job, left)).flatten()
}

/// Walks through a run that was opened, as data.
///
/// ```no_run
/// # use reduct_lib::{Replay, Run};
/// let run = Run::find(".".as_ref())?;
/// let search = reduct_lib::walked(Replay::of(&run)?, &run)?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If its journal cannot be read.
pub fn walked(replay: Replay, run: &Run) -> Result<StorySearch, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    Ok(walked::walk(replay, &why(end(&records).as_ref()), never(&records)))
}

/// Returns what the job of a run says of it. `program` is the one whose executions were reduced, if it is about some.
fn of_job(job: Job, program: Option<&[OsString]>) -> Story {
    let words = program.map_or_else(|| inquiry_words(&job), <[OsString]>::to_vec);
    let program = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let (test, typed) = (as_typed(&job.command), as_typed(&job.typed));
    let Job { folder, inputs, command, out, caveats, .. } = job;
    // Of a program's run, the input of its tests is a file of reduct.
    let (inputs, command) = if words.is_empty() { (inputs, command) } else { (vec![], words) };
    Story {
        run: Path::new("").into(),
        tool: String::new(),
        question: StoryQuestion::Reduce,
        folder,
        inputs,
        command,
        out,
        failure: None,
        runs: 0,
        ms: 0,
        search: None,
        improved: vec![],
        end: None,
        others: vec![],
        caveats,
        by_person: false,
        asked_on_page: false,
        is_repeated: false,
        test,
        typed,
        plain: None,
        repeat: None,
        run_quoted: String::new(),
        explanation: None,
        program,
        listing: None,
        sought: None,
        inquiry: None,
        answer: None,
        answer_text: None,
        missing: vec![],
    }
}

/// Returns what was asked.
fn question(job: &Job) -> StoryQuestion {
    // Both are inquiries.
    if job.goal.switches().is_some() { StoryQuestion::Switches } else { job.goal.choose(Questions) }
}

/// Returns the program of an inquiry, with its arguments; of any other run nothing.
fn inquiry_words(job: &Job) -> Vec<OsString> {
    match (job.goal.values(), job.goal.switches()) {
        (Some(options), _) => options.bad.clone(),
        // What runs it under a schedule stands before it.
        (_, Some(_)) => job.stepped().map(|(_, program)| program.to_vec()).unwrap_or_default(),
        _ => vec![],
    }
}

/// Returns what an inquiry has found, if anything yet.
fn inquiry(run: &Run) -> Option<InquiryAnswer> {
    serde_json::from_str(&text(&run.folder.join(KEPT).join(ANSWER))?).ok()
}

/// Returns which schedule a run looks for, if it looks for one.
fn sought(run: &Run) -> Option<Sought> {
    Sought::named(&text(&run.folder.join(KEPT).join(SOUGHT))?)
}

/// Names the questions.
struct Questions;

impl PerGoal for Questions {
    type Output = StoryQuestion;

    fn reduction(self) -> StoryQuestion {
        StoryQuestion::Reduce
    }

    fn isolation(self) -> StoryQuestion {
        StoryQuestion::Isolate
    }

    fn minima(self) -> StoryQuestion {
        StoryQuestion::Minima
    }

    fn blame(self) -> StoryQuestion {
        StoryQuestion::Changes
    }

    fn command(self) -> StoryQuestion {
        StoryQuestion::Situation
    }

    fn inquiry(self) -> StoryQuestion {
        StoryQuestion::Values
    }
}

/// Returns how a run ended; `None` if it went on since, or was killed.
fn end(records: &[JournalRecord]) -> Option<StoryEnd> {
    let last = records.iter().rev().find_map(|record| match record {
        JournalRecord::Ended { done, why, back, seen, .. } => Some(Some((*done, why, *back, seen.clone()))),
        JournalRecord::Resumed => Some(None),
        _ => None,
    });
    let (is_done, why, went_back, seen) = last.flatten()?;
    // It stands there as the name of a variant, with its numbers.
    let name: String = why.chars().take_while(char::is_ascii_alphanumeric).collect();
    Some(StoryEnd { is_done, why: name.to_lowercase(), went_back, seen })
}

/// Returns the reason in the words of a session, as far as a claim needs it.
fn why(end: Option<&StoryEnd>) -> Why {
    match end {
        Some(StoryEnd { is_done: true, .. }) => Why::Done,
        _ => Why::Interrupted,
    }
}

/// Returns the steps that a journal has: after how many tests, and the size in bytes. Those of a run that began again are
/// of the last beginning.
fn improved(records: &[JournalRecord]) -> Vec<(u64, usize)> {
    let begin = records.iter().rposition(|record| matches!(record, JournalRecord::Forgotten { .. })).unwrap_or(0);
    let step = |record: &JournalRecord| match record {
        JournalRecord::Improved { n, bytes, .. } => Some((*n, *bytes)),
        _ => None,
    };
    records[begin..].iter().filter_map(step).collect()
}

/// Returns how often tests were run, and how long that took together, in milliseconds.
fn runs(records: &[JournalRecord]) -> (u64, u64) {
    let time = |record: &JournalRecord| match record {
        JournalRecord::Outcome { ms, .. } | JournalRecord::Vote { ms, .. } => Some(*ms),
        _ => None,
    };
    records.iter().filter_map(time).fold((0, 0), |(runs, all), ms| (runs + 1, all.saturating_add(ms)))
}

/// Returns the other failures that a run has kept.
fn others(folder: &Path) -> Vec<OtherFailure> {
    let mut found = vec![];
    for number in 1..=64 {
        let place = folder.join(number.to_string());
        let Some(signature) = text(&place.join("signature.txt")) else { continue };
        let input = place.join("input");
        let bytes = reduct_sources::load_published(&input, None).map_or(0, |artifact| artifact.bytes().len());
        found.push(OtherFailure { signature: excerpt::clean(signature.trim_end()), place: input, bytes });
    }
    found
}

/// More than this is read of no file beside a journal.
const MOST_READ: u64 = 8 << 20;

/// Returns a file of a run, if it is there, is a file of its own, and not too large to be shown.
fn text(path: &Path) -> Option<String> {
    let meta = fs::symlink_metadata(path).ok()?;
    let is_read = meta.is_file() && meta.len() <= MOST_READ;
    is_read.then(|| fs::read(path).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn object(path: &Path) -> Option<serde_json::Value> {
    serde_json::from_str(&text(path)?).ok()
}
