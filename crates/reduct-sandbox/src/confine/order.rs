//! What a supervisor is told of the confinement of its tests.

use reduct_session::confinement::{Confinement, Copies, Strength};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Devices that anybody may write to, and the terminals that a test opens.
pub(super) const DEVICES: [&str; 8] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/random", "/dev/urandom", "/dev/ptmx", "/dev/pts"];

/// What a supervisor is told of the confinement of its tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub confinement: Confinement,
    /// The folders of which they see copies.
    pub copies: Copies,
    /// The scratch folder of the session.
    #[serde(with = "reduct_system::os_path")]
    pub scratch: PathBuf,
    /// How much of it is to be set up.
    pub strength: Strength,
}
