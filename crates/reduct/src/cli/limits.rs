//! What a test may use, and when a search stops.

use super::headings::LIMITS;
use super::values::{duration, size, some_time, stall};
use clap::Arg;
use reduct_lib::ResourceLimits;
use reduct_session::Stops;
use std::path::PathBuf;
use std::time::Duration;

/// What a test may use.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = LIMITS)]
pub(super) struct Limiting {
    /// Stop a test after this time, e.g. 10s or 500ms (without a unit: seconds)
    ///
    /// A test that reaches the limit is run again, alone, unless it had the processor all the time. A test that has
    /// reached the limit in this way is unresolved, unless the time limit is the failure. [default: ten times the
    /// processor time of the slowest first run, but at least 2s; in real time 2s longer, times the jobs that share a core]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    pub(super) timeout: Option<Duration>,

    /// Stop a test that takes more memory, e.g. 2G; it is unresolved then
    ///
    /// The limit is for all processes of a test together. [default: a fair share of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) memory: Option<u64>,

    /// Let a test have at most N processes at a time [default: 4096]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(super) processes: Option<u64>,

    /// Let a test write no larger file [default: 1G, or 16 times the input if that is more]
    #[arg(long, value_name = "SIZE", value_parser = size, hide_short_help = true)]
    pub(super) file_size: Option<u64>,

    /// Stop a test that fills more disk space, e.g. 2G; it is unresolved then
    ///
    /// The limit is for all files that a test writes together. [default: half of what is free, shared by the jobs]
    #[arg(long, value_name = "SIZE", value_parser = size, hide_short_help = true)]
    pub(super) disk: Option<u64>,

    /// Leave address space layout randomization (ASLR) on
    ///
    /// By default, reduct switches ASLR off for tests, as gdb and rr do, so that the addresses of a program are the same in
    /// each run; otherwise a stack overflow, for example, may occur in some runs only.
    #[arg(long, hide_short_help = true)]
    pub(super) aslr: bool,

    /// Make the folders of tests in this folder [default: in memory, if there is room]
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub(super) scratch: Option<PathBuf>,

    /// Wait at most this long for disk space, processes or file descriptors
    ///
    /// After that, reduct stops and keeps the best result so far.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration, hide_short_help = true)]
    pub(super) patience: Duration,
}

impl Limiting {
    /// Returns what a test may use.
    pub(super) fn allowed(&self) -> ResourceLimits {
        let Limiting { timeout: time, memory, processes, file_size, disk, aslr, .. } = *self;
        ResourceLimits::default()
            .with_time(time)
            .with_memory(memory)
            .with_processes(processes)
            .with_file_size(file_size)
            .with_disk(disk)
            .with_aslr(aslr)
    }
}

/// Hides options from the help of a command that refuses them, and says why when one is given.
pub(super) fn hidden(option: Arg, refused: &[&str]) -> Arg {
    if refused.contains(&option.get_id().as_str()) { option.hide(true) } else { option }
}

/// Hides what is for reductions only.
pub(super) fn without_granularity(option: Arg) -> Arg {
    hidden(option, &["until_granularity"])
}

/// When to stop early.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = LIMITS)]
pub(super) struct Stopping {
    /// Stop the search after N tests
    #[arg(long, value_name = "N", hide_short_help = true)]
    tests: Option<u64>,

    /// Stop this long after the start, e.g. 10m; the best result so far is kept
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,

    /// Stop the search when the last K tests made the input smaller by less than PERCENT
    #[arg(long, value_name = "K,PERCENT", value_parser = stall, hide_short_help = true)]
    stall: Option<(u64, u64)>,

    /// Stop the search when only removals of less than N bytes are left (with a single --by: N parts)
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..))]
    until_granularity: Option<u32>,
}

impl Stopping {
    /// Returns the rules that are not part of the search itself.
    pub(super) fn stops(&self) -> Stops {
        Stops::default().with_tests(self.tests).with_time(self.time).with_stall(self.stall)
    }

    /// Returns whether a granularity was given.
    pub(super) fn granularity(&self) -> Option<usize> {
        self.until_granularity.map(|least| least as usize)
    }
}
