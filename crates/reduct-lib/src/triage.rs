//! Triage: a folder of failing inputs, each reduced, and grouped by why they fail (book 5.2).
//!
//! Each input is reduced by a run of its own in `.reduct/triage/runs/NAME-DIGEST`. It stays there, so that nothing is
//! reduced twice: after any interruption, and when inputs are added. Each input is run once to see that it still fails
//! as it did; only then what is known of it counts.

mod cross_test;
mod evidence;
mod exchange;
mod group;
mod memory;
mod place;
pub(crate) mod refused;
mod remove;
mod report;
mod subsequence;
mod tokens;
mod triaged;

use crate::audience::Audience;
use crate::beside::words_of;
use crate::engine::RunReport;
use crate::errors::Refusal;
use crate::executor::executor;
use crate::fuzz::stop_signal::StopSignal;
use crate::identity;
use crate::job::{Failure, Job};
use crate::recorded::{around, files as relied, oracle_of, policy, reading};
use crate::reduce::reduce;
use crate::reliance::{changed, differing, environment};
use crate::resume::resume;
use crate::runs::Run;
pub use evidence::{CrossTest, How, Says};
pub use group::{Comparison, Failing, Group, Grouping};
use memory::Memory;
use reduct_core::{Outcome, Question};
use reduct_input::Candidate;
use reduct_oracle::signature::{InputVocabulary, Signature, describe};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Observed};
use reduct_report::triage::{TriageNote, TriageProgress};
use reduct_session::confinement::{Confinement, Strength};
use reduct_session::event::Why;
use reduct_session::journal;
use reduct_session::journal::JournalRecord;
use reduct_session::{Session, Stops};
use reduct_sources::{RUNS, load, load_published};
use refused::{SoFarKept, TriageError};
use remove::remove;
pub use report::{Files, files};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
pub use triaged::{Reduced, Triaged};

/// Runs each input of a folder, reduces what fails if a bound for that is given, and returns what came of it.
/// `template` says how; its inputs do not matter. With at most `cross_tests` experiments it is found out whether what
/// is left of one is what fails in another. `say` is told of each input as it is done.
///
/// ```standalone_crate
/// use reduct_lib::{Audience, Test};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let folder = std::env::temp_dir().join(format!("triage-{}", std::process::id()));
///     std::fs::create_dir_all(&folder)?;
///     for (name, text) in [("1", "a\n"), ("2", "aa\n"), ("3", "b\n"), ("4", "c\n")] {
///         std::fs::write(folder.join(name), text)?;
///     }
///     // It ends with another status for `a` than for `b`.
///     let test = Test::shell("if grep -q a {}; then exit 3; fi; if grep -q b {}; then exit 4; fi");
///     let job = reduct_lib::reduce("").test(test).to_job();
///     let triaged = reduct_lib::triage(&job, &folder, (None, 0), &mut Audience::default(), &mut |_| {})?;
///     assert_eq!((triaged.failing.len(), triaged.passing.len()), (3, 1));
///     assert_eq!(triaged.grouping().groups().len(), 2);
///     Ok(std::fs::remove_dir_all(folder)?)
/// }
/// ```
///
/// # Errors
/// If the folder cannot be read, the test not be run, or if it was interrupted.
pub fn triage(
    template: &Job,
    folder: &Path,
    (reducing, cross_tests): (Option<Stops>, usize),
    audience: &mut Audience<'_>,
    say: &mut dyn FnMut(TriageProgress<'_>),
) -> Result<Triaged, Refusal> {
    let inputs = inputs(folder)?;
    let board = StopSignal::new(audience);
    let audience = &mut board.audience();
    let mut triaged = Triaged::default();
    let mut places = vec![];
    for (at, input) in inputs.iter().enumerate() {
        let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number = (at + 1, inputs.len());
        let bench = Bench::new(template, folder, input, &name)?;
        let seen = bench.run(&bench.whole, audience)?;
        if let (0, Some((confinement, strength))) = (at, bench.confined.take()) {
            say(TriageProgress::Confined(&confinement, &strength));
        }
        if let Exit::NotStarted(why) = seen.exit {
            return Err(TriageError::CannotStart(why).into());
        }
        if !bench.fails(&seen) {
            let end = describe(&seen.exit);
            say(TriageProgress::Passes { number, name: &name, end: &end });
            triaged.passing.push((name, end));
            continue;
        }
        bench.forget_unless_same(&seen)?;
        triaged.known += usize::from(reducing.is_some() && bench.earlier().is_some_and(|(_, done)| done));
        let (failing, reduced) = bench.finish(name, seen, reducing, audience)?;
        let (sizes, note) = ((reduced.before, reduced.after), reduced.note.as_ref());
        say(TriageProgress::Fails { number, name: &failing.name, sizes, note });
        places.push((input, failing.name.clone()));
        triaged.failing.push(failing);
        triaged.reductions.push(reduced);
    }
    let bench = |at: usize| Bench::new(template, folder, places[at].0, &places[at].1);
    if reducing.is_some() && cross_tests > 0 && places.len() > 1 {
        say(TriageProgress::Compares(places.len()));
        let ends = || board.ends();
        triaged.crossings = cross_test::cross(&triaged.failing, cross_tests, (&bench, &ends), audience)?;
    }
    Ok(triaged)
}

/// Returns the inputs in a folder, in the order of their names; hidden ones are none.
fn inputs(folder: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let entries = entries.map_err(Refusal::io("read", folder))?;
    let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
    let shown = entries.into_iter().filter(|entry| !is_hidden(&entry.file_name()));
    let mut inputs: Vec<PathBuf> = shown.map(|entry| entry.path()).collect();
    inputs.sort();
    if inputs.is_empty() {
        return Err(TriageError::NoInputs(folder.to_owned()).into());
    }
    Ok(inputs)
}

/// One input, and where its runs are.
struct Bench {
    job: Job,
    whole: Candidate,
    words: InputVocabulary,
    /// How its tests were confined in the last run.
    confined: Cell<Option<(Confinement, Strength)>>,
}

impl Bench {
    fn new(template: &Job, folder: &Path, input: &Path, name: &str) -> Result<Bench, Refusal> {
        let whole = Candidate::whole(load(&[input.to_owned()])?.into());
        let short: String = name.chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).take(40).collect();
        let digest = format!("{:032x}", whole.key().0);
        let work = folder.join(RUNS).join("triage").join("runs").join(format!("{short}-{}", &digest[..12]));
        let reduced = work.join("reduced");
        fs::create_dir_all(&reduced).map_err(Refusal::io("make", &reduced))?;
        let out = reduced.join(input.file_name().unwrap_or_default());
        let job = Job { folder: work, inputs: vec![input.to_owned()], out, ..template.clone() };
        let words = words_of(&job, &[&**whole.base()]);
        Ok(Bench { job, whole, words, confined: Cell::default() })
    }

    /// Keeps what was seen of the whole input. If that is not what was seen when it was reduced, the program or the
    /// test has changed, and what is known is of another one.
    fn forget_unless_same(&self, seen: &Observed) -> Result<(), Refusal> {
        let memory = Memory::of(&self.job, self.whole.key())?;
        let looks = |seen: &Observed| Signature::of(seen, &self.words);
        let is_same = memory.recall(&self.whole).is_none_or(|before| looks(&before) == looks(seen));
        let verdict = |reading| Oracle::new(reading, self.words.clone()).verdict(seen).outcome;
        let relied = self.records().map(|records| relied(&records).unwrap_or_default()).unwrap_or_default();
        if !is_same
            || !changed(&relied).is_empty()
            || self.reading().is_some_and(|reading| verdict(reading) != Outcome::Fail)
        {
            memory.forget()?;
            remove(&self.job.folder.join(RUNS))?;
        }
        memory.keep(&self.whole, seen)
    }

    /// Runs the test once, unless it was done before.
    fn observe(&self, candidate: &Candidate, audience: &mut Audience<'_>) -> Result<Observed, Refusal> {
        let memory = Memory::of(&self.job, self.whole.key())?;
        if let Some(seen) = memory.recall(candidate) {
            return Ok(seen);
        }
        let seen = self.run(candidate, audience)?;
        memory.keep(candidate, &seen)?;
        Ok(seen)
    }

    fn run(&self, candidate: &Candidate, audience: &mut Audience<'_>) -> Result<Observed, Refusal> {
        let job = Job { jobs: Some(1), ..self.job.clone() };
        let mut executor = executor(&job, job.handed, candidate.len())?;
        audience.connect(&*executor);
        self.confined.set(executor.confined.clone());
        let mut session = Session::new(&mut *executor, vec![], job.patience);
        let stopped = |why: Why| Refusal::Stopped("the runs before".into(), why);
        let mut seen = session.observe(std::slice::from_ref(candidate)).map_err(stopped)?;
        seen.pop().ok_or_else(|| Refusal::Executor("a run is missing".into()))
    }

    /// Returns whether a run of the whole input fails: a test that ends with 0 is one that passes, here.
    fn fails(&self, seen: &Observed) -> bool {
        let says = |reading| Oracle::new(reading, self.words.clone()).verdict(seen).outcome == Outcome::Fail;
        match &self.job.failure {
            Failure::Observed => seen.exit != Exit::Code(0) && Oracle::read_first(seen, &self.words).is_some(),
            Failure::ExitZero => seen.exit == Exit::Code(0),
            Failure::Like(signature) => says(Criterion::Same(signature.clone())),
            Failure::Conditions(all) => says(Criterion::Conditions(all.clone())),
        }
    }

    /// Returns what is left of an input that fails, and what its test shows.
    fn finish(
        &self,
        name: String,
        seen: Observed,
        reducing: Option<Stops>,
        audience: &mut Audience<'_>,
    ) -> Result<(Failing, Reduced), Refusal> {
        let before = self.whole.len();
        let input = self.job.inputs[0].clone();
        let as_it_is = |seen: Observed, note: Option<TriageNote>| {
            let text = self.whole.base().bytes().to_vec();
            let failing =
                Failing { name: name.clone(), observed: seen, text, reduced: false, words: self.words.clone() };
            Ok((failing, Reduced { before, after: before, place: input.clone(), note }))
        };
        let Some(stops) = reducing else { return as_it_is(seen, None) };
        let note = match self.reduce(&seen, stops, audience) {
            Ok(note) => note,
            // What cannot be reduced is grouped by what it shows.
            Err(Refusal::DoesNotFail { headline, .. }) => {
                return as_it_is(seen, Some(TriageNote::NotReduced(headline)));
            }
            Err(refusal @ Refusal::EmptyFails { .. }) => {
                return as_it_is(seen, Some(TriageNote::NotReduced(refusal.to_string())));
            }
            Err(refusal) => return Err(refusal),
        };
        let there = Candidate::whole(load_published(&self.job.out, self.job.subject()?.as_deref())?.into());
        let observed = self.observe(&there, audience)?;
        if !self.fails(&observed) {
            return as_it_is(seen, Some(TriageNote::NotAlwaysFailing));
        }
        let text = there.base().bytes().to_vec();
        let after = text.len();
        let failing = Failing { name: name.clone(), observed, text, reduced: true, words: self.words.clone() };
        Ok((failing, Reduced { before, after, place: self.job.out.clone(), note }))
    }

    /// Reduces the input, or goes on with that, unless it was done before. Returns what is to be known of it.
    fn reduce(
        &self,
        seen: &Observed,
        stops: Stops,
        audience: &mut Audience<'_>,
    ) -> Result<Option<TriageNote>, Refusal> {
        let earlier = self.earlier();
        let failure = match (&earlier, &self.job.failure) {
            (None, Failure::Observed) => self.failure(seen, audience)?,
            (_, said) => said.clone(),
        };
        let silent = Audience { views: vec![], requests: Box::new(|requests| (audience.requests)(requests)) };
        let report = match earlier {
            Some((_, true)) => return Ok(None),
            Some((run, false)) => resume(&run, stops, silent)?.map(|(_, report)| report),
            None => Some(reduce(&Job { failure, ..self.job.clone() }, true, stops, silent)?),
        };
        match report.map(|RunReport { ended, .. }| ended.why) {
            None | Some(Why::Done | Why::Granularity(_)) => Ok(None),
            Some(why @ (Why::Interrupted | Why::Stopped | Why::Trouble(_))) => {
                Err(Refusal::Stopped(SoFarKept.to_string(), why))
            }
            Some(_) => Ok(Some(TriageNote::NotToTheEnd)),
        }
    }

    /// Returns what two runs of the input have in common, whichever function called the one it happened in: what is left of
    /// inputs that reach one bug in several ways is more alike if the way may change.
    fn failure(&self, seen: &Observed, audience: &mut Audience<'_>) -> Result<Failure, Refusal> {
        let again = self.run(&self.whole, audience)?;
        let [seen, again] = [seen, &again].map(|seen| Signature::of(seen, &self.words));
        Ok(Failure::Like(seen.common(&again).without_callers()))
    }

    /// Returns what the failure is, as its reduction read it.
    fn reading(&self) -> Option<Criterion> {
        reading(&self.records()?)
    }

    /// Returns the journal of its reduction.
    fn records(&self) -> Option<Vec<JournalRecord>> {
        let run = Run::find(&self.job.folder).ok()?;
        Some(journal::read(&run.journal()).ok()?.0)
    }

    /// Returns the run of an earlier triage with the same job and test, and whether it is done.
    fn earlier(&self) -> Option<(Run, bool)> {
        let run = Run::find(&self.job.folder).ok()?;
        let (records, _) = journal::read(&run.journal()).ok()?;
        let (job, input) = run.job(&records).ok()?;
        // How many run at a time does not matter, nor what else was typed. What the failure says follows from the rest.
        let mut job = Job { jobs: self.job.jobs, typed: self.job.typed.clone(), said: vec![], ..job };
        // What was seen then was said to the reduction; whether that is what is seen now was found out before.
        if let (Failure::Observed, Failure::Like(_)) = (&self.job.failure, &job.failure) {
            job.failure = Failure::Observed;
        }
        let is_same = serde_json::to_value(&job).ok() == serde_json::to_value(&self.job).ok();
        let files = relied(&records)?;
        let around = around(&records).unwrap_or_default();
        let about = (input, &[][..], None);
        let relied = (&files[..], &around.variables[..]);
        let test = identity::of(&self.job, &reading(&records)?, policy(&records).as_ref(), about, relied).ok()?;
        let now = environment(&self.job).ok()?;
        let is_same = is_same && changed(&files).is_empty() && differing(&around.variables, &now).0.is_empty();
        let is_same = is_same && around.missed.is_none();
        if !is_same || input != self.whole.key() || oracle_of(&records) != Some(test) {
            return None;
        }
        let done = records.iter().any(|record| matches!(record, JournalRecord::Ended { done: true, .. }));
        // What was reduced and then taken away is made again.
        (!done || fs::symlink_metadata(&self.job.out).is_ok()).then_some((run, done))
    }
}
