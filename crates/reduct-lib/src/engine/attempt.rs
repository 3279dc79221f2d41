//! One attempt of a run: it searches, has the result confirmed, publishes the answer, and says what came of it.

use super::remarks;
use super::report::RunReport;
use super::resumed::Resumed;
use crate::audience::Audience;
use crate::branch;
use crate::confirm::Confirming;
use crate::errors::Refusal;
use crate::judge::Judge;
use crate::live::Live;
use crate::parser;
use crate::place;
use crate::preflight::Baseline;
use crate::problem::Problem;
use crate::runs::Run;
use reduct_core::{Memo, Question, Repeats};
use reduct_input::Candidate;
use reduct_oracle::sampling::Policy;
use reduct_oracle::{Criterion, Oracle};
use reduct_report::run::{self, RunRemark};
use reduct_session::event::{Again, Ended, Event, Observer, Why};
use reduct_session::executor::Opened;
use reduct_session::journal::{self, Journal, JournalRecord};
use reduct_session::other_failures::OtherFailures;
use reduct_session::publish::ResultWriter;
use reduct_session::{InputSearch, Session, Start, Stops};
use reduct_sources::write_below;
use reduct_strategies::{Branched, Caveat};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What an attempt is made with.
pub(super) struct Attempt<'a, T> {
    problem: &'a T,
    run: &'a Run,
    journal: &'a mut Journal,
    publisher: ResultWriter,
    other_failures: OtherFailures,
    /// By which it can be watched from elsewhere.
    live: Option<Live>,
    reading: Criterion,
    oracle: Oracle,
    policy: Option<Policy>,
    /// The time limit of a test that runs alone.
    alone: Duration,
    /// What the failure is, in words.
    failure: String,
    /// If the search is not the one that the run began with: the steps whose edits are never made in it.
    never: Option<Vec<usize>>,
    /// Why what was known before is not believed, if so.
    doubted: Vec<String>,
    /// Why not all is known that the test relies on, if so.
    unsure: Option<String>,
}

/// What a search came to.
struct Found<S> {
    search: S,
    ended: Ended,
    /// The size of the whole input, and what it is counted in.
    size_before: (usize, &'static str),
    /// On how many outcomes of earlier runs it rests.
    borrowed: u64,
    /// What the result said when it was run again.
    said: Option<String>,
}

impl<'a, T: Problem> Attempt<'a, T> {
    /// Makes room for the result, and readies the place for tests.
    ///
    /// # Errors
    /// If the result cannot be published.
    pub(super) fn prepare(
        problem: &'a T,
        executor: &mut Opened,
        (run, journal): (&'a Run, &'a mut Journal),
        known: &Resumed,
    ) -> Result<Attempt<'a, T>, Refusal> {
        let Baseline { reading, time_limit, failure, policy, .. } = known.baseline.clone();
        if problem.job().afterwards().backtraces {
            executor.backtraces = reading.backtraces();
        }
        place::make_room(&problem.out(run))?;
        place::keep_original(problem.job(), run, problem.original())?;
        let mut publisher = problem.publisher(run)?;
        if let Some((n, best)) = known.reached {
            publisher.resume_at(n, best);
        }
        let oracle = Oracle::new(reading.clone(), problem.words().clone());
        let (other_failures, alone) = (OtherFailures::open(run.others()), time_limit);
        let live = Live::of(&run.folder, executor.control(), problem.job().varies_variables());
        let (doubted, unsure) = (known.says.clone(), known.unsure.clone());
        Ok(Attempt {
            problem,
            run,
            journal,
            publisher,
            other_failures,
            live,
            reading,
            oracle,
            policy,
            alone,
            failure,
            never: known.branch.clone(),
            doubted,
            unsure,
        })
    }

    /// Searches, and does all that follows. `None` if what is known from elsewhere is not so.
    ///
    /// # Errors
    /// If the answer cannot be made or written.
    pub(super) fn make(
        mut self,
        executor: &mut Opened,
        known: Resumed,
        stops: Stops,
        audience: &mut Audience<'_>,
    ) -> Result<Option<RunReport>, Refusal> {
        let Some(mut found) = self.search(executor, known, stops, audience)? else { return Ok(None) };
        self.note(&mut found.ended);
        let leaks = executor.leaks;
        let (answer, mut says) = self.problem.answer(&found.search, &found.ended)?;
        says.splice(0..0, std::mem::take(&mut self.doubted));
        if let Some(answer) = &answer {
            self.publish(answer)?;
        }
        self.end(executor, &mut found.ended, answer.is_some(), audience);
        says.extend(self.problem.keep(&found.search, self.run));
        says.extend(self.remarks(executor, leaks, &found));
        self.report(found, answer.is_some(), says).map(Some)
    }

    /// Searches, and has the result confirmed. `None` if what is known from elsewhere is not so.
    fn search(
        &mut self,
        executor: &mut Opened,
        mut known: Resumed,
        stops: Stops,
        audience: &mut Audience<'_>,
    ) -> Result<Option<Found<T::Search>>, Refusal> {
        let job = self.problem.job();
        let answers = std::mem::take(&mut known.answers);
        let (from_others, borrows) = (known.from_others > 0, !known.borrowed.is_empty());
        let start = self.start(executor, known, stops)?;
        let size_before = (start.inquiry.left(), start.inquiry.unit());
        let mut observers: Vec<&mut dyn Observer> =
            vec![&mut *self.journal, &mut self.publisher, &mut self.other_failures];
        observers.extend(self.live.as_mut().map(|live| live as &mut dyn Observer));
        observers.extend(audience.views());
        let mut session = Session::new(executor, observers, job.patience);
        // Nothing depends on whether this was heard.
        let _ = session.emit(&Event::Kept { folder: self.run.folder.clone() });
        if !job.source().repeats() {
            session = session.answered(answers);
        }
        let (mut ended, search) = session.search(&self.oracle, start);
        let (search, borrowed) = (search.search().clone(), session.borrowed());
        if !matches!(ended.why, Why::Interrupted | Why::Trouble(_)) {
            let confirming = Confirming {
                problem: self.problem,
                run: self.run,
                judge: Judge { oracle: &self.oracle, policy: self.policy },
            };
            match confirm(&confirming, &mut session, &search, &mut ended, (from_others, borrows)) {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(why) => {
                    (ended.confirmed, ended.again) = (None, None);
                    ended.evidence = search.evidence(&why, &ended.best);
                    ended.why = why;
                }
            }
        }
        let said = session.said().filter(|_| ended.confirmed == Some(true)).map(str::to_owned);
        Ok(Some(Found { search, ended, size_before, borrowed, said }))
    }

    /// Returns how the search starts, with all that is known.
    fn start(
        &self,
        executor: &mut Opened,
        known: Resumed,
        stops: Stops,
    ) -> Result<Start<Branched<T::Search>>, Refusal> {
        let job = self.problem.job();
        let mut memo = known.outcomes.into_iter().collect::<Memo>();
        known.borrowed.into_iter().for_each(|(key, outcome)| memo.borrow(key, outcome));
        let search = match &self.never {
            Some(_) => branch::search(self.problem, &journal::read(self.journal.path())?.0, self.run)?,
            None => Branched::plain(self.problem.search()?),
        };
        Ok(Start {
            inquiry: search,
            memo,
            known: known.from_others,
            repeats: if job.cache { Repeats::Remembered } else { Repeats::RunAgain },
            stops,
            skips: known.skips,
            reached: known.reached.map_or(0, |(n, _)| n),
            failure: self.failure.clone(),
            time_limit: job.limit_time(executor, Some(self.alone)),
            policy: self.policy,
            votes: known.votes,
        })
    }

    /// Notes what else is known of how it ended.
    fn note(&self, ended: &mut Ended) {
        let job = self.problem.job();
        if job.source().repeats() && ended.confirmed.is_none() && self.problem.can_go_back() {
            ended.again = Some(Again::default());
        }
        if let Some(never) = self.never.as_ref().filter(|never| !never.is_empty()) {
            ended.evidence.caveats.push(Caveat::Stays { steps: never.clone() });
        }
        ended.notes.extend(job.caveats.iter().cloned());
        ended.notes.extend(job.describe_timeouts(self.alone, ended.timeouts));
        if !job.source().repeats() {
            ended.evidence.caveats.push(Caveat::ByPersonsWord { unresolved: ended.unresolved });
        }
    }

    /// Publishes an answer that is more than the best. It is on disk before the run is said to be done.
    fn publish(&mut self, answer: &Candidate) -> Result<(), Refusal> {
        let out = self.problem.out(self.run);
        self.publisher.publish(answer, true).map_err(Refusal::io("write", &out))?;
        let record = JournalRecord::Published { out, k: answer.key() };
        self.journal.write(&record).map_err(Refusal::io("write", self.journal.path()))
    }

    /// Tells all who watch that it is over.
    fn end(&mut self, executor: &mut Opened, ended: &mut Ended, is_answered: bool, audience: &mut Audience<'_>) {
        let mut observers: Vec<&mut dyn Observer> = vec![&mut *self.journal, &mut self.other_failures];
        // What is not the best itself would be replaced by it.
        if !is_answered {
            observers.push(&mut self.publisher);
        }
        observers.extend(self.live.as_mut().map(|live| live as &mut dyn Observer));
        observers.extend(audience.views());
        let mut session = Session::new(executor, observers, self.problem.job().patience);
        if let Err(why) = session.emit(&Event::Ended(Box::new(ended.clone()))) {
            ended.why = why;
        }
    }

    /// Returns what is to be said of how tests ran, line by line.
    fn remarks(&self, executor: &Opened, leaks: u64, found: &Found<T::Search>) -> Vec<String> {
        let top = self.problem.job().top();
        let says = |remark: Option<RunRemark>| remark.as_ref().map(run::describe);
        let copies = top.map(|top| RunRemark::RanInCopies(top.to_owned()));
        let mut lines: Vec<String> = says(remarks::of_leaks(leaks)).into_iter().chain(says(copies)).collect();
        let of_base_tree = executor.base_tree().map(|base_tree| base_tree.remarks()).unwrap_or_default();
        lines.extend(of_base_tree.iter().map(|remark| format!("{}.", reduct_report::remarks::describe(remark))));
        lines.extend(reduct_report::remarks::of_grammars(&parser::failed()));
        lines.extend(says(remarks::of_archives(self.problem.original(), &found.ended.best)));
        lines.extend(says(remarks::of_borrowed(found.borrowed)));
        lines.extend(says(remarks::of_addresses(executor)));
        lines.extend(says(remarks::of_death(&self.reading)));
        lines.extend(says(found.said.as_ref().and_then(|said| remarks::of_change(&self.reading, said))));
        lines
    }

    /// Returns what came of the run.
    fn report(self, found: Found<T::Search>, is_answered: bool, says: Vec<String>) -> Result<RunReport, Refusal> {
        let Found { ended, size_before, .. } = found;
        // Of what answers with more than that, both sides are in the answer.
        let is_said = self.problem.job().goal.is_reduction();
        let passing = ended.passing.as_ref().filter(|_| is_said);
        let passing = passing.map(|passing| keep(passing, &self.run.folder.join("passing"))).transpose()?;
        let written = is_answered || self.publisher.has_published(&ended.best);
        Ok(RunReport {
            ended,
            failure: self.failure,
            size_before,
            passing,
            out: self.problem.out(self.run),
            written,
            found: self.publisher.kept().first().cloned(),
            run: self.run.folder.clone(),
            others: self.other_failures.conclude(),
            changed: vec![],
            says,
            starts_over: self.unsure,
        })
    }
}

/// Has what a search ended at run again: as the user will run it, from the disk, in a fresh folder, whatever is remembered.
/// `false` if what is known from elsewhere is not so: that outcomes are, and that the answer rests on some.
///
/// # Errors
/// If it was interrupted, or met trouble that did not pass.
fn confirm<T: Problem>(
    confirming: &Confirming<'_, T>,
    session: &mut Session<'_>,
    search: &T::Search,
    ended: &mut Ended,
    (from_others, borrows): (bool, bool),
) -> Result<bool, Why> {
    // What is not there is not done.
    session.emit(&Event::Finishing { best: ended.best.clone(), passing: ended.passing.clone() })?;
    let Confirming { problem, judge, .. } = confirming;
    // Nobody is asked the same twice.
    if !problem.job().source().repeats() {
        return Ok(true);
    }
    session.run_afresh();
    ended.confirmed = problem.confirm(session, *judge, ended);
    let fails_to = from_others && ended.confirmed == Some(false);
    if fails_to || borrows && !holds(*problem, session, *judge, search) {
        return Ok(false);
    }
    confirming.confirm(session, ended).map(|()| true)
}

/// Runs what the answer says, which outcomes from elsewhere have told so far.
fn holds<T: Problem>(problem: &T, session: &mut Session<'_>, judge: Judge<'_>, search: &T::Search) -> bool {
    problem
        .claims(search)
        .iter()
        .all(|(candidate, claimed)| judge.outcome(session, candidate).map_or(true, |outcome| outcome == *claimed))
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
