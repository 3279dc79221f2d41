//! What the journal of a run says of its test, for who goes on with the run or looks at it later.

use crate::job::Job;
use crate::runs::{Run, outcomes_of};
use reduct_core::{Key, Outcome};
use reduct_oracle::Reading;
use reduct_oracle::sampling::Policy;
use reduct_session::journal::Record;
use reduct_session::relied::{Around, Relied};
use std::time::Duration;

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

/// The files that the test of a run relies on, as they were. `None` if nobody looked.
pub fn files(records: &[Record]) -> Option<Vec<Relied>> {
    records.iter().find_map(|record| match record {
        Record::Began { files, .. } => files.clone(),
        _ => None,
    })
}

/// What else the test of a run found, as it was. `None` if nobody looked.
pub fn around(records: &[Record]) -> Option<Around> {
    records.iter().find_map(|record| match record {
        Record::Began { around, .. } => around.clone(),
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

/// The outcomes that other runs of the same test have left, if the job of a run takes them and the run has not thrown
/// them away.
pub fn shared_outcomes(job: &Job, records: &[Record], but: &Run) -> Vec<(Key, Outcome)> {
    let is_thrown_away = records.iter().any(|record| matches!(record, Record::Forgotten { .. }));
    match oracle_of(records) {
        Some(oracle) if job.reuse && job.cache && !is_thrown_away => outcomes_of(oracle, &job.folder, but),
        _ => vec![],
    }
}
