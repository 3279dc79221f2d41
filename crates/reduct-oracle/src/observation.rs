//! What can be seen of one run of a test from outside.

mod after;
mod exit;

pub use after::{Afterwards, Also, Backtraces, Death, Process, Ran, Used};
pub use exit::FROM_OUTSIDE;
pub use exit::{Exit, Limit};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Everything that was seen of one run of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// How it ended.
    pub exit: Exit,
    /// What it wrote to standard output: the beginning and the end if it was too much.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error: the beginning and the end if it was too much.
    pub stderr: Vec<u8>,
    /// From start to end. A build before it does not count, unless that is all there was.
    pub elapsed: Duration,
    /// What else is known.
    #[serde(default)]
    pub also: Also,
}
