//! The switches of threads that make a program fail, or one that fails without any of them pass.

use crate::human::{count, counted, typed};
use reduct_oracle::Observed;
use reduct_trace::Switch;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A schedule is hardly ever larger, in bytes.
pub const LARGEST: usize = 1 << 20;

/// What the scheduler says of a deadlock begins with this.
const DEADLOCK: &str = "reduct step: deadlock";

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSwitches {
    /// The switches with which it fails, or passes.
    pub switches: Vec<NamedSwitch>,
    /// Two schedules that hardly differ, of which one passes and the other one fails; nothing where they say no more than the switches do.
    #[serde(default)]
    pub difference: Option<SwitchDifference>,
    /// How many there were in the schedule that was found first.
    pub before: usize,
    /// Whether they are among those.
    pub as_recorded: bool,
    /// Whether a limit ended the search.
    pub stopped: bool,
    /// How many schedules were tried until one was found; none if it was given.
    pub tried: u64,
    /// How many tests it took to reduce that schedule.
    pub tests: u64,
    /// How the program ends where it fails; without a switch, if it fails so.
    pub failure: String,
    /// How it ends with the switches, if it passes with them and fails without a switch; nothing if it fails with them.
    #[serde(default)]
    pub passes: Option<String>,
    /// In how many runs more it failed, or passed ...
    pub confirmed: u64,
    /// ... of how many, if it did so in all.
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
    fn lead(&self, sought: Sought) -> String {
        format!(
            "With a schedule of {} the program passes, with one of {} it fails. The difference, where it {}:",
            counted(self.passing as u64, "switches"),
            counted(self.failing as u64, "switches"),
            sought.verb()
        )
    }

    /// Returns where they differ, a line each: what one of them does, and not the other one.
    fn lines(&self, sought: Sought) -> Vec<String> {
        let line = |change: &NamedChange| match sought.first(&change.failing, &change.passing) {
            (Some(here), Some(there)) => format!("{}, not {}", here.told(), name(there.to)),
            (Some(here), None) => here.told(),
            (None, Some(there)) => format!("not so: {}", there.told()),
            (None, None) => String::new(),
        };
        self.changes.iter().map(line).collect()
    }
}

/// Which schedule is looked for: one with which the program fails; or, if it fails without a switch, one with which it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// One with which it fails.
    Failure,
    /// One with which it passes.
    Pass,
}

impl Sought {
    /// Returns what the program does: it `fails`, or it `passes`.
    pub(crate) fn verb(self) -> &'static str {
        self.first("fails", "passes").0
    }

    /// Returns what it did: it `failed`, or it `passed`.
    pub(crate) fn past(self) -> &'static str {
        self.first("failed", "passed").0
    }

    /// Returns what belongs to a schedule that fails and what belongs to one that passes, this side first.
    fn first<T>(self, failing: T, passing: T) -> (T, T) {
        match self {
            Sought::Failure => (failing, passing),
            Sought::Pass => (passing, failing),
        }
    }
}

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

/// Names of what lies at `FILE+0xOFFSET`.
pub trait PlaceNames {
    /// Returns the function and the line of code.
    fn of_code(&mut self, place: &str) -> Option<String>;

    /// Returns the variable, and which part of it.
    fn of_data(&mut self, place: &str) -> Option<String>;
}

/// Returns whether the scheduler ended a run, because no thread could go on.
pub fn is_deadlock(observed: &Observed) -> bool {
    observed.stderr.split(|byte| *byte == b'\n').any(|line| line.starts_with(DEADLOCK.as_bytes()))
}

/// Returns how a run ended, with what the scheduler says of a deadlock: what each thread waits for, and where.
pub fn failure(ending: &str, stderr: &[u8], names: &mut impl PlaceNames) -> String {
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines().skip_while(|line| !line.starts_with(DEADLOCK));
    let Some(_) = lines.next() else { return ending.to_owned() };
    let waits = lines.map_while(|line| line.strip_prefix("  thread ")?.split_once(' '));
    let wait = |(thread, waits): (&str, &str)| {
        format!("{} {}", name(thread.parse().unwrap_or_default()), waiting(waits, names))
    };
    let waits: Vec<String> = waits.map(wait).collect();
    format!("a deadlock ({ending}): {}", waits.join("; "))
}

/// Returns what a thread waits for, and where: `waits for a mutex (FILE+0xOFFSET) that thread 2 has, at FILE+0xOFFSET`, with names.
fn waiting(waits: &str, names: &mut impl PlaceNames) -> String {
    let (what, at) = waits.split_once(", at ").map_or((waits, None), |(what, at)| (what, Some(at)));
    let mutex = what.split_once(" (").and_then(|(what, rest)| Some((what, rest.rsplit_once(')')?)));
    let mut text = match mutex {
        Some((what, (place, has))) => {
            let name = names.of_data(place).unwrap_or_else(|| place.rsplit('/').next().unwrap_or(place).to_owned());
            format!("{what} ({name}){has}")
        }
        None => what.to_owned(),
    };
    // A place in a library without debug information says nothing.
    let at = at
        .filter(|at| *at != "?")
        .and_then(|at| if at.contains("+0x") { names.of_code(at) } else { Some(at.to_owned()) });
    text.extend(at.map(|at| format!(", in {at}")));
    text
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

/// What any failure is, in words.
pub const ANY_FAILURE: &str = "the program does not end with 0";

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
    format!("Running the result {} times more.", count(runs))
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

impl FoundSwitches {
    /// Returns what the program does with them.
    pub fn sought(&self) -> Sought {
        if self.passes.is_some() { Sought::Pass } else { Sought::Failure }
    }

    /// Returns the sizes, and what the program does with the switches.
    fn lead(&self) -> String {
        let left = self.switches.len();
        format!(
            "{} → {} in {}. {}",
            count(self.before as u64),
            counted(left as u64, "switches"),
            counted(self.tests, "tests"),
            self.does()
        )
    }

    /// Returns what the program does with them.
    pub(crate) fn does(&self) -> String {
        let them = if self.switches.len() == 1 { "it" } else { "them" };
        match &self.passes {
            None => format!("With {them} the program fails: {}.", self.failure),
            Some(ending) => {
                let failure = &self.failure;
                format!("With {them} the program passes: {ending}. Without a switch it fails: {failure}.")
            }
        }
    }

    /// Returns the difference from a schedule of the other side, if it is listed: its lead, and its lines.
    pub(crate) fn difference(&self) -> Option<(String, Vec<String>)> {
        self.difference.as_ref().map(|it| (it.lead(self.sought()), it.lines(self.sought())))
    }

    /// Returns the same as a text.
    pub(crate) fn difference_text(&self) -> String {
        let text = |(lead, lines): (String, Vec<String>)| format!("{lead}\n\n  {}\n\n", lines.join("\n  "));
        self.difference().map(text).unwrap_or_default()
    }

    /// Returns what is proved; nothing if the search was stopped, or the result was not so each time.
    pub(crate) fn proved(&self) -> Option<&'static str> {
        match (self.stopped || self.confirmed < self.runs, self.switches.len(), self.sought()) {
            (true, ..) => None,
            (_, 1, Sought::Failure) => Some("Proved: without it, the program passes."),
            (_, 1, Sought::Pass) => Some("Proved: without it, the program fails."),
            (.., Sought::Failure) => Some("Proved: with any one of them left out, it does not fail."),
            (.., Sought::Pass) => Some("Proved: with any one of them left out, it does not pass."),
        }
    }

    /// Returns whether it was confirmed.
    pub(crate) fn confirmed(&self) -> String {
        let past = self.sought().past();
        match self.confirmed == self.runs {
            true => format!("Confirmed: it {past} in {} of {} more runs.", self.confirmed, self.runs),
            false => format!("Not confirmed: it {past} {} times, and then did not.", self.confirmed),
        }
    }

    /// Returns what limits it.
    pub(crate) fn caveats(&self) -> impl Iterator<Item = String> {
        let stopped = self.stopped.then(|| "Stopped early: fewer switches may do.".to_owned());
        // Only some of those close to what was found were tried.
        let fewer = (!self.stopped && self.switches.len() > 1)
            .then(|| "Another schedule may do with fewer switches.".to_owned());
        let past = self.sought().past();
        let other = || {
            format!("It is not one of those that {past} first, but close to one: another thread, or a point beside it.")
        };
        stopped.into_iter().chain(fewer).chain((!self.as_recorded).then(other))
    }
}

/// Returns all that is said at the end.
pub fn listing(found: &FoundSwitches, out: &Path, command: &str) -> String {
    let mut text = found.difference_text() + &found.lead() + "\n\n";
    for switch in &found.switches {
        text += &format!("  {}\n", switch.told());
    }
    text.push('\n');
    for line in found.proved().map(str::to_owned).into_iter().chain(found.caveats()) {
        text += &format!("{line}\n");
    }
    text += &(found.confirmed() + "\n");
    text + &format!("The schedule: {}; again: {}", out.display(), again(out, command))
}

/// Returns what is said where an interruption has ended the search for fewer switches.
pub fn written(out: &Path, switches: usize, sought: Sought) -> String {
    let switches = counted(switches as u64, "switches");
    format!("Stopped early: the schedule so far, which {}, has {switches} and is in {}.", sought.verb(), out.display())
}

/// Returns the line that runs the program under a schedule.
pub(crate) fn again(out: &Path, command: &str) -> String {
    format!("reduct step {} -- {command}", typed(out))
}

/// Returns what a thread is called.
pub(crate) fn name(thread: u32) -> String {
    if thread == 0 { "the main thread".into() } else { format!("thread {thread}") }
}
