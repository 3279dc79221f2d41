//! The switches of threads that make a program fail, or one that fails without any of them pass.

mod deadlock;
pub(crate) mod found;
mod sought;

use crate::excerpt::{clean, shorten};
use crate::human::{count, counted};
pub use deadlock::{PlaceNames, failure, is_deadlock};
pub use found::{FoundSwitches, NamedChange, NamedSwitch, SwitchDifference, last_lines, listing};
use reduct_oracle::Criterion;
use reduct_trace::Switch;
use serde::{Deserialize, Serialize};
pub use sought::Sought;
use std::path::Path;
use std::time::Duration;

/// A schedule is hardly ever larger, in bytes.
pub const LARGEST: usize = 1 << 20;

/// Of a line that the program has written, so much is shown.
const LINE: usize = 200;

/// What was tried where no schedule was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NothingFound {
    /// How many schedules were tried.
    pub tried: u64,
    /// How many were as they should be, and not each time when they were run again.
    pub unrepeatable: u64,
    /// How many ended at a limit, or, where one that passes is looked for, in a deadlock that is not the failure.
    pub unresolved: u64,
    /// Whether a limit ended the search.
    pub stopped: bool,
}

impl NothingFound {
    /// Returns that in words.
    pub fn told(self, sought: Sought) -> String {
        let tried = counted(self.tried, "schedules");
        match (self.stopped, sought) {
            (true, Sought::Failure) => format!("Stopped early: no failure in {tried}."),
            (true, Sought::Pass) => format!("Stopped early: it passes in none of {tried}."),
            (false, Sought::Failure) => format!("No failure in {tried}.{}", self.why(sought)) + OTHERS + MEMORY,
            (false, Sought::Pass) => format!("It passes in none of {tried}.{}", self.why(sought)) + OTHERS + UNKNOWN,
        }
    }

    /// Returns which of them say less than the others.
    fn why(self, sought: Sought) -> String {
        let (mut text, past) = (String::new(), sought.past());
        if self.unrepeatable > 0 {
            text += &format!(
                " {} {past}, but not each time when run again: the program depends on more than its schedule.",
                count(self.unrepeatable)
            );
        }
        if self.unresolved > 0 {
            text += &format!(
                " {} ended at a limit{}: a thread may wait for what is not scheduled (a pipe, or memory of a compiled program without -fsanitize=thread).",
                count(self.unresolved),
                sought.first("", ", or in a deadlock").0
            );
        }
        text
    }
}

/// What can be done where no schedule was found.
const OTHERS: &str = " --tries N and --seed N try others.";
const MEMORY: &str =
    " A compiled program can be switched at each access to memory if it was compiled with -fsanitize=thread.";
const UNKNOWN: &str =
    " Whether it passes in one of those is not known: the schedule may have nothing to do with the failure.";

/// Returns what is said of a run that is done, and has found no schedule.
pub fn done_without(sought: Sought) -> String {
    format!("This run is done already: no schedule that it tried {}.", sought.verb())
}

/// Returns the switches of a test, as a row of a table shows them.
pub fn row(switches: &[NamedSwitch]) -> String {
    switches.iter().map(NamedSwitch::brief).collect::<Vec<_>>().join("; ")
}

/// What any failure is, in words.
pub const ANY_FAILURE: &str = "the program does not end with 0";

/// Returns how a run ended that shows the failure which was defined by these conditions.
pub fn holds(conditions: &str, ending: &str) -> String {
    format!("{conditions} ({ending})")
}

/// Returns how a run ended that does not show the failure which was defined by conditions.
pub fn holds_not(ending: &str) -> String {
    format!("{ending}, and the failure does not occur")
}

/// Returns what the failure is, and where it was seen.
pub fn failure_is(criterion: &Criterion, was_stuck: bool, sought: Sought) -> String {
    let what = match criterion {
        Criterion::Conditions(_) => return format!("Failure: {}", criterion.describe()),
        _ if was_stuck => "any deadlock".to_owned(),
        Criterion::Same(shown) if shown.text.is_none() && shown.report.is_none() => {
            format!("{}, whatever is printed", criterion.describe())
        }
        _ => criterion.describe(),
    };
    let (run, _) = sought.first("this schedule", "the run without a switch");
    format!("Failure: {what}, as {run} showed (--fails-if defines another)")
}

/// Returns what is said of the run without a switch, and of what is looked for then.
pub fn unswitched(ending: &str, points: u64, threads: u64, sought: Sought) -> String {
    let size = format!("{} of {}", counted(points, "points"), counted(threads, "threads"));
    match sought {
        Sought::Failure => format!("Without a switch: {ending}; {size}."),
        Sought::Pass => format!(
            "Without a switch ({size}), the program fails: {ending}. So reduct looks for the switches with which it passes."
        ),
    }
}

/// Returns what is said of a program that has started no thread, with the last line that it has written to standard error.
pub fn without_threads(ending: &str, stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let says = last.map_or(String::new(), |line| format!("; it says: {}", shorten(&clean(line), LINE)));
    format!("the program started no thread: {ending}{says}")
}

/// Returns what is said of a program that hangs without a switch.
pub fn hanging(limit: Duration) -> String {
    format!(
        "Without a switch, the program does not end: each run that hangs takes {limit:?} (--timeout TIME sets less)."
    )
}

/// Returns what is said of the schedule that was found.
pub fn found(sought: Sought, tried: u64, ending: &str, switches: usize, replays: u64) -> String {
    format!(
        "{} tried: {ending}, with {}. Run again {} times: it {} each time.",
        counted(tried, "schedules"),
        counted(switches as u64, "switches"),
        count(replays),
        sought.verb()
    )
}

/// Returns what is said before the result is run again.
pub fn confirming(runs: u64) -> String {
    format!("Running the result {} more.", times(runs))
}

/// Returns what is said while the result is run again.
pub fn confirming_still(seconds: u64, done: u64, runs: u64) -> String {
    format!("{seconds:>5}s {:>9} of {} more runs", count(done), count(runs))
}

fn times(n: u64) -> String {
    if n == 1 { "once".into() } else { format!("{} times", count(n)) }
}

/// What a check of a schedule has shown.
pub struct CheckedSchedule<'a> {
    /// Where it stands.
    pub out: &'a Path,
    /// What the program does with it.
    pub sought: Sought,
    /// How many switches it has.
    pub left: usize,
    /// In how many runs it did so ...
    pub held: usize,
    /// ... of how many.
    pub runs: usize,
    /// The switches without which it does so, too.
    pub needless: Vec<Switch>,
    /// In how many runs the program passed with the one schedule of the difference, and failed with the other one, if there is one.
    pub difference: Option<[usize; 2]>,
}

impl CheckedSchedule<'_> {
    /// Returns that in words, and whether the schedule is what it was said to be.
    pub fn told(&self) -> (String, bool) {
        let (out, switches) = (self.out.display(), counted(self.left as u64, "switches"));
        let does = format!("{out} ({switches}) {} in {} of {} runs", self.sought.verb(), self.held, self.runs);
        if self.held < self.runs {
            return (format!("{does}."), false);
        }
        let (text, holds) = match self.needless.first() {
            Some(switch) => (format!("{does}, but also without the switch {switch}."), false),
            None if self.left == 0 => (format!("{does}."), true),
            None => (format!("{does}, and with any one switch left out it does not."), true),
        };
        let Some([passed, failed]) = self.difference else { return (text, holds) };
        let runs = self.runs;
        let more = format!(
            "Of the difference, the one schedule passes in {passed} of {runs} runs, and the other one fails in {failed} of {runs}."
        );
        (format!("{text} {more}"), holds && passed == runs && failed == runs)
    }
}

/// Returns what is said where an interruption has ended the search for fewer switches.
pub fn written(out: &Path, switches: usize, sought: Sought) -> String {
    let switches = counted(switches as u64, "switches");
    format!("Stopped early: the schedule so far, which {}, has {switches} and is in {}.", sought.verb(), out.display())
}
