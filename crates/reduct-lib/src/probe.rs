//! Runs single tests of a run that was begun before: all that has to be set up for that, in one place.

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::job::Job;
use crate::judge::Judge;
use crate::recorded::{policy, reading, time_limit};
use crate::runs::Run;
use reduct_oracle::Oracle;
use reduct_oracle::sampling::Policy;
use reduct_oracle::signature::InputVocabulary;
use reduct_session::Session;
use reduct_session::event::Observer;
use reduct_session::executor::Opened;
use reduct_session::journal::JournalRecord;
use std::time::Duration;

/// A place where tests run as they did in a run, and what they said there.
pub(crate) struct Probe {
    pub(crate) executor: Box<Opened>,
    pub(crate) oracle: Oracle,
    pub(crate) policy: Option<Policy>,
    /// How long each test may run.
    pub(crate) time_limit: Option<Duration>,
    patience: Duration,
}

impl Probe {
    /// Readies a place for the tests of a run: observers can stop them, they may use what they might, and what is
    /// asked of gdb is what the failure is known by.
    ///
    /// # Errors
    /// If the run had not come so far as to know what the failure is.
    pub(crate) fn open(
        job: &Job,
        (run, records): (&Run, &[JournalRecord]),
        words: InputVocabulary,
        mut executor: Box<Opened>,
        audience: &mut Audience<'_>,
    ) -> Result<Probe, Refusal> {
        let reading = reading(records).ok_or_else(|| Refusal::NoRun(run.folder.clone()))?;
        audience.connect(&*executor);
        let time_limit = job.limit_time(&mut *executor, time_limit(records));
        if job.afterwards().backtraces {
            executor.backtraces = reading.backtraces();
        }
        let (oracle, policy) = (Oracle::new(reading, words), policy(records));
        Ok(Probe { executor, oracle, policy, time_limit, patience: job.patience })
    }

    /// Begins a session there, which these watch, and returns what judges in it.
    pub(crate) fn session<'s>(&'s mut self, observers: Vec<&'s mut dyn Observer>) -> (Session<'s>, Judge<'s>) {
        let judge = Judge { oracle: &self.oracle, policy: self.policy };
        (Session::new(&mut *self.executor, observers, self.patience), judge)
    }
}
