//! The switches of threads that a run of `schedule` has found, in words.

use super::sought::Sought;
use crate::human::{count, counted, typed};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The place of a switch of which none is known.
pub(crate) const UNKNOWN: &str = "?";

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSwitches {
    /// The switches with which it fails, or passes.
    pub switches: Vec<NamedSwitch>,
    /// Two schedules that hardly differ, of which one passes and the other one fails; nothing where they say no more than the switches do. Both lie
    /// between the schedule that these switches were reduced from and one of the other side.
    #[serde(default)]
    pub difference: Option<SwitchDifference>,
    /// How many there were in the schedule that these were reduced from; it is not always the one that was found first.
    pub before: usize,
    /// Which of the schedules that were tried that is, from 1; nothing if it was given.
    #[serde(default)]
    pub number: Option<u64>,
    /// Whether they are among those.
    pub as_recorded: bool,
    /// Whether a limit ended the search.
    pub stopped: bool,
    /// How many schedules were tried until one was found; none if it was given.
    pub tried: u64,
    /// How many tests it took to reduce that one, and to look for others and reduce these.
    pub tests: u64,
    /// How many of these told nothing: they ended at a limit, or failed in another way.
    #[serde(default)]
    pub unresolved: u64,
    /// How many other schedules were reduced, too.
    #[serde(default)]
    pub others: u64,
    /// How the program ends where it fails; without a switch, if it fails so.
    pub failure: String,
    /// How it ends with the switches, if it passes with them and fails without a switch; nothing if it fails with them.
    #[serde(default)]
    pub passes: Option<String>,
    /// In how many runs more it failed, or passed ...
    pub confirmed: u64,
    /// ... of how many, if it did so in all; none if it was not run again.
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
    /// Returns it as a schedule has it, with the name of its place.
    pub(super) fn brief(&self) -> String {
        let place = if self.place == UNKNOWN { String::new() } else { format!(" in {}", self.place) };
        format!("T{}#{} -> T{}{place}", self.thread, self.point, self.to)
    }

    /// Returns what happens, in words.
    pub(crate) fn told(&self) -> String {
        let (thread, to) = (name(self.thread), name(self.to));
        let place = if self.place == UNKNOWN { String::new() } else { format!(", in {}", self.place) };
        format!("{thread}, at its point {}{place}: {to} runs on instead", count(self.point))
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

impl FoundSwitches {
    /// Returns what the program does with them.
    pub fn sought(&self) -> Sought {
        if self.passes.is_some() { Sought::Pass } else { Sought::Failure }
    }

    /// Returns the sizes, and what the program does with the switches.
    fn lead(&self) -> String {
        format!("{}. {}", self.sizes(), self.does())
    }

    /// Returns how many switches there were and are, and in how many tests.
    fn sizes(&self) -> String {
        let left = self.switches.len();
        let sizes = match self.before == left {
            true => counted(left, "switches"),
            false => format!("{} → {}", count(self.before as u64), counted(left, "switches")),
        };
        format!("{sizes} in {}", counted(self.tests, "tests"))
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
    pub(crate) fn difference_text(&self) -> Option<String> {
        self.difference().map(|(lead, lines)| format!("{lead}\n\n  {}\n", lines.join("\n  ")))
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

    /// Returns whether it was so each time when it was run again; nothing if it was not run again.
    pub(crate) fn is_confirmed(&self) -> Option<bool> {
        (self.runs > 0).then_some(self.confirmed == self.runs)
    }

    /// Returns the same in words.
    pub(crate) fn confirmed(&self) -> Option<String> {
        let past = self.sought().past();
        self.is_confirmed().map(|is_confirmed| match is_confirmed {
            true => {
                format!("Confirmed: it {past} in {} of {}.", count(self.confirmed), counted(self.runs, "more runs"))
            }
            false => format!("Not confirmed: it {past} {} times, and then did not.", self.confirmed),
        })
    }

    /// Returns what limits it.
    pub(crate) fn caveats(&self) -> impl Iterator<Item = String> {
        let stopped = self.stopped.then(|| "Stopped early: fewer switches may do.".to_owned());
        // Only some of those close to what was found were tried, and some others.
        let fewer = (!self.stopped && self.switches.len() > 1).then(|| {
            let others = match self.others {
                0 => String::new(),
                n => format!(": these are the fewest of {} that were reduced", count(n + 1)),
            };
            format!("Another schedule may do with fewer switches{others}.")
        });
        let other = || {
            let (they, close) = match self.switches.len() {
                1 => ("It is not", "close to one"),
                _ => ("They are not all", "close to some"),
            };
            let which = match self.number {
                None => "the schedule that was reduced".to_owned(),
                Some(n) => format!("schedule {}, the one that was reduced", count(n)),
            };
            let before = counted(self.before as u64, "switches");
            format!("{they} among the {before} of {which}, but {close}: another thread, or a point beside it.")
        };
        let unresolved = (self.unresolved > 0).then(|| {
            let of = counted(self.tests, "tests");
            format!("{} of {of} told nothing: they ended at a limit, or failed otherwise.", count(self.unresolved))
        });
        stopped.into_iter().chain(fewer).chain((!self.as_recorded).then(other)).chain(unresolved)
    }
}

/// Returns what is said at the end where only the failure is, warnings, and where the result is.
pub fn last_lines(found: &FoundSwitches, out: &Path) -> String {
    let mut lines = vec![format!("Failure: {}", found.failure)];
    lines.extend(found.stopped.then(|| found.caveats().next()).flatten());
    lines.extend(found.confirmed().filter(|_| found.is_confirmed() == Some(false)));
    lines.push(format!("{}; the result is {}", found.sizes(), out.display()));
    lines.join("\n")
}

/// Returns all that is said at the end.
pub fn listing(found: &FoundSwitches, out: &Path, command: &str) -> String {
    let mut text = found.lead() + "\n\n";
    for switch in &found.switches {
        text += &format!("  {}\n", switch.told());
    }
    text.push('\n');
    let proved = found.proved().map(str::to_owned);
    for line in proved.into_iter().chain(found.caveats()).chain(found.confirmed()) {
        text += &format!("{line}\n");
    }
    if let Some(difference) = found.difference_text() {
        text += &format!("\n{difference}\n");
    }
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
