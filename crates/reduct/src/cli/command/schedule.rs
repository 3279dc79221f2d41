//! `reduct schedule -- PROGRAM`.

mod places;
mod tests;

use crate::cli::common::Common;
use crate::cli::entry::{CommandArgs, Entry, Group};
use crate::cli::headings::{RESULT, SEARCH};
use crate::cli::{usage, view};
use places::Places;
use reduct_lib::{Confinement, Job, Refusal, ResourceLimits, run_each};
use reduct_oracle::signature::describe;
use reduct_report::schedules::{self, FailingSwitches, Named};
use reduct_trace::{RandomPriorities, Schedule, Scheduling, fewest};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tests::{Asked, CHANGE, Stopped};

/// How the command is called, listed and read.
pub(super) const ENTRY: Entry = Entry::of::<ScheduleArgs>("schedule", Group::Program, "schedule")
    .listed("Find executions, values or thread switches that a failure needs");

/// When `--tests` or `--time` ended the search, or no schedule failed.
const NOT_FOUND: u8 = 4;

/// How schedules are drawn, in turn: failures of these depths, and by a coin at each point.
const DEPTHS: [u32; 4] = [1, 2, 3, 0];

/// After so many runs that ended at a limit, no more schedules are tried: each takes that long.
const MOST_UNRESOLVED: u64 = 5;

/// A run may take so long if nothing else is said.
const LONGEST_RUN: Duration = Duration::from_secs(10);

/// A schedule that fails is run so many times before it is reduced.
const REPLAYS: u64 = 10;

/// The result is run so many times.
const CONFIRMED: u64 = 100;

/// Find the thread switches that make a program with threads fail
///
/// The program runs with one thread at a time. reduct tries schedules until one fails, runs that one again, and looks for the
/// fewest switches from one thread to another with which the program fails. The program uses the threads of POSIX or C++ and is linked
/// dynamically; if it is compiled with -fsanitize=thread, another thread can go on before each access to memory, else at calls about
/// threads only.
#[derive(clap::Args, Debug)]
struct ScheduleArgs {
    #[command(flatten)]
    common: Common,

    /// Try so many schedules at most
    #[arg(long, value_name = "N", help_heading = SEARCH, default_value_t = 1000)]
    tries: u64,

    /// Try other schedules than those of seed 0
    #[arg(long, value_name = "N", help_heading = SEARCH, default_value_t = 0)]
    seed: u64,

    /// Begin with this schedule, which fails, instead of looking for one
    #[arg(long, value_name = "FILE", help_heading = SEARCH, conflicts_with_all = ["tries", "seed"])]
    from: Option<PathBuf>,

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
    let name = Path::new(program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let out = args.out.clone().unwrap_or_else(|| format!("{name}.schedule.txt").into());
    let path = folder.join(&out);
    may_be_written(&path, args.common.force)?;
    let job = args.common.job(words.clone(), vec![CHANGE.into()], path.clone())?;
    // In an order that never was before, a program can do harm.
    let confinement = job.confinement.clone().map(|it| Confinement { strict: it.strict || !it.asked, ..it });
    let me = std::env::current_exe().unwrap_or_else(|_| "reduct".into());
    let command = [vec![me.into(), "step".into(), "{}".into(), "--".into()], words.clone()].concat();
    // Where a program dies is told by its schedule; gdb would be asked for each one.
    let limits = ResourceLimits { time: job.limits.time.or(Some(LONGEST_RUN)), ..job.limits };
    let job = Job { confinement, command, limits, backtrace: false, ..job };
    let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for schedules"))?;
    let quiet = args.common.looks.is_quiet();
    let found = view::hear(|mut audience| {
        run_each(&job, own.path(), schedules::LARGEST, &mut audience, |tests| {
            if !quiet && let Some(((_, strength), confinement)) = tests.confined().zip(job.confinement.as_ref()) {
                view::say(&reduct_report::confinement::describe(confinement, strength));
            }
            search(args, &path, Asked::new(&job, tests, own.path(), args.common.stopping.stops(), quiet))
        })
    })?;
    let Some(found) = found else { return Ok(ExitCode::from(NOT_FOUND)) };
    let mut places = Places::default();
    let named = found.switches.iter().map(|switch| Named { switch, place: places.name(&switch.place) });
    let schedule = Schedule { scheduling: Scheduling::default(), switches: found.switches.clone() };
    std::fs::write(&path, schedule.to_text()).map_err(Refusal::io("write", &path))?;
    let command = super::trace::listed::line_of(&words);
    // Where nobody reads it, nothing is lost: it can be had again.
    let _ = writeln!(stdout(), "{}", schedules::listing(&found, &named.collect::<Vec<_>>(), &out, &command));
    Ok(ExitCode::SUCCESS)
}

/// Looks for a schedule that fails, and for the fewest switches of it; says why there is none.
fn search(args: &ScheduleArgs, path: &Path, mut asked: Asked<'_, '_>) -> Result<Option<FailingSwitches>, Refusal> {
    let first = asked.run(&Schedule::default())?;
    let Some([points, threads, _]) = first.counts else {
        let help = "the program must be linked dynamically, and may not be one of Go, or run as another user";
        return Err(usage(format!("the scheduler was not loaded: {}", describe(&first.observed.exit)), help));
    };
    if threads < 2 {
        let what = format!("the program started no thread: {}", describe(&first.observed.exit));
        return Err(usage(what, "what depends on processes or signals cannot be scheduled"));
    }
    if asked.fails(&first.observed) {
        let what = format!("the program fails with no switch at all: {}", describe(&first.observed.exit));
        return Err(usage(what, "it is not the schedule that makes it fail"));
    }
    asked.say(&schedules::unswitched(&describe(&first.observed.exit), points, threads));
    asked.limit = Some(points.saturating_mul(10) + 10_000);
    if let Some(path) = &args.from {
        return begin_with(path, &mut asked, threads as u32);
    }
    let mut unrepeatable = 0;
    for n in 0..args.tries {
        let depth = DEPTHS[n as usize % DEPTHS.len()];
        let chance = RandomPriorities { seed: args.seed.wrapping_mul(1_000_003).wrapping_add(n), depth, steps: points };
        let scheduling = Scheduling { chance: Some(chance), ..Scheduling::default() };
        let tried = match asked.ask(&Schedule { scheduling, switches: vec![] }) {
            Ok(tried) => tried,
            Err(Stopped::Early) => {
                asked.say(&schedules::stopped(n));
                return Ok(None);
            }
            Err(Stopped::Refused(refusal)) => return Err(refusal),
        };
        if asked.unresolved >= MOST_UNRESOLVED {
            asked.say(&schedules::none(n + 1, unrepeatable, asked.unresolved));
            return Ok(None);
        }
        if !asked.fails(&tried.observed) {
            continue;
        }
        let recorded = Schedule { scheduling: Scheduling::default(), switches: tried.switches };
        asked.take_for_failure(&tried.observed);
        if !fails_each_time(&mut asked, &recorded)? {
            unrepeatable += 1;
            asked.forget_failure();
            continue;
        }
        let failure = schedules::failure(&describe(&tried.observed.exit), &tried.observed.stderr);
        // What fails is kept from now on.
        std::fs::write(path, recorded.to_text()).map_err(Refusal::io("write", path))?;
        asked.say(&schedules::failing(n + 1, &failure, recorded.switches.len(), REPLAYS));
        return reduce(&mut asked, &recorded, threads as u32, failure);
    }
    asked.say(&schedules::none(args.tries, unrepeatable, asked.unresolved));
    Ok(None)
}

/// Runs a schedule again. Returns whether it fails each time.
fn fails_each_time(asked: &mut Asked<'_, '_>, schedule: &Schedule) -> Result<bool, Refusal> {
    for _ in 0..REPLAYS {
        let run = asked.run(schedule)?;
        if !asked.fails(&run.observed) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reduces a schedule that somebody gave.
fn begin_with(path: &Path, asked: &mut Asked<'_, '_>, threads: u32) -> Result<Option<FailingSwitches>, Refusal> {
    let text = std::fs::read_to_string(path).map_err(Refusal::io("read", path))?;
    let help = "a schedule has lines like T1#62 -> T2";
    let given = Schedule::parse(&text).map_err(|error| usage(format!("{}: {error}", path.display()), help))?;
    let given = Schedule { switches: given.switches, ..Schedule::default() };
    let tried = asked.run(&given)?;
    let ending = describe(&tried.observed.exit);
    let failing = asked.fails(&tried.observed);
    asked.take_for_failure(&tried.observed);
    if !failing || !fails_each_time(asked, &given)? {
        let what = format!("with {}, the program does not fail each time: {ending}", path.display());
        return Err(usage(what, "give a schedule of this very program, with the same arguments"));
    }
    reduce(asked, &given, threads, schedules::failure(&ending, &tried.observed.stderr))
}

fn reduce(
    asked: &mut Asked<'_, '_>,
    recorded: &Schedule,
    threads: u32,
    failure: String,
) -> Result<Option<FailingSwitches>, Refusal> {
    let before = asked.tests;
    let mut best = recorded.switches.clone();
    let found = fewest(&recorded.switches, threads, |switches| {
        let schedule = Schedule { switches: switches.to_vec(), ..recorded.clone() };
        let outcome = asked.ask(&schedule).map(|run| asked.outcome(&run.observed))?;
        if outcome == reduct_core::Outcome::Fail && switches.len() < best.len() {
            best = switches.to_vec();
        }
        Ok(outcome)
    });
    let (switches, as_recorded, stopped) = match found {
        Ok(found) => (found.switches, found.as_recorded, false),
        Err(Stopped::Early) => (best, true, true),
        Err(Stopped::Refused(refusal)) => return Err(refusal),
    };
    let tests = asked.tests - before;
    // A switch that is not where it was recorded gets its place from a run with it.
    let schedule = Schedule { switches, ..recorded.clone() };
    let named = asked.run(&schedule)?.switches;
    let switches = if named.len() == schedule.switches.len() { named } else { schedule.switches.clone() };
    let mut confirmed = 0;
    while confirmed < CONFIRMED && asked.run(&schedule).map(|run| asked.fails(&run.observed))? {
        confirmed += 1;
    }
    let before = recorded.switches.len();
    Ok(Some(FailingSwitches { switches, before, as_recorded, stopped, tests, failure, confirmed, runs: CONFIRMED }))
}

/// Checks whether the schedule may be written here: not over what is none.
fn may_be_written(path: &Path, force: bool) -> Result<(), Refusal> {
    let is_schedule = || std::fs::read(path).is_ok_and(|it| Schedule::is_one(&String::from_utf8_lossy(&it)));
    if force || !path.exists() || is_schedule() {
        return Ok(());
    }
    let help = "name another place with --out, or replace it with --force";
    Err(usage(format!("{} is there, and is no schedule", path.display()), help))
}
