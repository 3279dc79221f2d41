//! What the commands that compare have in common.

use super::reduce::{Limiting, Stopping};
use super::view::Looks;
use super::{duration, usage};
use reduct::{Against, Comparing, Failure, Handed, Job, Refusal, Searching};
use reduct_run::oracle::condition::Condition;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The test, and how it is run.
#[derive(clap::Args, Debug)]
pub struct Common {
    /// The test
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,

    /// The test as a line for the shell, instead of `-- COMMAND`
    #[arg(short = 'c', long = "shell", value_name = "LINE", conflicts_with = "command")]
    shell: Option<OsString>,

    /// What the failure is: exit=1, signal=SEGV, timeout, stdout~REGEX, stderr~REGEX, output~REGEX; `!` in
    /// front for the opposite; given several times, all must hold. By default, what the first run shows
    #[arg(long, value_name = "CONDITION")]
    fails_if: Vec<Condition>,

    /// Run each candidate until it is clear whether it fails, for a test that fails now and then; at the end it
    /// is said with what confidence
    #[arg(long)]
    repeat: bool,

    /// How many tests run at a time; the result is the same for any number [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,

    /// Run repeated tests again, and share nothing with other runs
    #[arg(long)]
    no_cache: bool,

    /// Replace what stands at the place of the result, whatever it is
    #[arg(long)]
    pub(super) force: bool,

    #[command(flatten)]
    limits: Limiting,

    #[command(flatten)]
    pub(super) stopping: Stopping,

    #[command(flatten)]
    pub(super) looks: Looks,
}

/// How versions are built.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Versions")]
pub struct Building {
    /// A line for the shell that builds a version, run before the test: if it fails, nothing can be said of
    /// that version
    #[arg(long, value_name = "LINE")]
    build: Option<OsString>,

    /// How long a build may take
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration)]
    build_timeout: Duration,

    /// Take this file or folder of yours into every version as it is (may be given several times)
    #[arg(long, value_name = "PATH")]
    with: Vec<PathBuf>,

    /// Follow merges along their first parents only
    #[arg(long)]
    first_parent: bool,

    /// Test each version in a folder of its own, built from nothing
    #[arg(long)]
    fresh: bool,

    /// How many independent causes to look for at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    causes: u16,
}

impl Building {
    /// As a job says it.
    pub(super) fn comparing(&self) -> Comparing {
        let build = self.build.as_ref().map(|line| vec!["sh".into(), "-c".into(), line.clone()]).unwrap_or_default();
        Comparing {
            build,
            build_time: Some(self.build_timeout),
            with: self.with.clone(),
            first_parent: self.first_parent,
            fresh: self.fresh,
            causes: usize::from(self.causes),
        }
    }
}

impl Common {
    /// A job that compares inputs with something.
    pub(super) fn job(&self, word: &str, inputs: Vec<PathBuf>, against: Against, out: PathBuf) -> Result<Job, Refusal> {
        let command = match &self.shell {
            Some(line) => vec!["sh".into(), "-c".into(), line.clone()],
            None => self.command.clone(),
        };
        if command.is_empty() {
            return Err(usage(
                "there is no test",
                format!("give a command that shows the failure: reduct {word} … -- COMMAND"),
            ));
        }
        if self.stopping.granularity().is_some() {
            return Err(usage("--until-granularity is for reductions", "leave it out, or use --tests or --time"));
        }
        let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
        let failure = match &self.fails_if[..] {
            [] => Failure::Observed,
            all => Failure::Conditions(all.to_vec()),
        };
        Ok(Job {
            inputs,
            command,
            handed: Handed::default(),
            failure,
            search: Searching::standard(),
            limits: self.limits.allowed(),
            out,
            in_place: false,
            cache: !self.no_cache,
            jobs: self.jobs.map(usize::from),
            scratch: self.limits.scratch.clone(),
            patience: self.limits.patience,
            folder,
            repeat: self.repeat,
            against,
            comparing: Comparing::default(),
        })
    }
}
