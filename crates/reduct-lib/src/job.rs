//! What to do: everything a run is made from, as the journal keeps it for `resume`.

mod confinement;
mod invocation;
mod limits;
mod options;
mod own_place;
mod place;
mod plan;
mod project;
pub(crate) mod refused;
mod source;
mod standard;
mod watching;
mod words;

use crate::errors::Refusal;
use crate::goal::Goal;
pub use invocation::is_program;
pub use options::{ReductionOptions, ResourceLimits};
pub use place::{Copied, TestPlace};
pub use source::{Means, PersonOptions, ServerInput, TestSource};
pub use watching::Watching;

use derive_setters::Setters;
use reduct_oracle::condition::Condition;
use reduct_oracle::signature::Signature;
use reduct_session::confinement::{Confinement, Copies};
use reduct_sources::name_of;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A reduction to be done.
///
/// ```
/// use reduct_lib::{Job, ReductionOptions, ResourceLimits};
/// use std::time::Duration;
///
/// let job = Job::new(vec!["page.html".into()], vec!["./browser".into(), "{}".into()], "small.html".into())
///     .with_search(ReductionOptions::standard().with_method("ddmin".into()))
///     .with_limits(ResourceLimits::default().with_time(Some(Duration::from_secs(10))));
/// assert!(job.goal.is_reduction());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
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
    /// The whole command line with which it was asked for, without values of variables; nothing if that was none.
    #[serde(with = "reduct_system::os_path::several", default, skip_serializing_if = "Vec::is_empty")]
    pub typed: Vec<OsString>,
    /// How the candidate is handed to it.
    pub handed: InputDelivery,
    /// What the failure is, if that was said.
    pub failure: Failure,
    /// How it is reduced.
    pub search: ReductionOptions,
    /// What a test may use.
    pub limits: ResourceLimits,
    /// What a test may do outside of its folder; `None`: whatever it likes, as in runs of before there was this.
    #[serde(default)]
    pub confinement: Option<Confinement>,
    /// Where the result goes.
    #[serde(with = "reduct_system::os_path")]
    pub out: PathBuf,
    /// Where it is watched what the test opens before a search; of this process, not of the run.
    #[serde(skip)]
    pub watched: Watching,
    /// Whether that is the input itself.
    pub in_place: bool,
    /// Whether outcomes are remembered.
    pub cache: bool,
    /// Whether outcomes of other runs are taken, too.
    #[serde(default)]
    pub reuse: bool,
    /// Where its runs are kept, in `.reduct`, if not in its folder.
    #[serde(with = "reduct_system::os_path::optional", default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<PathBuf>,
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
    pub persistent: Option<ServerInput>,
    /// Whether a person is asked what candidates do. The command only shows them then.
    #[serde(default)]
    pub ask: Option<PersonOptions>,
    /// What is asked of the failure.
    #[serde(rename = "against", default)]
    pub goal: Goal,
    /// How versions of a program are compared.
    #[serde(default)]
    pub comparing: VersionOptions,
    /// Whether gdb may be asked where a program has died.
    #[serde(default)]
    pub backtrace: bool,
    /// Where its tests run.
    #[serde(default)]
    pub place: TestPlace,
    /// What the test opens of an input of many files: asked about first. None if that is not known.
    #[serde(with = "reduct_system::os_path::several", default, skip_serializing_if = "Vec::is_empty")]
    pub opened: Vec<PathBuf>,
    /// Whether what is packed in archives of the input is reduced as files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unpacked: bool,
    /// The texts that count of what the failure says, as far as they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// What was not seen of where its tests run: said among the last lines.
    #[serde(default)]
    pub caveats: Vec<String>,
}

/// How versions are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct VersionOptions {
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

impl Default for VersionOptions {
    fn default() -> VersionOptions {
        let (build, with) = (vec![], vec![]);
        VersionOptions { build, build_time: None, with, first_parent: false, fresh: false, causes: 10 }
    }
}

/// How the candidate is handed to the test, on top of standing in its folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct InputDelivery {
    /// Its path is the last argument.
    pub as_argument: bool,
    /// It is the standard input.
    pub on_stdin: bool,
}

/// What the failure is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
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
    /// Returns what its tests may do outside of their folders, with the folders of which they see copies; `None` if they may
    /// do whatever they like.
    pub(crate) fn confined(&self) -> Option<(Confinement, Copies)> {
        let confinement = self.confinement.clone()?;
        let copies = confinement::copies(self, &confinement);
        Some((confinement, copies))
    }

    /// Returns the name under which the subject stands in the test's folder, if it is one file or folder.
    ///
    /// # Errors
    /// If it has none.
    pub fn subject(&self) -> Result<Option<PathBuf>, Refusal> {
        match &self.inputs[..] {
            [one] => Ok(Some(name_of(&self.folder.join(one))?)),
            _ => Ok(None),
        }
    }

    /// Returns the options and the program of `reduct step`, if that is the command: a candidate is its plan.
    pub fn stepped(&self) -> Option<(&[OsString], &[OsString])> {
        let (_, words) = self.command.split_first()?;
        let (word, words) = words.split_first()?;
        let at = words.iter().position(|word| word == "--").filter(|_| word == "step")?;
        Some((&words[..at], &words[at + 1..]))
    }

    /// Returns where it comes from what a candidate does.
    pub fn source(&self) -> TestSource {
        match (self.ask, self.persistent) {
            (Some(person), _) => TestSource::Person(person),
            (None, Some(server)) => TestSource::Server(server),
            (None, None) => TestSource::Command,
        }
    }

    /// Returns the folder in which its runs are kept, in `.reduct`.
    pub fn runs_folder(&self) -> &Path {
        self.runs.as_deref().unwrap_or(&self.folder)
    }

    /// Returns the inputs, as they can be opened from anywhere.
    pub fn input_paths(&self) -> Vec<PathBuf> {
        self.inputs.iter().map(|input| self.folder.join(input)).collect()
    }

    /// Returns whether the environment varies, whose values are not for a screen.
    pub fn varies_variables(&self) -> bool {
        self.goal.varies_variables()
    }

    /// Returns what the failure is, as far as it was said.
    pub fn conditions(&self) -> &[Condition] {
        if let Failure::Conditions(all) = &self.failure { all } else { &[] }
    }
}
