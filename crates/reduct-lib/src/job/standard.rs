//! The job that a builder and the command begin with.

use super::{Failure, InputDelivery, Job, ReductionOptions, ResourceLimits, TestPlace, VersionOptions, Watching};
use crate::goal::Goal;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

impl Job {
    /// Returns a job that reduces the inputs in the standard way, with all relative paths from the current folder.
    pub fn new(inputs: Vec<PathBuf>, command: Vec<OsString>, out: PathBuf) -> Job {
        Job {
            folder: ".".into(),
            inputs,
            command,
            typed: vec![],
            handed: InputDelivery::default(),
            failure: Failure::Observed,
            search: ReductionOptions::standard(),
            limits: ResourceLimits::default(),
            confinement: None,
            watched: Watching::default(),
            out,
            in_place: false,
            cache: true,
            reuse: false,
            runs: None,
            jobs: None,
            scratch: None,
            patience: PATIENCE,
            repeat: false,
            persistent: None,
            ask: None,
            goal: Goal::Reduce,
            comparing: VersionOptions::default(),
            backtrace: true,
            place: TestPlace::Bare,
            opened: vec![],
            unpacked: false,
            said: vec![],
            caveats: vec![],
        }
    }
}

/// As long as the command waits for trouble to pass.
const PATIENCE: Duration = Duration::from_secs(60);
