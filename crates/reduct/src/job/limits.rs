//! What the tests of a job may use.

use super::Job;
use reduct_run::executor::Limits;
use reduct_run::oracle::condition::Condition;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a test may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowed {
    /// How long it may run; by default derived from the first runs.
    pub time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Processes.
    pub processes: Option<u64>,
    /// Bytes of a file it writes.
    pub file_size: Option<u64>,
}

/// As long as nothing is known of how long a test takes, it may take this.
const FIRST_TIME_LIMIT: Duration = Duration::from_secs(300);
/// A limit leaves so many times as much as what is measured against.
const ROOM: u32 = 2;
/// A test that needs more processes than this has lost control of them.
const PROCESSES: u64 = 4096;
/// What is kept of each output stream.
const OUTPUT: usize = 1 << 20;

impl Job {
    /// The time limit that leaves room to see whether a test is too slow.
    pub fn least_time_limit(&self) -> Duration {
        let times = self.conditions().iter().filter_map(Condition::time);
        times.max().unwrap_or_default().saturating_mul(ROOM)
    }

    /// The limits of a test, with this time limit if none was asked for.
    pub fn limits(&self, derived: Option<Duration>, input_size: usize) -> Limits {
        let Allowed { time, memory, processes, file_size } = self.limits;
        let measured = self.conditions().iter().filter_map(Condition::memory).max().unwrap_or_default();
        Limits {
            time: Some(time.or(derived).unwrap_or(FIRST_TIME_LIMIT.max(self.least_time_limit()))),
            build_time: None,
            memory: memory.or_else(|| Some(fair_memory().max(measured.saturating_mul(u64::from(ROOM))))),
            processes: processes.or(Some(PROCESSES)),
            // A test that writes more is filling the disk.
            file_size: file_size.or(Some((input_size as u64 * 16).max(1 << 30))),
            output: OUTPUT,
        }
    }

    /// How many tests run at a time.
    pub fn job_count(&self) -> usize {
        // A person is one slot.
        if self.ask.is_some() { 1 } else { self.jobs.unwrap_or_else(reduct_run::cores::usable) }
    }

    /// The time limit of tests that share the cores, from that of one that runs alone: what nobody asked for is
    /// longer by as many as share a core, so that outcomes are the same at any number of jobs.
    pub fn shared_time_limit(&self, alone: Duration) -> Duration {
        let on_a_core = self.job_count().div_ceil(reduct_run::cores::usable());
        self.limits.time.unwrap_or_else(|| alone.saturating_mul(on_a_core.try_into().unwrap_or(u32::MAX)))
    }
}

/// An equal share of four fifths of the memory that is free now, for each core: the same at any
/// number of jobs.
fn fair_memory() -> u64 {
    let cores = reduct_run::cores::usable() as u64;
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = info.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("MemAvailable:")?.trim().strip_suffix("kB")?.trim();
        kilobytes.parse::<u64>().ok()
    });
    available.map_or(u64::MAX, |kilobytes| (kilobytes * 1024 / 5 * 4 / cores).max(256 << 20))
}
