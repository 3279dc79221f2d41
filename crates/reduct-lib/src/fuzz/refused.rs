//! Why nothing is fuzzed.

use std::borrow::Cow;
use std::path::PathBuf;

/// Why nothing is fuzzed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FuzzingError {
    /// There are fewer files.
    #[error("there is no input of number {0}")]
    NoInput(u64),
    /// There is no file to run, or to make inputs from.
    #[error("there is no input in {0}")]
    NoInputs(PathBuf),
    /// A generator needs syntax, and no example has one that is known.
    #[error("the generator {0} has no examples in a language that is known")]
    NoTrees(&'static str),
    /// A generator needs examples.
    #[error("the generator {0} has no examples")]
    NoExamples(&'static str),
    /// Something was fuzzed at the place of the findings.
    #[error("{0} exists")]
    Begun(PathBuf),
    /// Something else stands at the place of the findings.
    #[error("{0} exists")]
    Exists(PathBuf),
    /// The folder of the findings was moved.
    #[error("{0} was not made where it stands")]
    Moved(PathBuf),
}

impl FuzzingError {
    /// Returns what to do about it.
    pub(crate) fn help(&self) -> Cow<'static, str> {
        match self {
            FuzzingError::NoInput(..) => "files are counted from 0, in the order of their names",
            FuzzingError::NoInputs(..) => "give a file, or a folder with files",
            FuzzingError::NoTrees(..) | FuzzingError::NoExamples(..) => {
                "give some with --examples, and their language with --language"
            }
            FuzzingError::Begun(..) => {
                "go on there with `reduct resume FOLDER`, replace it with --force, or choose another place with --out"
            }
            FuzzingError::Exists(..) => "move it away, or choose another place with --out",
            FuzzingError::Moved(..) => "go on with it where it was made, or begin again here",
        }
        .into()
    }
}

/// What to do about a command that cannot be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Advice {
    /// Before anything was written.
    #[error("look whether it can be started by hand")]
    ByHand,
    /// Before anything was run.
    #[error("check the command behind `--`; nothing was run")]
    CheckCommand,
}
