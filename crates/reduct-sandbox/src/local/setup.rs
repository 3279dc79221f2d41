//! What a place for tests is asked to do, and why that cannot be.

use reduct_oracle::{Invocation, Limits};
use reduct_session::confinement::{Confinement, Copies, Strength};
use reduct_sources::BaseTree;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// What a [`Local`](super::Local) is to do.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many tests may run at a time.
    pub jobs: usize,
    /// How a test is started. A program that is given by a relative path is looked for where this
    /// process is, and only if it is not there, in the folder of the test; with a base tree, only there.
    pub invocation: Invocation,
    /// What a test may use.
    pub limits: Limits,
    /// Where the scratch folder is made; if `None`, in memory if there is room, else where temporary
    /// files go.
    pub scratch: Option<PathBuf>,
    /// How many bytes one candidate needs, the base tree included.
    pub room: u64,
    /// What all candidates stand on. With it, slots keep their folders from test to test, and only touch what
    /// differs; what a test or a build has made stays.
    pub base_tree: Option<Arc<dyn BaseTree>>,
    /// Whether the base tree is laid anew for every test all the same.
    pub fresh: bool,
    /// The command line that becomes a supervisor: see [`crate::supervisor::command`].
    pub supervisor: Vec<OsString>,
    /// Whether the system may give the memory of a test other addresses in each run.
    pub random_addresses: bool,
    /// What a test may do outside of its folder, and the folders of which it sees copies; `None`: whatever it likes.
    pub confinement: Option<(Confinement, Copies)>,
}

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
