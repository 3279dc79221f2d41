//! Why a test does not do what a reduction needs: found out by some more runs, for a few seconds at most.

use super::baseline::{Doubt, NoBaseline, says};
use super::hints;
use super::recipe::{recipe, unseen};
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::{executor, watched};
use crate::job::{Failure, InputDelivery, Job, TestPlace};
use crate::list::List;
use crate::program::foreign_line_ends;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_oracle::signature::{InputVocabulary, describe};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Limit, Observed};
use reduct_report::measured;
use reduct_sandbox::opened;
use reduct_session::Session;
use reduct_session::event::{Event, Why};
use reduct_session::executor::Opened;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// So long it is found out why.
const LONGEST: Duration = Duration::from_secs(5);
/// A look at another way to run it takes this long at most.
const A_LOOK: Duration = Duration::from_secs(2);
/// So many more runs tell what happens now and then from what never happens.
const MORE_RUNS: usize = 6;

pub(super) const DOES_NOT_OCCUR: &str = "the failure does not occur on the whole input";

/// Returns the refusal of an input on which the failure does not occur.
pub(super) fn does_not_fail(job: &Job, words: &InputVocabulary, oracle: &Oracle, first: &Observed) -> Refusal {
    let mut advice = format!("looked for: {}\nseen: {}", oracle.reading().describe(), says(first));
    for measured in job.conditions().iter().filter_map(|condition| condition.measured(first)) {
        let _ = write!(advice, "\nmeasured: {}", measured::describe(&measured));
    }
    advice.extend(foreign_line_ends(job).map(|line| format!("\n{line}")));
    let _ = write!(advice, "{}{}\n{}", unseen(job), hints::behind(first, None, words), recipe(job));
    Refusal::DoesNotFail { headline: DOES_NOT_OCCUR.into(), advice }
}

/// There is nothing to look for.
pub(super) fn cannot_tell(job: &Job, seen: &Observed) -> Refusal {
    let headline = match seen.exit {
        Exit::Limit(Limit::Memory) => "the whole input needs more memory than allowed: raise --memory",
        Exit::Limit(Limit::Processes) => "the whole input needs more processes than allowed: raise --processes",
        Exit::Limit(Limit::Disk) => "the whole input needs more disk space than allowed: raise --disk",
        _ => "the test cannot tell on the whole input",
    };
    let line_ends = foreign_line_ends(job).map_or(String::new(), |line| line + "\n");
    let advice = format!(
        "seen: {}\n125 and 77 mean “cannot tell”, 126 that a program cannot be run, 127 that it is missing\n{line_ends}{}",
        says(seen),
        recipe(job)
    );
    Refusal::DoesNotFail { headline: headline.into(), advice }
}

/// It is there without an input.
pub(super) fn empty_fails(job: &Job, words: &InputVocabulary, whole: &Observed, seen: &Observed) -> Refusal {
    let advice = format!(
        "{}make the test check for the failure itself, or say what it is with --fails-if, e.g. --fails-if 'stderr~REGEX'{}\nseen: {}{}\n{}",
        by_convention(job, whole),
        hints::behind(whole, Some(seen), words),
        says(seen),
        unseen(job),
        recipe(job)
    );
    Refusal::EmptyFails { seen: describe(&seen.exit), advice }
}

/// That success was taken for the failure, if nobody said what the failure is.
fn by_convention(job: &Job, seen: &Observed) -> &'static str {
    if job.failure == Failure::Observed && seen.exit == Exit::Code(0) {
        "exit status 0 counts as the failure, as reducer scripts have it: a test that means success by it does not fail\n"
    } else {
        ""
    }
}

/// Returns the refusal of a server that says that the whole input passes: it is written for reduct, so it does not mean
/// the convention of reducer scripts.
pub(super) fn server_passes(job: &Job) -> Refusal {
    let advice = format!(
        "a failure is the answer `fail`, another exit status than 0, or a signal\n\
         if exit status 0 is the failure, say so: --fails-if exit=0\n{}",
        recipe(job)
    );
    Refusal::DoesNotFail { headline: "the server says that the whole input passes".into(), advice }
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

/// Who finds out why.
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

    /// Returns what can be said after some more runs. What is known already is said first; who interrupts gets that.
    pub(super) fn explain(mut self, executor: &mut Opened, NoBaseline { refusal, doubt }: NoBaseline) -> Refusal {
        let is_command = self.job.goal.situation().is_none() && self.job.source().server().is_none();
        let Some(doubt) = doubt else { return refusal };
        let mut views = self.audience.views();
        let text = format!("{refusal}. Looking for why, for {} s at most.", LONGEST.as_secs());
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
            let headline = format!(
                "the test is flaky: on the same whole input the failure occurred in {failed} of {} runs",
                all.len()
            );
            let advice = format!(
                "the failure looked for: {}\ngive --repeat: then each candidate is run until it is clear whether it fails; or make the test repeatable (fixed seeds, one thread)\n{}",
                oracle.reading().describe(),
                recipe(self.job)
            );
            return Ok(Some(Refusal::DoesNotFail { headline, advice }));
        }
        let Some(first) = seen.first().filter(|_| is_command) else { return Ok(None) };
        let Some((headline, what_to_do)) = self.try_elsewhere(oracle)? else { return Ok(None) };
        let mut advice = format!("looked for: {}\nseen: {}", oracle.reading().describe(), says(first));
        for measured in self.job.conditions().iter().filter_map(|condition| condition.measured(first)) {
            let _ = write!(advice, "\nmeasured: {}", measured::describe(&measured));
        }
        let _ = write!(advice, "\n{what_to_do}\n{}", recipe(self.job));
        Ok(Some(Refusal::DoesNotFail { headline, advice }))
    }

    fn empty_fails(&mut self, seen: &Observed) -> Result<Option<Refusal>, Why> {
        let seen_words = describe(&seen.exit);
        // A reducer script that is not interesting here exits with 1 on everything: it should be told so.
        let convention = Oracle::new(Criterion::ExitZero, self.words.clone());
        if self.job.failure == Failure::Observed
            && matches!(seen.exit, Exit::Code(1..))
            && let Some((headline, what_to_do)) = self.try_elsewhere(&convention)?
        {
            let advice = format!(
                "as it is, the test ends with {seen_words} whatever the input; so it exits with 0\n{what_to_do}\n{}",
                recipe(self.job)
            );
            return Ok(Some(Refusal::DoesNotFail { headline, advice }));
        }
        if self.job.failure == Failure::ExitZero || self.was_opened()? != Some(false) {
            return Ok(None);
        }
        let named = if self.job.rewritten().is_empty() && unseen(self.job).is_empty() {
            "\nif it reads the original by a full path, put {} in place of that path"
        } else {
            ""
        };
        let success = by_convention(self.job, seen);
        let advice = format!("{success}seen: {}{}{named}\n{}", says(seen), unseen(self.job), recipe(self.job));
        Ok(Some(Refusal::NeverOpened { seen: seen_words, advice }))
    }

    /// Returns whether the failure occurs if the test is run otherwise, and not on an empty input; and what to do then.
    fn try_elsewhere(&mut self, oracle: &Oracle) -> Result<Option<(String, String)>, Why> {
        let handed = self.job.handed;
        let place = &self.job.place;
        if !handed.as_argument && self.fails_as(oracle, InputDelivery { as_argument: true, ..handed }, place)? {
            let what = "the failure occurs only if the test gets the path of the input as its argument";
            let to_do = "add --arg, or put {} where the path belongs in the command";
            return Ok(Some((what.into(), to_do.into())));
        }
        if !handed.on_stdin && self.fails_as(oracle, InputDelivery { on_stdin: true, ..handed }, place)? {
            let what = "the failure occurs only if the test gets the input on standard input";
            return Ok(Some((what.into(), "add --stdin".into())));
        }
        let project = if *place == TestPlace::Bare { self.job.likely_project().ok().flatten() } else { None };
        if let Some(project) = project.filter(|_| self.job.inputs.len() < 2 || !handed.as_argument)
            && self.fails_as(oracle, handed, &project)?
        {
            let what = "the failure occurs only in a copy of your folder: in a bare one the test misses something";
            return Ok(Some((
                what.into(),
                "leave out --bare, or let the test name what it needs by full paths".into(),
            )));
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
        let Ok(mut executor) = watched(self.job, self.whole.len(), &list) else { return Ok(None) };
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
