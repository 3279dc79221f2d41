//! What is noted of a file that a test relies on, so that a change of it is seen.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A file that a test relies on, as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relied {
    /// Where it is.
    #[serde(with = "crate::os_path")]
    pub path: PathBuf,
    /// What it was: another stamp is another file.
    pub stamp: String,
    /// Whether the command names it; others were seen to be opened.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
}
