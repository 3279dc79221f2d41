//! Removes what was known.

use crate::errors::Refusal;
use std::fs;
use std::path::Path;

/// Removes a folder, if there is one.
pub(super) fn remove(folder: &Path) -> Result<(), Refusal> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Refusal::io("remove", folder)(error)),
        _ => Ok(()),
    }
}
