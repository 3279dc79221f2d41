//! The two ends of a range: what is written, what it names, and what people call it.

use super::GitError;
use super::run::Git;
use reduct_input::patch::Objects;
use std::path::PathBuf;

/// A commit that somebody named.
pub(super) struct End {
    /// Its full name.
    pub(super) commit: String,
    /// What people call it.
    pub(super) words: String,
}

/// Where a range is looked up: a repository.
pub(super) struct Repository {
    /// Git at the top of the working tree; in the folder that was given if there is none.
    pub(super) git: Git,
    /// Where the repository itself is.
    pub(super) folder: PathBuf,
    /// The top of the working tree, if there is one.
    pub(super) tree: Option<PathBuf>,
    /// How objects are named.
    pub(super) objects: Objects,
}

/// The two ends of a range. `None`: what is in the working tree.
pub(super) struct Range {
    pub(super) good: End,
    pub(super) bad: Option<End>,
}

/// How many digits of a commit's name are shown.
const SHOWN: usize = 10;

impl Repository {
    pub(super) fn find(folder: &std::path::Path) -> Result<Repository, GitError> {
        let here = Git::at(&folder.canonicalize().map_err(GitError::io(folder))?);
        if let Err(said) = here.ask(&["rev-parse", "--absolute-git-dir"])? {
            return Err(GitError::NotARepository { folder: folder.into(), said });
        }
        let folder = here.path(&["rev-parse", "--absolute-git-dir"])?;
        let tree = here.ask(&["rev-parse", "--is-inside-work-tree"])?.is_ok_and(|said| said == b"true");
        let tree = if tree { Some(here.path(&["rev-parse", "--show-toplevel"])?) } else { None };
        // Before 2.29 there was one format, and not the question.
        let sha256 = here.ask(&["rev-parse", "--show-object-format"])?.is_ok_and(|said| said == b"sha256");
        // Said outright, for a relative GIT_DIR that is inherited means something else at the top.
        let mut git = Git::at(tree.as_ref().unwrap_or(&here.folder)).with("GIT_DIR", &folder);
        if let Some(tree) = &tree {
            git = git.with("GIT_WORK_TREE", tree);
        }
        Ok(Repository { git, folder, tree, objects: if sha256 { Objects::Sha256 } else { Objects::Sha1 } })
    }

    /// Returns what `GOOD..BAD`, `GOOD..` or `GOOD` names.
    pub(super) fn range(&self, spec: &str) -> Result<Range, GitError> {
        let (good, bad) = spec.rsplit_once("..").unwrap_or((spec, ""));
        if good.is_empty() || good.ends_with('.') {
            return Err(GitError::NotARange(spec.into()));
        }
        let unborn = self.git.ask(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?.is_err();
        if unborn && self.git.read(&["for-each-ref", "--count=1"])?.is_empty() {
            return Err(GitError::NoCommits);
        }
        let good = self.end(good)?;
        if bad.is_empty() && self.tree.is_none() {
            return Err(GitError::NoWorkingTree);
        }
        let bad = if bad.is_empty() { None } else { Some(self.end(bad)?) };
        Ok(Range { good, bad })
    }

    /// Returns the commit of this name.
    pub(super) fn end(&self, name: &str) -> Result<End, GitError> {
        let no_such = |said: String| GitError::NoSuchCommit { name: name.into(), said };
        if name.starts_with('-') {
            return Err(GitError::NotAName(name.into()));
        }
        let found = self.git.ask(&["rev-parse", "--verify", &format!("{name}^{{commit}}")])?;
        let commit = found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(no_such)?;
        let short = &commit[..SHOWN.min(commit.len())];
        let words = if commit.starts_with(name) { short.to_owned() } else { format!("{name} ({short})") };
        Ok(End { words, commit })
    }
}
