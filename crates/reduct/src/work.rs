//! A run, whatever it looks for: from a job to an answer on disk, and on again after any interruption.

use crate::errors::Refusal;
use crate::job::{Against, Handed};
use crate::preflight::{Settled, describe_failure};
use crate::runs::{Run, shared_outcomes};
use crate::task::Task;
use crate::{identity, place};
use reduct_circumstances::Candidate;
use reduct_core::{Key, Keyed, Memo, Outcome, Question, Repeats};
use reduct_report::human;
use reduct_run::event::{Ended, Event, Observer, Why};
use reduct_run::executor::{Executor, Wishes};
use reduct_run::finds::Finds;
use reduct_run::flaky::{Policy, Votes};
use reduct_run::journal::{self, Journal, Record, VERSION};
use reduct_run::load::write_below;
use reduct_run::oracle::{Oracle, Reading};
use reduct_run::session::{Inquiry, Session, Start, Stops};
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The digest of two sides, to which more may be added.
pub(crate) fn of_both(passing: &Candidate, failing: &Candidate) -> Keyed {
    let mut both = Keyed::default();
    for Key(key) in [passing.key(), failing.key()] {
        both.add(key as u64);
        both.add((key >> 64) as u64);
    }
    both
}

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
    /// What was found, line by line, if that is more than a smaller input.
    pub says: Vec<String>,
}

/// Those who watch a run, and can ask something of it.
pub struct Audience<'a> {
    /// They see all events.
    pub views: Vec<&'a mut dyn Observer>,
    /// Is given the place where wishes are taken.
    pub wishes: Box<dyn FnMut(Wishes) + 'a>,
}

impl Audience<'_> {
    /// Lets who watches wish for something of this place.
    pub(crate) fn connect(&mut self, lab: &dyn Executor) {
        if let Some(wishes) = lab.wishes() {
            (self.wishes)(wishes);
        }
    }

    /// The views, for a part of what is done.
    pub(crate) fn views(&mut self) -> Vec<&mut dyn Observer> {
        self.views.iter_mut().map(|view| &mut **view as &mut dyn Observer).collect()
    }
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

/// What is known from earlier when a search begins.
struct Known {
    settled: Settled,
    outcomes: Vec<(Key, Outcome)>,
    /// Single runs of candidates that are not settled.
    votes: HashMap<Key, Votes>,
    /// How many of them other sessions have learned.
    from_others: usize,
    skips: VecDeque<u64>,
    /// What was answered to the search, in order.
    answers: Vec<Key>,
    /// How far the search had come, and what was the best then.
    reached: Option<(u64, Key)>,
}

/// A task that is being done.
pub(crate) struct Work<T>(pub T);

impl<T: Task> Work<T> {
    /// Begins a run and does it.
    pub(crate) fn begin(self, stops: Stops, mut audience: Audience<'_>) -> Result<Report, Refusal> {
        let mut lab = self.0.lab(self.0.job().handed)?;
        audience.connect(&*lab);
        let (settled, preflight) = self.settle(&mut *lab, &mut audience)?;
        let oracle = self.identity(&settled.reading, settled.policy.as_ref())?;
        let input = self.0.input();
        let run = self.0.create(&self.0.name())?;
        let tool = concat!("reduct ", env!("CARGO_PKG_VERSION")).to_owned();
        let job =
            serde_json::to_value(self.0.job()).map_err(|e| Refusal::UnknownJob(run.folder.clone(), e.to_string()))?;
        let record = Record::Run { v: VERSION, tool, input, cache: self.0.job().cache, job };
        let mut journal = Journal::create(&run.journal(), &record)?;
        self.note(&run, &mut journal, oracle, (&settled, &preflight))?;
        let shared = if self.0.job().cache { shared_outcomes(&self.0.job().folder, oracle, &run) } else { vec![] };
        let from_others = shared.len();
        let outcomes = preflight.into_iter().chain(shared).collect();
        let (votes, skips) = (HashMap::new(), VecDeque::new());
        let answers = vec![];
        let known = Known { settled, outcomes, votes, from_others, skips, answers, reached: None };
        self.search(&mut *lab, &run, journal, known, stops, audience)
    }

    /// Writes down what the preflight settled.
    fn note(
        &self,
        run: &Run,
        journal: &mut Journal,
        oracle: Key,
        (settled, preflight): (&Settled, &[(Key, Outcome)]),
    ) -> Result<(), Refusal> {
        let time_limit = Some(settled.time_limit.as_millis() as u64);
        let mut first = vec![
            Record::Began { oracle, reading: settled.reading.clone(), time_limit, policy: settled.policy },
            Record::Published { out: self.0.out(run), k: self.0.whole().key() },
        ];
        first.extend(preflight.iter().map(|(k, o)| Record::Outcome { k: *k, o: *o, l: false, ms: 0, votes: None }));
        first.iter().try_for_each(|record| journal.write(record)).map_err(Refusal::io("write", journal.path()))
    }

    /// Goes on with a run, after an answer is taken back, if one is.
    pub(crate) fn go_on(
        self,
        run: &Run,
        mut journal: Journal,
        (records, undone): (&[Record], Option<Record>),
        stops: Stops,
        mut audience: Audience<'_>,
    ) -> Result<Report, Refusal> {
        let mut lab = self.0.lab(self.0.job().handed)?;
        audience.connect(&*lab);
        let reading = reading(records);
        if let Some(reading) = &reading
            && self.is_another_test(records, reading)?
        {
            return Err(Refusal::TestChanged(run.folder.clone()));
        }
        let without;
        let records = match undone {
            Some(undone) => {
                journal.write(&undone).map_err(Refusal::io("write", journal.path()))?;
                without = journal::read(&run.journal())?.0;
                &without[..]
            }
            None => records,
        };
        journal.write(&Record::Resumed).map_err(Refusal::io("write", journal.path()))?;
        let settled = match reading {
            Some(reading) => Settled {
                failure: describe_failure(self.0.job(), &reading),
                reading,
                time_limit: time_limit(records).unwrap_or(Duration::MAX),
                policy: policy(records),
            },
            // It was killed between its first two records.
            None => {
                let (settled, preflight) = self.settle(&mut *lab, &mut audience)?;
                let oracle = self.identity(&settled.reading, settled.policy.as_ref())?;
                self.note(run, &mut journal, oracle, (&settled, &preflight))?;
                settled
            }
        };
        let (votes, skips) = (journal::votes(records), VecDeque::new());
        let answers = vec![];
        let mut known = Known { settled, outcomes: vec![], votes, from_others: 0, skips, answers, reached: None };
        let preflight = [self.0.whole().key(), self.0.other().key()];
        for record in records {
            match record {
                Record::Outcome { k, o, .. } => {
                    known.outcomes.push((*k, *o));
                    known.answers.extend(Some(*k).filter(|k| !preflight.contains(k)));
                }
                // What came of an answer that was taken back is no longer so.
                Record::Undone { .. } => {
                    known.reached = None;
                    known.skips.clear();
                }
                Record::Skipped { n } => known.skips.push_back(*n),
                Record::Improved { n, k, .. } if known.reached.is_none_or(|(far, _)| *n > far) => {
                    known.reached = Some((*n, *k));
                }
                _ => {}
            }
        }
        if let (true, Some(oracle)) = (self.0.job().cache, oracle_of(records)) {
            known.outcomes.extend(shared_outcomes(&self.0.job().folder, oracle, run));
        }
        known.from_others = known.outcomes.len();
        self.search(&mut *lab, run, journal, known, stops, audience)
    }

    fn search(
        &self,
        lab: &mut dyn Executor,
        run: &Run,
        mut journal: Journal,
        known: Known,
        stops: Stops,
        mut audience: Audience<'_>,
    ) -> Result<Report, Refusal> {
        let Known { settled: Settled { reading, time_limit, failure, policy }, .. } = known;
        let Known { outcomes, votes, from_others, skips, answers, reached, .. } = known;
        let job = self.0.job();
        let time_limit = job.shared_time_limit(time_limit);
        lab.set_time_limit(Some(time_limit));
        if job.afterwards().backtraces {
            lab.set_backtraces(reading.backtraces());
        }
        place::keep_original(job, run, self.0.whole())?;
        let mut publisher = self.0.publisher(run)?;
        if let Some((n, best)) = reached {
            publisher.resume_at(n, best);
        }
        let mut finds = Finds::open(run.others());
        let oracle = Oracle::new(reading.clone(), self.0.words().clone());
        let start = Start {
            inquiry: self.0.search()?,
            memo: outcomes.into_iter().collect::<Memo>(),
            known: from_others,
            repeats: if job.cache { Repeats::Remembered } else { Repeats::RunAgain },
            stops,
            skips,
            reached: reached.map_or(0, |(n, _)| n),
            failure,
            time_limit: Some(time_limit),
            policy,
            votes,
        };
        let size_before = start.inquiry.left();
        let mut observers: Vec<&mut dyn Observer> = vec![&mut journal, &mut publisher, &mut finds];
        observers.extend(audience.views());
        let mut session = Session::new(lab, observers, job.patience);
        if job.ask.is_some() {
            session = session.answered(answers);
        }
        let (mut ended, search) = session.search(&oracle, start);
        if !matches!(ended.why, Why::Interrupted | Why::Trouble(_)) {
            // As the user will run it: from the disk, in a fresh folder, whatever is remembered.
            let published =
                session.tell(&Event::Finishing { best: ended.best.clone(), passing: ended.passing.clone() });
            ended.confirmed = match published {
                // Nobody is asked the same twice.
                Ok(()) if job.ask.is_some() => None,
                Ok(()) => self.0.confirm(&mut session, (&oracle, policy), &ended),
                // What is not there is not done.
                Err(why) => {
                    ended.why = why;
                    None
                }
            };
            if let Some(rate) = self.0.rate(&mut session, (&oracle, policy), &ended) {
                ended.confirmed = ended.confirmed.map(|confirmed| confirmed && !rate.is_too_seldom());
                let sure = ended.confidence.take().unwrap_or_default();
                ended.confidence = Some(format!("{sure}. {rate}"));
            }
            if ended.confirmed == Some(false) {
                ended.proved = "nothing: run once more, the result did not fail".into();
            }
        }
        if job.ask.is_some() {
            ended.proved = crate::ask::proved(&ended.proved, ended.unresolved);
        }
        drop(session);
        let leaks = lab.leaks();
        let (answer, mut says) = self.0.answer(&search, &ended)?;
        // The answer is on disk before the run is said to be done.
        if let Some(answer) = &answer {
            let out = self.0.out(run);
            publisher.publish(answer, true).map_err(Refusal::io("write", &out))?;
            let record = Record::Published { out, k: answer.key() };
            journal.write(&record).map_err(Refusal::io("write", journal.path()))?;
        }
        let mut observers: Vec<&mut dyn Observer> = vec![&mut journal, &mut finds];
        // What is not the best itself would be replaced by it.
        if answer.is_none() {
            observers.push(&mut publisher);
        }
        observers.extend(audience.views());
        let mut session = Session::new(lab, observers, job.patience);
        if let Err(why) = session.tell(&Event::Ended(Box::new(ended.clone()))) {
            ended.why = why;
        }
        drop(session);
        says.extend(self.0.keep(&search, run));
        says.extend(describe_leaks(leaks));
        // Of who answers with more than that, both sides are in the answer.
        let is_said = matches!(job.against, Against::Empty);
        let passing = ended.passing.as_ref().filter(|_| is_said);
        let passing = passing.map(|passing| keep(passing, &run.folder.join("passing"))).transpose()?;
        let others = finds.all().map(|(signature, place, bytes)| (signature.to_owned(), place, bytes)).collect();
        let written = answer.is_some() || publisher.has_published(&ended.best);
        let (out, not_kept) = (self.0.out(run), finds.dropped);
        let run = run.folder.clone();
        Ok(Report { ended, size_before, passing, out, written, found: None, run, others, not_kept, says })
    }

    /// Which test it is.
    fn identity(&self, reading: &Reading, policy: Option<&Policy>) -> Result<Key, Refusal> {
        identity::of(self.0.job(), reading, policy, (self.0.input(), &self.0.surroundings()))
    }

    /// Whether the test is not what it was when the run began, as far as can be known.
    fn is_another_test(&self, records: &[Record], reading: &Reading) -> Result<bool, Refusal> {
        let now = self.identity(reading, policy(records).as_ref())?;
        Ok(oracle_of(records).is_some_and(|then| then != now))
    }

    /// The preflight, and the outcomes it brought.
    fn settle(
        &self,
        lab: &mut dyn Executor,
        audience: &mut Audience<'_>,
    ) -> Result<(Settled, Vec<(Key, Outcome)>), Refusal> {
        let elsewhere = |handed: Handed| -> Result<Box<dyn Executor>, Refusal> { self.0.lab(handed) };
        let mut session = Session::new(lab, audience.views(), self.0.job().patience);
        let (settled, of_other) = match self.0.job().ask {
            Some(_) => (crate::ask::settled(), Outcome::Pass),
            None => self.0.settle(&mut session, &elsewhere)?,
        };
        drop(session);
        let known = vec![(self.0.whole().key(), Outcome::Fail), (self.0.other().key(), of_other)];
        // With repeats run again, an outcome belongs to its place in the sequence.
        Ok((settled, if self.0.job().cache { known } else { vec![] }))
    }
}

/// What is to be said of a server that does not forget.
fn describe_leaks(leaks: u64) -> Option<String> {
    let times = human::times(leaks);
    (leaks > 0).then(|| {
        format!(
            "the server keeps something from test to test: {times} it said that a candidate fails, and a fresh one said \
             otherwise, which counts"
        )
    })
}

/// The time limit of a run's tests, each alone, for who goes on with it.
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
