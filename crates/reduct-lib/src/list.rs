//! A list that a process which is watched writes.

use crate::errors::Refusal;
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;

/// A file in memory, which the one that watches writes: however this program ends, nothing is left of it.
pub(crate) struct List(OwnedFd);

/// The system makes no such file.
#[derive(Debug, thiserror::Error)]
#[error("no file can be made in memory: {0}")]
struct NoFile(Errno);

impl List {
    pub(crate) fn new() -> Result<List, Refusal> {
        let made = memfd_create("reduct-opened", MemfdFlags::CLOEXEC);
        made.map(List).map_err(|error| Refusal::Executor(NoFile(error).to_string()))
    }

    /// By what other processes of this user find it.
    pub(crate) fn path(&self) -> PathBuf {
        format!("/proc/{}/fd/{}", std::process::id(), self.0.as_raw_fd()).into()
    }
}
