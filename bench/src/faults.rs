//! Runs that are killed at random moments, and go on: nothing is lost, wrong, left behind or done twice.
//!
//! Each run is one of the commands on an input of which it is known what has to remain. The program, its supervisors, or both
//! get SIGKILL at a random moment; what is on the disk then must fail; the run goes on, and may be killed again. In the end
//! the result must be that of a run that nobody disturbs.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it comes to")]

mod injected;
mod kinds;
mod power;
mod processes;

use crate::built::program;
use crate::words::{number, refuse_unknown, word};
use kinds::{KINDS, Kind};
pub(crate) use processes::of_tag;
use processes::{Target, kill};
use reduct_core::laws::Chance;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A run is killed at most so often before it is left alone.
const KILLS: u64 = 5;

/// What does not end within this time hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// The variable by which processes of a run are found.
const TAG: &str = "REDUCT_FAULTS";

/// What was seen.
#[derive(Default)]
struct Seen {
    kills: u64,
    runs: u64,
    lost: Vec<String>,
    wrong: Vec<String>,
    orphans: Vec<String>,
    left: Vec<String>,
    repeats: Vec<String>,
    hung: Vec<String>,
}

/// A run that nobody disturbs.
struct Undisturbed {
    result: Vec<u8>,
    took: Duration,
    /// How often the test ran in vain, as its candidate had been run before.
    repeats: u64,
}

/// Runs the campaign: `[--kills N] [--seed S] [--only KIND]`, or `--inject`, which injects errors of the system
/// instead, or `--power [--states N]`, which cuts the power.
///
/// # Errors
/// If something was lost, wrong or left, or the program cannot be run.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    refuse_unknown(words, &["--kills", "--seed", "--only", "--states"], &["--inject", "--power"])?;
    let (kills, seed) = (number(words, "--kills", 200)?, number(words, "--seed", 1)?);
    let only = word(words, "--only");
    let program = program()?;
    if words.contains(&"--inject") {
        let (runs, bad) = injected::run(&program)?;
        println!("{runs} runs with an injected error, wrong {bad}");
        return if bad == 0 { Ok(()) } else { Err("the promises are broken".into()) };
    }
    if words.contains(&"--power") {
        let seen = power::run(&program, only, number(words, "--states", 200)?, seed)?;
        seen.lost.iter().chain(&seen.wrong).for_each(|one| println!("{one}"));
        println!("seed {seed}: {}", seen.told());
        return if seen.lost.len() + seen.wrong.len() == 0 { Ok(()) } else { Err("the promises are broken".into()) };
    }
    let mut chance = Chance(seed);
    let mut seen = Seen::default();
    let mut known = BTreeMap::new();
    let kinds: Vec<&Kind> = KINDS.iter().filter(|kind| only.is_none_or(|only| kind.name == only)).collect();
    if kinds.is_empty() {
        return Err(format!("kinds: {}", KINDS.map(|kind| kind.name).join(", ")));
    }
    while seen.kills < kills {
        let kind = kinds[chance.below(kinds.len())];
        if !known.contains_key(kind.name) {
            known.insert(kind.name, undisturbed(&program, kind)?);
        }
        campaign(&program, kind, &known[kind.name], &mut chance, &mut seen)?;
    }
    for (what, all) in [
        ("lost", &seen.lost),
        ("wrong", &seen.wrong),
        ("orphan", &seen.orphans),
        ("scratch left", &seen.left),
        ("repeated", &seen.repeats),
        ("hung", &seen.hung),
    ] {
        all.iter().for_each(|one| println!("{what}: {one}"));
    }
    let Seen { kills, runs, lost, wrong, orphans, left, repeats, hung } = &seen;
    println!(
        "seed {seed}: {runs} runs, kills {kills}, lost {}, wrong {}, orphans {}, scratch left {}, repeats {}, hung {}",
        lost.len(),
        wrong.len(),
        orphans.len(),
        left.len(),
        repeats.len(),
        hung.len()
    );
    let bad = [lost, wrong, orphans, left, repeats, hung];
    if bad.iter().all(|all| all.is_empty()) { Ok(()) } else { Err("the promises are broken".into()) }
}

/// A folder in which one run is made.
struct Bench<'a> {
    folder: PathBuf,
    program: &'a Path,
    kind: &'static Kind,
}

impl Bench<'_> {
    fn new<'a>(program: &'a Path, kind: &'static Kind, number: u64) -> Result<Bench<'a>, String> {
        // Two campaigns may go on in one process.
        static MADE: AtomicU64 = AtomicU64::new(0);
        let name = format!("reduct-faults-{}-{number}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        let bench = Bench { folder, program, kind };
        let made = fs::create_dir_all(bench.home()).and_then(|()| fs::create_dir_all(bench.scratch()));
        made.and_then(|()| (kind.prepare)(&bench.home())).map_err(|error| error.to_string())?;
        Ok(bench)
    }

    fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }

    /// Starts the program with these words.
    fn start(&self, words: &[&str]) -> Result<Child, String> {
        self.start_as(Command::new(self.program).args(words)).map_err(|error| error.to_string())
    }

    /// Starts this command in the surroundings of the run.
    fn start_as(&self, command: &mut Command) -> std::io::Result<Child> {
        command.current_dir(self.home()).env(TAG, &self.folder).env("LOG", self.folder.join("log"));
        command.env("REDUCT_ALLOW_WRITE", &self.folder).stdin(Stdio::null()).stdout(Stdio::null());
        if self.kind.is_answered {
            let answers = self.answers()?;
            command.env("ANSWERS", &answers).stdin(fs::File::options().read(true).write(true).open(answers)?);
        }
        command.stderr(fs::File::create(self.folder.join("errors"))?).spawn()
    }

    /// Makes a new pipe for answers: what is late of a process that was killed is not heard by the next one.
    fn answers(&self) -> std::io::Result<PathBuf> {
        let free = (0..).map(|number| self.folder.join(format!("answers-{number}"))).find(|path| !path.exists());
        let path = free.unwrap_or_default();
        let made = Command::new("mkfifo").arg(&path).status()?;
        if made.success() { Ok(path) } else { Err(std::io::ErrorKind::Other.into()) }
    }

    fn words(&self) -> Vec<&'static str> {
        let scratch = ["--scratch", "../scratch"];
        self.kind.words[..1].iter().copied().chain(scratch).chain(self.kind.words[1..].iter().copied()).collect()
    }

    /// Returns the result that is on the disk, if there is one.
    fn result(&self) -> Option<Vec<u8>> {
        read(&self.home().join(self.kind.result))
    }

    /// Returns how often a candidate was run that had been run before.
    fn repeats(&self) -> u64 {
        let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        log.lines().for_each(|line| *counts.entry(line).or_default() += 1);
        counts.values().map(|count| count - 1).sum()
    }

    /// Returns all that the last process said.
    fn all_said(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.folder.join("errors")).unwrap_or_default()).into_owned()
    }

    /// Returns the last line of it.
    fn said(&self) -> String {
        let said = self.all_said();
        said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
    }
}

/// Returns the bytes of a file, or the names and bytes of all files of a folder.
fn read(path: &Path) -> Option<Vec<u8>> {
    if !path.is_dir() {
        return fs::read(path).ok();
    }
    let mut names: Vec<PathBuf> = fs::read_dir(path).ok()?.flatten().map(|entry| entry.path()).collect();
    names.sort();
    let parts = names.iter().filter_map(|name| Some([name.file_name()?.as_encoded_bytes(), &read(name)?].concat()));
    Some(parts.collect::<Vec<_>>().concat())
}

fn undisturbed(program: &Path, kind: &'static Kind) -> Result<Undisturbed, String> {
    let bench = Bench::new(program, kind, 0)?;
    let began = Instant::now();
    let mut child = bench.start(&bench.words())?;
    let status = child.wait().map_err(|error| error.to_string())?;
    let took = began.elapsed();
    let result = bench.result().ok_or_else(|| format!("{}: {status}: {}", kind.name, bench.said()))?;
    let repeats = bench.repeats();
    let _ = fs::remove_dir_all(&bench.folder);
    Ok(Undisturbed { result, took, repeats })
}

/// Makes one run, kills it some times, has it go on to the end, and looks at what came of it.
fn campaign(
    program: &Path,
    kind: &'static Kind,
    undisturbed: &Undisturbed,
    chance: &mut Chance,
    seen: &mut Seen,
) -> Result<(), String> {
    seen.runs += 1;
    let bench = Bench::new(program, kind, seen.runs)?;
    let (mut kills, mut words) = (0, bench.words());
    loop {
        let mut child = bench.start(&words)?;
        let is_disturbed = kills < KILLS && chance.below(4) > 0;
        if is_disturbed {
            let within = undisturbed.took.as_micros() as usize;
            sleep(Duration::from_micros(chance.below(within.max(1)) as u64));
            let target = [Target::Program, Target::Supervisors, Target::Both][chance.below(3)];
            if kill(&child, target) {
                kills += 1;
                seen.kills += 1;
            }
        }
        let what = |bench: &Bench<'_>| format!("{} (run {}, {kills} kills): {}", kind.name, seen.runs, bench.said());
        let Some(status) = wait(&mut child, PATIENCE) else {
            seen.hung.push(what(&bench));
            let _ = child.kill();
            break;
        };
        if status.code().is_none() {
            if kind.is_certain && bench.result().is_some_and(|best| !(kind.fails)(&best)) {
                seen.lost.push(what(&bench));
            }
            // Before there is a run, there is nothing to go on with.
            words = if fs::exists(bench.home().join(kind.state)).unwrap_or(false) {
                kind.resume.to_vec()
            } else {
                bench.words()
            };
            continue;
        }
        // A process that was killed right at its start has left a run without its job.
        if status.code() == Some(2) && words == kind.resume && bench.all_said().contains("no run") {
            words = bench.words();
            continue;
        }
        let is_right = bench
            .result()
            .is_some_and(|result| if kind.is_certain { result == undisturbed.result } else { (kind.fails)(&result) });
        if status.code() != Some(0) || !is_right {
            seen.wrong.push(format!("{}, {status}", what(&bench)));
        }
        break;
    }
    let about = format!("{} (run {}, {kills} kills)", kind.name, seen.runs);
    let deadline = Instant::now() + Duration::from_secs(5);
    while !of_tag(TAG, &bench.folder).is_empty() && Instant::now() < deadline {
        sleep(Duration::from_millis(5));
    }
    seen.orphans.extend(of_tag(TAG, &bench.folder).iter().map(|orphan| format!("{about}: {orphan}")));
    let left = fs::read_dir(bench.scratch()).into_iter().flatten().flatten();
    seen.left.extend(left.map(|entry| format!("{about}: {}", entry.path().display())));
    // What was under way when it was killed is run again, and so is the preflight: the whole three times, the other side
    // once, the result five times. What was run ahead of the search may be run again.
    let allowed = undisturbed.repeats + 5 + kills * 12;
    if kind.is_certain && bench.repeats() > allowed {
        seen.repeats.push(format!("{about}: {} of at most {allowed}", bench.repeats()));
    }
    let _ = fs::remove_dir_all(&bench.folder);
    Ok(())
}

/// Waits for the end, so long at most. `None` if it does not come.
pub(crate) fn wait(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + time;
    while Instant::now() < deadline {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        sleep(Duration::from_millis(2));
    }
    None
}

#[cfg(test)]
mod tests {
    /// The short form. With `cargo xtask bench faults`, it takes as long as it is let.
    #[test]
    fn some_kills_lose_nothing() {
        super::run(&["--kills", "4", "--seed", "7", "--only", "reduce"]).unwrap();
    }
}
