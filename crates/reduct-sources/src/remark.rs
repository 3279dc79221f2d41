//! What a user should know of what was read: as data, which the report puts into words.

use crate::project::Excess;
use std::path::PathBuf;

/// What a user should know of versions, or of the folder that tests run in copies of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// It belongs to the place and not to what stands there, and is left out.
    OfThePlace(PathBuf),
    /// It is neither a file nor a folder nor a link, and is left out.
    Special(PathBuf),
    /// It is a repository in the one that is read, and is left out.
    Repository(PathBuf),
    /// A submodule, of which only the empty folder is there.
    EmptySubmodule(PathBuf),
    /// A file of git's rules that changes; the last of its versions holds for all.
    LastRules(PathBuf),
    /// It has conflicts, and is taken with them.
    Conflicts(PathBuf),
    /// The index has it otherwise than the working tree, and is followed.
    FromIndex(PathBuf),
    /// A file, or a mail in one, without a patch.
    NoPatch(String),
    /// There is no way between the two versions, so that all that differs is one change.
    OneChange(NoWay),
    /// The version that passes is not on the line of first parents; this commit has all in which it differs.
    OffTheLine {
        /// The name of the commit, shortened.
        commit: String,
        /// Its first line.
        subject: String,
    },
    /// Branches were forked before the version that passes; all begins with this commit.
    ForkedBefore(String),
    /// What cannot be read, and is left out of the copy.
    Unreadable {
        /// The first path.
        first: PathBuf,
        /// How many more.
        more: usize,
    },
    /// What version control keeps is left out of the copy.
    NoHistory {
        /// Where that stands.
        path: PathBuf,
        /// Why.
        why: NoHistory,
    },
    /// What was changed in the folder since the run began, of which copies have nothing.
    ChangedSince {
        /// The first paths.
        first: Vec<PathBuf>,
        /// How many more.
        more: usize,
    },
}

/// Why there is no way from one version to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWay {
    /// The version that passes is no ancestor of the one that fails.
    NotAnAncestor {
        /// Whether the history is cut off, so that it may be one nevertheless.
        shallow: bool,
    },
    /// Branches that were merged have nothing in common.
    NoCommonBeginning,
}

/// Why a copy is made without what version control keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoHistory {
    /// It cannot be read, with what the system says.
    Unreadable(String),
    /// It is larger than what is copied unasked.
    TooLarge(Excess),
    /// Part of it cannot be read.
    UnreadablePart {
        /// Which.
        path: PathBuf,
        /// What the system says; nothing if it was not worth an error.
        said: Option<String>,
    },
    /// It says that the files it is about stand in another folder.
    OfAnotherFolder(PathBuf),
    /// It is a link to a repository elsewhere.
    Link,
}
