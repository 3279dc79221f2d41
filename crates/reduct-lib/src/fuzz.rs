//! Fuzzes, then simplifies: runs a program on inputs that it does not expect, and reduces each failure as soon as it
//! is met for the first time.
//!
//! Trials are taken in the order of their numbers, in whatever order they end. After each of them all that is known
//! stands in one file, which is replaced as a whole: who is killed goes on from there.

mod again;
mod course;
mod filing;
mod folder;
mod inputs;
mod merging;
mod seen;
pub(crate) mod switchboard;

pub use filing::{Filed, Standing};
pub use inputs::is_fuzzing;

use crate::errors::Refusal;
use crate::job::{Failure, Job};
use crate::work::Audience;
use course::Course;
use filing::State;
use inputs::Inputs;
use reduct_oracle::signature::Signature;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is to be fuzzed, and how: all that decides which inputs there are and what is done about failures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fuzzing {
    /// The command, how it gets its input (the only one of the job, which need not exist), what a failure is, the
    /// limits; its `out` is the folder of what is found.
    pub job: Job,
    /// The seed.
    pub seed: u64,
    /// The names of the generators that take turns; none for all that apply.
    pub generators: Vec<String>,
    /// How many bytes an input has at most.
    pub largest: usize,
    /// The parameters of the classic generator.
    pub classic: Classic,
    /// Files, and folders with files, to make inputs from.
    #[serde(with = "reduct_system::os_path::several")]
    pub examples: Vec<PathBuf>,
    /// Files, and folders with files, that are the inputs, instead of any that are made.
    #[serde(with = "reduct_system::os_path::several")]
    pub from: Vec<PathBuf>,
    /// How long one failure may be reduced; `None` not to reduce.
    pub reduce_time: Option<Duration>,
    /// What makes the input of a trial again, as words after `reduct fuzz`.
    pub recipe: String,
}

/// The parameters of the classic generator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classic {
    /// How many characters; by default another number each time.
    pub length: Option<usize>,
    /// Printable characters only.
    pub printable: bool,
    /// NUL characters too.
    pub nul: bool,
    /// Lines of random length up to this.
    pub lines: Option<usize>,
    /// What the input ends in.
    pub epilog: String,
}

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until {
    /// After so many trials, those of earlier sessions included.
    pub trials: Option<u64>,
    /// After so long.
    pub time: Option<Duration>,
    /// When so many different failures were found that repeat, and need an input.
    pub findings: Option<usize>,
}

/// What happens, for who watches.
#[derive(Debug)]
pub enum Happening<'a> {
    /// It begins, at this trial.
    Began {
        /// The trial.
        at: u64,
        /// What makes inputs.
        from: String,
    },
    /// So it goes.
    Progress {
        /// How many trials were run, those of earlier sessions included.
        trials: u64,
        /// How many of them a second, of late.
        rate: f64,
        /// How many different failures were found.
        findings: usize,
    },
    /// A failure that was not met before is in its folder.
    Found(&'a Filed),
    /// It was reduced, or it was found out why not.
    Reduced(&'a Filed),
    /// What was in this folder is the same as another finding, which counts it from now on.
    Same {
        /// The folder, which stays.
        folder: &'a str,
        /// The other one.
        of: &'a Filed,
        /// Why they are the same.
        why: &'a str,
    },
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Fuzzed {
    /// The different failures.
    pub findings: Vec<Filed>,
    /// How many trials were run, those of earlier sessions included.
    pub trials: u64,
    /// Where everything is.
    pub folder: PathBuf,
    /// Whether somebody interrupted it.
    pub interrupted: bool,
    /// Whether there is nothing left to run.
    pub exhausted: bool,
}

/// Fuzzes, in a folder of its own that must not exist, or may be replaced with `force` if it is of this sort.
///
/// # Errors
/// If the inputs cannot be made or the command cannot be started. Nothing is changed then.
pub fn fuzz(
    fuzzing: &Fuzzing,
    force: bool,
    until: Until,
    audience: Audience<'_>,
    watcher: &mut dyn FnMut(&Happening<'_>),
) -> Result<Fuzzed, Refusal> {
    let mut inputs = Inputs::of(fuzzing)?;
    course::can_start(fuzzing)?;
    let mut state = State::begin(fuzzing, force, until)?;
    inputs.follow(&mut state);
    state.save()?;
    Course::new(state, inputs, until, audience, watcher)?.run()
}

/// Goes on in a folder where it stopped. What `until` leaves open is as it was said at the beginning, if it was not
/// reached yet.
///
/// # Errors
/// If the folder is not of this sort, or its examples are not there any more.
pub fn fuzz_again(
    folder: &Path,
    until: Until,
    audience: Audience<'_>,
    watcher: &mut dyn FnMut(&Happening<'_>),
) -> Result<Fuzzed, Refusal> {
    let mut state = State::read(folder)?;
    let mut inputs = Inputs::of(&state.fuzzing)?;
    inputs.follow(&mut state);
    let until = state.until(until);
    Course::new(state, inputs, until, audience, watcher)?.run()
}

impl Fuzzing {
    /// What a failure is for the reduction of one with this signature.
    fn reading(&self, signature: &Signature) -> Failure {
        match &self.job.failure {
            Failure::Observed => Failure::Like(signature.clone()),
            said => said.clone(),
        }
    }
}
