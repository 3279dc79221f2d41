//! What the tests of a job may use.

use super::{Job, ResourceLimits};
use reduct_oracle::Limits;
use reduct_oracle::condition::Condition;
use reduct_report::timeouts;
use reduct_session::event::Timeouts;
use reduct_session::executor::Opened;
use std::time::Duration;

/// As long as nothing is known of how long a test takes, it may take this.
const FIRST_TIME_LIMIT: Duration = Duration::from_secs(300);
/// A test that sleeps, or waits for a busy machine, may take so much longer than it may use the processor.
const ELSEWHERE: Duration = Duration::from_secs(2);
/// A limit leaves so many times as much as what is measured against.
const ROOM: u32 = 2;
/// A test that needs more processes than this has lost control of them.
const PROCESSES: u64 = 4096;
/// What is kept of each output stream.
const OUTPUT: usize = 1 << 20;

impl Job {
    /// Returns the time limit that leaves room to see whether a test is too slow.
    pub fn least_time_limit(&self) -> Duration {
        let times = self.conditions().iter().filter_map(Condition::time);
        times.max().unwrap_or_default().saturating_mul(ROOM)
    }

    /// Returns the limits of a test, with this time limit if none was asked for.
    pub fn limits(&self, derived: Option<Duration>, input_size: usize) -> Limits {
        let ResourceLimits { time, memory, processes, file_size, disk, aslr: _ } = self.limits;
        let measured = self.conditions().iter().filter_map(Condition::memory).max().unwrap_or_default();
        Limits {
            time: Some(time.or(derived).unwrap_or(FIRST_TIME_LIMIT.max(self.least_time_limit()))),
            build_time: None,
            memory: memory.or_else(|| Some(fair_memory().max(measured.saturating_mul(u64::from(ROOM))))),
            processes: processes.or(Some(PROCESSES)),
            disk,
            // A test that writes more is filling the disk.
            file_size: file_size.or(Some((input_size as u64 * 16).max(1 << 30))),
            output: OUTPUT,
        }
    }

    /// Returns how many tests run at a time.
    pub fn job_count(&self) -> usize {
        self.source().slots(self.jobs)
    }

    /// Returns the time limit of tests that share the cores, from that on the processor time of one: what nobody asked
    /// for is longer by as many as share a core, so that outcomes are the same at any number of jobs, and by a moment
    /// for what else the machine does.
    pub fn shared_time_limit(&self, alone: Duration) -> Duration {
        let on_a_core = self.job_count().div_ceil(reduct_system::cores::usable()).try_into().unwrap_or(u32::MAX);
        self.limits.time.unwrap_or_else(|| alone.saturating_mul(on_a_core).saturating_add(ELSEWHERE))
    }

    /// Returns how much processor time a test may use. A given `--timeout` replaces it.
    pub fn processor_limit(&self, alone: Duration) -> Option<Duration> {
        if self.limits.time.is_some() { None } else { Some(alone) }
    }

    /// Has tests run within the limits that follow from what one may use alone, if that is known. Returns how long each
    /// may run.
    pub(crate) fn limit_time(&self, executor: &mut Opened, alone: Option<Duration>) -> Option<Duration> {
        let time = alone.map(|alone| self.shared_time_limit(alone));
        executor.time_limit = time;
        executor.processor_limit = alone.and_then(|alone| self.processor_limit(alone));
        time
    }

    /// Returns what is to be said of decisions that the time limit took, line by line.
    pub(crate) fn describe_timeouts(&self, alone: Duration, timeouts: Timeouts) -> Vec<String> {
        timeouts::describe(timeouts, self.shared_time_limit(alone), self.processor_limit(alone))
    }
}

/// Returns an equal share of four fifths of the memory that is free now, for each core: the same at any number of jobs.
fn fair_memory() -> u64 {
    let cores = reduct_system::cores::usable() as u64;
    let available = reduct_system::memory::available();
    available.map_or(u64::MAX, |bytes| (bytes / 5 * 4 / cores).max(256 << 20))
}
