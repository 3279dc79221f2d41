//! Why a test does not do what a reduction needs: found out by some more runs, for a few seconds at most.

use super::baseline::{Doubt, NoBaseline, refuse};
use super::hints;
use super::recipe::{recipe, unseen};
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::{Listed, executor, watched};
use crate::job::{Failure, InputDelivery, Job, TestPlace};
use crate::list::List;
use crate::program::foreign_line_ends;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::signature::{InputVocabulary, describe};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Limit, Observed};
use reduct_report::preflight::advice::{Advice, advise, looking_for_why};
use reduct_report::preflight::refused::NoFailure;
use reduct_sandbox::opened;
use reduct_session::Session;
use reduct_session::event::{Event, Why};
use reduct_session::executor::Opened;
use std::path::Path;
use std::time::{Duration, Instant};

/// So long it is found out why.
const LONGEST: Duration = Duration::from_secs(5);
/// A look at another way to run it takes this long at most.
const A_LOOK: Duration = Duration::from_secs(2);
/// So many more runs tell what happens now and then from what never happens.
const MORE_RUNS: usize = 6;

/// Returns the refusal of an input on which the failure does not occur.
pub(super) fn does_not_fail(job: &Job, words: &InputVocabulary, oracle: &Oracle, first: &Observed) -> Refusal {
    let (unseen, recipe) = (unseen(job), recipe(job));
    let advice = [Advice::LookedFor(oracle.reading()), Advice::Seen(first)].into_iter();
    let advice = advice.chain(measured(job, first)).chain(foreign_line_ends(job).map(Advice::LineEnds)).chain(unseen);
    refuse(&NoFailure::OnTheWhole, advice.chain(hints::behind(first, None, words)).chain([Advice::Lines(&recipe)]))
}

/// Returns what was measured of the conditions of a job.
fn measured<'a>(job: &Job, observed: &Observed) -> impl Iterator<Item = Advice<'a>> {
    job.conditions().iter().filter_map(|condition| condition.measured(observed)).map(Advice::Measured)
}

/// Returns the refusal of a test that shows nothing to look for.
pub(super) fn cannot_tell(job: &Job, seen: &Observed) -> Refusal {
    let why = match seen.exit {
        Exit::Limit(Limit::Memory) => NoFailure::TooMuchMemory,
        Exit::Limit(Limit::Processes) => NoFailure::TooManyProcesses,
        Exit::Limit(Limit::Disk) => NoFailure::TooMuchDisk,
        _ => NoFailure::CannotTell,
    };
    let recipe = recipe(job);
    let advice = [Advice::Seen(seen), Advice::StatusesThatCannotTell].into_iter();
    refuse(&why, advice.chain(foreign_line_ends(job).map(Advice::LineEnds)).chain([Advice::Lines(&recipe)]))
}

/// Returns the refusal of a failure that is there without an input.
pub(super) fn empty_fails(job: &Job, words: &InputVocabulary, whole: &Observed, seen: &Observed) -> Refusal {
    let recipe = recipe(job);
    let advice = by_convention(job, whole)
        .into_iter()
        .chain([Advice::CheckForTheFailure])
        .chain(hints::behind(whole, Some(seen), words))
        .chain([Advice::Seen(seen)])
        .chain(unseen(job))
        .chain([Advice::Lines(&recipe)]);
    Refusal::EmptyFails { seen: describe(&seen.exit), advice: advise(advice) }
}

/// Returns the remark that success was taken for the failure, if nobody said what the failure is.
fn by_convention(job: &Job, seen: &Observed) -> Option<Advice<'static>> {
    let is_taken = job.failure == Failure::Observed && seen.exit == Exit::Code(0);
    is_taken.then_some(Advice::StatusZeroIsTheFailure)
}

/// Returns the refusal of a server that says that the whole input passes: it is written for reduct, so it does not mean
/// the convention of reducer scripts.
pub(super) fn server_passes(job: &Job) -> Refusal {
    let recipe = recipe(job);
    refuse(&NoFailure::ServerPasses, [Advice::ServerAnswers, Advice::Lines(&recipe)])
}

/// Finds out why no baseline could be established, for a few seconds at most.
pub(crate) fn explain(
    of: (&Job, &Candidate, &InputVocabulary),
    audience: &mut Audience<'_>,
    executor: &mut Opened,
    no_baseline: NoBaseline,
) -> Refusal {
    Doctor::new(of, audience).explain(executor, no_baseline)
}

/// Finds out why the failure does not occur.
struct Doctor<'a, 'b> {
    pub(super) job: &'a Job,
    pub(super) whole: &'a Candidate,
    pub(super) words: &'a InputVocabulary,
    pub(super) audience: &'a mut Audience<'b>,
    until: Instant,
}

impl<'a, 'b> Doctor<'a, 'b> {
    pub(super) fn new(
        (job, whole, words): (&'a Job, &'a Candidate, &'a InputVocabulary),
        audience: &'a mut Audience<'b>,
    ) -> Doctor<'a, 'b> {
        Doctor { job, whole, words, audience, until: Instant::now() + LONGEST }
    }

    /// Returns what can be said after some more runs. What is known already is said first; an interrupted search for the reason ends with that.
    pub(super) fn explain(mut self, executor: &mut Opened, NoBaseline { refusal, doubt }: NoBaseline) -> Refusal {
        let is_command = self.job.goal.situation().is_none() && self.job.source().server().is_none();
        let Some(doubt) = doubt else { return refusal };
        let mut views = self.audience.views();
        let text = looking_for_why(&refusal.to_string(), LONGEST);
        views.iter_mut().for_each(|view| drop(view.on(&Event::Note { text: text.clone() })));
        drop(views);
        let better = match doubt {
            Doubt::DoesNotFail(oracle, seen) => self.does_not_fail(executor, &oracle, &seen, is_command),
            Doubt::CannotTell(seen) => {
                let oracle = Oracle::new(Criterion::ExitZero, self.words.clone());
                self.does_not_fail(executor, &oracle, std::slice::from_ref(&*seen), is_command)
            }
            Doubt::EmptyFails(seen) if is_command => self.empty_fails(&seen),
            Doubt::EmptyFails(_) => Ok(None),
        };
        match better {
            Ok(Some(better)) => better,
            _ => refusal,
        }
    }

    fn does_not_fail(
        &mut self,
        executor: &mut Opened,
        oracle: &Oracle,
        seen: &[Observed],
        is_command: bool,
    ) -> Result<Option<Refusal>, Why> {
        let fails = |observed: &&Observed| oracle.verdict(observed).outcome == Outcome::Fail;
        let more = self.observe(executor, &vec![self.whole.clone(); MORE_RUNS], LONGEST)?;
        let all: Vec<&Observed> = seen.iter().chain(&more).collect();
        let failed = all.iter().filter(|observed| fails(observed)).count();
        if failed > 0 {
            let recipe = recipe(self.job);
            let looked_for = Advice::FailureLookedFor(oracle.reading());
            let why = NoFailure::Flaky { failed, runs: all.len() };
            return Ok(Some(refuse(&why, [looked_for, Advice::RepeatCandidates, Advice::Lines(&recipe)])));
        }
        let Some(first) = seen.first().filter(|_| is_command) else { return Ok(None) };
        let Some((why, what_to_do)) = self.try_elsewhere(oracle)? else { return Ok(None) };
        let recipe = recipe(self.job);
        let advice = [Advice::LookedFor(oracle.reading()), Advice::Seen(first)].into_iter();
        let advice = advice.chain(measured(self.job, first)).chain([what_to_do, Advice::Lines(&recipe)]);
        Ok(Some(refuse(&why, advice)))
    }

    fn empty_fails(&mut self, seen: &Observed) -> Result<Option<Refusal>, Why> {
        let recipe = recipe(self.job);
        // A reducer script that is not interesting here exits with 1 on everything: it should be told so.
        let convention = Oracle::new(Criterion::ExitZero, self.words.clone());
        if self.job.failure == Failure::Observed
            && matches!(seen.exit, Exit::Code(1..))
            && let Some((why, what_to_do)) = self.try_elsewhere(&convention)?
        {
            let advice = [Advice::SameOnAll(seen), what_to_do, Advice::Lines(&recipe)];
            return Ok(Some(refuse(&why, advice)));
        }
        if self.job.failure == Failure::ExitZero || self.was_opened()? != Some(false) {
            return Ok(None);
        }
        let unseen = unseen(self.job);
        let may_name_the_original = self.job.rewritten().is_empty() && unseen.is_none();
        let advice = by_convention(self.job, seen)
            .into_iter()
            .chain([Advice::Seen(seen)])
            .chain(unseen)
            .chain(may_name_the_original.then_some(Advice::ReadsTheOriginal))
            .chain([Advice::Lines(&recipe)]);
        Ok(Some(Refusal::NeverOpened { seen: describe(&seen.exit), advice: advise(advice) }))
    }

    /// Returns whether the failure occurs if the test is run otherwise, and not on an empty input; and what to do then.
    fn try_elsewhere(&mut self, oracle: &Oracle) -> Result<Option<(NoFailure, Advice<'static>)>, Why> {
        let handed = self.job.handed;
        let place = &self.job.place;
        if !handed.as_argument && self.fails_as(oracle, InputDelivery { as_argument: true, ..handed }, place)? {
            return Ok(Some((NoFailure::OnlyAsArgument, Advice::AddArgument)));
        }
        if !handed.on_stdin && self.fails_as(oracle, InputDelivery { on_stdin: true, ..handed }, place)? {
            return Ok(Some((NoFailure::OnlyOnStandardInput, Advice::AddStdin)));
        }
        let project = if *place == TestPlace::Bare { self.job.likely_project().ok().flatten() } else { None };
        if let Some(project) = project.filter(|_| self.job.inputs.len() < 2 || !handed.as_argument)
            && self.fails_as(oracle, handed, &project)?
        {
            return Ok(Some((NoFailure::OnlyInACopy, Advice::LeaveOutBare)));
        }
        Ok(None)
    }

    fn fails_as(&mut self, oracle: &Oracle, handed: InputDelivery, place: &TestPlace) -> Result<bool, Why> {
        let job = Job { place: place.clone(), ..self.job.clone() };
        let Ok(mut executor) = executor(&job, handed, self.whole.len()) else { return Ok(false) };
        let fails = |seen: &[Observed], candidate: &Candidate| {
            seen.first().map(|observed| oracle.verdict_on(observed, candidate).outcome == Outcome::Fail)
        };
        let whole = self.observe(&mut *executor, std::slice::from_ref(self.whole), A_LOOK)?;
        if fails(&whole, self.whole) != Some(true) {
            return Ok(false);
        }
        let nothing = Candidate::nothing(self.whole.base().clone());
        let empty = self.observe(&mut *executor, std::slice::from_ref(&nothing), A_LOOK)?;
        Ok(fails(&empty, &nothing) == Some(false))
    }

    /// Returns whether the command opens anything of the candidate. `None` if that cannot be told.
    fn was_opened(&mut self) -> Result<Option<bool>, Why> {
        let Ok(invocation) = self.job.invocation() else { return Ok(None) };
        // What it is handed is opened by somebody else, and only what is below its folder is watched.
        let subject = match self.job.top() {
            Some(_) => invocation.subject.strip_prefix(&invocation.inside).ok(),
            None => Some(invocation.subject.as_path()),
        };
        let Some(subject) = subject.filter(|_| !invocation.stdin) else { return Ok(None) };
        let Ok(list) = List::new(self.job) else { return Ok(None) };
        let Ok(mut executor) = watched(self.job, self.whole.len(), (Listed::Opened, &list)) else { return Ok(None) };
        let seen = self.observe(&mut *executor, std::slice::from_ref(self.whole), A_LOOK)?;
        let Some(touched) = opened::read(&list.path()).filter(|_| !seen.is_empty()) else { return Ok(None) };
        let names: Vec<&Path> = match &self.job.inputs[..] {
            [_] => vec![subject],
            _ => self.whole.base().entries().iter().map(|entry| entry.path.as_path()).collect(),
        };
        Ok(Some(touched.all.iter().any(|path| names.iter().any(|name| path.starts_with(name)))))
    }

    /// Runs what there is time for. What takes too long is not seen.
    fn observe(
        &mut self,
        executor: &mut Opened,
        candidates: &[Candidate],
        most: Duration,
    ) -> Result<Vec<Observed>, Why> {
        self.audience.connect(executor);
        let (slots, mut seen) = (executor.slots(), vec![]);
        for some in candidates.chunks(slots.max(1)) {
            let left = self.until.saturating_duration_since(Instant::now()).min(most);
            if left.is_zero() {
                break;
            }
            executor.time_limit = Some(left);
            // No trouble is worth waiting out for this.
            let mut session = Session::new(executor, vec![], Duration::ZERO);
            let runs = match session.observe(some) {
                Err(Why::Interrupted) => return Err(Why::Interrupted),
                runs => runs.unwrap_or_default(),
            };
            seen.extend(runs.into_iter().filter(|observed| observed.exit != Exit::Limit(Limit::Time)));
        }
        Ok(seen)
    }
}
