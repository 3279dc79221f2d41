//! A plan: a text with a statement execution a line, indented by what it belongs to.

use crate::plan_line::PlanLine;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// What the first line of a recorded plan begins with. It is one line, so that a search has one line to leave out.
const HEAD: &str = "# reduct trace 1: ";

/// What is shown of an iteration in place of its statement.
const ITERATION: &str = "iteration ";

/// What stands before the text of a call, in a native program, if the point is where it has returned: see `driver/gdb.py`.
const AFTER_CALL: &str = "(after the call) ";

/// A statement of a program; of a native one, a function, at its entry, or a call, where it has returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, relative to the folder of the program if it is below that.
    pub file: String,
    /// The line it begins on, from 1.
    pub line: u32,
    /// Which of the statements that begin on the line, from 1.
    pub nth: u32,
    /// Whether it is the body of a loop, executed once, rather than the loop.
    pub is_iteration: bool,
}

/// A statement execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Its number in time, from 1, in the recorded run.
    pub time: u32,
    /// The event that it belongs to, if that is in the plan.
    pub parent: Option<u32>,
    /// The statement.
    pub place: Place,
    /// The statement as its line has it, or which iteration it is.
    pub text: String,
    /// How many events it belongs to.
    pub depth: usize,
}

/// Where control goes in a run under a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ControlFlow {
    /// As the program says.
    #[default]
    Natural,
    /// As it went when it was recorded (Cleve and Zeller 2000).
    Recorded,
}

impl ControlFlow {
    fn is_natural(&self) -> bool {
        *self == ControlFlow::Natural
    }
}

/// What stands behind the text of a condition with recorded control.
const HELD: &str = "  -> yes";
const DID_NOT_HOLD: &str = "  -> no";

impl Execution {
    /// Returns whether it is the return of a function rather than its entry, in a native program.
    pub fn is_return(&self) -> bool {
        self.text.starts_with(AFTER_CALL)
    }

    /// Returns the text of a condition that went this way.
    pub(crate) fn directed(text: &str, goes: Option<bool>) -> String {
        let way = goes.map_or("", |goes| if goes { HELD } else { DID_NOT_HOLD });
        format!("{text}{way}")
    }

    /// Returns where a condition went, if it is known to be one.
    pub(crate) fn goes(&self) -> Option<bool> {
        let ends = |way| self.text.ends_with(way);
        if ends(HELD) { Some(true) } else { ends(DID_NOT_HOLD).then_some(false) }
    }
}

/// Which record of a run it is, if it is a deeper one: the kept run was recorded again, deeper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeeperRecord {
    /// Its number; the first record, which has none, is number 1.
    pub number: u32,
    /// The digest of what it has.
    pub digest: String,
    /// The number of the record that it goes on from.
    pub after: u32,
}

/// What is known of a recorded run besides its events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The folder that the program ran in.
    pub folder: Option<String>,
    /// The program, as [`Program::recorded`](crate::Program::recorded) tells it from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// At this depth, all that belongs to an event is a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deepest: Option<usize>,
    /// Which record it is, if it is not the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<DeeperRecord>,
    /// Whether control goes as it was recorded: what is within a condition or a loop is executed without it.
    #[serde(default, skip_serializing_if = "ControlFlow::is_natural")]
    pub control: ControlFlow,
    /// The value that variables of the main module have before they get one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unset: Option<String>,
    /// The line for the shell that builds the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The files and folders that were looked into, if the program was built and they were named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// By which access to memory the run died, if it died of one and the driver can tell: a run that dies of another one has another
    /// cause, though it may die on the same line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The files of the program, with their digests.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// What a line of a deeper record begins with that is known, and left out for good.
const LEFT_OUT: &str = "# ";

/// The events of a run that are executed, in the order of the text: what belongs to an event follows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecutionPlan {
    events: Vec<Execution>,
    /// Of a deeper record: events of the record before it that are left out for good, with how many events stand before each.
    left_out: Vec<(usize, Execution)>,
    /// What is known of the recorded run, if the plan says it.
    pub about: Provenance,
}

/// Why a text is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no line of a plan: {text}")]
pub struct PlanError {
    /// The line, from 1.
    line: usize,
    text: String,
}

impl ExecutionPlan {
    /// Makes a plan of events, in the order of the text.
    pub fn new(events: Vec<Execution>) -> ExecutionPlan {
        ExecutionPlan { events, ..ExecutionPlan::default() }
    }

    /// Makes a plan of events, in the order of the text, of which those are left out for good that are marked so.
    pub(crate) fn of_marked(all: impl IntoIterator<Item = (Execution, bool)>) -> ExecutionPlan {
        let mut plan = ExecutionPlan::default();
        for (event, is_left_out) in all {
            plan.push(event, is_left_out);
        }
        plan
    }

    fn push(&mut self, event: Execution, is_left_out: bool) {
        match is_left_out {
            true => self.left_out.push((self.events.len(), event)),
            false => self.events.push(event),
        }
    }

    /// Reads a plan. Lines that begin with `#` are notes; a deeper record has what is left out for good in such lines.
    ///
    /// # Errors
    /// If a line is neither an event nor a note.
    pub fn parse(text: &str) -> Result<ExecutionPlan, PlanError> {
        let mut plan = ExecutionPlan::default();
        let mut open: Vec<(usize, u32)> = vec![];
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let marked = line.trim_start_matches(' ').strip_prefix(LEFT_OUT);
            let is_left_out = marked.is_some() && plan.about.record.is_some();
            let of_event = if is_left_out { line.replacen(LEFT_OUT, "", 1).into() } else { Cow::Borrowed(line) };
            let found = PlanLine::of(&of_event);
            if line.starts_with('#') && (!is_left_out || found.is_none()) {
                plan.note(line);
                continue;
            }
            let not_one = || PlanError { line: at + 1, text: line.chars().take(100).collect() };
            let found = found.ok_or_else(not_one)?;
            let number = |digits: &str| digits.parse::<u32>().map_err(|_| not_one());
            let nth = found.nth.map_or(Ok(1), number)?;
            let (blanks, time) = (found.blanks, number(found.time)?);
            while open.last().is_some_and(|(depth, _)| *depth >= blanks) {
                open.pop();
            }
            let nth_iteration = found.text.strip_prefix(ITERATION).and_then(|rest| rest.split(' ').next());
            let is_iteration = nth_iteration.is_some_and(|nth| nth.parse::<u32>().is_ok());
            let event = Execution {
                time,
                parent: open.last().map(|(_, time)| *time),
                place: Place { file: found.file.into(), line: number(found.line)?, nth, is_iteration },
                text: found.text.into(),
                depth: open.len(),
            };
            plan.push(event, is_left_out);
            open.push((blanks, time));
        }
        Ok(plan)
    }

    fn note(&mut self, line: &str) {
        let rest = line.strip_prefix(HEAD).and_then(|rest| rest.split_once("; "));
        if let Some(about) = rest.and_then(|(_, about)| serde_json::from_str(about).ok()) {
            self.about = about;
        }
    }

    /// Returns the events, in the order of the text.
    pub fn events(&self) -> &[Execution] {
        &self.events
    }

    /// Returns all that is known of a run, in the order of the text: the events, and what is left out for good, which is marked.
    pub fn known(&self) -> impl Iterator<Item = (&Execution, bool)> {
        let mut left_out = self.left_out.iter().peekable();
        let mut events = self.events.iter().enumerate().peekable();
        std::iter::from_fn(move || {
            let next = events.peek().map_or(usize::MAX, |(at, _)| *at);
            match left_out.next_if(|(before, _)| *before <= next) {
                Some((_, event)) => Some((event, true)),
                None => events.next().map(|(_, event)| (event, false)),
            }
        })
    }

    /// Returns the greatest number of an execution that is known.
    pub fn last_time(&self) -> u32 {
        self.known().map(|(event, _)| event.time).max().unwrap_or_default()
    }

    /// Returns the same plan without what is left out for good: what a search begins with.
    #[must_use]
    pub fn kept(&self) -> ExecutionPlan {
        ExecutionPlan { left_out: vec![], ..self.clone() }
    }

    /// Returns an execution as its line of the text has it.
    pub fn line(Execution { time, place: Place { file, line, nth, .. }, text, .. }: &Execution) -> String {
        let nth = if *nth == 1 { String::new() } else { format!(".{nth}") };
        format!("{file}:{line}{nth}_{time} {text}")
    }

    /// Returns whether a text was written by [`ExecutionPlan::to_text`].
    pub fn is_recorded(text: &str) -> bool {
        text.starts_with(HEAD)
    }

    /// Returns whether the first line of a text is one of a plan: a recorded one, or what is left of one.
    pub fn begins_as_one(text: &str) -> bool {
        let first = text.lines().next().unwrap_or("");
        ExecutionPlan::is_recorded(first) || PlanLine::of(first).is_some()
    }

    /// Returns the language of the program of a recorded plan.
    pub fn language_of(text: &str) -> Option<&str> {
        Some(text.strip_prefix(HEAD)?.split_once("; ")?.0)
    }

    /// Returns the text of a recorded plan. `language` is that of the program.
    pub fn to_text(&self, language: &str) -> String {
        // Strings and numbers can be written.
        let about = serde_json::to_string(&self.about).unwrap_or_default();
        let mut text = format!("{HEAD}{language}; {about}\n");
        for (event, is_left_out) in self.known() {
            let mark = if is_left_out { LEFT_OUT } else { "" };
            // To a String, everything can be written.
            let _ = writeln!(text, "{:depth$}{mark}{}", "", Self::line(event), depth = event.depth);
        }
        text
    }

    /// Returns how often its statement came before within what an event belongs to, for each event of a recorded plan, by its
    /// time.
    pub fn counts(&self) -> HashMap<u32, u32> {
        let mut seen: HashMap<(Option<u32>, &Place), u32> = HashMap::new();
        let mut by_time: Vec<&Execution> = self.known().map(|(event, _)| event).collect();
        by_time.sort_by_key(|event| event.time);
        let mut counts = HashMap::new();
        for event in by_time {
            let count = seen.entry((event.parent, &event.place)).or_default();
            counts.insert(event.time, *count);
            *count += 1;
        }
        counts
    }
}

/// Returns what is shown of an iteration: which one it is, from 1.
pub(crate) fn iteration(number: u32) -> String {
    format!("{ITERATION}{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# reduct trace 1: python; {\"folder\":\"/home/u\",\"deepest\":7,\"files\":{\"a b.py\":\"12ab\"}}\n\
                        a b.py:3_1 for x in y: f(x)\n a b.py:3_2 iteration 1\n  a b.py:3.2_3 f(x)\n a b.py:3_4 iteration 2\n";

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let plan = ExecutionPlan::parse(TEXT).unwrap();
        assert_eq!(plan.to_text("python"), TEXT);
        assert_eq!(ExecutionPlan::language_of(TEXT), Some("python"));
        let events = plan.events();
        assert_eq!(events.iter().map(|event| event.parent).collect::<Vec<_>>(), [None, Some(1), Some(2), Some(1)]);
        assert_eq!(events[2].place, Place { file: "a b.py".into(), line: 3, nth: 2, is_iteration: false });
        assert_eq!(plan.counts(), HashMap::from([(1, 0), (2, 0), (3, 0), (4, 1)]));
    }

    #[test]
    fn what_belongs_to_an_event_that_is_missing_belongs_to_none() {
        let plan = ExecutionPlan::parse("  a.py:3_3 f(x)\na.py:4_5 g()\n  a.py:9_6 h()\n").unwrap();
        assert_eq!(plan.events().iter().map(|event| event.parent).collect::<Vec<_>>(), [None, None, Some(5)]);
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        let error = ExecutionPlan::parse("a.py:1_1 x\nhello\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2 is no line of a plan: hello");
    }
}
