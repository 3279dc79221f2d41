//! What a user is told when something is not done: what is wrong, what was seen, what to do.

use crate::ask::refused::UndoError;
use crate::builder::refused::BuilderError;
use crate::changes::refused::VersionsError;
use crate::fuzz::refused::FuzzingError;
use crate::history::refused::HistoryError;
use crate::job::refused::JobError;
use crate::script::refused::OracleScriptError;
use crate::situation::refused::SituationError;
use crate::triage::refused::TriageError;
mod help;
mod kind;
mod not_explained;
mod place;

pub use kind::RefusalKind;
pub use not_explained::NotExplained;
pub use place::{Needed, PlaceError};

use reduct_report::confinement::TestNeeds;
use reduct_sandbox::local::SetupError;
use reduct_session::event::Why;
use reduct_session::journal::JournalError;
use reduct_sources::LoadError;
use reduct_sources::ProjectError;
use reduct_sources::folders::FoldersError;
use reduct_sources::git::GitError;
use reduct_sources::patches::PatchError;
use std::borrow::Cow;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;

/// Why reduct did not do what it was asked for.
///
/// ```
/// use reduct_lib::{BuilderError, Refusal, RefusalKind};
///
/// let refusal = reduct_lib::reduce("page.html").run().unwrap_err();
/// assert!(matches!(refusal, Refusal::Builder(BuilderError::NoTest)));
/// assert_eq!(refusal.to_string(), "there is no test");
/// assert_eq!(refusal.help().as_deref(), Some("give one with `test`"));
/// assert_eq!(refusal.kind(), RefusalKind::WrongUse);
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The command line cannot be understood.
    #[error("{what}")]
    Usage {
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// What passes and what fails are the same.
    #[error("both inputs are the same, so nothing can be isolated")]
    SameInputs,
    /// A name that stands for nothing.
    #[error("there is no {what} called `{name}`")]
    UnknownName {
        /// What it should be the name of.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// An input cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Two inputs are too large together.
    #[error("the inputs are larger than 4 GiB together, which is more than can be compared")]
    TooLarge,
    /// A project cannot be copied.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A history cannot be read.
    #[error(transparent)]
    Git(#[from] GitError),
    /// Two folders cannot be compared.
    #[error(transparent)]
    Folders(#[from] FoldersError),
    /// Patches cannot be read or applied.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// A job of the library lacks something.
    #[error(transparent)]
    Builder(#[from] BuilderError),
    /// Versions cannot be compared.
    #[error(transparent)]
    Versions(#[from] VersionsError),
    /// It cannot be searched what of a command matters.
    #[error(transparent)]
    Situation(#[from] SituationError),
    /// A job cannot be run as it is.
    #[error(transparent)]
    Job(#[from] JobError),
    /// An answer cannot be taken back.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// A run cannot go on from one of its steps.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// No script is written for other reducers.
    #[error(transparent)]
    OracleScript(#[from] OracleScriptError),
    /// Nothing is fuzzed.
    #[error(transparent)]
    Fuzzing(#[from] FuzzingError),
    /// A folder is not triaged.
    #[error(transparent)]
    Triage(#[from] TriageError),
    /// The versions are not what the run began with.
    #[error("the versions that the run {0} compares are not what they were when it began")]
    VersionsChanged(PathBuf),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file cannot be read or written.
    #[error("cannot {what} {path}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The place of the result is taken by something that reduct did not write.
    #[error("{0} exists, and is not a result of an earlier run here")]
    OutExists(PathBuf),
    /// The result cannot be put where the job says.
    #[error(transparent)]
    TestPlace(#[from] PlaceError),
    /// The result of a run is not explained.
    #[error(transparent)]
    NotExplained(#[from] NotExplained),
    /// There is no run to go on with.
    #[error("there is no run in {0}")]
    NoRun(PathBuf),
    /// A run stands in another folder than the one that its paths are of.
    #[error("{run} was not made where it stands, but in {made_in}")]
    RunMoved {
        /// The run.
        run: PathBuf,
        /// Where it was made.
        made_in: PathBuf,
    },
    /// A run of an inquiry cannot be gone on with like a search.
    #[error("the run looks for values or thread switches of a program")]
    OfAProgram,
    /// A run has found no failure, so that it has no test of a result.
    #[error("the run {0} has found no failure: it has no result, and no tests of one")]
    NoTests(PathBuf),
    /// The folder of a run cannot be made.
    #[error("no run can be kept in {path}")]
    RunsNotKept {
        /// What is there, or could not be made.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The input could not be kept for later.
    #[error("cannot copy the input to {path}")]
    InputNotKept {
        /// To where.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The kept copy of the input is not what the run began with.
    #[error("the copy of the input in {0} is not what the run began with")]
    InputChanged(PathBuf),
    /// The test is not what the run began with.
    #[error("the test of the run {0} relies on {1}, which has changed: what is known was said by another test")]
    TestChanged(PathBuf, String),
    /// A journal has no job that this version knows.
    #[error("the run {0} was made by a version that described its job otherwise: {1}")]
    UnknownJob(PathBuf, String),
    /// Tests cannot be run at all.
    #[error("tests cannot be run here: {0}")]
    Executor(String),
    /// A search says something else of what was just run, twice.
    #[error("the search contradicts itself: please report this")]
    Contradiction,
    /// The program has not said that it may be started again to watch over tests.
    #[error("no program watches over tests: `reduct_lib::run_if_asked` was not called")]
    NoSupervisor,
    /// The test command cannot be started.
    #[error("the test cannot be started: {why}")]
    CannotStart {
        /// What the system says.
        why: String,
        /// How to see it by hand.
        recipe: String,
    },
    /// The failure does not occur on the whole input.
    #[error("{headline}")]
    DoesNotFail {
        /// What is the matter.
        headline: String,
        /// What was seen, and what to do.
        advice: String,
    },
    /// The failure occurs without any input.
    #[error("the failure occurs on an empty input too ({seen}), so the test says nothing about this one")]
    EmptyFails {
        /// What was seen.
        seen: String,
        /// What to do.
        advice: String,
    },
    /// The command does not look at its input.
    #[error("the command never opened the input: it ends with {seen}, whatever the input is")]
    NeverOpened {
        /// What was seen.
        seen: String,
        /// What to do.
        advice: String,
    },
    /// Tests cannot be confined as was asked for.
    #[error("tests cannot be confined fully here")]
    TooWeak {
        /// What can be confined, and what cannot.
        confined: String,
    },
    /// Confined, the test does something else.
    #[error("{what}")]
    Confined {
        /// What it was seen to need.
        what: String,
        /// What to do.
        advice: String,
    },
    /// The preflight was interrupted, or met trouble that did not pass.
    #[error("stopped before the search began: {0}")]
    Stopped(String, Why),
    /// Something that is neither a preflight nor a search was interrupted, or met trouble that did not pass.
    #[error("stopped: {0}")]
    StoppedLater(String, Why),
}

/// Returns the refusal of what does not fail: with what an error says, and what it advises.
pub(crate) fn does_not_fail(error: &impl Display, help: Cow<'static, str>) -> Refusal {
    Refusal::DoesNotFail { headline: error.to_string(), advice: help.into_owned() }
}

impl Refusal {
    /// Returns the refusal of what no place to run tests can be made for.
    pub(crate) fn of_setup(error: SetupError) -> Refusal {
        match error {
            SetupError::TooWeak(weak) => {
                Refusal::TooWeak { confined: reduct_report::confinement::describe(&weak.0, &weak.1) }
            }
            error => Refusal::Executor(error.to_string()),
        }
    }

    /// Returns the refusal of a test that needs more than it is allowed.
    pub(crate) fn needs(needs: &TestNeeds) -> Refusal {
        use reduct_report::confinement::{allowed, needed};
        Refusal::Confined { what: needed(needs), advice: allowed(needs) }
    }

    /// Returns whether it could be otherwise if tests were not confined.
    pub(crate) fn may_be_of_the_confinement(&self) -> bool {
        matches!(
            self,
            Refusal::DoesNotFail { .. }
                | Refusal::EmptyFails { .. }
                | Refusal::CannotStart { .. }
                | Refusal::NeverOpened { .. }
        )
    }

    /// Returns the refusal of something that could not be read or written.
    pub fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Refusal {
        let path = path.into();
        move |source| Refusal::Io { what, path, source }
    }
}

impl Refusal {
    /// Returns the refusal of what was stopped before the search began, by whatever.
    pub(crate) fn stopped(why: Why) -> Refusal {
        let words = match &why {
            Why::Trouble(what) => what.clone(),
            Why::Interrupted => "interrupted".into(),
            _ => "stopped".into(),
        };
        Refusal::Stopped(words, why)
    }

    /// Returns the refusal of what was stopped at another time. `on` says how to go on, if that is possible.
    pub(crate) fn stopped_later(why: Why, on: Option<String>) -> Refusal {
        let words = match &why {
            Why::Trouble(what) => what.clone(),
            _ => "interrupted".into(),
        };
        Refusal::StoppedLater(words + &on.map_or(String::new(), |on| format!("\n{on}")), why)
    }
}
