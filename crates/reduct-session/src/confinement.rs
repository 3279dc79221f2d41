//! What a test may do outside of its folder, and how much of that the system sees to.

use derive_setters::Setters;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What a test may do outside of its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Confinement {
    /// Files and folders that it may change besides its own.
    #[serde(with = "reduct_system::os_path::several")]
    pub writable: Vec<PathBuf>,
    /// Files and folders that it does not see.
    #[serde(with = "reduct_system::os_path::several", default)]
    pub hidden: Vec<PathBuf>,
    /// Files and folders below hidden ones that it sees all the same.
    #[serde(with = "reduct_system::os_path::several", default)]
    pub readable: Vec<PathBuf>,
    /// Whether it may use the network.
    pub network: bool,
    /// Whether it may reach what listens on the loopback device of the machine, and nothing else of its network.
    #[serde(default)]
    pub loopback: bool,
    /// Whether nothing is run where the system cannot keep all of this.
    #[serde(default)]
    pub strict: bool,
    /// Whether the user has asked for it: what a test does then is what it is to do.
    #[serde(default)]
    pub asked: bool,
    /// Whether it may reach programs of the system that do what they are asked for: Docker, D-Bus, a display.
    #[serde(default)]
    pub services: bool,
}

impl Confinement {
    /// Returns the same, kept strictly if nobody has said how tests are to be confined: where a test may do harm.
    pub fn strict_unless_asked(self) -> Confinement {
        Confinement { strict: self.strict || !self.asked, ..self }
    }
}

/// Folders of which tests see copies, of which only what is changed is really copied. Where copies cannot be had, the
/// folders can only be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copies {
    /// Folders of which each test sees a copy as the folder is.
    #[serde(with = "reduct_system::os_path::several")]
    pub fresh: Vec<PathBuf>,
    /// Folders of which the tests of a slot share a copy, such as those of caches.
    #[serde(with = "reduct_system::os_path::several")]
    pub kept: Vec<PathBuf>,
    /// Folders in which it is watched what the first tests open: nobody else hears of that in a copy.
    #[serde(with = "reduct_system::os_path::several")]
    pub watched: Vec<PathBuf>,
}

/// What tests have done outside of their folders, where they see copies, by the paths of the originals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideChanges {
    /// Files that they have changed.
    #[serde(with = "reduct_system::os_path::several")]
    pub changed: Vec<PathBuf>,
    /// Files that they have opened, of those that are watched.
    #[serde(with = "reduct_system::os_path::several")]
    pub opened: Vec<PathBuf>,
    /// Files that they have written, of those that are watched.
    #[serde(with = "reduct_system::os_path::several")]
    pub written: Vec<PathBuf>,
    /// Why not all that was opened was heard of, if so.
    pub missed: Option<String>,
}

/// How much of a confinement the kernel and the surroundings allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// Whether tests have a view of the file system of their own.
    pub view: bool,
    /// Whether they have processes of their own, and see no others.
    #[serde(default)]
    pub processes: bool,
    /// Whether that view has copies of folders, so that they can be written to.
    #[serde(default)]
    pub copies: bool,
    /// Folders of which it should have copies, and cannot: they can only be read.
    #[serde(with = "reduct_system::os_path::several", default)]
    pub uncopied: Vec<PathBuf>,
    /// Whether system calls are filtered that reach other processes, keys, and files by their numbers.
    #[serde(default)]
    pub filter: bool,
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
    pub fn confines_writes(&self) -> bool {
        self.view || self.landlock > 0
    }

    /// Returns whether modes, owners, times and attributes of files outside are safe, too: Landlock does not know of them.
    pub fn confines_metadata(&self) -> bool {
        self.view
    }

    /// Returns whether sockets of programs of the system can be hidden: neither Landlock nor a filter of calls tells which socket
    /// a path leads to.
    pub fn hides_sockets(&self) -> bool {
        self.view
    }

    /// Returns whether signals to other processes are refused.
    pub fn confines_signals(&self) -> bool {
        self.processes || self.landlock >= SCOPES
    }

    /// Returns whether tests can be let reach what listens on the loopback device of the machine, and nothing else: in a
    /// network of their own, by the keeper of their processes.
    pub fn has_loopback(&self) -> bool {
        self.network == Network::Own && self.processes
    }

    /// Returns whether all that [`Confinement`] promises is kept: as much as this version of reduct knows to ask for.
    pub fn is_full(&self, confinement: &Confinement) -> bool {
        let has_copies = self.copies && self.uncopied.is_empty();
        let has_network = confinement.network || self.network == Network::Own;
        self.view && has_copies && self.filter && self.confines_signals() && has_network
    }
}
