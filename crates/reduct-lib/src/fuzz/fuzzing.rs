//! What is to be fuzzed, how, and until when.

use crate::job::{Failure, Job};
use derive_setters::Setters;
use reduct_oracle::signature::Signature;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What is to be fuzzed, and how: all that decides which inputs there are and what is done about failures.
///
/// ```
/// use reduct_lib::{ClassicOptions, Fuzzing, Test};
///
/// let job = reduct_lib::reduce("input").test(Test::command(["./parser", "{}"])).to_job().with_out("found".into());
/// let fuzzing = Fuzzing::new(job)
///     .with_seed(7)
///     .with_generators(vec!["classic".into()])
///     .with_classic(ClassicOptions::default().with_printable(true));
/// assert_eq!(fuzzing.seed, 7);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
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
    pub classic: ClassicOptions,
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ClassicOptions {
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
#[derive(Clone, Copy, Debug, Default, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Until {
    /// After so many trials, those of earlier sessions included.
    pub trials: Option<u64>,
    /// After so long.
    pub time: Option<Duration>,
    /// When so many different failures were found that repeat, and need an input.
    pub findings: Option<usize>,
}

impl Fuzzing {
    /// Fuzzes the command of this job with inputs of at most 100,000 bytes, from seed 0, by all generators that apply.
    /// What is found is not reduced.
    pub fn new(job: Job) -> Fuzzing {
        Fuzzing {
            job,
            seed: 0,
            generators: vec![],
            largest: 100_000,
            classic: ClassicOptions::default(),
            examples: vec![],
            from: vec![],
            reduce_time: None,
            recipe: String::new(),
        }
    }

    /// Returns what a failure is for the reduction of one with this signature.
    pub(super) fn reading(&self, signature: &Signature) -> Failure {
        match &self.job.failure {
            Failure::Observed => Failure::Like(signature.clone()),
            said => said.clone(),
        }
    }
}
