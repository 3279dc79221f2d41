//! A run, whatever it looks for: from a job to an answer on disk, and on again after any interruption.

mod attempt;
mod looked;
mod relies;
mod remarks;
mod report;
mod resumed;
mod unpacked;

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::originals::Originals;
use crate::place;
use crate::preflight::{self, Baseline, Begun, Denied, describe_failure};
use crate::problem::Problem;
use crate::recorded::{outcomes_of, policy, reading, shared_outcomes, time_limit};
use crate::reliance;
use crate::reliance::{Witness, Witnessed};
use crate::runs::Run;
use crate::said::said;
use crate::touched;
use attempt::Attempt;
use reduct_core::{Key, Outcome, Question};
use reduct_oracle::Criterion;
use reduct_report::run::{self, Forgotten, RunRemark, forgotten};
use reduct_session::event::{Event, Observer};
use reduct_session::executor::Opened;
use reduct_session::journal;
use reduct_session::journal::{Journal, JournalRecord, VERSION};
use reduct_session::publish::Stands;
use reduct_session::{Session, Stops};
use relies::describe_environment;
pub use report::RunReport;
use resumed::{Checked, Resumed};
use std::fs;
use std::time::{Duration, Instant};

/// Outcomes of earlier runs, and what is to be said of them.
type Borrowed = (Vec<(Key, Outcome)>, Vec<String>);

/// Has the time count from now on, unless it has begun to: the runs before the search take time, too.
fn from_now_on(stops: Stops) -> Stops {
    stops.with_since(stops.since.or_else(|| Some(Instant::now())))
}

/// Works on a problem.
pub(crate) struct Engine<T>(pub T);

impl<T: Problem> Engine<T> {
    /// Begins a run and does it.
    pub(crate) fn begin(mut self, stops: Stops, mut audience: Audience<'_>) -> Result<RunReport, Refusal> {
        let stops = from_now_on(stops);
        let witness = self.witness()?;
        let originals = Originals::of(self.0.job());
        let stands = Stands::at(&self.0.job().out);
        let checked = self.establish_baseline(&mut audience, witness);
        let checked = checked.and_then(|checked| self.unpack(checked, &mut audience));
        let (mut executor, checked) = checked.map_err(|refusal| originals.told(refusal))?;
        if self.0.begins_with_opened() {
            self.0.job_mut().opened = touched::opened_by_the_test(&self.0, &checked.baseline, &mut audience)?;
            // That had a place of its own, to which signals went.
            audience.connect(&*executor);
        }
        self.0.job_mut().said = said(self.0.job(), &checked.baseline.reading);
        let input = self.0.input();
        let run = self.0.create(&self.0.name())?;
        let found = place::clear_since(self.0.job(), &run, stands)?;
        let tool = concat!("reduct ", env!("CARGO_PKG_VERSION")).to_owned();
        let job =
            serde_json::to_value(self.0.job()).map_err(|e| Refusal::UnknownJob(run.folder.clone(), e.to_string()))?;
        let record = JournalRecord::Run { v: VERSION, tool, input, cache: self.0.job().cache, job };
        let mut journal = Journal::create(&run.journal(), &record)?;
        journal.rest_on(run.input());
        let (borrowed, says) = self.borrow(&checked, &run, (&mut *executor, &mut journal, &mut audience))?;
        self.note(&run, &mut journal, &checked)?;
        let known = Resumed::after(checked);
        let known = Resumed { from_others: borrowed.len(), borrowed, says, ..known };
        let job = self.0.job().clone();
        let report = self.search(executor, &run, journal, known, stops, audience)?;
        Ok(RunReport { found: found.or(report.found.clone()), ..report }.with(&originals, &job))
    }

    /// Takes outcomes of earlier runs, if they are asked for and worth something; and what is to be said of that.
    fn borrow(
        &self,
        checked: &Checked,
        run: &Run,
        (executor, journal, audience): (&mut Opened, &mut Journal, &mut Audience<'_>),
    ) -> Result<Borrowed, Refusal> {
        let job = self.0.job();
        if !job.reuse {
            return Ok((vec![], vec![]));
        }
        if let Some(unknown) = reliance::unknown(checked.around.as_ref()) {
            return Ok((vec![], vec![forgotten(&Forgotten::OfOthers(unknown))]));
        }
        let borrowed = outcomes_of(checked.oracle, job.runs_folder(), run);
        if !checked.contradicts(&borrowed) {
            return Ok((borrowed, vec![]));
        }
        let why = forgotten(&Forgotten::OthersDisagree);
        self.forget(executor, journal, audience, &why)?;
        Ok((vec![], vec![why]))
    }

    /// Begins to watch what the test opens. A person's word does not rest on files.
    fn witness(&self) -> Result<Option<Witness>, Refusal> {
        let job = self.0.job();
        if job.source().rests_on_files() { Witness::begin(job).map(Some) } else { Ok(None) }
    }

    /// Writes down what the preflight has established.
    fn note(&self, run: &Run, journal: &mut Journal, checked: &Checked) -> Result<(), Refusal> {
        let Checked { baseline, outcomes, files, around, oracle, project } = checked;
        if let Some(project) = project {
            fs::write(run.project(), project).map_err(Refusal::io("write", &run.project()))?;
        }
        let time_limit = Some(baseline.time_limit.as_millis() as u64);
        let (reading, policy) = (baseline.reading.clone(), baseline.policy);
        let (files, around) = (files.clone(), around.clone());
        let mut first = vec![
            JournalRecord::Began { oracle: *oracle, reading, time_limit, policy, files, around },
            JournalRecord::Published { out: self.0.out(run), k: self.0.whole().key() },
        ];
        first.extend(outcomes.iter().map(|(k, o)| JournalRecord::Outcome {
            k: *k,
            o: *o,
            l: false,
            ms: 0,
            votes: None,
        }));
        first.iter().try_for_each(|record| journal.write(record)).map_err(Refusal::io("write", journal.path()))
    }

    /// Throws away what is known, and tells why.
    fn forget(
        &self,
        executor: &mut Opened,
        journal: &mut Journal,
        audience: &mut Audience<'_>,
        why: &str,
    ) -> Result<(), Refusal> {
        let mut observers: Vec<&mut dyn Observer> = vec![journal];
        observers.extend(audience.views());
        let told = Session::new(executor, observers, self.0.job().patience).emit(&Event::Forgotten { why: why.into() });
        told.map_err(Refusal::stopped)
    }

    /// Throws away what is known, and establishes anew what the failure is.
    fn start_over(
        &mut self,
        mut executor: Box<Opened>,
        (run, journal): (&Run, &mut Journal),
        audience: &mut Audience<'_>,
        why: &Forgotten,
    ) -> Result<(Box<Opened>, Resumed), Refusal> {
        let why = forgotten(why);
        self.forget(&mut *executor, journal, audience, &why)?;
        drop(executor);
        let mut says = vec![why];
        if let Some(kept) = place::keep_earlier(&self.0.out(run), run)? {
            says.push(run::describe(&RunRemark::KeptEarlier(kept)));
        }
        let witness = self.witness()?;
        let (executor, checked) = self.establish_baseline(audience, witness)?;
        self.note(run, journal, &checked)?;
        Ok((executor, Resumed { says, ..Resumed::after(checked) }))
    }

    /// Returns what a run knows by its journal, and by those of other runs if it takes from them.
    fn recall(&self, reading: Criterion, records: &[JournalRecord], run: &Run, witness: Option<&Witness>) -> Resumed {
        let baseline = Baseline {
            failure: describe_failure(self.0.job(), &reading),
            reading,
            time_limit: time_limit(records).unwrap_or(Duration::MAX),
            policy: policy(records),
            denied: Denied::default(),
        };
        let preflight = [self.0.whole().key(), self.0.other().key()];
        let mut known = Resumed::recorded(baseline, records, &preflight);
        known.borrowed = shared_outcomes(self.0.job(), records, run);
        known.from_others = known.outcomes.len() + known.borrowed.len();
        known.says.extend(describe_environment(records, witness));
        known
    }

    /// Goes on with a run, after an answer is taken back or a branch is begun, if one is.
    pub(crate) fn resume(
        mut self,
        run: &Run,
        mut journal: Journal,
        (records, first): (&[JournalRecord], Option<JournalRecord>),
        stops: Stops,
        mut audience: Audience<'_>,
    ) -> Result<RunReport, Refusal> {
        let stops = from_now_on(stops);
        let witness = self.witness()?;
        let executor = self.0.executor(self.0.job().handed)?;
        audience.connect(&*executor);
        // Between two sessions, the user may have changed them.
        let originals = Originals::of(self.0.job());
        let reading = reading(records);
        let (stale, unseen) = match &reading {
            Some(reading) => {
                let of = (run, records, reading);
                let since = relies::what_changed(&self.0, of, &*executor, (witness.as_ref(), &mut audience))?;
                // Runs may have had a place of their own, to which signals went.
                audience.connect(&*executor);
                since.told()
            }
            None => (None, None),
        };
        let since;
        let records = match first {
            Some(first) => {
                journal.write(&first).map_err(Refusal::io("write", journal.path()))?;
                since = journal::read(&run.journal())?.0;
                &since[..]
            }
            None => records,
        };
        journal.write(&JournalRecord::Resumed).map_err(Refusal::io("write", journal.path()))?;
        let (executor, known) = match (reading, stale) {
            (_, Some(what)) => {
                self.start_over(executor, (run, &mut journal), &mut audience, &Forgotten::OfThisRun(what))?
            }
            (Some(reading), None) => {
                let mut known = self.recall(reading, records, run, witness.as_ref());
                known.says.extend(unseen);
                (executor, known)
            }
            // It was killed between its first two records.
            (None, None) => {
                let (executor, checked) = self.establish_baseline(&mut audience, witness)?;
                self.note(run, &mut journal, &checked)?;
                (executor, Resumed::after(checked))
            }
        };
        let job = self.0.job().clone();
        let report = self.search(executor, run, journal, known, stops, audience)?;
        Ok(report.with(&originals, &job))
    }

    /// Searches; a second time, from the beginning, if what is known from elsewhere turns out not to be so.
    fn search(
        mut self,
        mut executor: Box<Opened>,
        run: &Run,
        mut journal: Journal,
        known: Resumed,
        stops: Stops,
        mut audience: Audience<'_>,
    ) -> Result<RunReport, Refusal> {
        if let Some(report) = self.attempt(&mut *executor, (run, &mut journal), known, stops, &mut audience)? {
            return Ok(report);
        }
        drop(executor);
        let executor = self.0.executor(self.0.job().handed)?;
        audience.connect(&*executor);
        let why = &Forgotten::ResultDisagrees;
        let (mut executor, known) = self.start_over(executor, (run, &mut journal), &mut audience, why)?;
        let report = self.attempt(&mut *executor, (run, &mut journal), known, stops, &mut audience)?;
        // What is known now was learned just now.
        report.ok_or(Refusal::Contradiction)
    }

    /// Searches once. `None` if what is known from elsewhere is not so.
    fn attempt(
        &self,
        executor: &mut Opened,
        books: (&Run, &mut Journal),
        known: Resumed,
        stops: Stops,
        audience: &mut Audience<'_>,
    ) -> Result<Option<RunReport>, Refusal> {
        Attempt::prepare(&self.0, executor, books, &known)?.make(executor, known, stops, audience)
    }

    /// Returns the preflight, and what it brought.
    fn establish_baseline(
        &mut self,
        audience: &mut Audience<'_>,
        witness: Option<Witness>,
    ) -> Result<(Box<Opened>, Checked), Refusal> {
        if let Some(witness) = &witness {
            self.0.job_mut().watched = witness.watching();
        }
        let Begun { executor, baseline, of_other } = preflight::begin(&mut self.0, audience)?;
        let known = vec![(self.0.whole().key(), Outcome::Fail), (self.0.other().key(), of_other)];
        // With repeats run again, an outcome belongs to its place in the sequence.
        let outcomes = if self.0.job().cache { known } else { vec![] };
        let (files, around) = match witness.map(|witness| witness.end(executor.elsewhere())) {
            Some(Witnessed { files, mut around, written }) => {
                around.own = relies::own(&self.0, &*executor, &written);
                (Some(files), Some(around))
            }
            None => (None, None),
        };
        let relied = (files.as_deref().unwrap_or_default(), &around.clone().unwrap_or_default());
        let oracle = relies::identity(&self.0, &*executor, (&baseline.reading, baseline.policy.as_ref()), relied)?;
        let project = relies::project(&self.0, &*executor, &around.clone().unwrap_or_default());
        Ok((executor, Checked { baseline, outcomes, files, around, oracle, project }))
    }
}
