//! Runs of a program under schedules.

use super::places::Places;
use super::sides::outcome;
use reduct_core::Outcome;
use reduct_input::Candidate;
use reduct_lib::inquiry::{Inquiry, file_of};
use reduct_lib::{Failure, Job, Refusal, SwitchOptions};
use reduct_oracle::condition::Condition;
use reduct_oracle::signature::{InputVocabulary, Signature, describe};
use reduct_oracle::{Criterion, Observed, Oracle};
use reduct_report::schedules::{self, Sought};
use reduct_trace::{Schedule, Scheduling, Switch, read_counts};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// The name of the file of a schedule, in a test. No word of the program is taken for it.
pub(super) const FILE: &str = ".reduct-schedule.txt";

/// A schedule of either side is run so many times more before it is compared or reduced.
pub(super) const REPLAYS: usize = 10;

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

    /// Keeps something with the run, under a name.
    pub(super) fn keep(&self, name: &str, it: &impl Serialize) -> Result<(), Refusal> {
        // Texts and numbers can be written.
        self.inquiry.keep(name, &serde_json::to_string(it).unwrap_or_default())
    }

    /// Returns what was kept under a name.
    pub(super) fn kept<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(&self.inquiry.kept(name)?).ok()
    }

    /// Returns how schedules are looked for.
    pub(super) fn options(&self) -> SwitchOptions {
        self.inquiry.job().goal.switches().cloned().unwrap_or(SwitchOptions::new(0, 0))
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

/// Returns what a run shows, as the failure that is looked for from now on. A line counts only if it says that something is wrong: which
/// line of a healthy program is the last one depends on the schedule. So does which thread of a deadlock is listed last.
pub(super) fn failure_of(job: &Job, observed: &Observed) -> Criterion {
    match (&job.failure, Oracle::read_first(observed, &InputVocabulary::default())) {
        (Failure::Observed, Some(Criterion::Same(shown))) => {
            let is_told = Signature::is_told(observed) && !schedules::is_deadlock(observed);
            Criterion::Same(if is_told { shown } else { shown.without_text() })
        }
        (Failure::Observed, Some(shown)) => shown,
        _ => any_failure(job),
    }
}

/// Returns the conditions that are the failure, in words, if it was said what the failure is.
fn conditions(job: &Job) -> Option<String> {
    match &job.failure {
        Failure::Conditions(all) => Some(Criterion::Conditions(all.clone()).describe()),
        _ => None,
    }
}

/// Returns how a run ended that fails, and what of that is the failure.
pub(super) fn fails(job: &Job, observed: &Observed, places: &mut Places) -> String {
    let ending = schedules::failure(&describe(&observed.exit), &observed.stderr, places);
    match conditions(job) {
        Some(conditions) if !schedules::is_deadlock(observed) => schedules::holds(&conditions, &ending),
        _ => ending,
    }
}

/// Returns how a run ended that passes.
pub(super) fn passes(job: &Job, observed: &Observed) -> String {
    let ending = describe(&observed.exit);
    if conditions(job).is_some() { schedules::holds_not(&ending) } else { ending }
}

/// Returns the oracle for a failure. A run that ends in another deadlock does not pass: the scheduler has ended it.
pub(super) fn oracle(failure: Criterion) -> Oracle {
    failing(failure).passing_unless(schedules::is_deadlock)
}

/// Returns the oracle of a search that asks only whether a schedule fails.
pub(super) fn failing(failure: Criterion) -> Oracle {
    Oracle::new(failure, InputVocabulary::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_oracle::{Also, Exit};
    use std::time::Duration;

    fn ran(exit: Exit, stdout: &str, stderr: &str) -> Observed {
        let (stdout, stderr) = (stdout.into(), stderr.into());
        Observed { exit, stdout, stderr, elapsed: Duration::ZERO, also: Also::default() }
    }

    /// Returns what a second run is, after a first one that fails.
    fn second(first: &Observed, second: &Observed) -> Outcome {
        let job = Job::new(vec![], vec![], "out".into());
        oracle(failure_of(&job, first)).verdict(second).outcome
    }

    #[test]
    fn a_line_counts_if_it_says_that_something_is_wrong() {
        let exit = |status| Exit::Code(status);
        let last = |name: &str| ran(exit(1), &format!("ok\nlast: {name}\n"), "");
        assert_eq!(second(&last("ann"), &last("bob")), Outcome::Fail);
        // A run that passes may print what it likes, too.
        assert_eq!(second(&last("ann"), &ran(exit(0), "last: bob\n", "")), Outcome::Pass);
        assert_eq!(second(&last("ann"), &ran(exit(2), "last: ann\n", "")), Outcome::Unresolved);
        let error = |what: &str| ran(exit(1), "last: ann\n", &format!("error: {what}\n"));
        assert_eq!(second(&error("the list is empty"), &error("the list is empty")), Outcome::Fail);
        assert_eq!(second(&error("the list is empty"), &error("no such file")), Outcome::Unresolved);
        assert_eq!(second(&last("ann"), &ran(Exit::Signal(6), "last: ann\n", "")), Outcome::Unresolved);
    }

    #[test]
    fn any_deadlock_is_that_failure() {
        let deadlock = |waits: &str| ran(Exit::Code(99), "", &format!("reduct step: deadlock of 2 threads\n{waits}\n"));
        let (one, other) = (
            deadlock("  thread 1 waits for a mutex that thread 2 has"),
            deadlock("  thread 3 waits for the end of thread 1"),
        );
        assert_eq!(second(&one, &other), Outcome::Fail);
        assert_eq!(second(&one, &ran(Exit::Code(1), "", "")), Outcome::Unresolved);
        // Of another failure, it is neither side.
        assert_eq!(second(&ran(Exit::Code(1), "", ""), &one), Outcome::Unresolved);
    }
}
