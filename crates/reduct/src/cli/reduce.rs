//! `reduct FILE... -- COMMAND` and `reduct ./test.sh FILE...`.

use super::view::{self, Looks};
use super::{duration, size, stall, usage};
use clap::builder::{PossibleValue, PossibleValuesParser};
use reduct::{Against, Allowed, Comparing, Failure, Handed, Job, Refusal, Searching, is_program, reduce};
use reduct_circumstances::{Cut, KINDS, Method, PASSES};
use reduct_grammars::LANGUAGES;
use reduct_run::oracle::condition::Condition;
use reduct_run::session::Stops;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What to reduce, and how.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The files and folders to reduce. Without `-- COMMAND` the first is the test, a script that exits
    /// with 0 if the failure occurs (C-Reduce, C-Vise).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The test: run in a fresh folder that holds the candidate under its own name; `{}` is its path
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,

    /// The test as a line for the shell, instead of `-- COMMAND`
    #[arg(short = 'c', long = "shell", value_name = "LINE", conflicts_with = "command")]
    shell: Option<OsString>,

    /// Hand the path of the candidate to the test as its last argument
    #[arg(long)]
    arg: bool,

    /// Hand the candidate to the test on standard input
    #[arg(long)]
    stdin: bool,

    /// What the failure is: exit=1, signal=SEGV, timeout, stdout~REGEX, stderr~REGEX, output~REGEX; `!` in
    /// front for the opposite; given several times, all must hold. By default, what the first run shows
    #[arg(long, value_name = "CONDITION")]
    fails_if: Vec<Condition>,

    /// Reduce by these only, in this order: files, chunks, nodes, brackets, blocks, lines, words, tokens,
    /// chars, bytes, or passes such as hoist and rename (docs/passes.md)
    #[arg(long, value_name = "KINDS", value_delimiter = ',', hide_possible_values = true, value_parser = PossibleValuesParser::new(KINDS.iter().chain(PASSES).map(|kind| kind.name)))]
    by: Vec<String>,

    /// How to search
    #[arg(long, value_name = "NAME", default_value = "relevance", value_parser = PossibleValuesParser::new(Method::ALL.iter().map(|(name, ..)| *name)))]
    search: String,

    /// Read all inputs as this language instead of guessing it by name: c, cpp, rust, python, …; `none` reads none
    #[arg(long, value_name = "NAME", hide_possible_values = true, ignore_case = true, value_parser = PossibleValuesParser::new(languages()))]
    language: Option<String>,

    /// Bring the result into normal form in the end (names, layout), so that results can be compared
    #[arg(long)]
    normalize: bool,

    /// Where searches like ddmin cut their lists; `joints` keeps paragraphs, lines and words together
    #[arg(long, value_name = "NAME", hide_short_help = true, default_value = "book", value_parser = PossibleValuesParser::new(Cut::ALL.iter().map(|(name, _)| *name)))]
    split: String,

    /// Take for granted that a part of what passes passes too
    #[arg(long, hide_short_help = true)]
    monotone: bool,

    /// How many tests run at a time; the result is the same for any number [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,

    /// Run repeated tests again, and share nothing with other runs
    #[arg(long)]
    no_cache: bool,

    /// Where the result goes [default: beside FILE, `page.reduced.html`]
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// Replace what stands at the place of the result, whatever it is
    #[arg(long)]
    force: bool,

    /// Put the result in the place of the input; the original is kept as FILE.orig, once and for all
    #[arg(long, conflicts_with = "out")]
    in_place: bool,

    #[command(flatten)]
    limits: Limiting,

    #[command(flatten)]
    stopping: Stopping,

    #[command(flatten)]
    pub(super) looks: Looks,
}

/// What a test may use.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Limits of a test")]
pub(super) struct Limiting {
    /// How long it may run, e.g. 10s [default: ten times the slowest first run, at least 2s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
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
        let Limiting { timeout: time, memory, processes, file_size, .. } = self;
        Allowed { time: *time, memory: *memory, processes: *processes, file_size: *file_size }
    }
}

/// When to stop early.
#[derive(clap::Args, Clone, Debug)]
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

/// The names of the languages, and of none.
pub(super) fn languages() -> impl Iterator<Item = PossibleValue> {
    let known = LANGUAGES.iter().map(|language| PossibleValue::new(language.name).aliases(language.aliases().skip(1)));
    known.chain([PossibleValue::new("none")])
}

/// Reduces.
pub fn run(args: &Args) -> Result<ExitCode, Refusal> {
    let job = job(args)?;
    view::watch(&args.looks, |audience| {
        reduce(&job, args.force, args.stopping.stops(), audience).map(|report| Some((job.clone(), report)))
    })
}

fn job(args: &Args) -> Result<Job, Refusal> {
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let (inputs, command, script) = test(args)?;
    for input in &inputs {
        if let Err(error) = std::fs::metadata(input) {
            return Err(Refusal::io("read", input)(error));
        }
    }
    let failure = match (script, args.fails_if.is_empty()) {
        (_, false) => Failure::Conditions(args.fails_if.clone()),
        (true, true) => Failure::ExitZero,
        (false, true) => Failure::Observed,
    };
    let out = match (&args.out, args.in_place) {
        (Some(out), _) => folder.join(out),
        (None, true) => in_place(&folder, &inputs)?,
        (None, false) => folder.join(default_out(&inputs)),
    };
    let search = Searching {
        by: args.by.clone(),
        method: args.search.clone(),
        cut: args.split.clone(),
        monotone: args.monotone,
        least: args.stopping.granularity().unwrap_or(1),
        language: args.language.clone(),
        normalize: args.normalize,
    };
    let Limiting { scratch, patience, .. } = &args.limits;
    Ok(Job {
        inputs,
        command,
        handed: Handed { as_argument: args.arg, on_stdin: args.stdin },
        failure,
        search,
        limits: args.limits.allowed(),
        out,
        in_place: args.in_place,
        cache: !args.no_cache,
        jobs: args.jobs.map(usize::from),
        scratch: scratch.clone(),
        patience: *patience,
        folder,
        repeat: false,
        against: Against::Empty,
        comparing: Comparing::default(),
    })
}

/// The inputs, the test command, and whether that is a script in the order of C-Reduce.
fn test(args: &Args) -> Result<(Vec<PathBuf>, Vec<OsString>, bool), Refusal> {
    if let Some(line) = &args.shell {
        return Ok((args.files.clone(), vec!["sh".into(), "-c".into(), line.clone()], false));
    }
    if !args.command.is_empty() {
        return Ok((args.files.clone(), args.command.clone(), false));
    }
    let [script, inputs @ ..] = &args.files[..] else { return Err(no_test(&args.files)) };
    if inputs.is_empty() {
        return Err(no_test(&args.files));
    }
    if !is_program(script) {
        let what = format!("there is no test: `{}` is not a program", script.display());
        let help = "give the test after `--`: reduct FILE -- COMMAND, or a script first: reduct ./test.sh FILE \
                    (chmod +x makes a script a program)";
        return Err(usage(what, help));
    }
    // Started from its own place, so that it is not looked for on the search path.
    let script = if script.components().count() == 1 { Path::new(".").join(script) } else { script.clone() };
    Ok((inputs.to_vec(), vec![script.into_os_string()], true))
}

fn no_test(files: &[PathBuf]) -> Refusal {
    let name = files.first().map_or_else(|| "FILE".into(), |file| file.display().to_string());
    let help = match name.as_str() {
        "resume" | "verify" | "log" | "isolate" | "changes" => {
            format!("options stand behind the word: reduct {name} OPTIONS")
        }
        _ => format!("give a command that shows the failure: reduct {name} -- COMMAND"),
    };
    usage("there is no test", help)
}

/// `page.reduced.html` beside `page.html`; a folder `reduced` for several inputs.
fn default_out(inputs: &[PathBuf]) -> PathBuf {
    let [input] = inputs else { return "reduced".into() };
    beside(input, "reduced")
}

/// `page.WORD.html` beside `page.html`.
pub(super) fn beside(input: &Path, word: &str) -> PathBuf {
    let input = match input.file_name() {
        Some(_) => input.to_owned(),
        None => input.canonicalize().unwrap_or_else(|_| input.to_owned()),
    };
    let mut name = input.file_stem().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(word);
    if let (Some(extension), false) = (input.extension(), input.is_dir()) {
        name.push(".");
        name.push(extension);
    }
    input.with_file_name(name)
}

fn in_place(folder: &Path, inputs: &[PathBuf]) -> Result<PathBuf, Refusal> {
    match inputs {
        [input] => folder.join(input).canonicalize().map_err(Refusal::io("read", input)),
        _ => Err(usage("--in-place works on one input", "put the inputs into one folder and give that")),
    }
}
