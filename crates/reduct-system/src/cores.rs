//! How many tests this machine runs at a time.

use std::collections::BTreeSet;
use std::fs;

/// Returns the physical cores that this process may use: within its affinity and the quota of its control group. Two
/// threads of one core are one, since tests rarely gain from the second.
pub fn usable() -> usize {
    // Affinity and quota, both generations of control groups, are what this knows.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = physical().unwrap_or(threads);
    threads.min(cores).max(1)
}

/// Returns the physical cores among the processors of this process's affinity.
fn physical() -> Option<usize> {
    let affinity = rustix::thread::sched_getaffinity(None).ok()?;
    let cores: Option<BTreeSet<String>> = (0..rustix::thread::CpuSet::MAX_CPU)
        .filter(|&cpu| affinity.is_set(cpu))
        .map(|cpu| {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
            fs::read_to_string(path).ok()
        })
        .collect();
    cores.map(|cores| cores.len()).filter(|&cores| cores > 0)
}
