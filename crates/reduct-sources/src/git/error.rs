//! Why a history cannot be read.

use std::io;
use std::path::PathBuf;

/// Why a range of a repository's history cannot be read: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git, or it cannot be talked with.
    #[error("the program git cannot be run; install it, or see that it is in PATH")]
    NoGit {
        /// What went wrong.
        source: io::Error,
    },
    /// Not in a repository, or in one that git does not trust.
    #[error("{folder} is not in a git repository that can be used: {said}")]
    NotARepository {
        /// Where a repository was looked for.
        folder: PathBuf,
        /// What git said.
        said: String,
    },
    /// Something else than `GOOD..BAD`.
    #[error(
        "`{0}` is not a range of versions; write GOOD..BAD, or GOOD.. for all since GOOD with what is not committed"
    )]
    NotARange(String),
    /// A name of no commit.
    #[error("`{name}` does not name a commit here: {said}; `git log --all --oneline` lists what there is")]
    NoSuchCommit {
        /// The name.
        name: String,
        /// What git said.
        said: String,
    },
    /// A name that would be an option of git.
    #[error(
        "`{0}` does not name a commit here: a name does not begin with `-`; \
         `git log --all --oneline` lists what there is"
    )]
    NotAName(String),
    /// A repository on a branch without commits.
    #[error("the repository has no commit yet, so there is no version that could have passed; commit one first")]
    NoCommits,
    /// A bare repository, and no second end.
    #[error("the repository has no working tree; name the version that fails too: GOOD..BAD")]
    NoWorkingTree,
    /// Nothing to judge.
    #[error("nothing differs between {passing} and {failing}; name a version that passes and a later one that fails")]
    NothingDiffers {
        /// The one end.
        passing: String,
        /// The other end.
        failing: String,
    },
    /// A submodule that changes.
    #[error(
        "the submodule {0} changes between the versions, and the commits of submodules are not searched; \
         search the range within which it stays the same, or run reduct in the submodule itself"
    )]
    Submodule(PathBuf),
    /// The history was cut off when it was cloned.
    #[error(
        "the history here is cut off at {0}, and what came before it is needed; get it with: git fetch --unshallow"
    )]
    Shallow(String),
    /// A partial clone, or a damaged repository.
    #[error(
        "the object {object} of {path} is not in the repository; \
         if it was cloned with --filter, get all with: git fetch --refetch --no-filter"
    )]
    Missing {
        /// Its name.
        object: String,
        /// What it is the content of.
        path: PathBuf,
    },
    /// More than can be addressed.
    #[error(
        "the versions of all touched files take more than 4 GiB; \
         choose ends that are nearer to each other, or only the first parents of merges"
    )]
    TooLarge,
    /// A command failed for which there was no reason to.
    #[error("`{what}` failed: {said}")]
    Failed {
        /// The command.
        what: String,
        /// What it said.
        said: String,
    },
    /// A command wrote what cannot be understood.
    #[error("what `{0}` wrote cannot be understood; is this git a very old one?")]
    Garbled(&'static str),
    /// A file cannot be read or written.
    #[error("cannot use {path}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
}

impl GitError {
    /// Returns the error for `map_err`.
    pub(super) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> GitError {
        let path = path.into();
        move |source| GitError::Io { path, source }
    }
}
