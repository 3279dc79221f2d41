//! What the commands that run tests have in common.

use super::view::Looks;
use super::{duration, size, some_time, stall, usage};
use clap::builder::PossibleValuesParser;
use reduct::{Against, Allowed, Comparing, Copied, Failure, Handed, Job, Means, Place, Refusal, Searching};
use reduct_run::oracle::condition::Condition;
use reduct_run::session::Stops;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The test, and how it is run.
#[derive(clap::Args, Debug)]
pub struct Common {
    /// The test, run as it is; `{}` is the path of the candidate
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,

    /// The test as a line for the shell, instead of `-- COMMAND`
    #[arg(short = 'c', long = "shell", value_name = "LINE", conflicts_with = "command")]
    shell: Option<OsString>,

    /// What the failure is: exit=1, signal=SEGV, timeout, stdout~REGEX, stderr~REGEX, output~REGEX, frame~REGEX
    /// (a function of the backtrace), slower-than=2s (processor time), memory-over=1G; `!` in front for the
    /// opposite; given several times, all must hold. By default, what the first run shows
    #[arg(long, value_name = "CONDITION")]
    fails_if: Vec<Condition>,

    /// The failure is that the test exits otherwise, or writes something else to standard output, than this line
    /// for the shell, which is run in the same folder and has to exit with 0; `{}` is the path of the candidate
    #[arg(long, value_name = "LINE")]
    differs_from: Option<String>,

    /// Do not ask gdb where a program has died that says nothing: any death by the same signal is the failure
    #[arg(long)]
    no_backtrace: bool,

    /// How many tests run at a time; the result is the same for any number [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,

    /// Run repeated tests again
    #[arg(long)]
    no_cache: bool,

    /// Take outcomes from earlier runs of the same test here, unless a file that it is known to rely on has changed;
    /// the end says on how many the answer rests [default: everything is run in this run]
    #[arg(long, conflicts_with = "no_cache")]
    reuse: bool,

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

/// How the candidate is handed to the test, on top of standing in its folder.
#[derive(clap::Args, Debug)]
pub struct Handing {
    /// Hand the path of the candidate to the test as its last argument
    #[arg(long)]
    arg: bool,

    /// Hand the candidate to the test on standard input
    #[arg(long)]
    stdin: bool,
}

impl Handing {
    pub(super) fn handed(&self) -> Handed {
        Handed { as_argument: self.arg, on_stdin: self.stdin }
    }
}

/// Where tests run.
#[derive(clap::Args, Debug)]
pub struct Placing {
    /// Run the test in copies of this folder, with the candidate at its own path
    ///
    /// The command runs in the copy where you stand. By default, that is done with the folder in which you stand if
    /// the test fails otherwise there than in a bare folder.
    #[arg(long = "in", value_name = "DIR", conflicts_with = "bare")]
    within: Option<PathBuf>,

    /// Run the test in a folder that holds nothing but the candidate
    #[arg(long)]
    bare: bool,
}

impl Placing {
    /// The same job, with its tests where that is asked for.
    pub(super) fn of(&self, job: Job) -> Result<Job, Refusal> {
        let Some(within) = &self.within else {
            return Ok(Job { place: if self.bare { Place::Bare } else { Place::Open }, ..job });
        };
        if job.ask.is_some() || job.persistent.is_some() {
            return Err(usage("a person and a server get candidates one by one, not in a project", "leave out --in"));
        }
        let top = within.canonicalize().map_err(Refusal::io("copy", within))?;
        if !top.is_dir() {
            return Err(usage(format!("{} is no folder", within.display()), "--in takes the folder of the project"));
        }
        let job = Job { place: Place::Copy(Copied::of(top, true)), ..job };
        // Whether the input is a part of it is said before anything is run.
        job.project()?;
        Ok(job)
    }
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

/// What is done about tests that fail now and then.
#[derive(clap::Args, Debug)]
pub struct Repeating {
    /// Run each candidate until it is clear whether it fails, for a test that fails now and then; at the end it
    /// is said with what confidence
    #[arg(long)]
    pub(super) repeat: bool,
}

/// Who says what a candidate does.
#[derive(clap::Args, Debug)]
pub struct Asking {
    /// Ask me what each candidate does, as few times as can be, instead of running a test; a COMMAND only shows
    /// it. Your word is taken that the whole fails and that nothing at all does not. `page` asks on a page, the
    /// address of which is printed, and at the terminal if there is one; `browser` also opens it
    #[arg(long, value_name = "WHERE", num_args = 0..=1, require_equals = true, default_missing_value = "terminal",
          value_parser = PossibleValuesParser::new(["terminal", "page", "browser"]),
          conflicts_with_all = ["fails_if", "no_cache", "reuse", "jobs", "repeat", "differs_from"])]
    ask: Option<String>,
}

impl Asking {
    /// The same job, with a person instead of a test, if that is asked for.
    pub(super) fn of(&self, job: Job) -> Job {
        let means = |name: &str| match name {
            "page" => Means::Page,
            "browser" => Means::Browser,
            _ => Means::Terminal,
        };
        let ask = self.ask.as_deref().map(|name| reduct::Asking::now(means(name)));
        Job { failure: if self.is_asked() { Failure::ExitZero } else { job.failure.clone() }, ask, ..job }
    }

    /// Whether a person says it.
    pub(super) fn is_asked(&self) -> bool {
        self.ask.is_some()
    }
}

impl Common {
    /// The test, unless it is given otherwise.
    pub(super) fn command(&self) -> Option<Vec<OsString>> {
        match &self.shell {
            Some(line) => Some(vec!["sh".into(), "-c".into(), line.clone()]),
            None => Some(self.command.clone()).filter(|command| !command.is_empty()),
        }
    }

    /// What the failure is.
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

    /// A job of this test, that reduces.
    pub(super) fn job(&self, command: Vec<OsString>, inputs: Vec<PathBuf>, out: PathBuf) -> Result<Job, Refusal> {
        Ok(Job {
            folder: std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?,
            inputs,
            command,
            handed: Handed::default(),
            failure: self.failure()?,
            search: Searching::standard(),
            limits: self.limits.allowed(),
            out,
            in_place: false,
            cache: !self.no_cache,
            reuse: self.reuse,
            jobs: self.jobs.map(usize::from),
            scratch: self.limits.scratch.clone(),
            patience: self.limits.patience,
            repeat: false,
            persistent: None,
            ask: None,
            against: Against::Empty,
            comparing: Comparing::default(),
            backtrace: !self.no_backtrace,
            place: Place::Bare,
            caveats: vec![],
        })
    }

    /// A job that compares an input with something; `word` is the command.
    pub(super) fn comparison(
        &self,
        word: &str,
        input: PathBuf,
        against: Against,
        out: PathBuf,
    ) -> Result<Job, Refusal> {
        let Some(command) = self.command() else {
            let help = format!("give a command that shows the failure: reduct {word} … -- COMMAND");
            return Err(usage("there is no test", help));
        };
        if self.stopping.granularity().is_some() {
            return Err(usage("--until-granularity is for reductions", "leave it out, or use --tests or --time"));
        }
        Ok(Job { against, ..self.job(command, vec![input], out)? })
    }
}

/// What a test may use.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Limits of a test")]
pub struct Limiting {
    /// How long it may run, e.g. 10s. Who reaches that counts as unresolved once it did so again alone, or had the
    /// processor all the time; unless that is the failure [default: ten times the slowest first run, at least 2s,
    /// of processor time, and 2s longer, times the jobs that share a core]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    pub(super) timeout: Option<Duration>,

    /// How much memory it may take, with all its processes, e.g. 2G [default: a fair share of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) memory: Option<u64>,

    /// How many processes it may have at a time [default: 4096]
    #[arg(long, value_name = "N")]
    pub(super) processes: Option<u64>,

    /// How large a file it may write [default: 1G, or 16 times the input]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) file_size: Option<u64>,

    /// Let the system give the memory of a test other addresses in each run (ASLR). By default that is switched off, as
    /// gdb and rr do, so that what overflows the stack does so in each run
    #[arg(long)]
    pub(super) aslr: bool,

    /// Where tests have their folders [default: memory, where there is room]
    #[arg(long, value_name = "FOLDER")]
    pub(super) scratch: Option<PathBuf>,

    /// How long to wait for space, processes or descriptors before stopping with the best so far
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(super) patience: Duration,
}

impl Limiting {
    /// What a test may use.
    pub(super) fn allowed(&self) -> Allowed {
        let Limiting { timeout: time, memory, processes, file_size, aslr, .. } = self;
        Allowed { time: *time, memory: *memory, processes: *processes, file_size: *file_size, aslr: *aslr }
    }
}

/// When to stop early.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Stopping early")]
pub struct Stopping {
    /// After this many tests
    #[arg(long, value_name = "N")]
    tests: Option<u64>,

    /// After this long, e.g. 10m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,

    /// When the last K tests made it smaller by less than PERCENT
    #[arg(long, value_name = "K,PERCENT", value_parser = stall)]
    stall: Option<(u64, u64)>,

    /// When only removals of less than N bytes are left (with a single --by: N parts)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    until_granularity: Option<u32>,
}

impl Stopping {
    /// The rules that are not part of the search itself.
    pub fn stops(&self) -> Stops {
        Stops { tests: self.tests, time: self.time, stall: self.stall }
    }

    /// Whether a granularity was given.
    pub fn granularity(&self) -> Option<usize> {
        self.until_granularity.map(|least| least as usize)
    }
}
