//! `reduct schedule -- PROGRAM`.

mod flow;
mod others;
mod places;
mod runs;
mod searches;
mod sides;
mod variables;
mod verify;
mod written;

use super::step::driven_by_schedules;
use crate::cli::common::Common;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, SEARCH};
use crate::cli::view::Looks;
use crate::cli::{usage, view};
use flow::Flow;
pub(super) use flow::NOT_FOUND;
use places::Places;
use reduct_core::Outcome;
use reduct_lib::inquiry::{Begun, Inquiry};
use reduct_lib::{Confinement, Failure, Goal, Job, Refusal, Stops, SwitchOptions, check_program};
use reduct_oracle::signature::describe;
use reduct_oracle::{Exit, Limit, Observed};
use reduct_report::schedules::{self, Sought};
use reduct_trace::{Schedule, Switch};
use runs::{Runs, any_failure, candidate, oracle};
use sides::{Failing, First, Passing};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use verify::story;
pub(super) use verify::{found_nothing, replay, shown, verify};
use written::{may_be_written, may_be_written_again};

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ScheduleArgs>("schedule", Group::Program, "schedule")
    .listed("Find executions, values or thread switches that a failure needs");

/// A run may take so long if nothing else is said.
const LONGEST_RUN: Duration = Duration::from_secs(10);

/// Find the thread switches that make a program with threads fail
///
/// The program runs with one thread at a time. reduct tries schedules until one fails, runs that one again, and looks for the
/// fewest switches from one thread to another with which the program fails. If it fails without a switch, reduct looks for the fewest
/// with which it passes. The program uses the threads of POSIX or C++ and is linked
/// dynamically; if it is compiled with -fsanitize=thread, another thread can go on before each access to memory, else at calls about
/// threads only. Or it is a program in Python: another thread can go on before each statement of its own files.
#[derive(clap::Args, Debug)]
struct ScheduleArgs {
    #[command(flatten)]
    common: Common,

    /// Try at most N schedules
    #[arg(long, value_name = "N", help_heading = SEARCH, default_value_t = 1000)]
    tries: u64,

    /// Try other schedules than those of seed 0
    #[arg(long, value_name = "N", help_heading = SEARCH, default_value_t = 0)]
    seed: u64,

    /// Run the result N times more at the end; with 0, it is not confirmed
    #[arg(long, value_name = "N", help_heading = SEARCH, default_value_t = SwitchOptions::CONFIRM)]
    confirm: u64,

    /// Begin with this schedule, which fails, instead of looking for one (a program that fails without a switch: compare the one that
    /// passes with this one)
    #[arg(long, value_name = "FILE", help_heading = SEARCH, visible_alias = "bad", conflicts_with_all = ["tries", "seed"])]
    from: Option<PathBuf>,

    /// Compare the schedule that fails, given or found, with this one, which passes, instead of with none: which switches make the difference?
    #[arg(long, value_name = "FILE", help_heading = SEARCH)]
    good: Option<PathBuf>,

    /// Write the schedule here [default: prog.schedule.txt for ./prog]
    #[arg(short, long, value_name = "PATH", help_heading = RESULT)]
    out: Option<PathBuf>,
}

impl CommandArgs for ScheduleArgs {
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

/// Tries, reduces and lists.
fn run(args: &ScheduleArgs) -> Result<ExitCode, Refusal> {
    args.common.refuse_what_is_for_searches("schedule")?;
    let folder = std::env::current_dir().map_err(Refusal::io("find", "the current folder"))?;
    let words = args.common.words().to_vec();
    let Some(program) = words.first() else {
        return Err(usage("there is no program", "reduct schedule -- ./prog"));
    };
    let driven = driven_by_schedules(&words).map(|program| program.name());
    let file = driven.as_deref().unwrap_or(program);
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let out = folder.join(args.out.clone().unwrap_or_else(|| format!("{name}.schedule.txt").into()));
    let job = args.common.job(words.clone(), vec![runs::FILE.into()], out)?;
    // Once it is run, a program that is missing looks like one into which the scheduler was not loaded.
    check_program(&job)?;
    may_be_written(&job.out, args.common.force)?;
    // In an order that never was before, a program can do harm.
    let confinement = job.confinement.clone().map(Confinement::strict_unless_asked);
    let me = std::env::current_exe().unwrap_or_else(|_| "reduct".into());
    // What it opens by a relative path stands there.
    let step = [me.into(), "step".into(), "{}".into(), "--folder".into(), folder.clone().into(), "--".into()];
    let command = [step.to_vec(), words].concat();
    // Where a program dies is told by its schedule; gdb would be asked for each one.
    let limits = job.limits.with_time(job.limits.time.or(Some(LONGEST_RUN)));
    let options = SwitchOptions::new(args.tries, args.seed).with_given(args.from.is_some()).with_confirm(args.confirm);
    let job = job
        .with_confinement(confinement)
        .with_command(command)
        .with_limits(limits)
        .with_goal(Goal::Switches(options))
        .with_backtrace(false);
    inquire(&job, args.common.stopping.stops(), args.common.looks(), |flow| {
        let (first, unswitched) = first(flow)?;
        let good = args.good.as_ref().map(|path| passing(path, flow)).transpose()?;
        let given = args.from.as_ref().map(|path| given(path, unswitched.as_ref(), flow)).transpose()?;
        let (whole, given) = given.unzip();
        let whole = candidate(&whole.unwrap_or_default(), None);
        flow.runs.inquiry.begin(&name, &whole, &any_failure(flow.runs.inquiry.job()))?;
        if args.common.force {
            written::force(&flow.runs.inquiry)?;
        }
        flow.begin(&first, given.or(unswitched).as_ref(), good.as_ref())
    })
}

/// Goes on with a run.
pub(super) fn resume(begun: &Begun, stops: Stops, looks: &Looks) -> Result<ExitCode, Refusal> {
    may_be_written_again(begun)?;
    inquire(&begun.job, stops, looks, |flow| flow.runs.inquiry.resume(begun.run()))
}

/// Opens a place for tests, readies the run there, and asks.
fn inquire(
    job: &Job,
    stops: Stops,
    looks: &Looks,
    ready: impl FnOnce(&mut Flow<'_>) -> Result<(), Refusal>,
) -> Result<ExitCode, Refusal> {
    let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for schedules"))?;
    view::count(looks, story, |audience| {
        let inquiry = Inquiry::open(job, own.path(), schedules::LARGEST, stops, audience)?;
        let mut flow = Flow::new(Runs { inquiry, own: own.path().to_owned(), limit: None }, looks.is_quiet());
        flow.say_confined();
        ready(&mut flow)?;
        flow.go()
    })
}

/// Runs the program without a switch: it is the side that fails, or the one that passes.
fn first(flow: &mut Flow<'_>) -> Result<(First, Option<Failing>), Refusal> {
    let none = Schedule::default();
    let ran = flow.runs.record(&none)?;
    let Some([points, threads, _]) = ran.counts else {
        let help = "the program must be linked dynamically, and may not be one of Go, or run as another user; Python must be 3.8 or later";
        return Err(usage(format!("the scheduler was not loaded: {}", describe(&ran.observed.exit)), help));
    };
    if threads < 2 {
        let help = "what depends on processes or signals cannot be scheduled";
        return Err(usage(schedules::without_threads(&describe(&ran.observed.exit), &ran.observed.stderr), help));
    }
    // If nothing else is said to be the failure, to hang is one. It takes as long as a run may take.
    let hangs = matches!(ran.observed.exit, Exit::Limit(Limit::Time))
        && matches!(flow.runs.inquiry.job().failure, Failure::Observed);
    let fails = match flow.runs.outcome(&ran.observed) {
        Outcome::Fail => true,
        Outcome::Pass => false,
        Outcome::Unresolved if hangs => true,
        Outcome::Unresolved => return Err(neither(&ran.observed)),
    };
    let job = flow.runs.inquiry.job();
    let ending = match fails {
        true => runs::fails(job, &ran.observed, &mut Places::default()),
        false => runs::passes(job, &ran.observed),
    };
    let first = First { points, threads: threads as u32, ending, fails, hangs };
    flow.use_first(&first);
    if let Some(limit) = flow.runs.inquiry.job().limits.time.filter(|_| hangs) {
        flow.say(&schedules::hanging(limit));
    }
    let side = if fails { Sought::Failure } else { Sought::Pass };
    if !flow.is_each_time(side, &none, &ran.observed)? {
        let does = if fails { "fails, but not each time in the same way" } else { "passes, but not each time" };
        let what = format!("without a switch, the program {does}: {}", first.ending);
        return Err(usage(
            what,
            "what it does must depend on its schedule only: not on time, random numbers, or addresses",
        ));
    }
    if !fails {
        return Ok((first, None));
    }
    let failing = flow.failing(&none, &ran.observed, 0);
    Ok((First { ending: failing.ending.clone(), ..first }, Some(failing)))
}

/// Returns why a run without a switch is of no side.
fn neither(observed: &Observed) -> Refusal {
    let ending = schedules::failure(&describe(&observed.exit), &observed.stderr, &mut Places::default());
    let help = "a thread may wait for what is not scheduled (a pipe); --timeout gives a run more time, and --fails-if says what a failure is";
    usage(format!("without a switch, the program neither passes nor fails: {ending}"), help)
}

/// Reads a schedule that somebody gave.
fn read(path: &Path) -> Result<Schedule, Refusal> {
    let text = std::fs::read_to_string(path).map_err(Refusal::io("read", path))?;
    let help = "a schedule has lines like T1#62 -> T2";
    let given = Schedule::parse(&text).map_err(|error| usage(format!("{}: {error}", path.display()), help))?;
    Ok(Schedule { switches: given.switches, ..Schedule::default() })
}

/// Returns a schedule whose switches have the places that were met in a run of it.
fn placed(given: Schedule, met: &[Switch]) -> Schedule {
    let known = |switch: Switch| met.iter().find(|it| it.is_at(&switch)).cloned().unwrap_or(switch);
    Schedule { switches: given.switches.into_iter().map(known).collect(), ..given }
}

/// Runs a schedule that somebody gave, with which the program passes.
fn passing(path: &Path, flow: &mut Flow<'_>) -> Result<Passing, Refusal> {
    let given = read(path)?;
    let ran = flow.runs.record(&given)?;
    if flow.runs.is(Sought::Pass, &ran.observed) && flow.is_each_time(Sought::Pass, &given, &ran.observed)? {
        let schedule = placed(given, &ran.switches);
        return Ok(flow::passing(flow.runs.inquiry.job(), &schedule, &ran.observed, 0));
    }
    let what = match flow.runs.is(Sought::Failure, &ran.observed) {
        true => format!("with {}, the program fails: {}", path.display(), describe(&ran.observed.exit)),
        false => format!("with {}, the program does not pass each time", path.display()),
    };
    Err(usage(what, "--good names a schedule of this very program with which it passes"))
}

/// Runs a schedule that somebody gave, with which the program fails: as it does without a switch, if it does. Returns it, and what
/// it has shown.
fn given(path: &Path, unswitched: Option<&Failing>, flow: &mut Flow<'_>) -> Result<(Schedule, Failing), Refusal> {
    let given = read(path)?;
    let ran = flow.runs.record(&given)?;
    if flow.runs.is(Sought::Failure, &ran.observed) && flow.is_each_time(Sought::Failure, &given, &ran.observed)? {
        let schedule = placed(given, &ran.switches);
        let failing = flow.failing(&schedule, &ran.observed, 0);
        if let Some(first) = unswitched
            && oracle(first.failure.clone()).verdict(&ran.observed).outcome != Outcome::Fail
        {
            let path = path.display();
            let what = format!("with {path}, the program fails otherwise than without a switch: {}", failing.ending);
            return Err(usage(
                what,
                format!("give a schedule with which it fails as without a switch: {}", first.ending),
            ));
        }
        return Ok((schedule, failing));
    }
    let what = match flow.runs.is(Sought::Pass, &ran.observed) {
        true => format!("with {}, the program passes: {}", path.display(), describe(&ran.observed.exit)),
        false => format!("with {}, the program does not fail each time", path.display()),
    };
    Err(usage(what, "give a schedule of this very program, with the same arguments"))
}
