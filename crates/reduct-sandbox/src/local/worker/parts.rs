//! The worker of a slot, and what a supervisor answers it.

use super::link::Link;
use crate::local::assigned::{Shared, Terms};
use crate::local::completions::Completions;
use crate::local::folder::SlotFolder;
use crate::local::protocol::{Blobs, Verdict};
use reduct_oracle::Used;
use std::process::Child;
use std::sync::Arc;
use std::time::Duration;

/// How often a supervisor that dies before it says anything is started again.
pub(in crate::local) const TRIES: u32 = 3;

/// The thread of a slot.
pub(in crate::local) struct Worker {
    pub(in crate::local) folder: SlotFolder,
    pub(in crate::local) terms: Arc<Terms>,
    pub(super) completions: Completions,
    pub(super) shared: Arc<Shared>,
    pub(in crate::local) link: Option<Link>,
    /// A second supervisor, below which a fresh server is ready, or gets ready, while that of the first is asked.
    pub(in crate::local) spare: Option<Link>,
    /// Whether a server that was to be made ready did not begin: it may be one that cannot be there twice.
    pub(in crate::local) alone: bool,
    /// Whether the file system was full after the last run: see [`Reply::Report`](crate::local::protocol::Reply::Report).
    pub(super) is_full: bool,
    /// Supervisors that could not end their test, and have to be waited for.
    pub(super) retired: Vec<Child>,
}

/// What came of an attempt to have a supervisor run a test.
pub(in crate::local) enum SupervisorAnswer {
    Report {
        verdict: Verdict,
        elapsed: Duration,
        used: Used,
        survivors: bool,
        blobs: Blobs,
    },
    /// Nobody wants to know any more.
    Unwanted,
    /// The supervisor died before it came to the test.
    Unheard,
    /// The supervisor died with the test.
    Lost,
}
