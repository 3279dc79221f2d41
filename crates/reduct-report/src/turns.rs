//! The values that cause a failure, from the input to its end.

use crate::human::{count, counted, list, typed};
use reduct_trace::{FrameVariable, Place};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Of a value, so many characters are shown.
const VALUE: usize = 60;

/// Before what differs, so many characters are shown of a long one.
const CONTEXT: usize = 24;

/// So many functions are named.
const FUNCTIONS: usize = 8;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseTransitions {
    /// In the order of the run.
    pub turns: Vec<Turn>,
    /// What was compared, in a line.
    pub compared: String,
    /// The last statement that the failing run executed.
    pub last: Option<Place>,
    /// Whether that is a call that has returned.
    pub last_is_after: bool,
    /// The input with which the program passes.
    pub passing: PathBuf,
    /// What the runs were compared at.
    pub compared_at: ComparedAt,
    /// At how many executions it was asked.
    pub points: usize,
    /// How many of them had no cause.
    pub without: usize,
    /// How many tests that took.
    pub tests: u64,
    /// How many of the changes passed once more.
    pub confirmed: usize,
    /// Whether a limit ended the search.
    pub stopped: bool,
    /// The variables of the environment that are compared: `NAME=` if the failing run has it, `NAME` if not. Their values may be
    /// secrets, and are not kept here.
    #[serde(default)]
    pub variables: Vec<String>,
}

/// Where other values become the cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The variables that make the failing run pass, all together, with their values in both runs.
    pub values: Vec<TurnValue>,
    /// The statement before which it is made.
    pub place: Option<Place>,
    /// Whether the cause is known to be another one just before.
    pub is_exact: bool,
    /// Whether it is made where a call has returned, rather than before.
    pub is_after: bool,
    /// Whether the program passes with it, but prints something else than the run that passes.
    #[serde(default)]
    pub prints_other: bool,
}

/// Where variables are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparedAt {
    /// Before executions of statements.
    Statements,
    /// At the entries of functions, and where they have returned.
    Functions,
}

impl ComparedAt {
    /// Returns what a place of it is called.
    pub fn unit(self) -> &'static str {
        match self {
            ComparedAt::Statements => "statement executions",
            ComparedAt::Functions => "points",
        }
    }

    /// Returns what is said of it where it is named first.
    pub(crate) fn explained(self) -> &'static str {
        match self {
            ComparedAt::Statements => "",
            ComparedAt::Functions => " (where its functions begin, and where they have returned)",
        }
    }

    fn short_unit(self) -> &'static str {
        match self {
            ComparedAt::Statements => "executions",
            ComparedAt::Functions => "points",
        }
    }

    fn preposition(self) -> &'static str {
        match self {
            ComparedAt::Statements => "before",
            ComparedAt::Functions => "at",
        }
    }

    fn plain_values(self) -> &'static str {
        match self {
            ComparedAt::Statements => "numbers, strings and containers",
            ComparedAt::Functions => "numbers and strings, and in arrays and structures of these",
        }
    }
}

/// What is said of a native program in which there is hardly anything to compare.
pub const FEW_POINTS: &str = "The program has one point only: compile it with -O0 -g, as a function that the compiler has put into another one has none.";

/// Returns what is said of functions that were called too often to look at each call.
pub fn called_often(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().map(String::as_str).take(FUNCTIONS).collect();
    let more = if names.len() > FUNCTIONS { format!(" and {} more", names.len() - FUNCTIONS) } else { String::new() };
    format!("Called too often to look at each call, so only the first ones are points: {}{more}.", shown.join(", "))
}

/// A variable of a cause, and its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnValue {
    /// The variable.
    pub variable: FrameVariable,
    /// Its value in the run that passes.
    pub passing: String,
    /// Its value in the run that fails.
    pub failing: String,
}

/// Where the result is, and what was run.
pub struct ResultPlace<'a> {
    /// The folder of the changes.
    pub folder: &'a Path,
    /// The program, as a line for the shell.
    pub command: &'a str,
}

/// Returns what is said of the runs that are compared.
pub fn compared(at: ComparedAt, matched: usize, all: usize, differ: usize) -> String {
    format!(
        "{} of {} {} the same in both runs; values differ {} {} of them.",
        count(matched as u64),
        counted(all as u64, at.unit()),
        if matched == 1 { "is" } else { "are" },
        at.preposition(),
        count(differ as u64)
    )
}

/// Returns the name of the file of a turn.
pub fn file(at: usize) -> String {
    format!("{:02}.txt", at + 1)
}

/// Returns the values, a line each.
pub fn table(found: &CauseTransitions) -> String {
    let rows = found.turns.iter().enumerate().flat_map(|(at, turn)| rows(at, turn));
    let last = found.last.as_ref().map(|place| {
        ["end".into(), shown(place, found.last_is_after), String::new(), "<- the last one before the failure".into()]
    });
    let rows: Vec<[String; 4]> = rows.chain(last).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (file, place, function) = (width(0), width(1), width(2));
    let line = |[name, at, of, value]: &[String; 4]| {
        format!("{name:file$}  {at:place$}  {of:function$}  {value}").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

fn rows(at: usize, turn: &Turn) -> Vec<[String; 4]> {
    let row = |(n, value): (usize, &TurnValue)| {
        let (name, of) = if n == 0 { (file(at), place(turn)) } else { ("and".into(), String::new()) };
        let TurnValue { variable, passing, failing } = value;
        let text = format!("{} = {}   instead of {}", variable.name, cut(failing, passing), cut(passing, failing));
        [name, of, function(variable).to_owned(), text]
    };
    turn.values.iter().enumerate().map(row).collect()
}

/// Returns where a cause becomes another one, as it is shown.
pub(crate) fn place(turn: &Turn) -> String {
    let place = turn.place.as_ref().map_or(String::new(), |place| shown(place, turn.is_after && turn.is_exact));
    if turn.is_exact { place } else { format!("about {place}") }
}

/// Returns the function of a variable, as it is shown; nothing for the main module.
pub(crate) fn function(variable: &FrameVariable) -> &str {
    let function = variable.function.rsplit_once(':').map_or(&*variable.function, |(name, _)| name);
    if matches!(function, "<module>" | "<globals>") { "" } else { function }
}

/// Returns a place, and whether it is where a call has returned.
pub(crate) fn shown(place: &Place, is_after: bool) -> String {
    let after = if is_after { "after " } else { "" };
    format!("{after}{}:{}", place.file, place.line)
}

/// Returns the part of a value that is another one than in the other run.
pub(crate) fn cut(value: &str, other: &str) -> String {
    let is_long = |value: &str| value.chars().count() > VALUE;
    let same = value.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let start = if is_long(value) || is_long(other) { same.saturating_sub(CONTEXT) } else { 0 };
    let clean = value.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut rest = clean.skip(start);
    let before = if start > 0 { "…" } else { "" };
    let text: String = rest.by_ref().take(VALUE).collect();
    let after = if rest.next().is_some() { "…" } else { "" };
    format!("{before}{text}{after}")
}

/// Returns what is said where an interruption has ended the search.
pub fn written(out: &Path, changes: usize) -> String {
    match changes {
        0 => "Stopped early: no cause was found yet.".into(),
        n => format!(
            "Stopped early: {} so far, each of which passed once, in {}.",
            counted(n as u64, "changes"),
            out.display()
        ),
    }
}

/// Returns what is said where something stood at the place of the result that is kept.
pub fn kept(out: &Path, kept: &Path) -> String {
    format!("What stood at {} is kept: it is now {}", out.display(), kept.display())
}

/// Returns what is said of changes that were checked again, and whether they are what they were said to be.
pub fn verified(out: &Path, all: usize, wrong: &[String], needless: &[String]) -> (String, bool) {
    let (out, changes) = (out.display(), counted(all as u64, "changes"));
    match (wrong.first(), needless.first()) {
        (Some(file), _) => (format!("{out} ({changes}): with {file} the program does not pass."), false),
        (None, Some(file)) => (
            format!("{out} ({changes}): with each the program passes, but {file} has values that are not needed."),
            false,
        ),
        (None, None) => {
            (format!("{out} ({changes}): with each the program passes, and with no part of it alone left out."), true)
        }
    }
}

impl CauseTransitions {
    /// Returns how many values there are in all changes together.
    pub fn values(&self) -> usize {
        self.turns.iter().map(|turn| turn.values.len()).sum()
    }

    /// Returns what is said above the values; where there are none, that is all.
    pub(crate) fn lead(&self) -> String {
        if self.turns.is_empty() {
            return format!("No cause was found in {}: {}", self.compared_at.plain_values(), self.asked());
        }
        let passing = self.passing.display();
        format!("With the value that it has with {passing}, the program passes. From the input to the failure:")
    }

    /// Returns what was asked, and where no cause was found.
    pub(crate) fn asked(&self) -> String {
        let at = self.compared_at;
        let (tests, points) = (counted(self.tests, "tests"), counted(self.points as u64, at.short_unit()));
        let without = match self.without {
            0 => String::new(),
            n => format!("; {} {} of them, no change of plain values makes it pass", at.preposition(), count(n as u64)),
        };
        format!("{points} asked about in {tests}{without}.")
    }

    /// Returns what is proved, and whether that was confirmed; nothing where nothing was found.
    pub(crate) fn evidence(&self) -> Vec<String> {
        let all = self.turns.len();
        if all == 0 {
            return vec![];
        }
        let confirmed = match self.confirmed == all {
            true => "Confirmed: one more run showed the same of each.".to_owned(),
            false => format!("Not confirmed: {} of {all} passed in one more run.", self.confirmed),
        };
        vec!["Proved: with each change the program passes, and with no part of it alone left out.".into(), confirmed]
    }

    /// Returns what limits it.
    pub(crate) fn caveats(&self) -> Vec<String> {
        let is_cut = self.stopped && !self.turns.is_empty();
        let cut = is_cut.then(|| "Stopped early: between two of them, others may stand.".to_owned());
        cut.into_iter().chain(self.other_output()).collect()
    }

    /// Returns how many changes there are with which the program passes, but prints something else than the run that passes.
    pub(crate) fn printing_other(&self) -> usize {
        self.turns.iter().filter(|turn| turn.prints_other).count()
    }

    /// Returns what is said of them.
    fn other_output(&self) -> Option<String> {
        let others = self.turns.iter().enumerate().filter(|(_, turn)| turn.prints_other);
        let others: Vec<String> = others.map(|(at, _)| file(at)).collect();
        let them = match &others[..] {
            [] => return None,
            all if all.len() == self.turns.len() && all.len() > 1 => "each change".to_owned(),
            some => list(some),
        };
        let passing = self.passing.display();
        Some(format!(
            "With {them} the program passes, but prints something else than with {passing}. If that is wrong, too: \
             --fails-if '!stdout~REGEX' says which output is right."
        ))
    }
}

/// Returns all that is said at the end.
pub fn listing(found: &CauseTransitions, ending: &ResultPlace<'_>) -> String {
    let mut text = format!("{}\n{}", found.compared, found.lead());
    if found.turns.is_empty() {
        return text;
    }
    text += &format!("\n\n{}\n", table(found));
    text += &format!("{}: {}\n", counted(found.values() as u64, "values"), found.asked());
    for line in found.caveats().into_iter().chain(found.evidence()) {
        text += &(line + "\n");
    }
    text + &format!("The changes: {}; again: {}", ending.folder.display(), again(found, ending))
}

/// Returns what is said at the end where only warnings are, and where the result is.
pub fn last_lines(found: &CauseTransitions, ending: &ResultPlace<'_>) -> String {
    if found.turns.is_empty() {
        return found.lead();
    }
    let mut lines = found.caveats();
    lines.extend(found.evidence().into_iter().filter(|_| found.confirmed < found.turns.len()).skip(1));
    let (values, tests) = (counted(found.values() as u64, "values"), counted(found.tests, "tests"));
    lines.push(format!("{values} in {tests}; the result is {}", ending.folder.display()));
    lines.join("\n")
}

/// Returns whether a shell has a variable of this name as `$NAME`.
fn is_name_of_shell(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// Returns the line that runs the program with the first change.
pub(crate) fn again(found: &CauseTransitions, ending: &ResultPlace<'_>) -> String {
    // What the failing run has, the shell in which the line is typed has, too: so no value is written, as it may be a secret.
    let variable = |it: &String| match it.strip_suffix('=') {
        Some(name) if is_name_of_shell(name) => format!("--env {name}=\"${name}\" "),
        Some(_) => String::new(),
        None => format!("--env {} ", typed(Path::new(it))),
    };
    let variables: String = found.variables.iter().map(variable).collect();
    format!("reduct step {variables}{} -- {}", typed(&ending.folder.join(file(0))), ending.command)
}
