//! What a loader delivers: versions, and what they stand on.

use crate::{BaseTree, Remark};
use reduct_input::patch::Objects;
use reduct_input::{Change, Content};
use std::path::PathBuf;
use std::sync::Arc;

/// Versions, and what they stand on.
///
/// Every path that a change touches has an entry of its own in it: of a renamed file both the new path (with
/// `from`) and the old one (which becomes nothing, unless something else stands there now).
#[derive(Clone, Debug)]
pub struct Versions {
    /// What the touched paths held at first, in the order of the paths. What is not here was not there.
    pub root: Vec<(PathBuf, Content)>,
    /// The changes, each after all those it builds on.
    pub changes: Vec<Change>,
    /// The changes, by their numbers, that are in the version that passes: all others are to be judged. Usually
    /// none; but where a branch was forked before that version, they have grown from something older.
    pub given: Vec<usize>,
    /// Everything else: laid into a folder.
    pub base_tree: Arc<dyn BaseTree>,
    /// What people call the version that passes: `v1.0 (1a2b3c4d5e)`, the name of a folder.
    pub passing: String,
    /// What people call the version that fails: `main (1a2b3c4d5e)`, `working tree`.
    pub failing: String,
    /// How the repository, if there is one, names objects.
    pub objects: Objects,
    /// What a user should know: submodules that are left empty, and the like.
    pub notes: Vec<Remark>,
}

/// As many bytes as all versions of all touched files may have together: more cannot be addressed.
pub(super) const MOST: u64 = u32::MAX as u64;
