//! Runs of a program under schedules.

use crate::cli::view;
use reduct_core::Outcome;
use reduct_lib::{Failure, Job, Refusal, SingleTests, Stops};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Exit, Observed, Oracle};
use reduct_report::schedules::progress;
use reduct_trace::{Schedule, Scheduling, Switch, read_counts};
use std::path::Path;
use std::time::{Duration, Instant};

/// The name of the file of a schedule, in a test. No word of the program is taken for it.
pub(super) const CHANGE: &str = ".reduct-schedule.txt";

/// A progress line is printed each second.
const PROGRESS: Duration = Duration::from_secs(1);

/// Why the search ended before its end.
pub(super) enum Stopped {
    Early,
    Refused(Refusal),
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Stopped {
        Stopped::Refused(refusal)
    }
}

/// A run.
pub(super) struct Ran {
    pub(super) observed: Observed,
    /// The numbers of points, threads and switches, if the scheduler ran.
    pub(super) counts: Option<[u64; 3]>,
    /// The switches that were made.
    pub(super) switches: Vec<Switch>,
}

/// What was asked so far, and of what.
pub(super) struct Asked<'a, 'b> {
    job: &'a Job,
    tests_: &'a mut SingleTests<'b>,
    own: &'a Path,
    stops: Stops,
    quiet: bool,
    begin: Instant,
    said: Instant,
    failure: Option<Oracle>,
    /// How many runs there were.
    pub(super) tests: u64,
    /// How many of them say nothing.
    pub(super) unresolved: u64,
    /// A run ends after so many points.
    pub(super) limit: Option<u64>,
}

impl<'a, 'b> Asked<'a, 'b> {
    pub(super) fn new(job: &'a Job, tests: &'a mut SingleTests<'b>, own: &'a Path, stops: Stops, quiet: bool) -> Self {
        let failure = match &job.failure {
            Failure::Conditions(all) => {
                Some(Oracle::new(Criterion::Conditions(all.clone()), InputVocabulary::default()))
            }
            _ => None,
        };
        let now = Instant::now();
        Asked {
            job,
            tests_: tests,
            own,
            stops,
            quiet,
            begin: now,
            said: now,
            failure,
            tests: 0,
            unresolved: 0,
            limit: None,
        }
    }

    /// Says something to the user.
    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            view::say(text);
        }
    }

    /// Runs the program under a schedule, unless the search is over.
    pub(super) fn ask(&mut self, schedule: &Schedule) -> Result<Ran, Stopped> {
        let is_over = self.stops.tests.is_some_and(|most| self.tests >= most)
            || self.stops.time.is_some_and(|most| self.begin.elapsed() >= most);
        if is_over { Err(Stopped::Early) } else { Ok(self.run(schedule)?) }
    }

    /// Runs the program under a schedule.
    pub(super) fn run(&mut self, schedule: &Schedule) -> Result<Ran, Refusal> {
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
        let observed = self.tests_.run(CHANGE, text.as_bytes())?;
        self.tests += 1;
        if matches!(observed.exit, Exit::Limit(_)) {
            self.unresolved += 1;
        }
        if !self.quiet && self.said.elapsed() >= PROGRESS {
            self.said = Instant::now();
            view::say(&progress(self.begin.elapsed(), self.tests));
        }
        let written = std::fs::read_to_string(&record).unwrap_or_default();
        Ok(Ran {
            observed,
            counts: std::fs::read(&counts).ok().and_then(|bytes| read_counts(&bytes)),
            switches: Schedule::parse(&written).map(|it| it.switches).unwrap_or_default(),
        })
    }

    /// Takes what a run shows for the failure, if it was not said what the failure is.
    pub(super) fn take_for_failure(&mut self, observed: &Observed) {
        if self.failure.is_none() {
            let words = InputVocabulary::default();
            self.failure = Oracle::read_first(observed, &words).map(|reading| Oracle::new(reading, words));
        }
    }

    /// Forgets what was taken for the failure.
    pub(super) fn forget_failure(&mut self) {
        if self.job.failure == Failure::Observed {
            self.failure = None;
        }
    }

    /// Returns whether the failure occurred: any one, if none is known yet.
    pub(super) fn fails(&self, observed: &Observed) -> bool {
        self.outcome(observed) == Outcome::Fail
    }

    pub(super) fn outcome(&self, observed: &Observed) -> Outcome {
        match (&self.failure, &observed.exit) {
            (Some(oracle), _) => oracle.verdict(observed).outcome,
            (None, Exit::Code(0)) => Outcome::Pass,
            // A thread may wait for something that is not seen.
            (None, _) if Oracle::read_first(observed, &InputVocabulary::default()).is_none() => Outcome::Unresolved,
            (None, Exit::Limit(_)) => Outcome::Unresolved,
            (None, _) => Outcome::Fail,
        }
    }
}
