//! What is left of an execution, as a listing of the program: the lines that were executed, how often, and what they assigned.

use crate::human::{count, counted, typed};
use crate::turns::ComparedAt;
use reduct_oracle::shell_line::quoted;
use reduct_trace::{Execution, ExecutionPlan, Place, Statement};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Of a value, so many characters are shown.
const VALUE: usize = 60;

/// Statements are padded to so many characters, so that values stand below each other.
const STATEMENT: usize = 48;

/// What is listed.
pub struct Listed<'a> {
    /// What was recorded.
    pub whole: &'a ExecutionPlan,
    /// What is left of it.
    pub left: &'a ExecutionPlan,
    /// The statements.
    pub statements: &'a HashMap<Place, Statement>,
    /// What was assigned, by the number of the execution: names and values.
    pub values: &'a HashMap<u32, Vec<(String, String)>>,
}

/// How the listing ends.
pub struct Ending<'a> {
    /// The file of the plan that is left.
    pub plan: &'a Path,
    /// The program, as a line for the shell.
    pub command: &'a str,
}

/// Returns what is said of a recording.
pub fn recorded(events: &[Execution], at: ComparedAt, deepest: Option<usize>) -> String {
    let files: BTreeSet<&str> = events.iter().map(|event| event.place.file.as_str()).collect();
    let deep = deepest.map_or(String::new(), |depth| {
        format!(" What is more than {depth} levels deep is taken as a part of what it belongs to.")
    });
    let events = counted(events.len() as u64, at.unit());
    let (files, explained) = (counted(files.len() as u64, "files"), at.explained());
    format!("Recorded: {events} in {files}{explained}, the same twice.{deep}")
}

/// Returns the listing: functions as they were first entered, their lines in their order.
pub fn listing(listed: &Listed<'_>, ending: &Ending<'_>) -> String {
    let times = Times::of(listed);
    let mut functions: BTreeMap<(&str, &str), Vec<&Place>> = BTreeMap::new();
    for place in times.left.keys().copied().filter(|place| !place.is_iteration) {
        let function = listed.statements.get(place).map_or("", |statement| statement.function.as_str());
        functions.entry((&place.file, function)).or_default().push(place);
    }
    let mut functions: Vec<_> = functions.into_iter().collect();
    let entered =
        |places: &[&Place]| places.iter().filter_map(|place| times.left[*place].first()).map(|it| it.time).min();
    functions.sort_by_key(|(_, places)| entered(places));
    let mut text = String::new();
    for ((file, function), places) in functions {
        let function = if function.starts_with('<') { String::new() } else { format!("  {function}") };
        text.push_str(&format!("{file}{function}\n"));
        let indent = |place: &Place| listed.statements.get(place).map_or(0, |statement| statement.indent);
        let least = places.iter().map(|place| indent(place)).min().unwrap_or(0);
        places.iter().for_each(|place| text.push_str(&line(listed, &times, place, indent(place) - least)));
        text.push('\n');
    }
    text + &times.ending(listed, ending)
}

/// Returns the line of a statement.
fn line(listed: &Listed<'_>, times: &Times<'_>, place: &Place, indent: usize) -> String {
    let events = &times.left[place][..];
    let all = times.all.get(place).copied().unwrap_or_default();
    let text = events.first().map_or("", |event| event.text.as_str());
    let iterations = times.left.get(&Place { is_iteration: true, ..place.clone() });
    let assigned = |events: &[&Execution]| {
        let last = events.iter().rev().find_map(|event| listed.values.get(&event.time));
        let values = last.into_iter().flatten().map(|(name, value)| format!("{name} = {}", cut(value)));
        values.collect::<Vec<_>>().join(", ")
    };
    let mut notes = vec![];
    if let Some(iterations) = iterations {
        notes.push(match iterations[..] {
            [only] if all == 1 => format!("{} of {}", only.text, times.iterations(place)),
            [only] => only.text.clone(),
            _ => format!("{} iterations", count(iterations.len() as u64)),
        });
        notes.push(assigned(iterations));
    }
    notes.push(assigned(events));
    if times.last == events.iter().map(|event| event.time).max() {
        notes.push("<- the last one".into());
    }
    notes.retain(|note| !note.is_empty());
    let executed = format!("{} of {}", events.len(), all);
    let statement: String = " ".repeat(indent).chars().chain(text.chars().filter(|c| !c.is_control())).collect();
    let row = format!("{:6}  {executed:>10}  {statement:STATEMENT$}  {}", place.line, notes.join(": "));
    row.trim_end().to_owned() + "\n"
}

fn cut(value: &str) -> String {
    let clean = value.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut text: String = clean.take(VALUE).collect();
    if value.chars().count() > VALUE {
        text.push('…');
    }
    text
}

/// What was executed when.
struct Times<'a> {
    /// How often a statement was executed as a whole.
    all: HashMap<&'a Place, usize>,
    /// What is left of that.
    left: BTreeMap<&'a Place, Vec<&'a Execution>>,
    /// The last execution that is left.
    last: Option<u32>,
}

impl<'a> Times<'a> {
    fn of(listed: &Listed<'a>) -> Times<'a> {
        let mut all: HashMap<&Place, usize> = HashMap::new();
        for event in listed.whole.events() {
            *all.entry(&event.place).or_default() += 1;
        }
        let mut left: BTreeMap<&Place, Vec<&Execution>> = BTreeMap::new();
        for event in listed.left.events() {
            left.entry(&event.place).or_default().push(event);
        }
        Times { all, left, last: listed.left.events().iter().map(|event| event.time).max() }
    }

    /// Returns how many iterations a loop had that was executed once.
    fn iterations(&self, place: &Place) -> String {
        let all = self.all.get(&Place { is_iteration: true, ..place.clone() }).copied().unwrap_or_default();
        count(all as u64)
    }

    /// Returns the last lines: how many executions do not matter, and the command that runs the others again.
    fn ending(&self, listed: &Listed<'_>, Ending { plan, command }: &Ending<'_>) -> String {
        let events = listed.whole.events().len() - listed.left.events().len().min(listed.whole.events().len());
        let lines = |of: &mut dyn Iterator<Item = &&Place>| {
            of.map(|place| (place.file.clone(), place.line)).collect::<BTreeSet<_>>().len()
        };
        let lines_left = lines(&mut self.left.keys());
        let lines_gone = lines(&mut self.all.keys()) - lines_left;
        let left = listed.left.events().len() as u64;
        let needless = match (events, lines_gone) {
            (0, 0) => "each of them matters".to_owned(),
            _ => format!(
                "{} and {} do not matter",
                counted(events as u64, "executions"),
                counted(lines_gone as u64, "lines")
            ),
        };
        let build =
            listed.whole.about.build.as_ref().map_or(String::new(), |line| {
                format!(" --build {}", String::from_utf8_lossy(&quoted(line.as_bytes())))
            });
        format!(
            "{} of {} {} left, on {}; {needless}.\nThe plan: {}; again: reduct step {}{build} -- {command}",
            count(left),
            counted(listed.whole.events().len() as u64, "statement executions"),
            if left == 1 { "is" } else { "are" },
            counted(lines_left as u64, "lines"),
            plan.display(),
            typed(plan),
        )
    }
}
