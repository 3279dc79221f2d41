//! The worker of a slot, and what a warden answers it.

use super::link::Link;
use crate::executor::local::assigned::{Shared, Terms};
use crate::executor::local::folder::SlotFolder;
use crate::executor::local::protocol::{Blobs, Verdict};
use crate::executor::{Notice, Used};
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// How often a warden that dies before it says anything is started again.
pub(in crate::executor::local) const TRIES: u32 = 3;

/// The thread of a slot.
pub(in crate::executor::local) struct Worker {
    pub(in crate::executor::local) folder: SlotFolder,
    pub(in crate::executor::local) terms: Arc<Terms>,
    pub(super) notices: Sender<Notice>,
    pub(super) shared: Arc<Shared>,
    pub(in crate::executor::local) link: Option<Link>,
    /// A second warden, below which a fresh server is ready, or gets ready, while that of the first is asked.
    pub(in crate::executor::local) spare: Option<Link>,
    /// Whether a server that was to be made ready did not begin: it may be one that cannot be there twice.
    pub(in crate::executor::local) alone: bool,
    /// Wardens that could not end their test, and have to be waited for.
    pub(super) retired: Vec<Child>,
}

/// What came of an attempt to have a warden run a test.
pub(in crate::executor::local) enum Answer {
    Report {
        verdict: Verdict,
        elapsed: Duration,
        used: Used,
        survivors: bool,
        blobs: Blobs,
    },
    /// Nobody wants to know any more.
    Unwanted,
    /// The warden died before it came to the test.
    Unheard,
    /// The warden died with the test.
    Lost,
}
