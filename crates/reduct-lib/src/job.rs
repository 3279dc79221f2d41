//! What to do: everything a run is made from, as it is kept in the journal for who resumes it.

mod invocation;
mod limits;
mod own_place;
mod place;
mod plan;
mod words;

pub use invocation::is_program;
pub use limits::Allowed;
pub(crate) use own_place::Goes;
pub(crate) use place::began;
pub use place::{Copied, Place, note_begin};
pub use plan::Searching;

use crate::errors::Refusal;
use reduct_oracle::condition::Condition;
use reduct_oracle::signature::Signature;
use reduct_sources::name_of;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A reduction to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The folder it was asked for in. Relative paths are relative to it.
    #[serde(with = "reduct_system::os_path")]
    pub folder: PathBuf,
    /// The files and folders to reduce, as typed.
    #[serde(with = "reduct_system::os_path::several")]
    pub inputs: Vec<PathBuf>,
    /// The test command, as typed.
    #[serde(with = "reduct_system::os_path::several")]
    pub command: Vec<OsString>,
    /// How the candidate is handed to it.
    pub handed: Handed,
    /// What the failure is, if that was said.
    pub failure: Failure,
    /// How it is reduced.
    pub search: Searching,
    /// What a test may use.
    pub limits: Allowed,
    /// Where the result goes.
    #[serde(with = "reduct_system::os_path")]
    pub out: PathBuf,
    /// Whether that is the input itself.
    pub in_place: bool,
    /// Whether outcomes are remembered.
    pub cache: bool,
    /// Whether outcomes of other runs are taken, too.
    #[serde(default)]
    pub reuse: bool,
    /// How many tests run at a time; by default as many as there are cores.
    pub jobs: Option<usize>,
    /// Where scratch folders are made, if not where it is best.
    #[serde(with = "reduct_system::os_path::optional", default)]
    pub scratch: Option<PathBuf>,
    /// How long trouble outside the tests is waited out.
    pub patience: Duration,
    /// Whether what is compared is run until it is clear: for tests that fail now and then.
    #[serde(default)]
    pub repeat: bool,
    /// Whether the command is a server that is asked test after test, and how.
    #[serde(default)]
    pub persistent: Option<Persistence>,
    /// Whether a person is asked what candidates do. The command only shows them then.
    #[serde(default)]
    pub ask: Option<crate::ask::Asking>,
    /// What the inputs are compared with.
    #[serde(default)]
    pub against: Against,
    /// How versions of a program are compared.
    #[serde(default)]
    pub comparing: Comparing,
    /// Whether gdb may be asked where a program has died.
    #[serde(default)]
    pub backtrace: bool,
    /// Where its tests run.
    #[serde(default)]
    pub place: Place,
    /// What was not seen of where its tests run: said among the last lines.
    #[serde(default)]
    pub caveats: Vec<String>,
}

/// What what fails is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Against {
    /// It is reduced, without regard to what passes.
    #[default]
    Empty,
    /// An empty input that passes: the difference to the largest part that passes is looked for.
    Nothing,
    /// Nothing: all its minima are looked for, this many at most.
    Minima(usize),
    /// An input that passes.
    Input(#[serde(with = "reduct_system::os_path")] PathBuf),
    /// The changes of a git repository, the only input, in this range.
    Range(String),
    /// A folder, of which the only input is a later version.
    Folder(#[serde(with = "reduct_system::os_path")] PathBuf),
    /// The only input, to which these patches are applied; from which they are taken if `reverse`.
    Patches {
        /// The patches, in their order.
        #[serde(with = "reduct_system::os_path::several")]
        files: Vec<PathBuf>,
        /// Whether the input has them already.
        reverse: bool,
    },
    /// Nothing: what the command itself is given is reduced. The inputs are the files of its folder that vary, if
    /// not all of them do.
    Situation(Situation),
}

/// What of a command's circumstances varies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Situation {
    /// Its arguments.
    pub arguments: bool,
    /// The variables of its environment.
    pub environment: bool,
    /// The files in its folder.
    pub files: bool,
    /// Whether those that stay are made smaller, too.
    pub contents: bool,
    /// The folder in which it is run.
    #[serde(with = "reduct_system::os_path")]
    pub folder: PathBuf,
}

impl Situation {
    /// Of a command that is run where the user is, and of which nothing varies.
    pub fn of_nothing() -> Situation {
        Situation { arguments: false, environment: false, files: false, contents: false, folder: ".".into() }
    }
}

/// How versions are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparing {
    /// The command that builds a version, run before the test.
    #[serde(with = "reduct_system::os_path::several")]
    pub build: Vec<OsString>,
    /// How long a build may take.
    pub build_time: Option<Duration>,
    /// Files of the user's folder that each version needs beside its own.
    #[serde(with = "reduct_system::os_path::several")]
    pub with: Vec<PathBuf>,
    /// Whether merges are followed along their first parents only.
    pub first_parent: bool,
    /// Whether each test gets a folder of its own.
    pub fresh: bool,
    /// How many causes are looked for at most.
    pub causes: usize,
}

impl Default for Comparing {
    fn default() -> Comparing {
        let (build, with) = (vec![], vec![]);
        Comparing { build, build_time: None, with, first_parent: false, fresh: false, causes: 10 }
    }
}

/// How the candidate is handed to the test, on top of standing in its folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// Its path is the last argument.
    pub as_argument: bool,
    /// It is the standard input.
    pub on_stdin: bool,
}

/// How a server is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Persistence {
    /// It gets the contents of the candidate, which is a file.
    Contents,
    /// It is told where the candidate stands.
    Path,
}

/// What the failure is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// What the first run shows.
    #[default]
    Observed,
    /// Exit status 0, the convention of reducer scripts.
    ExitZero,
    /// What these conditions say.
    Conditions(Vec<Condition>),
    /// One that was seen before.
    Like(Signature),
}

impl Job {
    /// The name under which the subject stands in the test's folder, if it is one file or folder.
    ///
    /// # Errors
    /// If it has none.
    pub fn subject(&self) -> Result<Option<PathBuf>, Refusal> {
        match &self.inputs[..] {
            [one] => Ok(Some(name_of(&self.folder.join(one))?)),
            _ => Ok(None),
        }
    }

    /// The inputs, as they can be opened from anywhere.
    pub fn input_paths(&self) -> Vec<PathBuf> {
        self.inputs.iter().map(|input| self.folder.join(input)).collect()
    }

    /// Whether the environment varies, whose values are not for a screen.
    pub fn varies_variables(&self) -> bool {
        matches!(&self.against, Against::Situation(situation) if situation.environment)
    }

    /// What the failure is, as far as it was said.
    pub fn conditions(&self) -> &[Condition] {
        if let Failure::Conditions(all) = &self.failure { all } else { &[] }
    }
}
