//! `reduct trace -- PROGRAM`.

pub(super) mod again;
pub(super) mod built;
pub(super) mod deeper;
pub(super) mod listed;
pub(super) mod made;
mod plan_file;
pub(super) mod recording;

use crate::cli::common::Common;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{FAILURE, RESULT, TEST};
use crate::cli::keeping::Keeping;
use crate::cli::{usage, view};
use built::{Build, as_tests, held};
use clap::builder::PossibleValuesParser;
use deeper::Reached;
use plan_file::PlanFile;
use recording::{MOST, Recorded, Recorder};
use reduct_lib::{Confinement, Failure, Job, ReductionOptions, Refusal, as_typed, begin, is_same_if_forked};
use reduct_oracle::Exit;
use reduct_oracle::condition::Condition;
use reduct_trace::{BuiltTree, ControlFlow, Program, Provenance};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is said of a program whose tests are not forked, as it does not show the same.
const NOT_FORKED: &str = "Each test starts Python: the whole program does not show the same twice (it may print an address or a time), or not when it is forked.";

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<TraceArgs>("trace", Group::Program, "trace")
    .listed("Find executions, values or thread switches that a failure needs");

/// Find the statement executions that a failure needs
///
/// reduct records which statements of a program in Python, Perl, JavaScript, Lua, PHP, Ruby, C, Java or Go are executed, and when, and looks for the fewest executions with which
/// the failure occurs all the same. The program is run without the others: its files are not changed. The last lines list what
/// is left, with the values that were assigned. The program is python3 with a script or a module, perl, node, lua, php or ruby with a script, or a script
/// that names one of them in its first line; or any program, of which --build says how it is built from files in C, Java or Go.
#[derive(clap::Args, Debug)]
struct TraceArgs {
    #[command(flatten)]
    common: Common,

    /// Build a program in C, Java or Go with this line for the shell, in a copy of the current folder
    ///
    /// The files of the copy have guards, so that statements can be recorded and left out. Your files are not changed.
    #[arg(long, value_name = "LINE", help_heading = TEST)]
    build: Option<OsString>,

    /// Look into this file, or the files below this folder, only (may be given several times) [default: the current folder and that of the script]
    #[arg(long, value_name = "PATH", help_heading = TEST)]
    only: Vec<PathBuf>,

    /// Where control goes in a run that leaves something out: as the program says, or as it was recorded
    ///
    /// With `recorded`, a condition that is left out is not evaluated, and what it led to is executed all the same: so no condition is
    /// ever needed. That shows where a value comes from, not why the program went where it went.
    #[arg(long, value_name = "HOW", help_heading = TEST, hide_short_help = true, default_value = "natural", value_parser = PossibleValuesParser::new(["natural", "recorded"]))]
    control: String,

    /// Give all variables of the main module this value, a number or a string of Python, before they get their own
    #[arg(long, value_name = "VALUE", help_heading = TEST, hide_short_help = true)]
    unset: Option<String>,

    /// Define the failure: the program prints the same to standard output as the whole program does
    #[arg(long, help_heading = FAILURE, conflicts_with_all = ["fails_if", "differs_from", "value"])]
    keep_output: bool,

    /// Define the failure: the program prints this line, or this end of a line, to standard output
    #[arg(long, value_name = "LINE", help_heading = FAILURE, conflicts_with_all = ["fails_if", "differs_from"])]
    value: Option<String>,

    /// Start the interpreter of Python for each test, rather than once for many, each of which it forks
    ///
    /// Say so if the program looks for other processes: it finds the interpreter that forks its tests.
    #[arg(long, help_heading = TEST, hide_short_help = true)]
    no_fork: bool,

    /// Record no more executions than this at once
    #[arg(long, value_name = "N", hide = true, default_value_t = MOST)]
    most: usize,

    #[command(flatten)]
    keeping: Keeping,

    /// Write the plan here; the result goes beside it [default: prog.py.trace.txt for prog.py]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

impl CommandArgs for TraceArgs {
    fn run(&self) -> Result<ExitCode, Refusal> {
        run(self)
    }

    fn common(&self) -> Option<&Common> {
        Some(&self.common)
    }

    fn is_told_its_candidate(&self) -> bool {
        false
    }
}

/// Records, reduces and lists.
fn run(args: &TraceArgs) -> Result<ExitCode, Refusal> {
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let words = args.common.words().to_vec();
    let program = program(args, &words, &folder)?;
    let prepared = program.prepare().map_err(|error| {
        usage(
            error.to_string(),
            "the driver for Perl is compiled when it is used first: it needs a C compiler and Perl's headers",
        )
    })?;
    args.common.looks.check_events()?;
    let is_forced = args.common.force;
    if let (Some(out), false) = (&args.out, is_forced) {
        plan_file::is_free(&folder.join(out))?;
    }
    let job = job(args, words)?;
    let quiet = args.common.looks.is_quiet();
    let (program, prepared) = match &args.build {
        Some(line) => {
            let place = built(args, line, &job)?;
            let tree = BuiltTree::at(&place).ok();
            (Program::built(&program.words, tree.as_ref()).unwrap_or(program), Some(place))
        }
        None => (program, prepared),
    };
    let place = prepared.as_deref().filter(|_| args.build.is_some());
    let _held = place.and_then(held);
    let plan = PlanFile::of(&program, &folder, place, args.out.as_deref());
    if !is_forced {
        plan.may_be_written(&folder)?;
    }
    let job = job.with_out(plan.result(&folder)).with_inputs(vec![plan.path.clone()]);
    let PlanFile { path, program: recorded } = plan;
    let also = provenance(args, recorded);
    let recorder = Recorder {
        job: &job,
        program: &program,
        prepared: prepared.as_deref(),
        only: &args.only,
        variables: &[],
        input: None,
        quiet,
        most: args.most,
        also,
    };
    let Recorded { plan: mut whole, observed, made, .. } = recorder.record()?;
    let recorder = Recorder { prepared: made.as_deref().or(recorder.prepared), ..recorder };
    let failure = failure(args, &job.failure, &observed.exit, &observed.stdout)?;
    let asks_gdb = job.backtrace && failure == Failure::Observed && matches!(observed.exit, Exit::Signal(_));
    if asks_gdb && !quiet {
        view::say(ASKS_GDB);
    }
    whole.note_files(&program);
    std::fs::write(folder.join(&path), whole.to_text(program.language())).map_err(Refusal::io("write", &path))?;
    let place = folder.join(&path).parent().map_or(folder.clone(), Path::to_owned);
    let mut options: Vec<OsString> = vec!["--recorded".into(), place.into()];
    if args.most != MOST {
        options.extend(["--most".into(), args.most.to_string().into()]);
    }
    if args.no_fork {
        options.push("--no-fork".into());
    }
    let with =
        |options: &[OsString]| job.clone().with_failure(failure.clone()).with_command(recorder.stepping(options));
    if program.has_forks() && !may_be_forked(&with(&options), quiet)? {
        options.push("--no-fork".into());
    }
    reduce(args, &with(&options))
}

/// Returns what is known of a recorded run before it is recorded.
fn provenance(args: &TraceArgs, program: String) -> Provenance {
    let control = if args.control == "recorded" { ControlFlow::Recorded } else { ControlFlow::Natural };
    let build = args.build.as_ref().map(|line| line.to_string_lossy().into_owned());
    let only = args.only.iter().filter(|_| build.is_some()).map(|path| path.to_string_lossy().into_owned()).collect();
    Provenance { control, unset: args.unset.clone(), build, only, program: Some(program), ..Provenance::default() }
}

/// Returns the job, but for the plan, which is named after the program that is recorded.
fn job(args: &TraceArgs, words: Vec<OsString>) -> Result<Job, Refusal> {
    let job = args.keeping.of(args.common.job(words, vec![], PathBuf::new())?);
    // Half a run does what the whole one does not: it removes, sends, overwrites. It needs an order of the user to run it where
    // it can harm.
    let confinement = job.confinement.clone().map(Confinement::strict_unless_asked);
    let search = ReductionOptions::standard().with_by(vec!["executions".into()]);
    Ok(job.with_confinement(confinement).with_search(search))
}

/// Returns whether the whole run shows the same if it is forked, and says so if it does not. A program that looks for other processes finds the one that forks it.
fn may_be_forked(job: &Job, is_quiet: bool) -> Result<bool, Refusal> {
    let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for two tests"))?;
    let is_same = view::hear(|mut audience| is_same_if_forked(job, own.path(), &mut audience))?;
    if !is_same && !is_quiet {
        view::say(NOT_FORKED);
    }
    Ok(is_same)
}

/// Reduces what was recorded, and what is recorded of it later, and lists what is left.
fn reduce(args: &TraceArgs, job: &Job) -> Result<ExitCode, Refusal> {
    let (looks, stops) = (&args.common.looks, args.common.stopping.stops());
    let mut reached = None;
    let done = view::watch(looks, |audience| {
        let report = begin(job, args.common.force, stops, audience)?;
        reached = Some(Reached::of(job, &report));
        Ok(Some((job.clone(), report)))
    })?;
    let Some(reached) = reached else { return Ok(done) };
    let (reached, done_since) = deeper::go_on(reached, (stops, None), looks)?;
    listed::list(&reached.job, &reached.run, &reached.why, looks.is_quiet())?;
    made::remove(&reached.job, &reached.why);
    Ok(done_since?.unwrap_or(done))
}

/// What is said of a program that dies by a signal.
const ASKS_GDB: &str = "The program died by a signal. Each time it does, gdb looks where, if it is installed; that takes longer than the run (--no-backtrace leaves it out).";

/// Returns the program that a command starts.
fn program(args: &TraceArgs, words: &[OsString], folder: &Path) -> Result<Program, Refusal> {
    let program = if args.build.is_some() {
        Program::built(words, None)
    } else {
        Program::of(words, folder).and_then(Program::with_plans)
    };
    program.map_err(|error| {
        let of = |first: &OsString| folder.join(first);
        if Program::built(words, None).is_ok_and(|it| it.is_compiled_by_java()) {
            let help = format!("java compiles it itself: reduct trace --build true -- {}", as_typed(words));
            return usage("a program in Java is run in a copy, with guards", help);
        }
        let help = if args.build.is_none() && words.first().map(of).is_some_and(|path| is_compiled(&path)) {
            "if it is written in C, say how it is built: reduct trace --build 'cc -g prog.c -o prog' -- ./prog"
        } else {
            "give the interpreter and the program: reduct trace -- python3 prog.py, perl prog.pl, node prog.js, lua prog.lua, php prog.php, or ruby prog.rb; of a program in C, Java or Go, \
             say how it is built: reduct trace --build make -- ./prog"
        };
        usage(error.to_string(), help)
    })
}

/// Returns whether a file is a program in the code of a machine.
fn is_compiled(path: &Path) -> bool {
    let mut begins = [0; 4];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begins)).is_ok() && begins == *b"\x7fELF"
}

/// Builds a program, confined as its tests are. Returns where.
fn built(args: &TraceArgs, line: &OsString, job: &Job) -> Result<PathBuf, Refusal> {
    if args.control == "recorded" {
        let help = "leave --control out: control goes as the program says";
        return Err(usage("control cannot go as it was recorded in programs that are built", help));
    }
    if args.unset.is_some() {
        let help = "leave --unset out: variables begin as zero, pointers of C as an address that nothing has";
        return Err(usage("variables of programs that are built cannot be given a value at the start", help));
    }
    let is_quiet = args.common.looks.is_quiet();
    if !is_quiet {
        view::say("Building the program with guards.");
    }
    let build = Build { line, project: &job.folder, only: &args.only, is_confined: true };
    let (place, about) = build.built(&mut as_tests(job))?;
    if !is_quiet {
        view::say(&built::said_of(&about));
    }
    Ok(place)
}

/// Returns what the failure is; of a program that ends well, it has to be said.
fn failure(args: &TraceArgs, said: &Failure, exit: &Exit, stdout: &[u8]) -> Result<Failure, Refusal> {
    let printed = |pattern: String| {
        let condition = format!("stdout~{pattern}").parse::<Condition>();
        let conditions = condition.map(|it| Failure::Conditions(vec![it]));
        conditions.map_err(|error| {
            usage(format!("the output cannot be searched for: {error}"), "name a line of it with --value")
        })
    };
    if args.keep_output {
        return printed(format!(r"\A{}\z", regex_of(&String::from_utf8_lossy(stdout))));
    }
    if let Some(line) = &args.value {
        return printed(printed_as(line, &String::from_utf8_lossy(stdout))?);
    }
    if *said == Failure::Observed && *exit == Exit::Code(0) {
        let help = "define the failure: --keep-output, --value LINE, or --fails-if CONDITION";
        return Err(usage("the program ends with exit status 0: nothing fails", help));
    }
    Ok(said.clone())
}

/// Returns a regular expression for a line that is to be printed. A prompt may stand before it, as it does in the whole run.
fn printed_as(line: &str, stdout: &str) -> Result<String, Refusal> {
    let text = regex_of(line);
    if stdout.lines().any(|printed| printed == line) {
        return Ok(format!("(?m)^{text}$"));
    }
    if stdout.lines().any(|printed| printed.ends_with(line)) {
        return Ok(format!("(?m){text}$"));
    }
    let last: Vec<&str> = stdout.lines().rev().take(3).collect();
    let help = if last.is_empty() {
        "it prints nothing to standard output".to_owned()
    } else {
        format!("the last lines that it prints: {}", last.into_iter().rev().collect::<Vec<_>>().join(" | "))
    };
    Err(usage(format!("the program does not print the line {line}"), help))
}

/// Returns a regular expression for this text.
fn regex_of(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '=' | ':' | ',' | '\n' | '\'' | '"');
    text.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c])).collect()
}
