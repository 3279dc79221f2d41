//! How a run ends.

use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Exit {
    /// It exited with this status.
    Code(i32),
    /// It died by this signal.
    Signal(i32),
    /// It reached a limit and was killed.
    Limit(Limit),
    /// It could not be started at all, and never can: no such program, not executable.
    NotStarted(String),
    /// The build before it failed, so it was not run: how the build ended, in words. What was written and how
    /// long it took are then the build's.
    NotBuilt(String),
}

/// How a build that ended by itself is described, before the number.
const BUILD_STATUS: &str = "exit status ";

impl Exit {
    /// Returns what the end of a build means for the test that was to come. `None` if it was built.
    pub fn of_build(build: Exit) -> Option<Exit> {
        let words = match build {
            Exit::Code(0) => return None,
            Exit::Code(code) => format!("{BUILD_STATUS}{code}"),
            Exit::Signal(number) => format!("signal {number}"),
            Exit::Limit(Limit::Time) => "time limit".into(),
            Exit::Limit(Limit::Memory) => "memory limit".into(),
            Exit::Limit(Limit::Processes) => "limit on processes".into(),
            Exit::Limit(Limit::Disk) => "disk limit".into(),
            Exit::NotStarted(why) | Exit::NotBuilt(why) => why,
        };
        Some(Exit::NotBuilt(words))
    }

    /// Returns the status a failed build exited with.
    pub fn build_status(&self) -> Option<i32> {
        let Exit::NotBuilt(words) = self else { return None };
        words.strip_prefix(BUILD_STATUS)?.parse().ok()
    }

    /// Returns whether it was ended from outside, in the middle of whatever it did.
    pub fn is_cut_short(&self) -> bool {
        match self {
            Exit::Code(_) | Exit::NotStarted(_) => false,
            Exit::Signal(number) => FROM_OUTSIDE.contains(number),
            Exit::Limit(_) => true,
            // A build that died, or could not be started, may have left half of something.
            Exit::NotBuilt(_) => self.build_status().is_none(),
        }
    }
}

/// Signals that come from outside: from a kernel short of memory (SIGKILL), from a shutdown (SIGTERM), from
/// limits on time and file size (SIGXCPU, SIGXFSZ).
pub const FROM_OUTSIDE: [i32; 4] = [libc::SIGKILL, libc::SIGTERM, libc::SIGXCPU, libc::SIGXFSZ];

/// The limit a run reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Limit {
    /// It ran too long.
    Time,
    /// It and its children took too much memory.
    Memory,
    /// It started too many processes.
    Processes,
    /// It filled too much disk space.
    Disk,
}
