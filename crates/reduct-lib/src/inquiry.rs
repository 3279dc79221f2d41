//! An inquiry: several searches and single runs of a program one after the other, as one run with a journal. What `state` and
//! `schedule` ask does not fit into one search: between two searches, the program is run to see more than an outcome.
//!
//! An inquiry asks in the same order each time. Outcomes of searches are in the journal; what single runs have shown is
//! kept as texts in the folder of the run, by name. So an inquiry that is gone on with asks all again, and runs only what is
//! not known.

mod asked;

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::executor;
use crate::job::Job;
use crate::live::Live;
use crate::recorded::{files, reading};
use crate::reliance::{changed, named};
use crate::replay::Replay;
use crate::runs::{self, ANSWER, KEPT, Run, SOUGHT};
use crate::story::story_of;
use crate::walk::Walked;
pub use asked::{Counted, Searched};
use reduct_core::{Key, Keyed, Memo, Outcome, Question, Repeats, Search};
use reduct_input::{Artifact, ArtifactBuilder, Candidate};
use reduct_oracle::{Criterion, Observed, Oracle};
use reduct_report::inquiries::InquiryAnswer;
use reduct_report::run::paths;
use reduct_report::schedules::Sought;
use reduct_report::story::Story;
use reduct_report::to_go_on;
use reduct_session::confinement::{Confinement, Strength};
use reduct_session::event::{Ended, Event, Observer, Why};
use reduct_session::executor::Opened;
use reduct_session::journal::{self, Journal, JournalRecord, VERSION};
use reduct_session::{Session, Start, Stops};
use reduct_strategies::Evidence;
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The journal of an inquiry, and what it knows.
struct Books {
    run: Run,
    journal: Journal,
    known: Vec<(Key, Outcome)>,
}

/// A run of several searches.
pub struct Inquiry<'a> {
    job: Job,
    executor: Box<Opened>,
    audience: Audience<'a>,
    stops: Stops,
    books: Option<Books>,
    live: Option<Live>,
    asked: u64,
    repeated: u64,
    unresolved: u64,
    runs: u64,
}

/// What the claim of an inquiry is about.
#[non_exhaustive]
pub struct Answer {
    /// Why it ended.
    pub why: Why,
    /// The best.
    pub best: Candidate,
    /// Its size, and what that is counted in.
    pub size: (usize, &'static str),
    /// What is shown.
    pub evidence: Evidence,
    /// In how many runs more it was as it should be, if it was run again.
    pub confirmed: Option<bool>,
}

impl Answer {
    /// Returns an answer that was not run again, and whose size is counted in bytes.
    pub fn new(why: Why, best: Candidate, evidence: Evidence) -> Answer {
        Answer { why, size: (best.len(), "bytes"), best, evidence, confirmed: None }
    }
}

impl<'a> Inquiry<'a> {
    /// Readies a place for tests on files of at most `size` bytes, which may also write to the folder `own`.
    ///
    /// # Errors
    /// If no test can be run here.
    pub fn open(
        job: &Job,
        own: &Path,
        size: usize,
        stops: Stops,
        mut audience: Audience<'a>,
    ) -> Result<Inquiry<'a>, Refusal> {
        runs::check_kept(job.runs_folder())?;
        let confinement = job.confinement.clone().map(|it| {
            let writable = it.writable.iter().cloned().chain([own.to_owned()]).collect();
            it.with_writable(writable)
        });
        let confined = Job { confinement, ..job.clone() };
        let mut executor = executor(&confined, job.handed, size)?;
        executor.time_limit = job.limits.time;
        audience.connect(&executor);
        let (asked, repeated, unresolved, runs) = (0, 0, 0, 0);
        let (job, books, live) = (job.clone(), None, None);
        Ok(Inquiry { job, executor, audience, stops, books, live, asked, repeated, unresolved, runs })
    }

    /// Returns how the tests are confined, if they are.
    pub fn confined(&self) -> Option<&(Confinement, Strength)> {
        self.executor.confined.as_ref()
    }

    /// Returns how many tests run at a time.
    pub fn slots(&self) -> usize {
        self.executor.slots()
    }

    /// Returns what it is about.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Begins a run with this name, of this input, for this failure. From now on, what is learned is kept.
    ///
    /// # Errors
    /// If its folder or its journal cannot be written.
    pub fn begin(&mut self, name: &str, whole: &Candidate, failure: &Criterion) -> Result<(), Refusal> {
        let run = Run::create(self.job.runs_folder(), name, whole)?;
        let kept = run.folder.join(KEPT);
        std::fs::create_dir(&kept).map_err(Refusal::io("make", &kept))?;
        let job =
            serde_json::to_value(&self.job).map_err(|e| Refusal::UnknownJob(run.folder.clone(), e.to_string()))?;
        let tool = concat!("reduct ", env!("CARGO_PKG_VERSION")).to_owned();
        let first = JournalRecord::Run { v: VERSION, tool, input: whole.key(), cache: true, job };
        let mut journal = Journal::create(&run.journal(), &first)?;
        journal.rest_on(run.input());
        let began = JournalRecord::Began {
            oracle: key_of(failure),
            reading: failure.clone(),
            time_limit: self.job.limits.time.map(|limit| limit.as_millis() as u64),
            policy: None,
            files: Some(named(&self.job)?),
            around: None,
        };
        let published = JournalRecord::Published { out: self.job.out.clone(), k: whole.key() };
        let written = journal.write(&began).and_then(|()| journal.write(&published));
        written.map_err(Refusal::io("write", journal.path()))?;
        self.books = Some(Books { run, journal, known: vec![] });
        self.let_it_be_followed();
        Ok(())
    }

    /// Goes on with a run.
    ///
    /// # Errors
    /// If its journal cannot be used, or the program is another one now.
    pub fn resume(&mut self, run: &Run) -> Result<(), Refusal> {
        let (mut journal, records) = Journal::resume(&run.journal())?;
        let others = changed(&files(&records).unwrap_or_default());
        if !others.is_empty() {
            return Err(Refusal::TestChanged(run.folder.clone(), paths(&others)));
        }
        journal.write(&JournalRecord::Resumed).map_err(Refusal::io("write", journal.path()))?;
        // What it had come to when it was stopped is not what it comes to from now on.
        let answer = run.folder.join(KEPT).join(ANSWER);
        match std::fs::remove_file(&answer) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(Refusal::io("remove", &answer)(error)),
            _ => {}
        }
        self.books = Some(Books { run: run.clone(), journal, known: outcomes(&records) });
        self.let_it_be_followed();
        Ok(())
    }

    /// Lets the run be followed from another process, and says where it is kept.
    fn let_it_be_followed(&mut self) {
        let Some(folder) = self.folder().map(Path::to_owned) else { return };
        self.live = Live::of(&folder, self.executor.control(), self.job.varies_variables());
        let mut session = Session::new(&mut *self.executor, self.audience.views(), self.job.patience);
        // Nothing depends on whether this was heard.
        let _ = session.emit(&Event::Kept { folder });
    }

    /// Returns the folder of the run, once it was begun.
    pub fn folder(&self) -> Option<&Path> {
        self.books.as_ref().map(|books| &*books.run.folder)
    }

    /// Returns what was kept under a name.
    pub fn kept(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.folder()?.join(KEPT).join(name)).ok()
    }

    /// Keeps what a single run has shown.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, name: &str, text: &str) -> Result<(), Refusal> {
        let Some(folder) = self.folder().map(|folder| folder.join(KEPT)) else { return Ok(()) };
        let (fresh, place) = (folder.join(format!(".{name}")), folder.join(name));
        let write = || {
            let mut file = std::fs::File::create(&fresh)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()?;
            std::fs::rename(&fresh, &place)
        };
        write().map_err(Refusal::io("write", &place))
    }

    /// Keeps which schedule is looked for, for pages and texts about the run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_sought(&self, sought: Sought) -> Result<(), Refusal> {
        self.keep(SOUGHT, sought.name())
    }

    /// Keeps what was found, for pages and texts about the run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_answer(&self, answer: &InquiryAnswer) -> Result<(), Refusal> {
        // Texts and numbers can be written.
        self.keep(ANSWER, &serde_json::to_string(answer).unwrap_or_default())
    }

    /// Runs the test once on a text.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn observe(&mut self, text: &Candidate) -> Result<Observed, Refusal> {
        let observed = self.observe_times(text, 1)?;
        observed.into_iter().next().ok_or_else(|| Refusal::Executor("a run said nothing".into()))
    }

    /// Runs the test so many times on a text.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn observe_times(&mut self, text: &Candidate, times: usize) -> Result<Vec<Observed>, Refusal> {
        let mut session = Session::new(&mut *self.executor, vec![], self.job.patience);
        let seen = session.observe(&vec![text.clone(); times]);
        seen.map_err(|why| {
            let on = self.books.as_ref().map(|books| to_go_on(Some(&books.run.folder), &self.job.folder));
            Refusal::stopped_later(why, on)
        })
    }

    /// Returns why a run beside the searches was refused; of one that was stopped, with how to go on.
    pub fn stopped(&self, refusal: Refusal) -> Refusal {
        match refusal {
            Refusal::Stopped(_, why) => {
                let on = self.books.as_ref().map(|books| to_go_on(Some(&books.run.folder), &self.job.folder));
                Refusal::stopped_later(why, on)
            }
            other => other,
        }
    }

    /// Searches, with what the journal knows. The run must have been begun.
    ///
    /// # Errors
    /// If it was not.
    pub fn search<S>(&mut self, oracle: &Oracle, search: Counted<S>, failure: &str) -> Result<Searched<S>, Refusal>
    where
        S: Search<Question = Candidate> + Send + Sync + 'static,
    {
        self.search_within(oracle, search, failure, u64::MAX)
    }

    /// Searches with at most so many tests.
    ///
    /// # Errors
    /// If the run was not begun.
    pub fn search_within<S>(
        &mut self,
        oracle: &Oracle,
        search: Counted<S>,
        failure: &str,
        most: u64,
    ) -> Result<Searched<S>, Refusal>
    where
        S: Search<Question = Candidate> + Send + Sync + 'static,
    {
        let rest = self.stops.tests.map(|most| most.saturating_sub(self.asked));
        let is_own = most < rest.unwrap_or(u64::MAX);
        let Some(books) = &mut self.books else { return Err(Refusal::NoRun(self.job.folder.clone())) };
        let start = Start {
            inquiry: search,
            memo: books.known.iter().copied().collect::<Memo>(),
            known: books.known.len(),
            repeats: Repeats::Remembered,
            stops: self.stops.with_tests(if is_own { Some(most) } else { rest }),
            skips: [].into(),
            reached: 0,
            failure: failure.to_owned(),
            time_limit: self.job.limits.time,
            policy: None,
            votes: HashMap::new(),
        };
        let mut learned = Learned::default();
        let mut observers: Vec<&mut dyn Observer> = vec![&mut books.journal, &mut learned];
        observers.extend(self.live.as_mut().map(|live| live as &mut dyn Observer));
        observers.extend(self.audience.views());
        let mut session = Session::new(&mut *self.executor, observers, self.job.patience);
        let begin = session.now();
        let (ended, search) = session.search(oracle, start);
        let elapsed = session.now().saturating_sub(begin);
        self.stops.time = self.stops.time.map(|most| most.saturating_sub(elapsed));
        books.known.extend(learned.0);
        self.asked += ended.asked;
        self.repeated += ended.repeated;
        self.unresolved += ended.unresolved;
        self.runs += ended.runs;
        Ok(Searched {
            search: search.inner(),
            is_out_of_tests: is_own && matches!(ended.why, Why::Tests(_)),
            why: ended.why,
            best: ended.best,
            asked: ended.asked,
            unresolved: ended.unresolved,
        })
    }

    /// Ends the run.
    ///
    /// # Errors
    /// If its end cannot be noted.
    pub fn end(mut self, answer: Answer) -> Result<(), Refusal> {
        let Some(books) = &mut self.books else { return Ok(()) };
        let mut ended = Ended::of(answer.why, answer.best, answer.evidence);
        (ended.size, ended.unit) = answer.size;
        ended.asked = self.asked;
        ended.repeated = self.repeated;
        ended.runs = self.runs;
        ended.unresolved = self.unresolved;
        ended.elapsed = self.executor.executor.now();
        ended.confirmed = answer.confirmed;
        let mut observers: Vec<&mut dyn Observer> = vec![&mut books.journal];
        observers.extend(self.live.as_mut().map(|live| live as &mut dyn Observer));
        observers.extend(self.audience.views());
        let mut session = Session::new(&mut *self.executor, observers, self.job.patience);
        session.emit(&Event::Ended(Box::new(ended))).map_err(|why| Refusal::stopped_later(why, None))
    }
}

/// What a session learns.
#[derive(Default)]
struct Learned(Vec<(Key, Outcome)>);

impl Observer for Learned {
    fn on(&mut self, event: &Event) -> std::io::Result<()> {
        if let Event::Ran { key, outcome, .. } = event {
            self.0.push((*key, *outcome));
        }
        Ok(())
    }
}

/// Returns the file of a text, as a test finds it. What is too large for any input is nothing.
pub fn file_of(name: &str, text: &str) -> Candidate {
    let artifact = Artifact::of_file(name, text.as_bytes());
    Candidate::whole(artifact.unwrap_or_else(|_| ArtifactBuilder::default().finish()).into())
}

/// What a run of an inquiry was made from, and how far it is.
#[non_exhaustive]
pub struct Begun {
    /// What was asked.
    pub job: Job,
    /// What its failure was at first.
    pub reading: Criterion,
    /// Whether there is nothing left to do.
    pub is_done: bool,
    run: Run,
    records: Vec<JournalRecord>,
}

/// Returns a run, if it is one of an inquiry.
///
/// # Errors
/// If it cannot be read.
pub fn inquiry_of(run: &Run) -> Result<Option<Begun>, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    if !job.goal.is_about_an_execution() {
        return Ok(None);
    }
    let reading = reading(&records).ok_or_else(|| Refusal::NoRun(run.folder.clone()))?;
    let is_done = records.iter().any(|record| matches!(record, JournalRecord::Ended { done: true, .. }));
    Ok(Some(Begun { job, reading, is_done, run: run.clone(), records }))
}

impl Begun {
    /// Returns its run.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Removes what it has left if it was killed at its very end, as where any other run is resumed.
    pub fn sweep(&self) {
        reduct_sandbox::local::sweep_all(self.job.scratch.as_deref());
    }

    /// Returns what was kept under a name.
    pub fn kept(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.run.folder.join(KEPT).join(name)).ok()
    }

    /// Returns the tests of one of its searches, as far as the journal goes.
    pub fn replay<S>(&self, search: Counted<S>) -> Replay
    where
        S: Search<Question = Candidate> + Send + Sync + 'static,
    {
        Replay::walking(Box::new(Walked::new(search, &self.job, &self.records, &self.run)))
    }

    /// Reads the run back, with the tests of one of its searches. `shown` returns what is shown of the text of a test.
    ///
    /// # Errors
    /// If its journal cannot be read.
    pub fn story(
        &self,
        tests: Result<Replay, Refusal>,
        shown: &mut dyn FnMut(&str) -> String,
    ) -> Result<Story, Refusal> {
        story_of(&self.run, tests, shown)
    }

    /// Returns when something was kept under a name.
    pub fn kept_at(&self, name: &str) -> Option<SystemTime> {
        std::fs::metadata(self.run.folder.join(KEPT).join(name)).and_then(|it| it.modified()).ok()
    }

    /// Returns why it has no tests to be shown or checked.
    pub fn no_tests(&self) -> Refusal {
        Refusal::NoTests(self.run.folder.clone())
    }

    /// Returns where the result is.
    pub fn out(&self) -> PathBuf {
        self.job.out.clone()
    }
}

fn outcomes(records: &[JournalRecord]) -> Vec<(Key, Outcome)> {
    let known = |record: &JournalRecord| match record {
        JournalRecord::Outcome { k, o, .. } => Some((*k, *o)),
        _ => None,
    };
    records.iter().filter_map(known).collect()
}

/// Returns a digest of a failure.
fn key_of(failure: &Criterion) -> Key {
    let mut keyed = Keyed::default();
    let text = serde_json::to_string(failure).unwrap_or_default();
    text.bytes().for_each(|byte| keyed.add(u64::from(byte)));
    keyed.finish()
}
