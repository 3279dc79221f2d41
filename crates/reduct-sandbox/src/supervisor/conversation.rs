//! A server, one question to it, and how waiting for its answer ends.

use super::output::Stream;
use crate::faults::Breach;
use crate::local::protocol::{Blobs, Request};
use reduct_oracle::Limit;
use rustix::process::Pid;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::time::Instant;

/// A server.
pub(super) struct Server {
    pub(super) pid: Pid,
    pub(super) pidfd: OwnedFd,
    /// `None` once it has closed it.
    pub(super) stdin: Option<File>,
    /// `None` once it has closed it.
    pub(super) stdout: Option<File>,
    pub(super) stderr: Stream,
    /// What it has said that is no whole line yet.
    pub(super) said: Vec<u8>,
    /// When memory and processes are counted next: over many short tests, too.
    pub(super) sample: Option<Instant>,
}

/// Why waiting for a line of a server ended.
pub(super) enum Why {
    Line(Vec<u8>),
    Exited,
    Limit(Limit),
    /// Nobody wants the answer any more, and there is none yet.
    Cancelled,
    /// It does what no server does.
    Breach(Breach),
    /// The main process is gone.
    Gone,
}

/// One test, or the greeting.
pub(super) struct Exchange<'a> {
    /// `None` for the greeting of a server that is started ahead.
    pub(super) run: Option<u64>,
    /// What is still to be written.
    pub(super) rest: &'a [u8],
    pub(super) deadline: Option<Instant>,
    pub(super) cancelled: bool,
    /// What is to be done after it.
    pub(super) heard: Vec<(Request, Blobs)>,
}
