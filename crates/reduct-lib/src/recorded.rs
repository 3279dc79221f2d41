//! What the journal of a run says of its job and its test, for all that go on with the run or look at it later.

use crate::errors::Refusal;
use crate::job::{Job, Means, PersonOptions};
use crate::reliance::{changed, unknown};
use crate::runs::{Run, list};
use reduct_core::{Key, Outcome};
use reduct_oracle::Criterion;
use reduct_oracle::sampling::Policy;
use reduct_session::journal;
use reduct_session::journal::JournalRecord;
use reduct_session::relied::{Around, Relied};
use reduct_sources::RUNS;
use std::path::Path;
use std::time::Duration;

impl Run {
    /// Returns the job in the first record of a journal, and the digest of its input.
    ///
    /// # Errors
    /// If this version does not know it.
    pub fn job(&self, records: &[JournalRecord]) -> Result<(Job, Key), Refusal> {
        let Some(JournalRecord::Run { input, job, .. }) = records.first() else {
            return Err(Refusal::NoRun(self.folder.clone()));
        };
        let job: Job =
            serde_json::from_value(job.clone()).map_err(|e| Refusal::UnknownJob(self.folder.clone(), e.to_string()))?;
        let opened = |person: PersonOptions| match person.by {
            Means::Page if self.opens_page() => PersonOptions { by: Means::Browser, ..person },
            _ => person,
        };
        Ok((Job { jobs: self.jobs().or(job.jobs), ask: job.ask.map(opened), ..job }, *input))
    }
}

/// Returns whether a person is asked in a run, and whether variables of the environment vary in it.
///
/// ```no_run
/// # use reduct_lib::Run;
/// let (asks, varies_variables) = reduct_lib::asks_and_varies_variables(&Run::find(".".as_ref())?)?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
///
/// # Errors
/// If the run cannot be read.
pub fn asks_and_varies_variables(run: &Run) -> Result<(bool, bool), Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    Ok((job.source().person().is_some(), job.varies_variables()))
}

/// Returns whether a person is asked on a page in a run, which is a part of the page about the run.
///
/// # Errors
/// If the run cannot be read.
pub fn asks_on_a_page(run: &Run) -> Result<bool, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    Ok(job.source().person().is_some_and(|person| person.by != Means::Terminal))
}

/// Returns the time limit of a run's tests, each alone, for the one who goes on with it.
pub fn time_limit(records: &[JournalRecord]) -> Option<Duration> {
    records.iter().find_map(|record| match record {
        JournalRecord::Began { time_limit, .. } => time_limit.map(Duration::from_millis),
        _ => None,
    })
}

/// Returns when a candidate of a run has been run often enough, for the one who goes on with it.
pub fn policy(records: &[JournalRecord]) -> Option<Policy> {
    records.iter().find_map(|record| match record {
        JournalRecord::Began { policy, .. } => *policy,
        _ => None,
    })
}

/// Returns which test a run was of.
pub fn oracle_of(records: &[JournalRecord]) -> Option<Key> {
    records.iter().find_map(|record| match record {
        JournalRecord::Began { oracle, .. } => Some(*oracle),
        _ => None,
    })
}

/// Returns the files that the test of a run relies on, as they were. `None` if nobody looked.
pub fn files(records: &[JournalRecord]) -> Option<Vec<Relied>> {
    records.iter().find_map(|record| match record {
        JournalRecord::Began { files, .. } => files.clone(),
        _ => None,
    })
}

/// Returns what else the test of a run found, as it was. `None` if nobody looked.
pub fn around(records: &[JournalRecord]) -> Option<Around> {
    records.iter().find_map(|record| match record {
        JournalRecord::Began { around, .. } => around.clone(),
        _ => None,
    })
}

/// Returns the reading of a run, for commands that look at it later.
pub fn reading(records: &[JournalRecord]) -> Option<Criterion> {
    records.iter().find_map(|record| match record {
        JournalRecord::Began { reading, .. } => Some(reading.clone()),
        _ => None,
    })
}

/// Returns the outcomes that other runs of the same test have left, if the job of a run takes them and the run has not
/// thrown them away.
pub fn shared_outcomes(job: &Job, records: &[JournalRecord], but: &Run) -> Vec<(Key, Outcome)> {
    let is_thrown_away = records.iter().any(|record| matches!(record, JournalRecord::Forgotten { .. }));
    match oracle_of(records) {
        Some(oracle) if job.reuse && job.cache && !is_thrown_away => outcomes_of(oracle, job.runs_folder(), but),
        _ => vec![],
    }
}

/// Returns the outcomes that other runs of this test have left. None is taken of a run that relied on a file which is
/// another one now, or of which not all is known that it relied on.
pub fn outcomes_of(oracle: Key, below: &Path, but: &Run) -> Vec<(Key, Outcome)> {
    let mut found = vec![];
    for run in list(&below.join(RUNS)).into_iter().filter(|run| run != but) {
        // A journal that cannot be read has nothing to share.
        let Ok((records, _)) = journal::read(&run.journal()) else { continue };
        let is_same = |record: &JournalRecord| match record {
            JournalRecord::Began { oracle: known, files: Some(files), around, .. } => {
                *known == oracle && unknown(around.as_ref()).is_none() && changed(files).is_empty()
            }
            _ => false,
        };
        if matches!(records.first(), Some(JournalRecord::Run { cache: true, .. })) && records.iter().any(is_same) {
            found.extend(records.iter().filter_map(|record| match record {
                // Under another limit it might have been otherwise.
                JournalRecord::Outcome { k, o, l: false, .. } => Some((*k, *o)),
                _ => None,
            }));
        }
    }
    found
}

/// Returns the steps whose edits are never made in the branch that a run is in.
pub fn never(records: &[JournalRecord]) -> &[usize] {
    let never = records.iter().rev().find_map(|record| match record {
        JournalRecord::Branch { never, .. } => Some(&never[..]),
        _ => None,
    });
    never.unwrap_or_default()
}

/// Returns the step that the last branch of a run begins from, and whether what is left there was recorded again, deeper; nothing if the run has
/// no branches.
pub(crate) fn begins_from(records: &[JournalRecord]) -> Option<(usize, bool)> {
    records.iter().rev().find_map(|record| match record {
        JournalRecord::Branch { from, record, .. } => Some((*from, record.is_some())),
        _ => None,
    })
}
