//! Explains the result of a run: what of it may be anything, what must be exactly so, and what passes beside it.
//!
//! Outcomes go into the journal of the run itself: asked again, also after a `kill -9`, only what is not known yet
//! is run.

use crate::audience::Audience;
use crate::errors::{NotExplained, Refusal};
use crate::executor::executor;
use crate::identity;
use crate::job::Job;
use crate::probe::Probe;
use crate::problem::Problem;
use crate::recorded::{around, files, oracle_of, shared_outcomes};
use crate::reduce::{Reducing, load_result};
use crate::reliance::{changed, differing, environment, unknown};
use crate::runs::Run;
use reduct_core::{Key, Memo, Outcome, Question, Repeats};
use reduct_input::Candidate;
use reduct_report::human::listed;
use reduct_report::run::paths;
use reduct_session::event::{Event, Observer, Why};
use reduct_session::journal::{Journal, JournalRecord};
use reduct_session::relied::{Around, Relied};
use reduct_session::{Start, Stops};
use reduct_strategies::{Constraint, Explanation, ResultPart};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::PathBuf;

/// What came of explaining a result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explained {
    /// The result.
    pub result: Candidate,
    /// What is known of its parts.
    pub explanation: Explanation,
    /// How many outcomes it took, and how many tests were run for that.
    pub tests: (u64, u64),
    /// Why it ended.
    pub why: Why,
    /// Where all of it is as JSON.
    pub json: PathBuf,
}

/// Explains the result of a finished reduction by so many tests at most.
///
/// ```standalone_crate
/// use reduct_lib::{Audience, Constraint, Run, Stops, Test};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("explain-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     std::fs::write(folder.join("list"), "width 3\nheight 10\n")?;
///     let test = Test::shell("grep -q 'width [0-9]' {}").exit_zero();
///     reduct_lib::reduce("list").folder(&folder).test(test).out("small").keep_runs(true).run()?;
///
///     // `width 3` is left. The word must be just that, the number need not.
///     let explained = reduct_lib::explain(&Run::find(&folder)?, Stops::default(), Audience::default())?;
///     for part in explained.explanation.findings() {
///         match &part.result_part.text[..] {
///             b"width" => assert_eq!(part.constraint, Constraint::Exactly),
///             b"3" => assert_ne!(part.constraint, Constraint::Exactly),
///             _ => {}
///         }
///     }
///     assert_eq!(explained.result.artifact().bytes(), b"width 3");
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If the run was none, is not finished, or its result is not there; or if nothing can be run.
pub fn explain(run: &Run, stops: Stops, mut audience: Audience<'_>) -> Result<Explained, Refusal> {
    let (journal, records) = Journal::resume(&run.journal())?;
    let (job, input) = run.job(&records)?;
    if let Some(why) = not_explained(&job) {
        return Err(why.into());
    }
    let best = finished(&records, run)?;
    let (files, around) = (files(&records).unwrap_or_default(), around(&records).unwrap_or_default());
    relies_on_the_same(&job, &files, &around, run)?;
    let words = Reducing::of_run(&job, run, input)?.words().clone();
    let artifact = load_result(&job)?;
    let result = Candidate::whole(artifact.clone().into());
    if result.key() != best {
        return Err(NotExplained::ResultChanged(job.out).into());
    }
    let mut known: Vec<(Key, Outcome)> = outcomes(&records);
    known.extend(shared_outcomes(&job, &records, run));
    if unknown(Some(&around)).is_some() {
        known.clear();
    }
    // What is put in may make it longer.
    let executor = executor(&job, job.handed, 2 * result.len() + (1 << 10))?;
    let mut probe = Probe::open(&job, (run, &records), words, executor, &mut audience)?;
    if let (Some(top), Some(base_tree)) = (job.top(), probe.executor.base_tree()) {
        let own: Vec<PathBuf> = around.own.iter().map(|own| own.path.clone()).collect();
        let about = (input, &[][..], Some(&base_tree.identity_but(&own)[..]));
        let now =
            identity::of(&job, probe.oracle.reading(), probe.policy.as_ref(), about, (&files, &around.variables))?;
        if oracle_of(&records).is_some_and(|then| then != now) {
            return Err(Refusal::TestChanged(run.folder.clone(), top.display().to_string()));
        }
    }
    let start = Start {
        inquiry: Explanation::new(artifact, job.search.grammars()?),
        known: known.len(),
        memo: known.into_iter().collect::<Memo>(),
        repeats: Repeats::Remembered,
        stops,
        skips: [].into(),
        reached: 0,
        failure: probe.oracle.reading().describe(),
        time_limit: probe.time_limit,
        policy: probe.policy,
        votes: HashMap::new(),
    };
    let mut journal = Outcomes { journal, keeps: job.cache };
    let mut observers: Vec<&mut dyn Observer> = vec![&mut journal];
    observers.extend(audience.views());
    let (mut session, judge) = probe.session(observers);
    let (ended, explanation) = session.search(judge.oracle, start);
    drop(session);
    let json = keep(&explanation, ended.asked, run)?;
    Ok(Explained { result, explanation, tests: (ended.asked, ended.runs), why: ended.why, json })
}

/// Returns what a finished run has left.
fn finished(records: &[JournalRecord], run: &Run) -> Result<Key, Refusal> {
    let ended = records.iter().rev().find_map(|record| match record {
        JournalRecord::Ended { done, best, .. } => Some((*done, *best)),
        _ => None,
    });
    match ended {
        Some((true, best)) => Ok(best),
        _ => Err(NotExplained::Unfinished(run.folder.clone()).into()),
    }
}

/// Refuses if the test is no longer what it was: a file that it opens or a variable that it reads is another one.
fn relies_on_the_same(job: &Job, files: &[Relied], around: &Around, run: &Run) -> Result<(), Refusal> {
    let changed = changed(files);
    if !changed.is_empty() {
        return Err(Refusal::TestChanged(run.folder.clone(), paths(&changed)));
    }
    let (read, _) = differing(&around.variables, &environment(job)?);
    if !around.variables.is_empty() && !read.is_empty() {
        return Err(Refusal::TestChanged(run.folder.clone(), listed(read)));
    }
    Ok(())
}

/// Keeps an explanation with the run, whole or not at all.
fn keep(explanation: &Explanation, asked: u64, run: &Run) -> Result<PathBuf, Refusal> {
    let json = run.folder.join("explain.json");
    let text = serde_json::to_vec_pretty(&described(explanation, asked)).unwrap_or_default();
    let new = run.folder.join("explain.json.new");
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &json));
    written.map_err(Refusal::io("write", &json))?;
    Ok(json)
}

/// Returns why what such a job found is not explained, if it is not.
fn not_explained(job: &Job) -> Option<NotExplained> {
    if !job.source().repeats() {
        return Some(NotExplained::Person);
    }
    job.goal.why_not_explained()
}

/// Returns all outcomes of a journal.
fn outcomes(records: &[JournalRecord]) -> Vec<(Key, Outcome)> {
    let outcome = |record: &JournalRecord| match record {
        JournalRecord::Outcome { k, o, .. } => Some((*k, *o)),
        _ => None,
    };
    records.iter().filter_map(outcome).collect()
}

/// Keeps outcomes in the journal of a run that is done, and nothing else: the run goes no further. Of one with
/// `--no-cache` not even those: its keys are places in its sequence.
struct Outcomes {
    journal: Journal,
    keeps: bool,
}

impl Observer for Outcomes {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        let is_outcome = matches!(event, Event::Ran { .. } | Event::Voted { .. });
        if is_outcome && self.keeps { self.journal.on(event) } else { Ok(()) }
    }
}

/// Returns the word for a freedom.
fn word(constraint: Constraint) -> &'static str {
    match constraint {
        Constraint::Anything => "anything",
        Constraint::Partly => "partly",
        Constraint::Exactly => "exactly",
        _ => "unknown",
    }
}

/// Returns all that is known, as JSON.
fn described(explanation: &Explanation, tests: u64) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let outcome = |known: Option<Outcome>| known.map_or(Value::Null, |outcome| json!(outcome.name()));
    let parts: Vec<Value> = explanation
        .findings()
        .iter()
        .map(|finding| {
            let places: Vec<[u32; 2]> = finding.result_part.places.iter().map(|at| [at.start, at.end]).collect();
            let tried: Vec<Value> = finding
                .tried
                .iter()
                .map(|(with, known)| json!({"with": text(with), "outcome": outcome(*known)}))
                .collect();
            json!({
                "places": places,
                "sort": finding.result_part.sort.name(),
                "text": text(&finding.result_part.text),
                "may_be": word(finding.constraint),
                "tried": tried,
            })
        })
        .collect();
    let described = |(result_part, with, candidate): (&ResultPart, &[u8], Candidate)| {
        let places: Vec<[u32; 2]> = result_part.places.iter().map(|at| [at.start, at.end]).collect();
        let passing = text(candidate.artifact().bytes());
        json!({"places": places, "text": text(&result_part.text), "with": text(with), "passing": passing})
    };
    let neighbour = explanation.neighbour().map(described);
    let neighbours: Vec<Value> = explanation.neighbours().into_iter().map(described).collect();
    json!({"v": 1, "tests": tests, "parts": parts, "passing_neighbour": neighbour, "passing_neighbours": neighbours})
}
