//! `reduct step PLAN -- PROGRAM`.

mod args;
mod reads;
mod what;

use super::trace::built::{Build, Ended, held};
use super::trace::listed::{Run, recorded_beside, recorded_in_all};
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::usage;
use args::StepArgs;
use reduct_lib::Refusal;
use reduct_schedule::Library;
use reduct_trace::{
    BuiltTree, Driven, ExecutionPlan, ForkServer, Program, Provenance, RandomPriorities, Schedule, Scheduling, Task,
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
use what::{What, absolute, text_of};

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<StepArgs>("step", Group::Program, "trace");

/// The exit status of a run that is unresolved.
const CANNOT_TELL: u8 = 125;

/// A descriptor that a program inherits has such a number or a higher one, if there may be one.
const HIGH: [i32; 3] = [1000, 200, 10];

/// A supervisor that would have tests forked names the socket on which it asks for them so.
const FORKS: &str = reduct_lib::supervisor::FORKS;

/// A program that a signal has ended ends with this and the number of the signal, as in shells.
const SIGNALLED: i32 = 128;

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
    let forks = asked_to_fork(&plan_path);
    let runs_only =
        !(args.no_fork || args.list || args.values.is_some() || args.record.is_some() || args.look.is_some());
    if forks.is_some() && !(runs_only && ExecutionPlan::begins_as_one(&text)) {
        return Err("this run is none that can be forked".to_owned());
    }
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
    let folder =
        args.folder.clone().or_else(|| what.about().and_then(|about| about.folder.as_ref()).map(PathBuf::from));
    enter(folder.as_deref())?;
    let task = what.task(args, if args.list { Some(listed.clone()) } else { values }, forks)?;
    let here = std::env::current_dir().map_err(|error| format!("the current folder: {error}"))?;
    let (program, prepared) = prepared(args, &here, what.about())?;
    let prepared = prepared.as_deref();
    // A copy that was built for this run stays as long as it goes on. In a test, the run of `trace` keeps it.
    let copy = prepared.filter(|_| args.prepared.is_none()).and_then(held);
    let puts = if args.reads.is_some() { guards_to_look } else { guards };
    let driven = Driven { program: &program, into: &args.only, prepared, guards: Some(puts), task };
    let mut command = driven.command(own.path()).map_err(|error| error.to_string())?;
    args.env.iter().for_each(|variable| set(&mut command, variable));
    // The program is not told.
    command.env_remove(FORKS);
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

/// Returns where a supervisor asks for forked tests under a plan, if it does so.
fn asked_to_fork(plan: &Path) -> Option<ForkServer> {
    let socket = std::env::var(FORKS).ok()?.parse().unwrap_or(-1);
    Some(ForkServer { socket, plan: plan.to_owned() })
}

/// Goes to the folder in which the program is to run, if one is named.
fn enter(folder: Option<&Path>) -> Result<(), String> {
    let Some(folder) = folder else { return Ok(()) };
    std::env::set_current_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))
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

/// Returns the text of a file of a program with guards that look at what statements read.
fn guards_to_look(path: &Path, text: &[u8]) -> Option<Vec<u8>> {
    reduct_grammars::guarded_to_look(path, text)
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
