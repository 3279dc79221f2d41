//! `reduct step PLAN -- PROGRAM`.

use super::trace::built::{Build, Ended, held};
use super::trace::listed::{Run, recorded_beside, recorded_in_all};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::usage;
use reduct_lib::Refusal;
use reduct_schedule::Library;
use reduct_trace::{
    BuiltTree, ControlFlow, Driven, ExecutionPlan, Program, Provenance, RandomPriorities, Schedule, Scheduling,
    StateChange, Task, record_file,
};
use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<StepArgs>("step", Group::Program, "trace");

/// The exit status of a run that is unresolved.
const CANNOT_TELL: u8 = 125;

/// A descriptor that a program inherits has such a number or a higher one, if there may be one.
const HIGH: [i32; 3] = [1000, 200, 10];

/// A program that a signal has ended ends with this and the number of the signal, as in shells.
const SIGNALLED: i32 = 128;

/// Run a program under a result of trace, state or schedule
///
/// Under a plan of `trace`, the program executes only the statement executions that the plan names; under a change of `state`, its
/// variables have other values; under a schedule of `schedule`, its threads are switched where the schedule says. `reduct step` ends
/// as the program ends. It ends with 125 (unresolved) if the program executes a statement that it did not execute when it was
/// recorded, or has changed since then. Such a run may write, remove and send things that the program never writes, removes and
/// sends otherwise: run it on copies.
#[derive(clap::Args, Debug)]
struct StepArgs {
    /// The plan, the change of values or the schedule
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// The program, as for `reduct trace`
    #[arg(last = true, value_name = "PROGRAM", required = true)]
    program: Vec<OsString>,

    /// The plan as it was recorded, or the folder it is in [default: prog.py.trace.txt beside prog.py.trace.reduced.txt, else PLAN itself]
    #[arg(long, value_name = "FILE")]
    recorded: Option<PathBuf>,

    /// Build the program with this line for the shell, as for `reduct trace`
    #[arg(long, value_name = "LINE")]
    build: Option<OsString>,

    /// After the program has ended, list the executions under the plan, with the values that they assigned
    #[arg(long, conflicts_with_all = ["record", "values"])]
    list: bool,

    /// Record all executions to this file instead
    #[arg(long, value_name = "FILE", hide = true)]
    record: Option<PathBuf>,

    /// Execute what PLAN has, and record what is deeper than the record reaches
    #[arg(long, hide = true, requires = "record")]
    deeper: bool,

    /// Record no more executions than this
    #[arg(long, value_name = "N", hide = true, default_value_t = 200_000)]
    most: usize,

    /// Record no deeper than this
    #[arg(long, value_name = "N", hide = true)]
    deepest: Option<usize>,

    /// Record where conditions go, to go there again
    #[arg(long, hide = true)]
    follow: bool,

    /// Give variables of the main module this value before they get one
    #[arg(long, value_name = "VALUE", hide = true)]
    unset: Option<String>,

    /// Print PLAN, a file of a program, with guards
    #[arg(long, hide = true)]
    guards: bool,

    /// What was compiled for the program
    #[arg(long, value_name = "FILE", hide = true)]
    prepared: Option<PathBuf>,

    /// Look into this file, or the files below this folder
    #[arg(long, value_name = "PATH", hide = true)]
    only: Vec<PathBuf>,

    /// Write the variables before the executions whose numbers PLAN has, a line each, to this file
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["record", "list"])]
    look: Option<PathBuf>,

    /// Run the program in this folder
    #[arg(long, value_name = "DIR", hide = true)]
    folder: Option<PathBuf>,

    /// Run the program with this variable of the environment; NAME alone: without it (may be given several times)
    #[arg(long, value_name = "NAME=VALUE")]
    env: Vec<OsString>,

    /// Write what is assigned to this file
    #[arg(long, value_name = "FILE", hide = true)]
    values: Option<PathBuf>,
}

impl CommandArgs for StepArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        if !self.plan.exists() {
            let help = "give a result of `reduct trace`, `reduct state` or `reduct schedule`";
            return Err(usage(format!("there is no plan: {} does not exist", self.plan.display()), help));
        }
        Ok(match run(self) {
            Ok(done) => done,
            Err(why) => {
                let safe: String = why.chars().map(reduct_report::excerpt::visible).collect();
                eprintln!("reduct step: {safe}");
                ExitCode::from(CANNOT_TELL)
            }
        })
    }
}

/// Becomes the program, or runs it and lists what it executes.
fn run(args: &StepArgs) -> Result<ExitCode, String> {
    let plan_path = absolute(&args.plan)?;
    if args.guards {
        return guarded(&plan_path);
    }
    let recorded = match &args.recorded {
        // A test is not told the name of the recorded plan: it would be taken for that of the candidate.
        Some(folder) if folder.is_dir() => {
            recorded_beside(&absolute(folder)?.join(plan_path.file_name().unwrap_or_default()))
        }
        Some(path) => absolute(path)?,
        None => recorded_beside(&plan_path),
    };
    let text = text_of(&plan_path)?;
    let values = args.values.as_deref().map(absolute).transpose()?;
    if Schedule::is_one(&text) {
        let schedule = Schedule::parse(&text).map_err(|error| format!("{}: {error}", plan_path.display()))?;
        enter(args.folder.as_deref())?;
        return scheduled(&args.program, &schedule.scheduling, &plan_path);
    }
    let what = What::of(args, &text, &plan_path, &recorded)?;
    let own = tempfile::Builder::new().prefix("reduct-step-").tempdir();
    let own = own.map_err(|error| format!("a folder for the driver: {error}"))?;
    let listed = own.path().join("values");
    let task = what.task(args, if args.list { Some(listed.clone()) } else { values })?;
    let folder =
        args.folder.clone().or_else(|| what.about().and_then(|about| about.folder.as_ref()).map(PathBuf::from));
    enter(folder.as_deref())?;
    let here = std::env::current_dir().map_err(|error| format!("the current folder: {error}"))?;
    let (program, prepared) = prepared(args, &here, what.about())?;
    let prepared = prepared.as_deref();
    // A copy that was built for this run stays as long as it goes on. In a test, the run of `trace` keeps it.
    let copy = prepared.filter(|_| args.prepared.is_none()).and_then(held);
    let driven = Driven { program: &program, into: &args.only, prepared, guards: Some(guards), task };
    let mut command = driven.command(own.path()).map_err(|error| error.to_string())?;
    args.env.iter().for_each(|variable| set(&mut command, variable));
    let cannot = |command: &Command, error: io::Error| format!("{}: {error}", command.get_program().to_string_lossy());
    if args.list {
        // What the program prints is no part of the listing.
        let ended = command.stdout(io::stderr()).status().map_err(|error| cannot(&command, error))?;
        if let What::Stepping { record, plan } = &what {
            let whole = recorded_in_all(&recorded, record);
            let run = Run { whole: &whole, left: plan, plan: &plan_path, words: &args.program, values: &listed };
            writeln!(io::stdout(), "{}", run.text()).map_err(|error| format!("the listing: {error}"))?;
        }
        let code = ended.code().unwrap_or_else(|| SIGNALLED + ended.signal().unwrap_or_default());
        return Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)));
    }
    // The program needs it until its end. In a test, it stands in the folder of the test.
    let kept = own.keep();
    let copy = copy.and_then(|copy| handed_on(&copy));
    let error = command.exec();
    drop(copy);
    let _ = std::fs::remove_dir_all(kept);
    Err(cannot(&command, error))
}

/// Goes to the folder in which the program is to run, if one is named.
fn enter(folder: Option<&Path>) -> Result<(), String> {
    let Some(folder) = folder else { return Ok(()) };
    std::env::set_current_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns a descriptor that a program has, too, in place of which this process is: what it holds, that program holds. It has a high number,
/// as programs count on low ones.
fn handed_on(file: &File) -> Option<OwnedFd> {
    let high = HIGH.into_iter().find_map(|least| fcntl_dupfd_cloexec(file, least).ok())?;
    fcntl_setfd(&high, FdFlags::empty()).ok()?;
    Some(high)
}

/// Gives a command a variable; a name without a value is taken away.
fn set(command: &mut Command, variable: &OsString) {
    let bytes = variable.as_bytes();
    match bytes.iter().position(|byte| *byte == b'=') {
        Some(at) => command.env(OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + 1..])),
        None => command.env_remove(variable),
    };
}

/// Returns the program, and what was prepared for it; one with a line that builds it is built.
fn prepared(args: &StepArgs, here: &Path, about: Option<&Provenance>) -> Result<(Program, Option<PathBuf>), String> {
    match (&args.build, about.and_then(|about| about.build.as_deref())) {
        (None, Some(line)) => Err(format!("the program is built first: say how it is built, e.g. --build '{line}'")),
        (None, None) => {
            Ok((Program::of(&args.program, here).map_err(|error| error.to_string())?, args.prepared.clone()))
        }
        (Some(line), _) => {
            let prepared = built(line, here, args, about)?;
            // As in tests.
            reduct_system::addresses::fix();
            let tree = BuiltTree::at(&prepared).map_err(|error| error.to_string())?;
            Ok((Program::built(&args.program, Some(&tree)).map_err(|error| error.to_string())?, Some(prepared)))
        }
    }
}

/// Returns where a program was built, or builds it now.
fn built(line: &OsString, here: &Path, args: &StepArgs, about: Option<&Provenance>) -> Result<PathBuf, String> {
    if let Some(prepared) = &args.prepared {
        // The limits of a test are none for a build.
        let gone = |why| format!("the copy in which the program was built cannot be used: {why}");
        return BuiltTree::at(prepared).map(|_| prepared.clone()).map_err(gone);
    }
    let recorded = about.filter(|_| args.only.is_empty()).map(|about| about.only.iter().map(PathBuf::from).collect());
    let only: Vec<PathBuf> = recorded.unwrap_or_else(|| args.only.clone());
    let build = Build { line, project: here, only: &only, is_confined: false };
    let run = &mut |words: Vec<OsString>, _: &Path| {
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        let done = command.args(words).stdin(Stdio::null()).output().map_err(Refusal::io("run", Path::new("sh")))?;
        let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
        Ok(Ended { is_done: done.status.success(), said })
    };
    build.built(run).map(|(place, _)| place).map_err(|error| error.to_string())
}

/// Returns the text of a file of a program with guards.
fn guards(path: &Path, text: &[u8]) -> Option<Vec<u8>> {
    reduct_grammars::guarded(path, text).map(|guarded| guarded.text)
}

/// Prints a file of a program with guards, for a driver.
fn guarded(path: &Path) -> Result<ExitCode, String> {
    let text = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let guarded = reduct_grammars::guarded(path, &text);
    let Some(guarded) = guarded else { return Err(format!("{} cannot have guards", path.display())) };
    io::stdout().write_all(&guarded.text).map_err(|error| format!("the guards: {error}"))?;
    Ok(ExitCode::SUCCESS)
}

/// Becomes the program under a schedule.
fn scheduled(program: &[OsString], how: &Scheduling, plan: &Path) -> Result<ExitCode, String> {
    if let Some(program) = driven_by_schedules(program) {
        let own = tempfile::Builder::new().prefix("reduct-step-").tempdir();
        let own = own.map_err(|error| format!("a folder for the driver: {error}"))?;
        let task = Task::Schedule { plan: plan.to_owned(), scheduling: how };
        let driven = Driven { program: &program, into: &[], prepared: None, guards: None, task };
        let mut command = driven.command(own.path()).map_err(|error| error.to_string())?;
        // The driver removes it.
        let _kept = own.keep();
        let error = command.exec();
        return Err(format!("{}: {error}", command.get_program().to_string_lossy()));
    }
    let library = Library::placed().map_err(|error| format!("the scheduler: {error}"))?;
    let (first, rest) = program.split_first().ok_or("there is no program")?;
    let mut command = Command::new(first);
    command.args(rest).envs(library.variables()).env("REDUCT_SCHEDULE_PLAN", plan);
    let files = [("REDUCT_SCHEDULE_COUNTS", &how.counts), ("REDUCT_SCHEDULE_RECORD", &how.record)];
    command.envs(files.into_iter().filter_map(|(name, file)| Some((name, file.as_ref()?))));
    command.envs(how.limit.map(|limit| ("REDUCT_SCHEDULE_LIMIT", limit.to_string())));
    if let Some(RandomPriorities { seed, depth, steps }) = how.chance {
        let numbers = [("SEED", seed), ("DEPTH", depth.into()), ("STEPS", steps)];
        command.envs(numbers.map(|(name, number)| (format!("REDUCT_SCHEDULE_{name}"), number.to_string())));
    }
    let error = command.exec();
    Err(format!("{}: {error}", first.to_string_lossy()))
}

/// Returns a program whose driver schedules its threads.
pub(super) fn driven_by_schedules(words: &[OsString]) -> Option<Program> {
    let here = std::env::current_dir().ok()?;
    Program::of(words, &here).ok().filter(Program::has_schedules)
}

/// What is done with a program.
enum What {
    Recording(PathBuf),
    RecordingDeeper { to: PathBuf, record: ExecutionPlan, plan: ExecutionPlan },
    Looking(PathBuf, Vec<u32>),
    Changing(StateChange),
    Stepping { record: ExecutionPlan, plan: ExecutionPlan },
}

impl What {
    fn of(args: &StepArgs, text: &str, plan: &Path, recorded: &Path) -> Result<What, String> {
        let named = |path: &Path, why: String| format!("{}: {why}", path.display());
        if let Some(to) = args.record.as_ref().filter(|_| !args.deeper) {
            return Ok(What::Recording(to.clone()));
        }
        if let Some(to) = &args.look {
            let numbers = text.lines().map(str::parse).collect::<Result<_, _>>();
            return Ok(What::Looking(to.clone(), numbers.map_err(|_| named(plan, "a line is no number".into()))?));
        }
        if StateChange::is_one(text) {
            return StateChange::parse(text).map(What::Changing).map_err(|error| named(plan, error.to_string()));
        }
        if is_empty(text) {
            return Err(named(plan, "there is nothing in it: no plan, no change of values and no schedule".into()));
        }
        let parse =
            |path: &Path, text: &str| ExecutionPlan::parse(text).map_err(|error| named(path, error.to_string()));
        let left = parse(plan, text)?;
        let recorded = &if args.recorded.as_ref().is_some_and(|path| path.is_file()) || is_deeper(recorded, &left) {
            recorded.to_owned()
        } else {
            record_file(recorded, left.record_number())
        };
        let record = parse(recorded, &text_of(recorded)?)?;
        if left.about.record.is_some() && left.about.record != record.about.record {
            return Err(named(recorded, "it is the record of another run than that of the plan".into()));
        }
        if record.events().is_empty() {
            return Err(named(
                recorded,
                "no execution was recorded in it: say which plan is the whole, with --recorded FILE".into(),
            ));
        }
        let last = record.events().iter().map(|it| it.time).max().unwrap_or_default();
        if plan == recorded && record.record_number() == 1 && (last as usize) > record.events().len() {
            let plan = plan.file_name().unwrap_or_default().to_string_lossy();
            return Err(format!(
                "{plan} is a part of what was recorded: say which plan is the whole, with --recorded FILE"
            ));
        }
        Ok(match &args.record {
            Some(to) => What::RecordingDeeper { to: to.clone(), plan: left, record },
            None => What::Stepping { plan: left, record },
        })
    }

    /// Returns what a driver is to do, with the file for what is assigned, if that is asked for.
    fn task(&self, args: &StepArgs, values: Option<PathBuf>) -> Result<Task<'_>, String> {
        Ok(match self {
            What::Recording(to) => Task::Record {
                to: absolute(to)?,
                most: args.most,
                deepest: args.deepest,
                control: if args.follow { ControlFlow::Recorded } else { ControlFlow::Natural },
                unset: args.unset.clone(),
            },
            What::RecordingDeeper { to, record, plan } => {
                Task::RecordDeeper { record, plan, to: absolute(to)?, most: args.most, deepest: args.deepest }
            }
            What::Looking(to, at) => Task::Look { to: absolute(to)?, at: at.clone(), deepest: args.deepest },
            What::Changing(change) => Task::StateChange { change },
            What::Stepping { record, plan } => Task::Step { record, plan, values },
        })
    }

    fn about(&self) -> Option<&Provenance> {
        match self {
            What::Recording(_) | What::Looking(..) => None,
            What::Changing(change) => Some(&change.about),
            What::Stepping { record, .. } | What::RecordingDeeper { record, .. } => Some(&record.about),
        }
    }
}

/// Returns whether a file is that of the deeper record that a plan is of, by its name.
fn is_deeper(file: &Path, plan: &ExecutionPlan) -> bool {
    let number = plan.record_number();
    number > 1 && file.to_string_lossy().ends_with(&format!(".{number}.txt"))
}

/// Returns whether a text has no line that says anything. A plan without an execution has a head.
fn is_empty(text: &str) -> bool {
    text.lines().all(|line| line.trim().is_empty())
}

fn text_of(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    String::from_utf8(bytes).map_err(|_| format!("{} is no plan: it is no text", path.display()))
}
