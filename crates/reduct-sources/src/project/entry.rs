//! What stands at a path of a project, how much of it is copied, and why it may not be.

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where version control keeps its own.
pub(super) const HISTORY: &str = ".git";

/// How much is copied at most, and how long it may take to find that out.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many files, links and folders.
    pub files: usize,
    /// How many bytes they have together.
    pub bytes: u64,
    /// How long they are counted.
    pub time: Duration,
}

impl Bounds {
    /// What nobody asked to be copied.
    pub const UNASKED: Bounds = Bounds { files: 30_000, bytes: 512 << 20, time: Duration::from_secs(1) };
    /// As much as there is.
    pub const NONE: Bounds = Bounds { files: usize::MAX, bytes: u64::MAX, time: Duration::MAX };
}

/// Why there can be no copy of a folder.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// It cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// What was read.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// It is too much.
    #[error("{folder} is too large to be copied for a look: it has more than {what}")]
    TooLarge {
        /// The folder.
        folder: PathBuf,
        /// Of what it has too much.
        what: Excess,
    },
}

/// Of what a folder has more than is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// Files, links and folders.
    #[error("{0} files")]
    Files(usize),
    /// Bytes of all files together, 2^20 each.
    #[error("{0} MB")]
    Megabytes(u64),
    /// Whatever there is: counting it takes longer than this.
    #[error("can be counted in {} ms", .0.as_millis())]
    Time(Duration),
}

/// A project is to be laid of which there is no copy.
#[derive(Debug, thiserror::Error)]
#[error("the project was not copied yet")]
pub(super) struct NotCopied;

/// What stands at a path of a project.
#[derive(Clone, Debug)]
pub(super) enum Stands {
    Folder { mode: u32 },
    File { mode: u32, size: u64 },
    Link { target: PathBuf },
}

/// A path of a project, as it was read.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) what: Stands,
    pub(super) modified: (i64, i64),
    pub(super) inode: u64,
}

pub(super) fn modified(meta: &Metadata) -> (i64, i64) {
    (meta.mtime(), meta.mtime_nsec())
}

pub(super) fn named(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Gives a copy the time of the original: it is older than anything that is built from it.
pub(super) fn set_time(path: &Path, (tv_sec, tv_nsec): (i64, i64)) -> io::Result<()> {
    let time = Timespec { tv_sec, tv_nsec };
    let times = Timestamps { last_access: time, last_modification: time };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}
