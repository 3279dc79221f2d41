//! Paths that lead nowhere else.

use std::fs;
use std::path::Path;

/// Returns whether all that is above this path in `work` are folders, and no links to folders elsewhere.
pub(super) fn is_within(work: &Path, path: &Path) -> bool {
    let is_folder = |above: &Path| fs::symlink_metadata(work.join(above)).is_ok_and(|meta| meta.is_dir());
    path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()).all(is_folder)
}
