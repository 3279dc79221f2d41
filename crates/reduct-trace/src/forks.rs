//! What a driver is told that begins once, and forks each run.

use crate::plan::ExecutionPlan;
use serde::Serialize;
use std::path::PathBuf;

/// Where a driver is asked to fork runs: see `driver/python.py`.
#[derive(Clone, Debug)]
pub struct ForkServer {
    /// The number of a socket that the driver inherits.
    pub socket: i32,
    /// The file in which the plan of each run stands.
    pub plan: PathBuf,
}

/// Runs are forked when they are asked for.
#[derive(Debug, Serialize)]
pub(crate) struct Forking {
    /// Where they are asked for.
    socket: i32,
    /// The file in which the plan of each stands.
    plan: PathBuf,
    /// The line of each execution that may stand in it, without the blanks before it, with its number.
    lines: Vec<(String, u32)>,
    /// The files of the program.
    files: Vec<String>,
}

impl Forking {
    pub(crate) fn of(ForkServer { socket, plan }: &ForkServer, record: &ExecutionPlan) -> Forking {
        let lines = record.events().iter().map(|event| (ExecutionPlan::line(event), event.time)).collect();
        let files = record.about.files.keys().cloned().collect();
        Forking { socket: *socket, plan: plan.clone(), lines, files }
    }
}
