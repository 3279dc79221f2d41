//! A campaign of fuzzing: trials in batches, each failure confirmed, filed, reduced.

mod reducing;

use super::again::KnownFindings;
use super::finding_store::{Filed, FindingStatus, FindingStore};
use super::fuzzing::{Fuzzing, Until};
use super::happening::{Fuzzed, Happening};
use super::inputs::Inputs;
use super::refused::Advice;
use super::seen::{self, FailureSeen};
use super::stop_signal::StopSignal;
use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::executor;
use crate::program::cannot_start;
use reduct_input::{Artifact, Candidate};
use reduct_oracle::{Exit, Limit, Observed};
use reduct_session::Session;
use reduct_session::event::Why;
use reduct_session::executor::{Control, Opened};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// As long as nobody says otherwise, what runs longer than this hangs.
const HANGS_AFTER: Duration = Duration::from_secs(5);
/// Trials are handed out in batches that take about so long.
const BATCH: Duration = Duration::from_millis(250);
const LARGEST_BATCH: usize = 2_000;
const MOST_BYTES: usize = 32 << 20;

/// Fuzzing under way.
pub(super) struct Campaign<'a> {
    state: FindingStore,
    inputs: Inputs,
    until: Until,
    watcher: &'a mut dyn FnMut(&Happening<'_>),
    executor: Box<Opened>,
    control: Control,
    stop_signal: StopSignal,
    began: Instant,
    time_limit: Duration,
    /// How long it reduced, which is no time of trials.
    reducing: Duration,
    /// What is left of findings, as far as it was looked at.
    left: KnownFindings,
}

/// Checks whether the command can be started at all, found out before anything is written.
pub(super) fn can_start(fuzzing: &Fuzzing) -> Result<(), Refusal> {
    let job = &fuzzing.job;
    let name = job.inputs.first().cloned().unwrap_or_default();
    let empty = Artifact::of_file(name, b"").map_err(|_| Refusal::TooLarge)?;
    let mut executor = executor(job, job.handed, 0)?;
    executor.time_limit = Some(job.limits.time.unwrap_or(HANGS_AFTER));
    let mut session = Session::new(&mut *executor, vec![], job.patience);
    let seen = session.observe(&[Candidate::whole(empty.into())]);
    match seen.ok().and_then(|mut seen| seen.pop()).map(|seen| seen.exit) {
        Some(Exit::NotStarted(why)) => Err(cannot_start(job, &why, Advice::ByHand.to_string())),
        // Whatever else there is to say is said when its turn comes.
        _ => Ok(()),
    }
}

impl<'a> Campaign<'a> {
    pub(super) fn new(
        state: FindingStore,
        inputs: Inputs,
        until: Until,
        mut audience: Audience<'_>,
        watcher: &'a mut dyn FnMut(&Happening<'_>),
    ) -> Result<Campaign<'a>, Refusal> {
        let job = &state.fuzzing.job;
        let mut executor = executor(job, job.handed, inputs.largest())?;
        let time_limit = job.shared_time_limit(job.limits.time.unwrap_or(HANGS_AFTER));
        executor.time_limit = Some(time_limit);
        let stop_signal = StopSignal::new(&mut audience);
        let control = executor.control();
        Ok(Campaign {
            state,
            inputs,
            until,
            watcher,
            executor,
            control,
            stop_signal,
            began: Instant::now(),
            time_limit,
            reducing: Duration::ZERO,
            left: KnownFindings::new(),
        })
    }

    pub(super) fn run(mut self) -> Result<Fuzzed, Refusal> {
        self.stop_signal.connect(self.control.clone());
        let from = self.inputs.source();
        if let Some((confinement, strength)) = &self.executor.confined {
            (self.watcher)(&Happening::Confined(confinement, strength));
        }
        (self.watcher)(&Happening::Began { at: self.state.next, from });
        let ended = self.all();
        if ended.is_ok() {
            self.state.ended();
        }
        self.state.save()?;
        let interrupted = match ended {
            Ok(()) => false,
            Err(Refusal::Stopped(_, Why::Interrupted | Why::Stopped)) => true,
            Err(refusal) => return Err(refusal),
        };
        let exhausted = self.inputs.count().is_some_and(|count| self.state.next >= count);
        let FindingStore { findings, next: trials, fuzzing, .. } = self.state;
        Ok(Fuzzed { findings, trials, folder: fuzzing.job.out, interrupted, exhausted })
    }

    fn all(&mut self) -> Result<(), Refusal> {
        if self.state.next == 0 && self.state.findings.is_empty() {
            self.try_empty()?;
        }
        self.state.reduce_what_is_missing()?;
        self.reduce_all()?;
        let (mut size, mut told) = (self.executor.slots() * 2, (Instant::now(), self.state.next));
        self.reducing = Duration::ZERO;
        loop {
            let next = self.state.next;
            let left = [self.until.trials, self.inputs.count()].into_iter().flatten().min();
            let left = left.map_or(u64::MAX, |most| most.saturating_sub(next));
            if left == 0 || self.is_over() {
                return Ok(());
            }
            let begin = Instant::now();
            self.batch(size.min(usize::try_from(left).unwrap_or(size)))?;
            let took = begin.elapsed().saturating_sub(self.reducing);
            let fitting = BATCH.as_secs_f64() / took.as_secs_f64().max(1e-6) * size as f64;
            size = (fitting as usize)
                .clamp(self.executor.slots(), (size * 2).min(LARGEST_BATCH).max(self.executor.slots()));
            told.0 += std::mem::take(&mut self.reducing);
            let since = told.0.elapsed();
            if since > BATCH {
                let rate = (self.state.next - told.1) as f64 / since.as_secs_f64();
                told = (Instant::now(), self.state.next);
                let (trials, findings) = (self.state.next, self.state.findings.len());
                (self.watcher)(&Happening::Progress { trials, rate, findings });
            }
        }
    }

    fn is_over(&self) -> bool {
        let found = self.state.counted();
        self.until.time.is_some_and(|time| self.began.elapsed() >= time)
            || self.until.findings.is_some_and(|most| found >= most)
    }

    /// Tries the empty input: what fails without any is known before it is met with one.
    fn try_empty(&mut self) -> Result<(), Refusal> {
        let candidate = self.candidate(&[])?;
        let observed = self.observe(&[candidate])?.remove(0);
        if let Exit::NotStarted(why) = &observed.exit {
            let recipe = Advice::CheckCommand.to_string();
            return Err(cannot_start(&self.state.fuzzing.job, why, recipe));
        }
        self.take(&observed, &[], "empty", 0, None)
    }

    fn candidate(&self, bytes: &[u8]) -> Result<Candidate, Refusal> {
        let name = self.state.name()?;
        let artifact = Artifact::of_file(name, bytes).map_err(|_| Refusal::TooLarge)?;
        Ok(Candidate::whole(artifact.into()))
    }

    fn observe(&mut self, candidates: &[Candidate]) -> Result<Vec<Observed>, Refusal> {
        let patience = self.state.fuzzing.job.patience;
        let seen = Session::new(&mut *self.executor, vec![], patience).observe(candidates);
        seen.map_err(|why| stopped(&why))
    }

    /// Runs so many trials, at most, and takes them in the order of their numbers.
    fn batch(&mut self, count: usize) -> Result<(), Refusal> {
        let (first, mut trials, mut bytes) = (self.state.next, vec![], 0);
        while trials.len() < count && (bytes < MOST_BYTES || trials.is_empty()) {
            let trial = self.inputs.trial(first + trials.len() as u64)?;
            bytes += trial.bytes.len();
            trials.push(trial);
        }
        let candidates: Result<Vec<Candidate>, Refusal> = trials.iter().map(|t| self.candidate(&t.bytes)).collect();
        let seen = self.observe(&candidates?)?;
        for ((number, trial), observed) in (first..).zip(&trials).zip(&seen) {
            self.take(observed, &trial.bytes, trial.from, number, trial.file.clone())?;
            self.state.next = number + 1;
            self.reduce_all()?;
            if self.is_over() {
                break;
            }
        }
        self.state.save()
    }

    /// Files what failed.
    fn take(
        &mut self,
        observed: &Observed,
        bytes: &[u8],
        from: &str,
        number: u64,
        file: Option<PathBuf>,
    ) -> Result<(), Refusal> {
        let Some(seen) = seen::failure(observed, &self.state.fuzzing.job.failure, bytes) else {
            if !matches!(observed.exit, Exit::Limit(_)) {
                self.state.slowest = self.state.slowest.max(observed.elapsed);
            }
            return Ok(());
        };
        if self.state.known(&seen.signature).is_some_and(|at| !self.state.is_better(at, &seen.signature, bytes.len())) {
            self.state.met(&seen.signature);
            return Ok(());
        }
        let (seen, standing) = self.confirm(seen, bytes)?;
        let Some(standing) = standing else { return Ok(()) };
        let known = self.state.known(&seen.signature);
        self.state.met(&seen.signature);
        let filed = Filed::new(seen, standing, (from, number, file), bytes.len());
        match known {
            Some(at) if standing == FindingStatus::New && self.state.is_better(at, &filed.signature, bytes.len()) => {
                self.left.remove(&self.state.findings[at].folder);
                self.state.replace(at, filed, bytes)
            }
            Some(_) => Ok(()),
            None => {
                let at = self.state.add(filed, bytes)?;
                (self.watcher)(&Happening::Found(&self.state.findings[at]));
                Ok(())
            }
        }
    }

    /// Runs it twice more: a failure that repeats, one that does not, or none if it was only slow.
    fn confirm(&mut self, seen: FailureSeen, bytes: &[u8]) -> Result<(FailureSeen, Option<FindingStatus>), Refusal> {
        let candidate = self.candidate(bytes)?;
        let hangs = seen.signature.exit == Exit::Limit(Limit::Time);
        if hangs {
            self.executor.time_limit = Some(self.time_limit * 2);
        }
        let runs = self.observe(&[candidate.clone(), candidate]);
        self.executor.time_limit = Some(self.time_limit);
        let failure = &self.state.fuzzing.job.failure;
        let again: Vec<Option<FailureSeen>> = runs?.iter().map(|run| seen::failure(run, failure, bytes)).collect();
        if again.iter().all(|again| again.as_ref() == Some(&seen)) {
            return Ok((seen, Some(FindingStatus::New)));
        }
        if hangs && again.iter().all(Option::is_none) {
            return Ok((seen, None));
        }
        // What it says may differ from run to run, as long as it ends alike.
        let exit = &seen.signature.exit;
        if again.iter().all(|again| again.as_ref().is_some_and(|again| again.signature.exit == *exit)) {
            return Ok((seen.without_text(), Some(FindingStatus::New)));
        }
        Ok((seen, Some(FindingStatus::Flaky)))
    }
}

fn stopped(why: &Why) -> Refusal {
    let words = match why {
        Why::Trouble(what) => what.clone(),
        _ => "interrupted".into(),
    };
    Refusal::Stopped(words, why.clone())
}
