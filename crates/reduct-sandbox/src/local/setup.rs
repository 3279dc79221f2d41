//! Why tests cannot be run here, and what stands in the scratch folder of a session besides the slots.

use reduct_session::confinement::{Confinement, Strength};
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
    BaseTree(io::Error),
    /// It cannot be tried how far tests can be confined.
    #[error("it cannot be tried how far tests can be confined here: {0}")]
    Trial(io::Error),
    /// Files cannot be hidden.
    #[error(
        "nothing can be hidden from tests here, as they can have no mount namespace of their own: leave out --hide"
    )]
    CannotHide,
    /// Tests cannot be kept to the loopback device.
    #[error(
        "tests cannot be let use the loopback device of the machine and nothing else here, as they can have no network or no \
         processes of their own: --allow-network allows all of the network"
    )]
    NoLoopback,
    /// Tests cannot be confined as was asked for.
    #[error("tests cannot be confined fully here")]
    TooWeak(Box<(Confinement, Strength)>),
}

/// What a base tree takes in stands under this name in the scratch folder of a session.
pub(crate) const TAKEN_IN: &str = "base";
