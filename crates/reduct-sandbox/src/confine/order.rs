//! What a supervisor is told of the confinement of its tests.

use reduct_session::confinement::{Confinement, Copies, Strength};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

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
