//! The files of a commit, in a folder that goes away.

use crate::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A worktree of git in a temporary folder.
pub(super) struct Worktree {
    folder: PathBuf,
}

impl Worktree {
    /// Checks a commit out.
    ///
    /// # Errors
    /// If git does not, in its words.
    pub(super) fn of(commit: &str) -> Result<Worktree, String> {
        let folder = std::env::temp_dir().join(format!("reduct-figures-{}", std::process::id()));
        let tree = Worktree { folder };
        let mut git = git(&["worktree", "add", "--detach", "--quiet"]);
        let done = git.arg(&tree.folder).args(["--end-of-options", commit]).output();
        let done = done.map_err(|error| format!("git cannot be started: {error}"))?;
        if !done.status.success() {
            return Err(format!("git worktree: {}", String::from_utf8_lossy(&done.stderr).trim()));
        }
        Ok(tree)
    }

    /// Returns where it is.
    pub(super) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        // What was not made cannot be removed.
        let _ = git(&["worktree", "remove", "--force"]).arg(&self.folder).output();
    }
}

fn git(words: &[&str]) -> Command {
    let mut git = Command::new("git");
    // A caller may have told git of another repository.
    git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").env_remove("GIT_WORK_TREE");
    git.arg("-C").arg(root()).args(words);
    git
}
