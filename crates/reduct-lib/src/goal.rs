//! The goal of a run: the question that it asks of a failure. This is the only file that tells goals apart. The others ask
//! a goal for what they need to know of it, or have something done for each goal ([`PerGoal`]).

use crate::errors::NotExplained;
use derive_setters::Setters;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The question that a run asks of a failure. In a journal, the goals have the names that they had in the first versions.
///
/// ```
/// use reduct_lib::{Goal, Job, Situation};
///
/// // What of the arguments of a command matters?
/// let varies = Situation::of_nothing().with_arguments(true);
/// let job = Job::new(vec![], ["cc", "-O2", "-g", "x.c"].map(Into::into).into(), "command".into());
/// assert!(!job.with_goal(Goal::Command(varies)).goal.is_reduction());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Goal {
    /// What is left of the input if all goes that can? What passes does not matter.
    #[default]
    #[serde(rename = "Empty")]
    Reduce,
    /// What is the difference between the input and the largest part of it that passes?
    #[serde(rename = "Nothing")]
    IsolateAlone,
    /// What is the difference between the input and this one, which passes?
    #[serde(rename = "Input")]
    Isolate(#[serde(with = "reduct_system::os_path")] PathBuf),
    /// What are all minima of the input? So many are looked for at most.
    Minima(usize),
    /// Which changes of a git repository, the only input, are to blame, of those in this range?
    #[serde(rename = "Range")]
    BlameRange(String),
    /// Which changes from this folder to the only input, a later version of it, are to blame?
    #[serde(rename = "Folder")]
    BlameFolder(#[serde(with = "reduct_system::os_path")] PathBuf),
    /// Which of these patches are to blame, which the only input has already if `reverse`, and else gets?
    #[serde(rename = "Patches")]
    BlamePatches {
        /// The patches, in their order.
        #[serde(with = "reduct_system::os_path::several")]
        files: Vec<PathBuf>,
        /// Whether the input has them already.
        reverse: bool,
    },
    /// What of what the command itself is given matters? The inputs are the files of its folder that vary, if not all of
    /// them do.
    #[serde(rename = "Situation")]
    Command(Situation),
    /// Which switches between its threads make a program fail?
    Switches(SwitchOptions),
    /// Which values make a program fail with one input, that passes with another one?
    Values(ValueOptions),
}

/// How schedules are looked for that fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct SwitchOptions {
    /// How many are tried at most.
    pub tries: u64,
    /// What they are drawn from.
    pub seed: u64,
    /// Whether one that fails is known: it is the input.
    pub given: bool,
    /// How often the result is run again at the end.
    #[serde(default = "confirmed")]
    pub confirm: u64,
}

impl SwitchOptions {
    /// How often a result is run again if nothing is said of that.
    pub const CONFIRM: u64 = 100;

    /// Looks for so many schedules at most, drawn from a seed.
    pub fn new(tries: u64, seed: u64) -> SwitchOptions {
        SwitchOptions { tries, seed, given: false, confirm: SwitchOptions::CONFIRM }
    }
}

/// Returns how often results of earlier versions were run again.
fn confirmed() -> u64 {
    SwitchOptions::CONFIRM
}

/// Two runs of a program that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ValueOptions {
    /// What the passing run is called.
    pub passing: String,
    /// The program with what it passes with.
    #[serde(with = "reduct_system::os_path::several")]
    pub good: Vec<OsString>,
    /// The program with what it fails with.
    #[serde(with = "reduct_system::os_path::several")]
    pub bad: Vec<OsString>,
    /// What is looked into; if nothing, what is by default.
    #[serde(with = "reduct_system::os_path::several")]
    pub only: Vec<PathBuf>,
    /// The status with which it passes.
    pub status: i32,
    /// The variables that are otherwise in the run that passes: `NAME=VALUE`, or a name alone if it is not set there.
    #[serde(default, with = "reduct_system::os_path::several")]
    pub good_env: Vec<OsString>,
    /// The same variables as they are in the run that fails, so that it fails whatever they are where it is run again.
    #[serde(default, with = "reduct_system::os_path::several")]
    pub bad_env: Vec<OsString>,
}

impl ValueOptions {
    /// Compares two runs of a program, given by their words. The run that is called `passing` exits with 0, and what is
    /// looked into is what is by default.
    pub fn new(passing: String, good: Vec<OsString>, bad: Vec<OsString>) -> ValueOptions {
        ValueOptions { passing, good, bad, only: vec![], status: 0, good_env: vec![], bad_env: vec![] }
    }
}

/// What of a command's circumstances varies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
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
    /// Returns that of a command that is run where the user is, and of which nothing varies.
    pub fn of_nothing() -> Situation {
        Situation { arguments: false, environment: false, files: false, contents: false, folder: ".".into() }
    }
}

impl Default for Situation {
    /// Returns the situation of a command of which nothing varies.
    fn default() -> Situation {
        Situation::of_nothing()
    }
}

/// What of a result takes the place of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultInput {
    /// All of it: it is a smaller input.
    All,
    /// The failing one of two: the result is a difference.
    Failing,
}

/// Where the versions are that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared<'a> {
    /// The input is a repository, and they are in this range.
    Range(&'a str),
    /// The earlier one is this folder.
    Folder(&'a Path),
    /// These patches lie between them, which the input has already if `reverse`.
    Patches { files: &'a [PathBuf], reverse: bool },
}

/// Something that is done for each goal in another way. A goal that is new is an error of the compiler wherever it is not
/// thought of.
pub(crate) trait PerGoal {
    /// What comes of it.
    type Output;

    fn reduction(self) -> Self::Output;
    fn isolation(self) -> Self::Output;
    fn minima(self) -> Self::Output;
    fn blame(self) -> Self::Output;
    fn command(self) -> Self::Output;
    fn inquiry(self) -> Self::Output;
}

impl Goal {
    /// Does something in the way of this goal.
    pub(crate) fn choose<T: PerGoal>(&self, ways: T) -> T::Output {
        match self {
            Goal::Reduce => ways.reduction(),
            Goal::IsolateAlone | Goal::Isolate(_) => ways.isolation(),
            Goal::Minima(_) => ways.minima(),
            Goal::BlameRange(_) | Goal::BlameFolder(_) | Goal::BlamePatches { .. } => ways.blame(),
            Goal::Command(_) => ways.command(),
            Goal::Switches(_) | Goal::Values(_) => ways.inquiry(),
        }
    }

    /// Returns whether one input is made smaller, and nothing else.
    pub fn is_reduction(&self) -> bool {
        matches!(self, Goal::Reduce)
    }

    /// Returns what of a result takes the place of the input. `None` if nothing does: of several results, of versions, and
    /// of what a command is given or does.
    pub(crate) fn result_input(&self) -> Option<ResultInput> {
        match self {
            Goal::Reduce => Some(ResultInput::All),
            Goal::IsolateAlone | Goal::Isolate(_) => Some(ResultInput::Failing),
            Goal::Minima(_) | Goal::Command(_) | Goal::Switches(_) | Goal::Values(_) => None,
            Goal::BlameRange(_) | Goal::BlameFolder(_) | Goal::BlamePatches { .. } => None,
        }
    }

    /// Returns whether inputs vary, of which a run keeps copies: not versions, and not what a command is given.
    pub fn varies_inputs(&self) -> bool {
        self.is_reduction() || self.compares_inputs() || matches!(self, Goal::Minima(_))
    }

    /// Returns whether the difference between two inputs is looked for.
    pub(crate) fn compares_inputs(&self) -> bool {
        matches!(self, Goal::IsolateAlone | Goal::Isolate(_))
    }

    /// Returns where the versions are, if versions of a program are compared.
    pub(crate) fn compared(&self) -> Option<Compared<'_>> {
        match self {
            Goal::BlameRange(range) => Some(Compared::Range(range)),
            Goal::BlameFolder(old) => Some(Compared::Folder(old)),
            Goal::BlamePatches { files, reverse } => Some(Compared::Patches { files, reverse: *reverse }),
            Goal::Reduce | Goal::IsolateAlone | Goal::Isolate(_) | Goal::Minima(_) | Goal::Command(_) => None,
            Goal::Switches(_) | Goal::Values(_) => None,
        }
    }

    /// Returns whether versions of a program are compared.
    pub(crate) fn compares_versions(&self) -> bool {
        self.compared().is_some()
    }

    /// Returns whether the answer may stand in the input: in a folder of which nothing new is taken for a version.
    pub(crate) fn may_answer_in_the_input(&self) -> bool {
        matches!(self.compared(), Some(Compared::Range(_) | Compared::Patches { .. }))
    }

    /// Returns whether the inputs are read out of a repository, which has digests of its own.
    pub(crate) fn reads_a_repository(&self) -> bool {
        matches!(self.compared(), Some(Compared::Range(_)))
    }

    /// Returns the input or folder that is known to pass, if one was given.
    pub(crate) fn passing(&self) -> Option<&Path> {
        match self {
            Goal::Isolate(other) | Goal::BlameFolder(other) => Some(other),
            _ => None,
        }
    }

    /// Returns the user's files that are read besides the inputs.
    pub fn other_sources(&self) -> Vec<&Path> {
        match self.compared() {
            Some(Compared::Patches { files, .. }) => files.iter().map(PathBuf::as_path).collect(),
            _ => self.passing().into_iter().collect(),
        }
    }

    /// Returns how many minima are looked for at most, if all are.
    pub(crate) fn most_minima(&self) -> Option<usize> {
        if let Goal::Minima(most) = self { Some(*most) } else { None }
    }

    /// Returns what varies, if that is what a command is given.
    pub(crate) fn situation(&self) -> Option<&Situation> {
        if let Goal::Command(situation) = self { Some(situation) } else { None }
    }

    /// Returns how schedules are looked for, if the switches between threads are asked for that make a program fail.
    pub fn switches(&self) -> Option<&SwitchOptions> {
        if let Goal::Switches(options) = self { Some(options) } else { None }
    }

    /// Returns what is compared, if the values are asked for that make a program fail.
    pub fn values(&self) -> Option<&ValueOptions> {
        if let Goal::Values(options) = self { Some(options) } else { None }
    }

    /// Returns whether something in an execution of a program is asked for, rather than in what it is given.
    pub(crate) fn is_about_an_execution(&self) -> bool {
        matches!(self, Goal::Switches(_) | Goal::Values(_))
    }

    /// Returns whether all files of the folder may vary in which a command is run.
    pub(crate) fn varies_files(&self) -> bool {
        self.situation().is_some_and(|situation| situation.files)
    }

    /// Returns whether the environment varies.
    pub(crate) fn varies_variables(&self) -> bool {
        self.situation().is_some_and(|situation| situation.environment)
    }

    /// Returns why an answer to this cannot be explained, if it cannot.
    pub(crate) fn why_not_explained(&self) -> Option<NotExplained> {
        match self {
            Goal::Reduce => None,
            Goal::Command(_) => Some(NotExplained::Command),
            Goal::Minima(_) => Some(NotExplained::Minima),
            Goal::IsolateAlone | Goal::Isolate(_) => Some(NotExplained::Difference),
            Goal::BlameRange(_) | Goal::BlameFolder(_) | Goal::BlamePatches { .. } => Some(NotExplained::Changes),
            Goal::Switches(_) | Goal::Values(_) => Some(NotExplained::Inquiry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The journals of version 0.1 hold these (docs/JOURNAL.md): they are read, and the same is written.
    #[test]
    fn the_journal_has_the_names_that_it_always_had() {
        let (file, text) = (|| PathBuf::from("a"), || "a".to_owned());
        let nothing = Situation::of_nothing();
        let goals = [
            (Goal::Reduce, json!("Empty")),
            (Goal::IsolateAlone, json!("Nothing")),
            (Goal::Isolate(file()), json!({"Input": "a"})),
            (Goal::Minima(3), json!({"Minima": 3})),
            (Goal::BlameRange(text()), json!({"Range": "a"})),
            (Goal::BlameFolder(file()), json!({"Folder": "a"})),
            (
                Goal::BlamePatches { files: vec![file()], reverse: true },
                json!({"Patches": {"files": ["a"], "reverse": true}}),
            ),
            (
                Goal::Command(nothing),
                json!({"Situation": {
                    "arguments": false, "environment": false, "files": false, "contents": false, "folder": "."
                }}),
            ),
        ];
        for (goal, written) in goals {
            assert_eq!(serde_json::to_value(&goal).unwrap(), written);
            assert_eq!(serde_json::from_value::<Goal>(written).unwrap(), goal);
        }
        assert!(serde_json::from_value::<Goal>(Value::Null).is_err());
    }
}
