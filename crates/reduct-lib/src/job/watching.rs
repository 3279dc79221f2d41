//! Where it is watched what a test opens.

use reduct_sandbox::watched::WatchPause;
use std::path::PathBuf;

/// Where it is watched what a test opens before a search, and how what reduct opens itself is left out.
#[derive(Clone, Debug, Default)]
pub struct Watching {
    /// The folders.
    pub folders: Vec<PathBuf>,
    /// Leaves something out.
    pub pause: WatchPause,
}
