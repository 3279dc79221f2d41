//! The switches of threads that make a program fail.

use crate::human::{count, counted, typed};
use reduct_trace::Switch;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A schedule is hardly ever larger, in bytes.
pub const LARGEST: usize = 1 << 20;

/// What the scheduler says of a deadlock begins with this.
const DEADLOCK: &str = "reduct step: deadlock";

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingSwitches {
    /// The switches with which it fails.
    pub switches: Vec<NamedSwitch>,
    /// Two schedules that hardly differ, of which one passes and the other one fails; nothing where they say no more than the switches do.
    #[serde(default)]
    pub difference: Option<SwitchDifference>,
    /// How many there were in the schedule that failed first.
    pub before: usize,
    /// Whether they are among those.
    pub as_recorded: bool,
    /// Whether a limit ended the search.
    pub stopped: bool,
    /// How many schedules were tried until it failed; none if it was given.
    pub tried: u64,
    /// How many tests it took to reduce that schedule.
    pub tests: u64,
    /// How the program ends.
    pub failure: String,
    /// In how many runs more it failed ...
    pub confirmed: u64,
    /// ... of how many, if it fails in all.
    pub runs: u64,
}

/// A switch, and what stands at its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedSwitch {
    /// The thread that runs.
    pub thread: u32,
    /// Which of its own points, from 1.
    pub point: u64,
    /// The thread that goes on.
    pub to: u32,
    /// Function, file and line, as far as they are known.
    pub place: String,
    /// The line of the program that stands there, if it could be read.
    pub source: Option<String>,
}

impl NamedSwitch {
    /// Returns what happens, in words.
    pub(crate) fn told(&self) -> String {
        let (thread, to) = (name(self.thread), name(self.to));
        format!("{thread}, at its point {}, in {}: {to} runs on instead", count(self.point), self.place)
    }
}

/// Two schedules that hardly differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchDifference {
    /// With so many switches it passes.
    pub passing: usize,
    /// With so many it fails.
    pub failing: usize,
    /// Where they differ.
    pub changes: Vec<NamedChange>,
}

/// A point at which two schedules differ: the switch there, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedChange {
    /// In the schedule that passes.
    pub passing: Option<NamedSwitch>,
    /// In the schedule that fails.
    pub failing: Option<NamedSwitch>,
}

impl SwitchDifference {
    /// Returns what the two schedules do.
    pub(crate) fn lead(&self) -> String {
        format!(
            "With a schedule of {} the program passes, with one of {} it fails. The difference, where it fails:",
            counted(self.passing as u64, "switches"),
            counted(self.failing as u64, "switches")
        )
    }

    /// Returns where they differ, a line each.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |change: &NamedChange| match (&change.failing, &change.passing) {
            (Some(failing), Some(passing)) => format!("{}, not {}", failing.told(), name(passing.to)),
            (Some(failing), None) => failing.told(),
            (None, Some(passing)) => format!("not so: {}", passing.told()),
            (None, None) => String::new(),
        };
        self.changes.iter().map(line).collect()
    }
}

/// What was tried where no schedule fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NothingFails {
    /// How many schedules were tried.
    pub tried: u64,
    /// How many failed, and did not each time when they were run again.
    pub unrepeatable: u64,
    /// How many ended at a limit.
    pub unresolved: u64,
    /// Whether a limit ended the search.
    pub stopped: bool,
}

impl NothingFails {
    /// Returns that in words.
    pub fn told(self) -> String {
        if self.stopped { stopped(self.tried) } else { none(self.tried, self.unrepeatable, self.unresolved) }
    }
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

/// Returns what is said before the result is run again.
pub fn confirming(runs: u64) -> String {
    format!("Running the result {} times more.", count(runs))
}

/// Returns what is said where no schedule fails.
fn none(tried: u64, unrepeatable: u64, unresolved: u64) -> String {
    let mut text = format!("No failure in {}.", counted(tried, "schedules"));
    if unrepeatable > 0 {
        text += &format!(
            " {} failed, but not each time when run again: the program depends on more than its schedule.",
            count(unrepeatable)
        );
    }
    if unresolved > 0 {
        text += &format!(
            " {} ended at a limit: a thread may wait for what is not scheduled (a pipe, or memory of a compiled program without -fsanitize=thread).",
            count(unresolved)
        );
    }
    text + " --tries N and --seed N try others. A compiled program can be switched at each access to memory if it was compiled with -fsanitize=thread."
}

/// Returns what is said where a limit ended the search before a schedule failed.
fn stopped(tried: u64) -> String {
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

impl FailingSwitches {
    /// Returns the sizes, and with what the program fails.
    fn lead(&self) -> String {
        let left = self.switches.len();
        format!(
            "{} → {} in {}. {}",
            count(self.before as u64),
            counted(left as u64, "switches"),
            counted(self.tests, "tests"),
            self.fails()
        )
    }

    /// Returns how the program fails with them.
    pub(crate) fn fails(&self) -> String {
        let them = if self.switches.len() == 1 { "it" } else { "them" };
        format!("With {them} the program fails: {}.", self.failure)
    }

    /// Returns what is proved; nothing if the search was stopped.
    pub(crate) fn proved(&self) -> Option<&'static str> {
        match (self.stopped, self.switches.len()) {
            (true, _) => None,
            (_, 1) => Some("Proved: without it, the program passes."),
            _ => Some("Proved: with any one of them left out, it does not fail."),
        }
    }

    /// Returns whether it was confirmed.
    pub(crate) fn confirmed(&self) -> String {
        match self.confirmed == self.runs {
            true => format!("Confirmed: it failed in {} of {} more runs.", self.confirmed, self.runs),
            false => format!("Not confirmed: it failed {} times, and then did not.", self.confirmed),
        }
    }

    /// Returns what limits it.
    pub(crate) fn caveats(&self) -> impl Iterator<Item = &'static str> {
        let stopped = self.stopped.then_some("Stopped early: fewer switches may do.");
        let other = "It is not one of those that failed first, but close to one: another thread, or a point beside it.";
        stopped.into_iter().chain((!self.as_recorded).then_some(other))
    }
}

/// Returns all that is said at the end.
pub fn listing(found: &FailingSwitches, out: &Path, command: &str) -> String {
    let difference = found.difference.iter().map(|it| format!("{}\n\n  {}\n\n", it.lead(), it.lines().join("\n  ")));
    let mut text = difference.collect::<String>() + &found.lead() + "\n\n";
    for switch in &found.switches {
        text += &format!("  {}\n", switch.told());
    }
    text.push('\n');
    for line in found.proved().into_iter().chain(found.caveats()) {
        text += &format!("{line}\n");
    }
    text += &(found.confirmed() + "\n");
    text + &format!("The schedule: {}; again: {}", out.display(), again(out, command))
}

/// Returns the line that runs the program under a schedule.
pub(crate) fn again(out: &Path, command: &str) -> String {
    format!("reduct step {} -- {command}", typed(out))
}

/// Returns what a thread is called.
pub(crate) fn name(thread: u32) -> String {
    if thread == 0 { "the main thread".into() } else { format!("thread {thread}") }
}
