//! What a test may do outside of its folder, and how much of that the system sees to.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What a test may do outside of its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Files and folders that it may change besides its own.
    #[serde(with = "reduct_system::os_path::several")]
    pub writable: Vec<PathBuf>,
    /// Files and folders that it does not see.
    #[serde(with = "reduct_system::os_path::several", default)]
    pub hidden: Vec<PathBuf>,
    /// Folders of which it sees copies: it may change them, and the changes are thrown away with the run. Where copies
    /// cannot be had, they can only be read.
    #[serde(with = "reduct_system::os_path::several", default)]
    pub copied: Vec<PathBuf>,
    /// Whether it may use the network.
    pub network: bool,
    /// Whether nothing is run where the system cannot keep all of this.
    #[serde(default)]
    pub strict: bool,
}

/// How much of a confinement the kernel and the surroundings allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// Whether tests have a view of the file system of their own.
    pub view: bool,
    /// The version of Landlock's interface; 0 if there is none.
    pub landlock: u8,
    /// What is done about the network.
    pub network: Network,
}

/// What is done about the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// Nothing.
    #[default]
    Open,
    /// Tests have one of their own, with nothing but the loopback device.
    Own,
    /// Tests can make no sockets but Unix ones.
    UnixOnly,
}

/// Since this version of Landlock's interface, signals and abstract Unix sockets are confined.
const SCOPES: u8 = 6;

impl Strength {
    /// Returns whether writes outside of the folders of a test are refused.
    pub fn confines_writes(self) -> bool {
        self.view || self.landlock > 0
    }

    /// Returns whether modes, owners and times of files outside are safe, too: Landlock does not know of them.
    pub fn confines_metadata(self) -> bool {
        self.view
    }

    /// Returns whether signals to other processes are refused.
    pub fn confines_signals(self) -> bool {
        self.landlock >= SCOPES
    }

    /// Returns whether all that [`Confinement`] promises is kept: as much as this version of reduct knows to ask for.
    pub fn is_full(self, confinement: &Confinement) -> bool {
        self.view && self.confines_signals() && (confinement.network || self.network == Network::Own)
    }
}
