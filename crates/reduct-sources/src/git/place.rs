//! Where a user stands in a repository.

use super::ends::Repository;
use super::error::GitError;
use std::path::{Path, PathBuf};

/// Where somebody stands in a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryLocation {
    /// The top of the working tree; `None` if the repository has none.
    pub top: Option<PathBuf>,
    /// The folder below it, empty at the top.
    pub inside: PathBuf,
}

/// Returns where `folder` is in its repository.
///
/// # Errors
/// If it is in none.
pub fn location(folder: &Path) -> Result<RepositoryLocation, GitError> {
    let repository = Repository::find(folder)?;
    let full = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let top = repository.tree.map(|tree| tree.canonicalize().unwrap_or(tree));
    let inside = top.as_ref().and_then(|top| full.strip_prefix(top).ok()).map(Path::to_owned).unwrap_or_default();
    Ok(RepositoryLocation { top, inside })
}

/// Returns whether git keeps this file in what is checked out.
pub fn tracks(folder: &Path, file: &Path) -> bool {
    let Ok(repository) = Repository::find(folder) else { return false };
    let Some(tree) = &repository.tree else { return false };
    let full = folder.join(file);
    let full = full.parent().and_then(|parent| Some(parent.canonicalize().ok()?.join(full.file_name()?)));
    let tree = tree.canonicalize().unwrap_or_else(|_| tree.clone());
    let Some(inside) = full.as_deref().and_then(|full| full.strip_prefix(&tree).ok()) else { return false };
    let Some(name) = inside.to_str() else { return false };
    repository.git.read(&["ls-files", "--error-unmatch", "--", &format!(":(top,literal){name}")]).is_ok()
}
