//! A list that a process which is watched writes.

use crate::errors::Refusal;
use crate::job::Job;
use reduct_sandbox::local::OwnFolder;
use rustix::fs::{MemfdFlags, memfd_create};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// A file that the one that watches writes: however this program ends, nothing is left of it, or the next session sweeps it.
pub(crate) enum List {
    /// In memory.
    Memory(OwnedFd),
    /// In a folder, for a test that is confined: it cannot open what belongs to another process.
    Folder(OwnFolder),
}

/// The system makes no such file.
#[derive(Debug, thiserror::Error)]
#[error("no file can be made to be written to by a test that is watched: {0}")]
struct NoFile(io::Error);

impl List {
    /// Makes one for a test of this job.
    pub(crate) fn new(job: &Job) -> Result<List, Refusal> {
        let made = match job.confinement {
            None => memfd_create("reduct-opened", MemfdFlags::CLOEXEC).map(List::Memory).map_err(io::Error::from),
            Some(_) => OwnFolder::make().map(List::Folder),
        };
        made.map_err(|error| Refusal::Executor(NoFile(error).to_string()))
    }

    /// Returns a path by which other processes of this user find it.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            List::Memory(file) => format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()).into(),
            List::Folder(folder) => folder.path().join("list"),
        }
    }

    /// Returns the folder in which it stands and that a test must be allowed to write to, if it is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            List::Memory(_) => None,
            List::Folder(folder) => Some(folder.path()),
        }
    }
}
