//! What the commands that run tests have in common.

use super::confining::Confining;
use super::headings::{FAILURE, RESULT, SEARCH, TEST, VERSIONS};
use super::jobs::Jobs;
use super::limits::{Limiting, Stopping};
use super::values::{duration, usage};
use super::view::Looks;
use clap::builder::PossibleValuesParser;
use reduct_lib::{Copied, Failure, Goal, InputDelivery, Job, Means, Refusal, TestPlace, VersionOptions};
use reduct_oracle::condition::Condition;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The test, and how it is run.
#[derive(clap::Args, Debug)]
pub(super) struct Common {
    /// The test, run once for each candidate; `{}` stands for the path of the candidate
    #[arg(last = true, help_heading = None::<&'static str>, value_name = "COMMAND")]
    command: Vec<OsString>,

    /// Give the test as a line for the shell, instead of `-- COMMAND`
    #[arg(short = 'c', long = "shell", value_name = "LINE", help_heading = TEST, conflicts_with = "command")]
    shell: Option<OsString>,

    /// Define the failure: exit=1, signal=SEGV, timeout, stderr~REGEX, …
    ///
    /// By default, the failure is what the first run shows. If the option is given several times,
    /// all conditions must hold. The conditions:
    ///
    ///   exit=1           the exit status is 1
    ///   signal=SEGV      the program dies by this signal
    ///   timeout          the program runs into the time limit
    ///   stdout~REGEX     standard output matches
    ///   stderr~REGEX     standard error matches
    ///   output~REGEX     one of the two matches
    ///   frame~REGEX      the backtrace names such a function
    ///   slower-than=2s   it takes more processor time than this
    ///   memory-over=1G   it takes more memory than this
    ///   !CONDITION       the condition does not hold
    #[arg(long, value_name = "CONDITION", help_heading = FAILURE, verbatim_doc_comment)]
    fails_if: Vec<Condition>,

    /// Define the failure as a difference from another command
    ///
    /// LINE is a line for the shell, which runs in the same folder as the test; `{}` stands for the path of the
    /// candidate. The failure is that the test exits with another status than LINE or writes something else to standard
    /// output. LINE must exit with 0; otherwise the candidate is unresolved.
    #[arg(long, value_name = "LINE", help_heading = FAILURE, hide_short_help = true)]
    differs_from: Option<String>,

    /// Do not ask gdb in which function a program died
    ///
    /// By default, if a program dies by a signal and prints no report, gdb names the functions on the stack, and a death
    /// in other functions is another failure. With this option, every death by the same signal is the failure.
    #[arg(long, help_heading = FAILURE, hide_short_help = true)]
    no_backtrace: bool,

    /// Replace whatever stands at the place of the result
    #[arg(long, help_heading = RESULT, hide_short_help = true, display_order = 900)]
    pub(super) force: bool,

    #[command(flatten)]
    jobs: Jobs,

    /// Run a test again when the search repeats it
    #[arg(long, help_heading = SEARCH, display_order = 901, hide_short_help = true)]
    no_cache: bool,

    /// Use the outcomes of earlier runs of the same test in this folder
    ///
    /// An outcome is not used if a file has changed on which the test is known to rely. The last lines say how many
    /// outcomes came from earlier runs. By default, this run runs all tests itself.
    #[arg(long, help_heading = SEARCH, display_order = 902, hide_short_help = true, conflicts_with = "no_cache")]
    reuse: bool,

    #[command(flatten)]
    confining: Confining,

    #[command(flatten)]
    limits: Limiting,

    #[command(flatten)]
    pub(super) stopping: Stopping,

    #[command(flatten)]
    pub(super) looks: Looks,
}

/// How the candidate is handed to the test, on top of standing in its folder.
#[derive(clap::Args, Debug)]
pub(super) struct Handing {
    /// Pass the path of the candidate to the test as the last argument
    #[arg(long, help_heading = TEST, hide_short_help = true)]
    arg: bool,

    /// Pass the candidate to the test on standard input
    #[arg(long, help_heading = TEST)]
    stdin: bool,
}

impl Handing {
    pub(super) fn handed(&self) -> InputDelivery {
        InputDelivery::default().with_as_argument(self.arg).with_on_stdin(self.stdin)
    }
}

/// Where tests run.
#[derive(clap::Args, Debug)]
pub(super) struct Placing {
    /// Run the test in copies of this project folder
    ///
    /// In a copy, the candidate stands at its own path, and the command runs in the folder that corresponds to the
    /// current one. By default, the test runs in copies of the current folder if it fails in another way there than in a
    /// bare folder, which holds only the candidate (docs/PROJECTS.md).
    #[arg(long = "in", value_name = "DIR", help_heading = TEST, conflicts_with = "bare")]
    within: Option<PathBuf>,

    /// Run the test in a bare folder, which holds only the candidate
    #[arg(long, help_heading = TEST, hide_short_help = true)]
    bare: bool,
}

impl Placing {
    /// Returns the same job, with its tests where that is asked for.
    pub(super) fn of(&self, job: Job) -> Result<Job, Refusal> {
        let Some(within) = &self.within else {
            return Ok(job.with_place(if self.bare { TestPlace::Bare } else { TestPlace::Open }));
        };
        if !job.source().is_command() {
            return Err(usage("a person and a server get candidates one by one, not in a project", "leave out --in"));
        }
        let top = within.canonicalize().map_err(Refusal::io("copy", within))?;
        if !top.is_dir() {
            return Err(usage(format!("{} is no folder", within.display()), "--in takes the folder of the project"));
        }
        let job = job.with_place(TestPlace::Copy(Copied::of(top)));
        // Whether the input is a part of it is said before anything is run.
        job.project()?;
        Ok(job)
    }
}

/// How versions are built.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = VERSIONS)]
pub(super) struct Building {
    /// Build each version with this line for the shell before the test
    ///
    /// If the build of a version fails, the version is unresolved.
    #[arg(long, value_name = "LINE")]
    build: Option<OsString>,

    /// Stop a build after this time
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration, hide_short_help = true)]
    build_timeout: Duration,

    /// Put this file or folder into every version as it is now (may be given several times)
    #[arg(long, value_name = "PATH")]
    with: Vec<PathBuf>,

    /// Follow only the first parents of merges
    #[arg(long, hide_short_help = true)]
    first_parent: bool,

    /// Test each version in a new folder, built from nothing
    #[arg(long, hide_short_help = true)]
    fresh: bool,

    /// Look for at most N independent causes
    #[arg(long, value_name = "N", default_value_t = 10, hide_short_help = true)]
    causes: u16,
}

impl Building {
    /// Returns the options as a job has them.
    pub(super) fn comparing(&self) -> VersionOptions {
        let build = self.build.as_ref().map(|line| vec!["sh".into(), "-c".into(), line.clone()]).unwrap_or_default();
        VersionOptions::default()
            .with_build(build)
            .with_build_time(Some(self.build_timeout))
            .with_with(self.with.clone())
            .with_first_parent(self.first_parent)
            .with_fresh(self.fresh)
            .with_causes(usize::from(self.causes))
    }
}

/// What is done about tests that fail now and then.
#[derive(clap::Args, Debug)]
pub(super) struct Repeating {
    /// Reduce a failure that occurs in some runs only
    ///
    /// Each candidate runs until it is clear whether it fails. The last lines give the confidence in the result
    /// (docs/FLAKY.md).
    #[arg(long, help_heading = FAILURE)]
    pub(super) repeat: bool,
}

/// What tells the outcome of a candidate.
#[derive(clap::Args, Debug)]
pub(super) struct Asking {
    /// Ask a person about each candidate, instead of running a test
    ///
    /// A COMMAND, if given, only shows the candidate. reduct asks as few questions as it can; without a question, it
    /// assumes that the whole input fails and that the empty input does not. `--ask=page` asks on a web page, prints the
    /// address of the page, and asks at the terminal too, if there is one. `--ask=browser` also opens the page
    /// (docs/ASK.md).
    #[arg(long, value_name = "WHERE", help_heading = TEST, hide_short_help = true, num_args = 0..=1, require_equals = true, default_missing_value = "terminal",
          value_parser = PossibleValuesParser::new(["terminal", "page", "browser"]),
          conflicts_with_all = ["fails_if", "no_cache", "reuse", "jobs", "repeat", "differs_from"])]
    ask: Option<String>,
}

impl Asking {
    /// Returns the same job, with a person instead of a test, if that is asked for; `looks` say whether the page is opened, too.
    pub(super) fn of(&self, job: Job, looks: &Looks) -> Job {
        let means = |name: &str| match name {
            "page" if looks.opens_page() => Means::Browser,
            "page" => Means::Page,
            "browser" => Means::Browser,
            _ => Means::Terminal,
        };
        let ask = self.ask.as_deref().map(|name| reduct_lib::PersonOptions::now(means(name)));
        let job = job.with_ask(ask);
        if self.is_asked() { job.with_failure(Failure::ExitZero) } else { job }
    }

    /// Returns how the run is shown: on the page on which a person is asked, if one is.
    pub(super) fn looks(&self, looks: &Looks) -> Looks {
        let looks = looks.asking(self.is_asked());
        if self.ask.as_deref().is_some_and(|place| place != "terminal") { looks.without_page() } else { looks }
    }

    /// Returns whether a person says it.
    pub(super) fn is_asked(&self) -> bool {
        self.ask.is_some()
    }
}

impl Common {
    /// Returns how the run is shown.
    pub(super) fn looks(&self) -> &Looks {
        &self.looks
    }

    /// Returns the conditions as they were given.
    pub(super) fn fails_if(&self) -> &[Condition] {
        &self.fails_if
    }

    /// Returns the words after `--`.
    pub(super) fn words(&self) -> &[OsString] {
        &self.command
    }

    /// Returns the test, unless it is given otherwise.
    pub(super) fn command(&self) -> Option<Vec<OsString>> {
        match &self.shell {
            Some(line) => Some(vec!["sh".into(), "-c".into(), line.clone()]),
            None => Some(self.command.clone()).filter(|command| !command.is_empty()),
        }
    }

    /// Refuses what is for single searches only.
    pub(super) fn refuse_what_is_for_searches(&self, word: &str) -> Result<(), Refusal> {
        let given = [
            ("--shell", self.shell.is_some()),
            ("--differs-from", self.differs_from.is_some()),
            ("--no-cache", self.no_cache),
            ("--reuse", self.reuse),
            ("--until-granularity", self.stopping.granularity().is_some()),
            ("--stall", self.stopping.stops().stall.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(usage(format!("{option} is not for reduct {word}"), "leave it out")),
            None => Ok(()),
        }
    }

    /// Returns what the failure is.
    fn failure(&self) -> Result<Failure, Refusal> {
        let differs = self.differs_from.clone().map(Condition::differs_from);
        let all: Vec<Condition> = self.fails_if.iter().cloned().chain(differs).collect();
        if all.iter().filter(|condition| condition.reference().is_some()).count() > 1 {
            return Err(usage("the test can be compared with one other command only", "give one --differs-from"));
        }
        let too_short = |condition: &&Condition| {
            condition.time().zip(self.limits.timeout).is_some_and(|(time, limit)| limit <= time)
                || condition.memory().zip(self.limits.memory).is_some_and(|(memory, limit)| limit <= memory)
        };
        if let Some(condition) = all.iter().find(too_short) {
            let what = format!("no test can be seen to be {condition}: the limit on it is no higher");
            return Err(usage(what, "raise --timeout or --memory, at least to twice as much"));
        }
        Ok(if all.is_empty() { Failure::Observed } else { Failure::Conditions(all) })
    }

    /// Returns a job of this test, that reduces.
    pub(super) fn job(&self, command: Vec<OsString>, inputs: Vec<PathBuf>, out: PathBuf) -> Result<Job, Refusal> {
        let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
        Ok(Job::new(inputs, command, out)
            .with_folder(folder)
            .with_typed(super::typed::words(std::env::args_os()))
            .with_failure(self.failure()?)
            .with_limits(self.limits.allowed())
            .with_confinement(self.confining.confinement()?)
            .with_cache(!self.no_cache)
            .with_reuse(self.reuse)
            .with_jobs(self.jobs.wanted()?)
            .with_scratch(self.limits.scratch.clone())
            .with_patience(self.limits.patience)
            .with_backtrace(!self.no_backtrace))
    }

    /// Returns a job that compares an input with something; `word` is the command.
    pub(super) fn comparison(&self, word: &str, input: PathBuf, goal: Goal, out: PathBuf) -> Result<Job, Refusal> {
        let Some(command) = self.command() else {
            let help = format!("give a command that shows the failure: reduct {word} … -- COMMAND");
            return Err(usage("there is no test", help));
        };
        if self.stopping.granularity().is_some() {
            return Err(usage("--until-granularity is for reductions", "leave it out, or use --tests or --time"));
        }
        Ok(self.job(command, vec![input], out)?.with_goal(goal))
    }
}
