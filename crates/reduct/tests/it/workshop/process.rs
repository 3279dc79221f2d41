//! Processes of this machine.

use super::listed;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;

pub(super) fn numbers() -> Vec<i32> {
    listed(Path::new("/proc")).iter().filter_map(|name| name.parse().ok()).collect()
}

/// A process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(pub i32);

impl Process {
    pub fn kill(self, signal: Signal) {
        // It may be gone already.
        let _ = kill_process(Pid::from_raw(self.0).unwrap(), signal);
    }

    pub fn name(&self) -> String {
        fs::read_to_string(format!("/proc/{}/comm", self.0)).unwrap_or_default().trim().to_owned()
    }

    pub(super) fn describe(&self) -> String {
        let words = fs::read(format!("/proc/{}/cmdline", self.0)).unwrap_or_default();
        format!("{} {}", self.0, String::from_utf8_lossy(&words).replace('\0', " "))
    }
}
