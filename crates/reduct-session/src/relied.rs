//! What is noted of what a test relies on besides the candidate, so that a change of it is seen.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A file that a test relies on, as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relied {
    /// Its path.
    #[serde(with = "reduct_system::os_path")]
    pub path: PathBuf,
    /// What tells it from what it was: another stamp is another file.
    pub stamp: String,
    /// Whether the command names it; only if true. Others were seen to be opened.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
}

/// What else a test finds around the candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// Why more files may have been opened than are known; only if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<String>,
    /// The variables of the environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// Files of the project that are written while a run goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Own>,
}

/// A variable of the environment. Its value may be a secret, and is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// A short digest of its value.
    pub value: String,
    /// Whether the test may read it, as far as can be seen; only if true.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read: bool,
}

/// A file of a project that is written while a run goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Own {
    /// Its path in the project.
    #[serde(with = "reduct_system::os_path")]
    pub path: PathBuf,
}
