//! What a test costs besides itself: a do-nothing oracle, run as a test and spawned in a bare loop, in
//! turns, in one run.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod confined;

pub(crate) use confined::run as confined;

use reduct_core::laws::Chance;
use reduct_core::{Memo, Repeats};
use reduct_input::{Artifact, ArtifactBuilder};
use reduct_oracle::signature::InputVocabulary;
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Invocation, Limits};
use reduct_passes::Pass;
use reduct_sandbox::local::{Local, Setup};
use reduct_sandbox::supervisor;
use reduct_session::executor::{Completion, Executor, Opened, RunId, RunRequest};
use reduct_session::{Session, Start, Stops};
use reduct_strategies::{Method, Plan, Reduction};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A program that does nothing and says no, so that every candidate is a new question.
const NOTHING: &str = "/bin/false";
/// Sizes of inputs, and how many tests are run on each.
const SIZES: [(&str, usize, u64); 4] =
    [("1 kB", 1_000, 900), ("100 kB", 100_000, 600), ("10 MB", 10_000_000, 60), ("100 MB", 100_000_000, 20)];
/// In how many files an input stands.
const FILES: [usize; 2] = [1, 20];
/// How many tests run side by side.
const JOBS: [usize; 2] = [1, 2];
/// The median of this many turns is shown.
const TURNS: usize = 5;

/// What some tests took, all processes together.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    processor: Duration,
    bytes: u64,
}

pub(crate) fn run() -> Result<(), String> {
    println!(
        "Each line: the median of {TURNS} turns, in microseconds a test; the bare loop runs in the same turns. Processor time is that of all processes."
    );
    println!(
        "| input | files | jobs | tests | bare wall | wall | bare processor | processor | own processor | written | peak memory |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let rows = SIZES.into_iter().flat_map(|size| FILES.map(|files| (size, files)));
    for ((name, size, tests), files, jobs) in rows.flat_map(|(size, files)| JOBS.map(|jobs| (size, files, jobs))) {
        let mut turns = vec![];
        for _ in 0..TURNS {
            turns.push((bare(tests)?, session(size, files, jobs, tests)?));
        }
        let median = |of: &dyn Fn(&(Cost, Cost)) -> f64| {
            let mut all: Vec<f64> = turns.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all[TURNS / 2] / tests as f64
        };
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        println!(
            "| {name} | {files} | {jobs} | {tests} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {} B | {} MB |",
            median(&|(bare, _)| micros(bare.wall)),
            median(&|(_, ours)| micros(ours.wall)),
            median(&|(bare, _)| micros(bare.processor)),
            median(&|(_, ours)| micros(ours.processor)),
            median(&|(bare, ours)| micros(ours.processor) - micros(bare.processor)),
            turns[0].1.bytes / tests,
            peak_memory() / 1_000_000,
        );
    }
    confined()
}

/// Spawns and waits, nothing else.
fn bare(tests: u64) -> Result<Cost, String> {
    let (begin, before) = (Instant::now(), processor_time());
    for _ in 0..tests {
        let mut command = Command::new(NOTHING);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().map_err(|error| format!("{NOTHING}: {error}"))?;
    }
    Ok(Cost { wall: begin.elapsed(), processor: processor_time() - before, bytes: 0 })
}

/// Returns a search by the session, as the command does it.
fn session(size: usize, files: usize, jobs: usize, tests: u64) -> Result<Cost, String> {
    let artifact = input(size, files)?;
    let kind = Pass::named("bytes").ok_or("bytes are a kind")?;
    let limits = Limits {
        time: None,
        build_time: None,
        memory: None,
        processes: None,
        disk: None,
        file_size: None,
        output: 1 << 16,
    };
    let invocation = Invocation {
        argv: vec![NOTHING.into()],
        subject: "input".into(),
        plain: 0,
        path_argument: true,
        stdin: false,
        build: None,
        server: None,
        forks: false,
        inside: Default::default(),
        without: vec![],
        env: vec![],
        after: Default::default(),
    };
    let setup = Setup {
        jobs,
        invocation,
        limits,
        scratch: None,
        room: size as u64,
        base_tree: None,
        fresh: false,
        supervisor: supervisor::command(),
        random_addresses: false,
        confinement: None,
    };
    let (begin, before) = (Instant::now(), processor_time());
    let local = Local::new(setup).map_err(|error| error.to_string())?;
    let mut opened = Opened::new(Counting { local, bytes: 0 });
    let start = Start {
        inquiry: Reduction::new(artifact, Plan::new(vec![kind], Method::DdminSubsets)),
        memo: Memo::new(),
        known: 0,
        repeats: Repeats::Remembered,
        stops: Stops::default().with_tests(Some(tests)),
        skips: [].into(),
        reached: 0,
        failure: String::new(),
        time_limit: None,
        policy: None,
        votes: [].into(),
    };
    let oracle = Oracle::new(Criterion::ExitZero, InputVocabulary::default());
    let (ended, _) = Session::new(&mut opened, vec![], Duration::ZERO).search(&oracle, start);
    let bytes = opened.executor.bytes;
    // A candidate that was met before is a test, but is not run again.
    if ended.runs + 3 < tests {
        return Err(format!("{} of {tests} tests were run: {:?}", ended.runs, ended.why));
    }
    // Its supervisors are waited for, so that their time is counted.
    drop(opened);
    Ok(Cost { wall: begin.elapsed(), processor: processor_time() - before, bytes })
}

/// Returns an input of random bytes: a file, or a folder of files.
fn input(size: usize, files: usize) -> Result<Artifact, String> {
    let mut chance = Chance(size as u64);
    let contents: Vec<u8> = (0..size).map(|_| chance.number() as u8).collect();
    let mut builder = ArtifactBuilder::default();
    if files == 1 {
        builder.file("input", 0o644, &contents).map_err(|error| error.to_string())?;
        return Ok(builder.finish());
    }
    builder.folder("input", 0o755);
    for (n, part) in contents.chunks(size.div_ceil(files)).enumerate() {
        builder.file(format!("input/{n:02}"), 0o644, part).map_err(|error| error.to_string())?;
    }
    Ok(builder.finish())
}

/// Counts what is written for tests.
struct Counting {
    local: Local,
    bytes: u64,
}

impl Executor for Counting {
    fn slots(&self) -> usize {
        self.local.slots()
    }

    fn start(&mut self, run: RunId, request: RunRequest) {
        self.bytes += request.candidate.len() as u64;
        self.local.start(run, request);
    }

    fn cancel(&mut self, run: RunId) {
        self.local.cancel(run);
    }

    fn next(&mut self, deadline: Option<Duration>) -> Completion {
        self.local.next(deadline)
    }

    fn now(&self) -> Duration {
        self.local.now()
    }
}

/// Returns the processor time of this process and of all that it has waited for.
pub(crate) fn processor_time() -> Duration {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].into_iter().map(usage).sum()
}

fn usage(of: libc::c_int) -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a place for one `rusage`, which the call fills; all zeros are one too.
    let usage = unsafe {
        libc::getrusage(of, usage.as_mut_ptr());
        usage.assume_init()
    };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// Returns the most memory that this process has had at a time, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) * 1024
}
