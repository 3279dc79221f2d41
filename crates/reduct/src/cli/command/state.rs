//! `reduct state PASSING FAILING -- PROGRAM`.

mod flow;
mod inputs;
mod known;
mod search;
mod verify;
mod written;

use super::reduce::beside;
use super::trace::recording::{MOST, Recorded, Recorder};
use crate::cli::common::Common;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, TEST};
use crate::cli::view::Looks;
use crate::cli::{usage, view};
use flow::Flow;
use inputs::{Pair, Side, pair, program};
use known::Known;
use search::CHANGE;

use reduct_core::Outcome;
use reduct_lib::inquiry::{Begun, Inquiry, file_of};
use reduct_lib::{Confinement, Failure, Goal, Job, Refusal, Stops, ValueOptions};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::signature::describe;
use reduct_oracle::{Criterion, Exit, Observed, Oracle};
use reduct_report::turns;
use reduct_trace::Provenance;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use verify::story;
pub(super) use verify::{replay, verify};
use written::may_be_written;

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<StateArgs>("state", Group::Program, "state")
    .listed("Find executions, values or thread switches that a failure needs");

/// A change is hardly ever larger, in bytes.
const LARGEST: usize = 1 << 20;

/// A test may take so many times as long as the recorded runs, but at least so long.
const TIMES_RECORDED: u32 = 10;
const AT_LEAST: Duration = Duration::from_secs(4);

/// Find the values in a program that cause a failure, from its input to its end
///
/// A program passes with the first input and fails with the second one. reduct compares the variables of both runs at the
/// statement executions that are the same in both, and looks for the fewest values that must be as in the run that passes so
/// that the failing run passes, too; and for where other values take over. What is listed is a chain of values, each shown to be a
/// cause by a run that passes with it changed. The program is python3 with a script or a module; or a native program, compiled with -g:
/// reduct compares its runs where its functions begin and where they have returned, with gdb.
#[derive(clap::Args, Debug)]
struct StateArgs {
    /// The input with which the program passes, and the one with which it fails; or a result of `reduct isolate`, which has both
    #[arg(value_name = "INPUT", required_unless_present_any = ["good_args", "good_env"], num_args = 1..=2)]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    common: Common,

    /// The arguments with which the program passes, quoted as for a shell, in place of two inputs; with those of the command, it fails
    #[arg(long, value_name = "ARGUMENTS", help_heading = TEST, conflicts_with = "inputs", allow_hyphen_values = true)]
    good_args: Option<OsString>,

    /// A variable of the environment with which the program passes, in place of two inputs; NAME alone: it passes without it (repeatable)
    #[arg(long, value_name = "NAME=VALUE", help_heading = TEST, conflicts_with = "inputs")]
    good_env: Vec<OsString>,

    /// Look into this file, or the files below this folder, only (may be given several times) [default: the current folder and that of the script]
    #[arg(long, value_name = "PATH", help_heading = TEST)]
    only: Vec<PathBuf>,

    /// Write the result here, a folder with one file for each change of values [default: bad.state for bad.txt]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

impl CommandArgs for StateArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }
}

/// Records, compares, asks and lists.
fn run(args: &StateArgs) -> Result<ExitCode, Refusal> {
    args.common.refuse_what_is_for_searches("state")?;
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let Pair { good, bad, named, input } =
        &pair(&args.inputs, (args.good_args.as_deref(), &args.good_env), args.common.words(), &folder)?;
    let out = args.out.clone().unwrap_or_else(|| beside(&named.with_extension(""), "state"));
    let out = folder.join(out);
    may_be_written(&out, args.common.force)?;
    let inputs = vec![input.clone().unwrap_or_else(|| CHANGE.into())];
    let job = args.common.job(bad.words.clone(), inputs, out.clone())?;
    // What a program does with values that it never had can harm.
    let confinement = job.confinement.clone().map(Confinement::strict_unless_asked);
    // The process that dies is the driver: where it is then says nothing of the program.
    let job = job.with_confinement(confinement).with_backtrace(false);
    args.common.looks.check_events()?;
    let quiet = args.common.looks.is_quiet();
    let program = program(&bad.words, &folder)?;
    program.prepare().map_err(|error| {
        usage(
            error.to_string(),
            "the variables of native programs are looked at by gdb, with Python in it: install gdb",
        )
    })?;
    let (of_good, of_bad) = (record(args, &job, good)?, record(args, &job, bad)?);
    if program.is_native() && of_bad.plan.events().len() < 2 {
        view::say(turns::FEW_POINTS);
    }
    let (failure, status) = oracle(&job, (good, &of_good.observed), (bad, &of_bad.observed))?;
    if !quiet {
        view::say(&format!("{}: {}.", good.label, describe(&of_good.observed.exit)));
    }
    view::say(&format!("Failure: {}", failure.describe()));
    let slower = of_good.observed.elapsed.max(of_bad.observed.elapsed);
    let limit = job.limits.time.unwrap_or((slower * TIMES_RECORDED).max(AT_LEAST));
    let options = ValueOptions::new(good.label.clone(), good.words.clone(), bad.words.clone())
        .with_only(args.only.iter().map(|path| folder.join(path)).collect())
        .with_good_env(args.good_env.clone())
        .with_bad_env(bad.variables.clone())
        .with_status(status);
    let command = flow::stepping((&options.bad, &options.bad_env), &options, &job.folder, &[])?;
    let limits = job.limits.with_time(Some(limit));
    let job =
        job.with_limits(limits).with_inputs(vec![CHANGE.into()]).with_command(command).with_goal(Goal::Values(options));
    let language = program.language().to_owned();
    let printed = known::printed(&of_good.observed);
    let known = Known { good: of_good.plan, bad: of_bad.plan, failure, language, printed };
    let name = named.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = String::from_utf8_lossy(&bad.text);
    inquire(&job, known, args.common.stopping.stops(), &args.common.looks, |flow| {
        flow.fails_unchanged()?;
        flow.begin(&name, &file_of(&name, &text))
    })
}

/// Records one of the two runs.
fn record(args: &StateArgs, job: &Job, side: &Side) -> Result<Recorded, Refusal> {
    let program = program(&side.words, &job.folder)?;
    let recorder = Recorder {
        job,
        program: &program,
        prepared: None,
        only: &args.only,
        variables: &side.variables,
        input: Some(&side.label),
        quiet: args.common.looks.is_quiet(),
        most: MOST,
        also: Provenance::default(),
    };
    let mut recorded = recorder.record()?;
    recorded.plan.note_files(&program);
    Ok(recorded)
}

/// Goes on with a run.
pub(super) fn resume(begun: &Begun, stops: Stops, looks: &Looks) -> Result<ExitCode, Refusal> {
    may_be_written(&begun.out(), false)?;
    let known = Known::kept(begun)?;
    known.is_unchanged(begun)?;
    inquire(&begun.job, known, stops, looks, |flow| flow.inquiry.resume(begun.run()))
}

/// Opens a place for tests, readies the run there, and asks.
fn inquire(
    job: &Job,
    known: Known,
    stops: Stops,
    looks: &Looks,
    ready: impl FnOnce(&mut Flow<'_>) -> Result<(), Refusal>,
) -> Result<ExitCode, Refusal> {
    let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for values"))?;
    view::count(looks, story, |audience| {
        let inquiry = Inquiry::open(job, own.path(), LARGEST, stops, audience)?;
        let mut flow = Flow::new(inquiry, known, looks.is_quiet())?;
        flow.say_confined();
        ready(&mut flow)?;
        flow.go()
    })
}

/// Returns what the failure is, and the status with which the program passes: the first input must pass, the second one fail.
fn oracle(
    job: &Job,
    (good, passing): (&Side, &Observed),
    (bad, failing): (&Side, &Observed),
) -> Result<(Criterion, i32), Refusal> {
    // Two inputs, or the command as it stands and what is otherwise where it passes.
    let (is_failing, is_passing) = if bad.is_input {
        ("the second input is the one that fails", "the first input is the one that passes")
    } else {
        (
            "the command, as it stands, must be the one that fails",
            "--good-args and --good-env must say with what the program passes",
        )
    };
    // What the failing run says is what it says again, also where it names what it was given.
    let words = InputVocabulary::default();
    let criterion = match &job.failure {
        Failure::Conditions(all) => Some(Criterion::Conditions(all.clone())),
        _ => Oracle::read_first(failing, &words).filter(|it| *it != Criterion::ExitZero),
    };
    let Some(criterion) = criterion else {
        let what = format!("with {}, nothing fails: {}", bad.label, describe(&failing.exit));
        return Err(usage(what, format!("{is_failing}; --fails-if CONDITION says what a failure is")));
    };
    let oracle = Oracle::new(criterion.clone(), words);
    if oracle.verdict(failing).outcome != Outcome::Fail {
        let what = format!("with {}, the failure does not occur: {}", bad.label, describe(&failing.exit));
        return Err(usage(what, is_failing));
    }
    match (oracle.verdict(passing).outcome, &passing.exit) {
        (Outcome::Pass, Exit::Code(status)) => Ok((criterion, *status)),
        (Outcome::Fail, exit) => {
            let what = format!("with {}, the failure occurs, too: {}", good.label, describe(exit));
            Err(usage(what, is_passing))
        }
        (_, exit) => {
            let what = format!("with {}, the program does not pass: {}", good.label, describe(exit));
            Err(usage(what, is_passing))
        }
    }
}
