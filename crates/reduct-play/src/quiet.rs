//! Whether programs wait for something: all their threads sleep, and have not been awake for a while.

use reduct_system::family::descendants;
use rustix::process::Pid;
use std::fs;
use std::time::{Duration, Instant};

/// What was seen of some processes and all that descend from them.
#[derive(Default)]
pub(super) struct Quiet {
    seen: Option<(u64, Instant)>,
}

impl Quiet {
    /// Returns how long these processes have been asleep without a break, as far as was seen.
    pub(super) fn since(&mut self, roots: &[Pid]) -> Duration {
        let now = Instant::now();
        let Some(awakenings) = awakenings(roots) else {
            self.seen = None;
            return Duration::ZERO;
        };
        match self.seen {
            Some((before, since)) if before == awakenings => now - since,
            _ => {
                self.seen = Some((awakenings, now));
                Duration::ZERO
            }
        }
    }

    /// Returns whether any of these processes has been awake since it was last seen that all sleep.
    pub(super) fn awoke(&self, roots: &[Pid]) -> bool {
        self.seen.is_none_or(|(before, _)| awakenings(roots) != Some(before))
    }

    /// Notes that something was done to them: what was seen before does not count.
    pub(super) fn disturb(&mut self) {
        self.seen = None;
    }
}

/// Returns how often all their threads were switched, if all of them are asleep now.
fn awakenings(roots: &[Pid]) -> Option<u64> {
    let mut sum = 0;
    for root in roots {
        for pid in descendants(*root).into_iter().chain([*root]) {
            let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten().flatten();
            for task in tasks {
                // A thread that is gone is none.
                let Ok(status) = fs::read_to_string(task.path().join("status")) else { continue };
                let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                if field("State:").is_some_and(|state| !state.starts_with(['S', 'Z', 'T', 'X'])) {
                    return None;
                }
                let count = |name| field(name).and_then(|count| count.parse::<u64>().ok()).unwrap_or(0);
                sum += 1 + count("voluntary_ctxt_switches:") + count("nonvoluntary_ctxt_switches:");
            }
        }
    }
    Some(sum)
}
