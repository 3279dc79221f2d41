//! The switches of threads that make a program fail.

use crate::human::{count, counted, typed};
use reduct_trace::Switch;
use std::path::Path;

/// A schedule is hardly ever larger, in bytes.
pub const LARGEST: usize = 1 << 20;

/// What the scheduler says of a deadlock begins with this.
const DEADLOCK: &str = "reduct step: deadlock";

/// What was found.
pub struct FailingSwitches {
    /// The switches with which it fails.
    pub switches: Vec<Switch>,
    /// How many there were in the schedule that failed first.
    pub before: usize,
    /// Whether they are among those.
    pub as_recorded: bool,
    /// Whether a limit ended the search.
    pub stopped: bool,
    /// How many tests it took to reduce that schedule.
    pub tests: u64,
    /// How the program ends.
    pub failure: String,
    /// In how many runs more it failed ...
    pub confirmed: u64,
    /// ... of how many, if it fails in all.
    pub runs: u64,
}

/// A switch, and the name of its place.
pub struct Named<'a> {
    /// The switch.
    pub switch: &'a Switch,
    /// Function, file and line, as far as they are known.
    pub place: String,
}

/// Returns how a run ended, with what the scheduler says of a deadlock.
pub fn failure(ending: &str, stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines().skip_while(|line| !line.starts_with(DEADLOCK));
    let Some(_) = lines.next() else { return ending.to_owned() };
    let waits = lines.map_while(|line| line.strip_prefix("  thread ")?.split_once(' '));
    let waits: Vec<String> =
        waits.map(|(thread, waits)| format!("{} {waits}", name(thread.parse().unwrap_or_default()))).collect();
    format!("a deadlock ({ending}): {}", waits.join(", "))
}

/// What any failure is, in words.
pub const ANY_FAILURE: &str = "the program does not end with 0";

/// Returns what is said of the run without a switch.
pub fn unswitched(ending: &str, points: u64, threads: u64) -> String {
    format!("Without a switch: {ending}; {} of {}.", counted(points, "points"), counted(threads, "threads"))
}

/// Returns what is said of the schedule that fails.
pub fn failing(tried: u64, ending: &str, switches: usize, replays: u64) -> String {
    format!(
        "{} tried: {ending}, with {}. Run again {} times: it fails each time.",
        counted(tried, "schedules"),
        counted(switches as u64, "switches"),
        count(replays)
    )
}

/// Returns what is said where no schedule fails.
pub fn none(tried: u64, unrepeatable: u64, unresolved: u64) -> String {
    let mut text = format!("No failure in {}.", counted(tried, "schedules"));
    if unrepeatable > 0 {
        text += &format!(
            " {} failed, but not each time when run again: the program depends on more than its schedule.",
            count(unrepeatable)
        );
    }
    if unresolved > 0 {
        text += &format!(
            " {} ended at a limit: a thread may wait for what is not scheduled (a pipe, memory without -fsanitize=thread).",
            count(unresolved)
        );
    }
    text + " --tries N and --seed N try others; compiled with -fsanitize=thread, a program can be switched at each access to memory."
}

/// Returns what is said where a limit ended the search before a schedule failed.
pub fn stopped(tried: u64) -> String {
    format!("Stopped early: no failure in {}.", counted(tried, "schedules"))
}

/// Returns what is said of a schedule that was checked again, and whether it is what it was said to be.
pub fn verified(out: &Path, left: usize, (failed, runs): (usize, usize), needless: &[Switch]) -> (String, bool) {
    let (out, switches) = (out.display(), counted(left as u64, "switches"));
    let fails = format!("{out} ({switches}) fails in {failed} of {runs} runs");
    if failed < runs {
        return (format!("{fails}."), false);
    }
    match needless.first() {
        Some(switch) => (format!("{fails}, but also without the switch {switch}."), false),
        None if left == 0 => (format!("{fails}."), true),
        None => (format!("{fails}, and with any one switch left out it does not."), true),
    }
}

/// Returns all that is said at the end.
pub fn listing(found: &FailingSwitches, switches: &[Named<'_>], out: &Path, command: &str) -> String {
    let left = found.switches.len();
    let mut text = format!(
        "{} → {} in {}. With {} the program fails: {}.\n\n",
        count(found.before as u64),
        counted(left as u64, "switches"),
        counted(found.tests, "tests"),
        if left == 1 { "it" } else { "them" },
        found.failure
    );
    for Named { switch: Switch { thread, point, to, .. }, place } in switches {
        let thread = name(*thread);
        text += &format!("  {thread}, at its point {}, in {place}: {} runs on instead\n", count(*point), name(*to));
    }
    text += match (found.stopped, left) {
        (true, _) => "\nStopped early: fewer switches may do.\n",
        (_, 1) => "\nProved: without it, the program passes.\n",
        _ => "\nProved: with any one of them left out, it does not fail.\n",
    };
    if !found.as_recorded {
        text += "It is not one of those that failed first, but close to one: another thread, or a point beside it.\n";
    }
    text += &if found.confirmed == found.runs {
        format!("Confirmed: it failed in {} of {} more runs.\n", found.confirmed, found.runs)
    } else {
        format!("Not confirmed: it failed {} times, and then did not.\n", found.confirmed)
    };
    text + &format!("The schedule: {}; again: reduct step {} -- {command}", out.display(), typed(out))
}

fn name(thread: u32) -> String {
    if thread == 0 { "the main thread".into() } else { format!("thread {thread}") }
}
