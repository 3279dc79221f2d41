//! Reduces: from a job to a result on disk, and on again after any interruption.

use crate::errors::Refusal;
use crate::job::{Handed, Job};
use crate::preflight::{Settled, describe_failure, settle};
use crate::runs::{Run, is_ours, shared_outcomes};
use crate::{identity, place};
use reduct_circumstances::{Artifact, Candidate, Reduction};
use reduct_core::{Key, Memo, Outcome, Question, Repeats, Search};
use reduct_run::event::{Ended, Event, Observer, Why};
use reduct_run::executor::Executor;
use reduct_run::executor::local::{Local, Setup, Wishes};
use reduct_run::finds::Finds;
use reduct_run::flaky::{Policy, Votes};
use reduct_run::journal::{self, Journal, Record, VERSION};
use reduct_run::load::{load, load_published, write_below};
use reduct_run::oracle::signature::Words;
use reduct_run::oracle::{Oracle, Reading};
use reduct_run::publish::Publisher;
use reduct_run::session::{Session, Start, Stops};
use reduct_run::warden;
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub ended: Ended,
    /// The size of the whole input, in the unit of the plan.
    pub size_before: usize,
    /// Of an isolation: the folder with what passes.
    pub passing: Option<PathBuf>,
    /// Where the result is.
    pub out: PathBuf,
    /// Whether it could be written there.
    pub written: bool,
    /// Where something is now that stood in its place and was no result.
    pub found: Option<PathBuf>,
    /// The run's folder.
    pub run: PathBuf,
    /// Other failures met: what they look like, where the smallest input is, its size in bytes.
    pub others: Vec<(String, PathBuf, usize)>,
    /// How often other failures were met of more kinds than are kept.
    pub not_kept: usize,
}

/// Those who watch a run, and can ask something of it.
pub struct Audience<'a> {
    /// They see all events.
    pub views: Vec<&'a mut dyn Observer>,
    /// Is given the place where wishes are taken.
    pub wishes: Box<dyn FnMut(Wishes) + 'a>,
}

impl Audience<'_> {
    /// The views, for a part of what is done.
    pub(crate) fn views(&mut self) -> Vec<&mut dyn Observer> {
        self.views.iter_mut().map(|view| &mut **view as &mut dyn Observer).collect()
    }
}

/// Begins a run and does it, to its end or until it is stopped.
///
/// # Errors
/// If the job cannot be understood, the input not read, or the failure does not occur. Nothing is
/// changed then.
pub fn reduce(job: &Job, force: bool, stops: Stops, audience: Audience<'_>) -> Result<Report, Refusal> {
    job.plan()?;
    let artifact = load(&job.input_paths())?;
    let subject = job.subject()?;
    place::check(job)?;
    let free = job.in_place || force || fs::symlink_metadata(&job.out).is_err();
    if !free && !is_ours(&job.folder, &job.out, subject.as_deref()) {
        return Err(Refusal::OutExists(job.out.clone()));
    }
    Work::new(job, artifact)?.begin(stops, audience)
}

/// Writes a candidate into a folder of its own.
fn keep(candidate: &Candidate, folder: &Path) -> Result<PathBuf, Refusal> {
    let write = || {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir(folder)?;
        write_below(candidate, folder)
    };
    write().map_err(Refusal::io("write", folder))?;
    Ok(folder.to_owned())
}

/// Goes on with a run where it stopped. No test whose outcome is known is run again. `None` if there
/// is nothing left to do.
///
/// # Errors
/// If its journal cannot be used, or its input is not what it began with.
pub fn resume(run: &Run, stops: Stops, audience: Audience<'_>) -> Result<Option<(Job, Report)>, Refusal> {
    let (journal, records) = Journal::resume(&run.journal())?;
    let (job, input) = run.job(&records)?;
    if records.iter().any(|record| matches!(record, Record::Ended { done: true, .. })) {
        return Ok(None);
    }
    check_resumable(run, &job)?;
    let work = Work::new(&job, run.load(input)?)?;
    let found = place::clear(&job, run)?;
    let report = work.go_on(run, journal, &records, stops, audience)?;
    let report = Report { found, ..report };
    Ok(Some((job, report)))
}

/// Whether a run stands where it was made: its paths are those of that folder.
fn check_resumable(run: &Run, job: &Job) -> Result<(), Refusal> {
    let made_in = run.folder.canonicalize().ok().and_then(|folder| Some(folder.parent()?.parent()?.to_owned()));
    if made_in.is_none() || made_in != job.folder.canonicalize().ok() {
        let what = format!("{} was not made where it stands, but in {}", run.folder.display(), job.folder.display());
        return Err(Refusal::Usage { what, help: "go on with it there, or begin again here".into() });
    }
    Ok(())
}

/// A job with its input.
struct Work<'a> {
    job: &'a Job,
    whole: Candidate,
    words: Words,
}

/// What is known from earlier when a search begins.
struct Known {
    settled: Settled,
    outcomes: Vec<(Key, Outcome)>,
    /// Single runs of candidates that are not settled.
    votes: HashMap<Key, Votes>,
    /// How many of them other sessions have learned.
    from_others: usize,
    skips: VecDeque<u64>,
    /// How far the search had come, and what was the best then.
    reached: Option<(u64, Key)>,
}

impl<'a> Work<'a> {
    fn new(job: &'a Job, artifact: Artifact) -> Result<Work<'a>, Refusal> {
        let words = Words::of(artifact.bytes());
        Ok(Work { job, whole: Candidate::whole(artifact.into()), words })
    }

    fn begin(self, stops: Stops, mut audience: Audience<'_>) -> Result<Report, Refusal> {
        let mut lab = self.lab(self.job.handed)?;
        (audience.wishes)(lab.wishes());
        let (settled, preflight) = self.settle(&mut lab, &mut audience)?;
        let oracle = identity::of(self.job, &settled.reading, settled.policy.as_ref(), self.whole.key())?;
        let input = self.whole.key();
        let name = self.name();
        let run = Run::create(&self.job.folder, &name, &self.whole)?;
        let tool = concat!("reduct ", env!("CARGO_PKG_VERSION")).to_owned();
        let job = serde_json::to_value(self.job).map_err(|e| Refusal::UnknownJob(run.folder.clone(), e.to_string()))?;
        let record = Record::Run { v: VERSION, tool, input, cache: self.job.cache, job };
        let mut journal = Journal::create(&run.journal(), &record)?;
        self.note(&mut journal, oracle, &settled, &preflight)?;
        let shared = if self.job.cache { shared_outcomes(&self.job.folder, oracle, &run) } else { vec![] };
        let from_others = shared.len();
        let outcomes = preflight.into_iter().chain(shared).collect();
        let (votes, skips) = (HashMap::new(), VecDeque::new());
        let known = Known { settled, outcomes, votes, from_others, skips, reached: None };
        self.search(&mut lab, &run, journal, known, stops, audience)
    }

    /// Writes down what the preflight settled.
    fn note(
        &self,
        journal: &mut Journal,
        oracle: Key,
        settled: &Settled,
        preflight: &[(Key, Outcome)],
    ) -> Result<(), Refusal> {
        let time_limit = Some(settled.time_limit.as_millis() as u64);
        let mut first = vec![
            Record::Began { oracle, reading: settled.reading.clone(), time_limit, policy: settled.policy },
            Record::Published { out: self.job.out.clone(), k: self.whole.key() },
        ];
        first.extend(preflight.iter().map(|(k, o)| Record::Outcome { k: *k, o: *o, l: false, ms: 0, votes: None }));
        first.iter().try_for_each(|record| journal.write(record)).map_err(Refusal::io("write", journal.path()))
    }

    fn go_on(
        self,
        run: &Run,
        mut journal: Journal,
        records: &[Record],
        stops: Stops,
        mut audience: Audience<'_>,
    ) -> Result<Report, Refusal> {
        let mut lab = self.lab(self.job.handed)?;
        (audience.wishes)(lab.wishes());
        journal.write(&Record::Resumed).map_err(Refusal::io("write", journal.path()))?;
        let settled = match reading(records) {
            Some(reading) if self.is_another_test(records, &reading)? => {
                return Err(Refusal::TestChanged(run.folder.clone()));
            }
            Some(reading) => Settled {
                failure: describe_failure(self.job, &reading),
                reading,
                time_limit: time_limit(records).unwrap_or(Duration::MAX),
                policy: policy(records),
            },
            // It was killed between its first two records.
            None => {
                let (settled, preflight) = self.settle(&mut lab, &mut audience)?;
                let oracle = identity::of(self.job, &settled.reading, settled.policy.as_ref(), self.whole.key())?;
                self.note(&mut journal, oracle, &settled, &preflight)?;
                settled
            }
        };
        let (votes, skips) = (journal::votes(records), VecDeque::new());
        let mut known = Known { settled, outcomes: vec![], votes, from_others: 0, skips, reached: None };
        for record in records {
            match record {
                Record::Outcome { k, o, .. } => known.outcomes.push((*k, *o)),
                Record::Skipped { n } => known.skips.push_back(*n),
                Record::Improved { n, k, .. } if known.reached.is_none_or(|(far, _)| *n > far) => {
                    known.reached = Some((*n, *k));
                }
                _ => {}
            }
        }
        if let (true, Some(oracle)) = (self.job.cache, oracle_of(records)) {
            known.outcomes.extend(shared_outcomes(&self.job.folder, oracle, run));
        }
        known.from_others = known.outcomes.len();
        self.search(&mut lab, run, journal, known, stops, audience)
    }

    fn search(
        &self,
        lab: &mut Local,
        run: &Run,
        mut journal: Journal,
        known: Known,
        stops: Stops,
        mut audience: Audience<'_>,
    ) -> Result<Report, Refusal> {
        let Known { settled: Settled { reading, time_limit, failure, policy }, .. } = known;
        let Known { outcomes, votes, from_others, skips, reached, .. } = known;
        lab.set_time_limit(Some(time_limit));
        place::keep_original(self.job, run, &self.whole)?;
        let subject = self.job.subject()?;
        let mut publisher = Publisher::new(self.job.out.clone(), subject.clone(), run.folder.clone());
        if let Some((_, best)) = reached {
            publisher.resume_at(best);
        }
        let mut finds = Finds::open(run.others());
        let oracle = Oracle::new(reading.clone(), self.words.clone());
        let start = Start {
            inquiry: Reduction::new(self.whole.artifact(), self.job.plan()?),
            memo: outcomes.into_iter().collect::<Memo>(),
            known: from_others,
            repeats: if self.job.cache { Repeats::Remembered } else { Repeats::RunAgain },
            stops,
            skips,
            reached: reached.map_or(0, |(n, _)| n),
            failure,
            time_limit: Some(time_limit),
            policy,
            votes,
        };
        let size_before = start.inquiry.size(&start.inquiry.best());
        let mut observers: Vec<&mut dyn Observer> = vec![&mut journal, &mut publisher, &mut finds];
        observers.extend(audience.views());
        let mut session = Session::new(lab, observers, self.job.patience);
        let (mut ended, _) = session.search(&oracle, start);
        if !matches!(ended.why, Why::Interrupted | Why::Trouble(_)) {
            // As the user will run it: from the disk, in a fresh folder, whatever is remembered.
            let published = session.tell(&Event::Finishing { best: ended.best.clone() });
            ended.confirmed = match published {
                Ok(()) => self.confirm(&mut session, (&oracle, policy), &ended.best, subject.as_deref()),
                // What is not there is not done.
                Err(why) => {
                    ended.why = why;
                    None
                }
            };
            if ended.confirmed == Some(false) {
                ended.proved = "nothing: run once more, the result did not fail".into();
            }
        }
        if let Err(why) = session.tell(&Event::Ended(Box::new(ended.clone()))) {
            ended.why = why;
        }
        drop(session);
        let passing = ended.passing.as_ref().map(|passing| keep(passing, &run.folder.join("passing"))).transpose()?;
        let others = finds.all().map(|(signature, place, bytes)| (signature.to_owned(), place, bytes)).collect();
        let (out, written, not_kept) = (self.job.out.clone(), publisher.has_published(&ended.best), finds.dropped);
        Ok(Report { ended, size_before, passing, out, written, found: None, run: run.folder.clone(), others, not_kept })
    }

    /// Whether the test is not what it was when the run began, as far as can be known.
    fn is_another_test(&self, records: &[Record], reading: &Reading) -> Result<bool, Refusal> {
        let now = identity::of(self.job, reading, policy(records).as_ref(), self.whole.key())?;
        Ok(oracle_of(records).is_some_and(|then| then != now))
    }

    /// Runs what is on disk once more. `None` if it could not be run.
    fn confirm(
        &self,
        session: &mut Session<'_>,
        (oracle, policy): (&Oracle, Option<Policy>),
        best: &Candidate,
        subject: Option<&Path>,
    ) -> Option<bool> {
        let there = Candidate::whole(load_published(&self.job.out, subject).ok()?.into());
        if there.key() != best.key() {
            return Some(false);
        }
        let (outcome, _) = session.poll(oracle, policy, &there).ok()?;
        Some(outcome == Outcome::Fail)
    }

    /// The preflight, and the outcomes it brought.
    fn settle(&self, lab: &mut Local, audience: &mut Audience<'_>) -> Result<(Settled, Vec<(Key, Outcome)>), Refusal> {
        let elsewhere = |handed: Handed| -> Result<Box<dyn Executor>, Refusal> { Ok(Box::new(self.lab(handed)?)) };
        let mut session = Session::new(lab, audience.views(), self.job.patience);
        let (settled, of_empty) = settle(&mut session, self.job, &self.whole, &self.words, &elsewhere)?;
        drop(session);
        let empty = Candidate::nothing(self.whole.base().clone());
        let known = vec![(self.whole.key(), Outcome::Fail), (empty.key(), of_empty)];
        // With repeats run again, an outcome belongs to its place in the sequence.
        Ok((settled, if self.job.cache { known } else { vec![] }))
    }

    fn lab(&self, handed: Handed) -> Result<Local, Refusal> {
        lab(self.job, handed, self.whole.len())
    }

    /// What the run is called: like its input.
    fn name(&self) -> String {
        let first = self.whole.base().entries().first().map(|entry| entry.path.to_string_lossy().into_owned());
        let name: String =
            first.unwrap_or_default().chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).collect();
        name.chars().take(40).collect()
    }
}

/// A place to run the test of a job on inputs of at most `size` bytes.
///
/// # Errors
/// If no test can be run here.
pub fn lab(job: &Job, handed: Handed, size: usize) -> Result<Local, Refusal> {
    let job = Job { handed, ..job.clone() };
    let setup = Setup {
        jobs: job.job_count(),
        invocation: job.invocation()?,
        limits: job.limits(None, size),
        scratch: job.scratch.clone(),
        room: size as u64,
        ground: None,
        fresh: false,
        warden: warden::command(),
    };
    Local::new(setup).map_err(|error| Refusal::Executor(error.to_string()))
}

/// The time limit of a run's tests, for who goes on with it.
pub fn time_limit(records: &[Record]) -> Option<Duration> {
    records.iter().find_map(|record| match record {
        Record::Began { time_limit, .. } => time_limit.map(Duration::from_millis),
        _ => None,
    })
}

/// When a candidate of a run has been run often enough, for who goes on with it.
pub fn policy(records: &[Record]) -> Option<Policy> {
    records.iter().find_map(|record| match record {
        Record::Began { policy, .. } => *policy,
        _ => None,
    })
}

/// Which test a run was of.
pub fn oracle_of(records: &[Record]) -> Option<Key> {
    records.iter().find_map(|record| match record {
        Record::Began { oracle, .. } => Some(*oracle),
        _ => None,
    })
}

/// The reading of a run, for who looks at it later.
pub fn reading(records: &[Record]) -> Option<Reading> {
    records.iter().find_map(|record| match record {
        Record::Began { reading, .. } => Some(reading.clone()),
        _ => None,
    })
}
