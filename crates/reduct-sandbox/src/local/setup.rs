//! Why tests cannot be run here, and what stands in the scratch folder of a session besides the slots.

use std::io;
use std::path::PathBuf;

/// Why there can be no [`Local`](super::Local).
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// No program is given.
    #[error("there is no command to run")]
    NoCommand,
    /// There is no place for candidates.
    #[error("no scratch folder can be made in {base}: {why}; --scratch names another place", base = base.display())]
    Scratch {
        /// Where it was tried.
        base: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// What candidates stand on cannot be had.
    #[error("the project cannot be copied: {0}")]
    Ground(io::Error),
}

/// What a ground takes in stands under this name in the scratch folder of a session.
pub(crate) const TAKEN_IN: &str = "ground";
