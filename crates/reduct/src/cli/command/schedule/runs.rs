//! Runs of a program under schedules.

use super::sides::outcome;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_lib::inquiry::{Inquiry, file_of};
use reduct_lib::{Failure, Job, Refusal};
use reduct_oracle::condition::Condition;
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Observed, Oracle};
use reduct_report::schedules::{self, Sought};
use reduct_trace::{Schedule, Scheduling, Switch, read_counts};
use std::path::{Path, PathBuf};

/// The name of the file of a schedule, in a test. No word of the program is taken for it.
pub(super) const FILE: &str = ".reduct-schedule.txt";

/// A run.
pub(super) struct Ran {
    pub(super) observed: Observed,
    /// The numbers of points, threads and switches, if the scheduler ran.
    pub(super) counts: Option<[u64; 3]>,
    /// The switches that were made.
    pub(super) switches: Vec<Switch>,
}

/// Where a program is run.
pub(super) struct Runs<'a> {
    pub(super) inquiry: Inquiry<'a>,
    /// Where tests write to.
    pub(super) own: PathBuf,
    /// A run ends after so many points.
    pub(super) limit: Option<u64>,
}

impl Runs<'_> {
    /// Runs the program under a schedule, and reads what the scheduler has written.
    pub(super) fn record(&mut self, schedule: &Schedule) -> Result<Ran, Refusal> {
        let [counts, record] = ["counts", "record"].map(|name| self.own.join(name));
        for path in [&counts, &record] {
            let _ = std::fs::remove_file(path);
        }
        let named = |path: &Path| Some(path.to_string_lossy().into_owned());
        let scheduling = Scheduling {
            limit: self.limit,
            counts: named(&counts),
            record: named(&record),
            ..schedule.scheduling.clone()
        };
        let text = Schedule { scheduling, switches: schedule.switches.clone() }.to_text();
        let observed = self.inquiry.observe(&file_of(FILE, &text))?;
        let written = std::fs::read_to_string(&record).unwrap_or_default();
        Ok(Ran {
            observed,
            counts: std::fs::read(&counts).ok().and_then(|bytes| read_counts(&bytes)),
            switches: Schedule::parse(&written).map(|it| it.switches).unwrap_or_default(),
        })
    }

    /// Runs the program so many times under a schedule.
    pub(super) fn repeat(&mut self, schedule: &Schedule, times: usize) -> Result<Vec<Observed>, Refusal> {
        self.inquiry.observe_times(&candidate(schedule, self.limit), times)
    }

    /// Returns whether a run is of this side: whether any failure occurred, or none.
    pub(super) fn is(&self, side: Sought, observed: &Observed) -> bool {
        self.outcome(observed) == outcome(side)
    }

    /// Returns what a run is if any failure counts.
    pub(super) fn outcome(&self, observed: &Observed) -> Outcome {
        oracle(any_failure(self.inquiry.job())).verdict(observed).outcome
    }
}

/// Returns the file of a schedule as tests run it, which end after so many points.
pub(super) fn candidate(schedule: &Schedule, limit: Option<u64>) -> Candidate {
    let scheduling = Scheduling { limit, ..schedule.scheduling.clone() };
    file_of(FILE, &Schedule { scheduling, switches: schedule.switches.clone() }.to_text())
}

/// Returns what counts as a failure before one is seen.
pub(super) fn any_failure(job: &Job) -> Criterion {
    match &job.failure {
        Failure::Conditions(all) => Criterion::Conditions(all.clone()),
        _ => Criterion::Conditions("!exit=0".parse::<Condition>().into_iter().collect()),
    }
}

/// Returns what a run shows, as the failure that is looked for from now on.
pub(super) fn failure_of(job: &Job, observed: &Observed) -> Criterion {
    let read = || Oracle::read_first(observed, &InputVocabulary::default());
    match &job.failure {
        Failure::Observed => read().unwrap_or_else(|| any_failure(job)),
        _ => any_failure(job),
    }
}

/// Returns the oracle for a failure. A run that ends in another deadlock does not pass: the scheduler has ended it.
pub(super) fn oracle(failure: Criterion) -> Oracle {
    failing(failure).passing_unless(schedules::is_deadlock)
}

/// Returns the oracle of a search that asks only whether a schedule fails.
pub(super) fn failing(failure: Criterion) -> Oracle {
    Oracle::new(failure, InputVocabulary::default())
}
