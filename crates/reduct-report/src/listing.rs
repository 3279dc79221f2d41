//! What is left of an execution, as a listing of the program: the lines that were executed, how often, and what they assigned.

mod deeper;
mod hints;
mod text;

use crate::excerpt::visible;
use crate::human::{count, counted, typed};
use crate::progress::to_go_on;
use deeper::part_of_what;
use reduct_oracle::shell_line::quoted;
use reduct_trace::{ComparedValue, Execution, ExecutionPlan, Place, Statement, united};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use text::{cut, shown};

pub use deeper::{NotDeeper, not_deeper, recorded, recorded_again, recording_again};
pub use hints::{telling, unassigned, values_not_had, zero_of_nothing};

/// Statements are padded to so many characters, so that values stand below each other.
const STATEMENT: usize = 48;

/// What a listing is made of.
pub struct Listed<'a> {
    /// What was recorded.
    pub whole: &'a ExecutionPlan,
    /// What is left of it.
    pub left: &'a ExecutionPlan,
    /// The statements.
    pub statements: &'a HashMap<Place, Statement>,
    /// What was assigned, by the number of the execution: names and values.
    pub values: &'a HashMap<u32, Vec<(String, String)>>,
    /// What is another value in the whole run.
    pub compared: &'a BTreeMap<Place, Vec<ComparedValue>>,
}

/// How the listing ends.
pub struct Ending<'a> {
    /// The file of the plan that is left.
    pub plan: &'a Path,
    /// What `reduct step` is told besides, as it stands in a line for the shell, each word after a blank.
    pub options: &'a str,
    /// The program, as a line for the shell.
    pub command: &'a str,
}

/// Returns the last line of a listing whose run was stopped.
pub fn stopped(run: &Path, below: &Path) -> String {
    format!("Stopped early: fewer executions may do. {}", to_go_on(Some(run), below))
}

/// A listing: functions as they were first entered, their lines in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The functions.
    pub functions: Vec<ListedFunction>,
    /// How many executions are left.
    pub left: usize,
    /// How many were recorded.
    pub recorded: usize,
    /// On how many lines they are.
    pub lines: usize,
    /// How many lines were executed that do not matter.
    pub needless_lines: usize,
    /// The line for the shell that builds the program, if it is built.
    pub build: Option<String>,
    /// If not all was recorded: down to which level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deepest: Option<usize>,
    /// The difference to the whole run that says most, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub telling: Option<String>,
}

/// A function in a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFunction {
    /// Its file.
    pub file: String,
    /// Its name, if the statements stand in a function and it is known.
    pub function: Option<String>,
    /// Its statements.
    pub statements: Vec<ListedStatement>,
}

/// A statement in a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedStatement {
    /// The line.
    pub line: u32,
    /// Which of the statements that begin on the line, from 1.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub nth: u32,
    /// How many of its executions are left.
    pub left: usize,
    /// How often it was executed.
    pub executed: usize,
    /// By how much it is indented, beside the others of the function.
    pub indent: usize,
    /// Its text.
    pub text: String,
    /// Of a loop: which iterations are left, in words.
    pub iterations: Option<String>,
    /// What was assigned in its last execution.
    pub values: Vec<AssignedValue>,
    /// What had another value in the whole run before that execution; or, if it is one of those that were assigned, after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<ComparedValue>,
    /// Whether the last execution of all is one of it.
    pub is_last: bool,
}

fn first() -> u32 {
    1
}

fn is_first(nth: &u32) -> bool {
    *nth == first()
}

/// A value that was assigned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignedValue {
    /// Of what.
    pub name: String,
    /// The value, as a text of the language.
    pub value: String,
}

/// A listing as the folder of a run keeps it: the values are those of one result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptListing {
    /// The digest of the plan.
    pub of: String,
    /// What was left under it, with the values.
    pub listing: Listing,
}

impl KeptListing {
    /// Returns the listing of a plan, for the folder of a run.
    pub fn new(plan: &[u8], listing: Listing) -> KeptListing {
        KeptListing { of: digest_of(plan), listing }
    }
}

fn digest_of(plan: &[u8]) -> String {
    Sha256::digest(plan).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Listing {
    /// Returns the listing of what is left of a recorded plan: the one that was kept, if it is of this result; else, one without values.
    /// What was recorded later, deeper, follows the first record. Returns nothing if that is no recorded plan.
    pub fn of_result(records: &[Vec<u8>], left: &[u8], kept: Option<KeptListing>) -> Option<Listing> {
        let first = records.first().filter(|first| ExecutionPlan::is_recorded(&String::from_utf8_lossy(first)));
        if let Some(kept) = kept.filter(|kept| first.is_some() && kept.of == digest_of(left)) {
            return Some(kept.listing);
        }
        let parsed = |text: &[u8]| ExecutionPlan::parse(std::str::from_utf8(text).ok()?).ok();
        let (whole, left) = (united(records.iter().map_while(|text| parsed(text)))?, parsed(left)?);
        let (statements, values, compared) = (HashMap::new(), HashMap::new(), BTreeMap::new());
        let listed =
            Listed { whole: &whole, left: &left, statements: &statements, values: &values, compared: &compared };
        first.map(|_| Listing::of(&listed))
    }

    /// Returns the listing of an execution.
    pub fn of(listed: &Listed<'_>) -> Listing {
        let times = Times::of(listed);
        let mut functions: BTreeMap<(&str, &str), Vec<&Place>> = BTreeMap::new();
        for place in times.left.keys().copied().filter(|place| !place.is_iteration) {
            let function = listed.statements.get(place).map_or("", |statement| statement.function.as_str());
            functions.entry((&place.file, function)).or_default().push(place);
        }
        let mut functions: Vec<_> = functions.into_iter().collect();
        let entered = |places: &[&Place]| {
            places.iter().filter_map(|place| times.left[*place].first()).map(|it| times.order(it)).min()
        };
        functions.sort_by_key(|(_, places)| entered(places));
        let functions = functions.into_iter().map(|((file, function), places)| {
            let indent = |place: &Place| listed.statements.get(place).map_or(0, |statement| statement.indent);
            let least = places.iter().map(|place| indent(place)).min().unwrap_or(0);
            let statements = places.iter().map(|place| statement(listed, &times, place, indent(place) - least));
            ListedFunction {
                file: file.to_owned(),
                function: (!function.is_empty() && !function.starts_with('<')).then(|| function.to_owned()),
                statements: statements.collect(),
            }
        });
        let functions = functions.collect();
        let lines = |of: &mut dyn Iterator<Item = &&Place>| {
            of.map(|place| (place.file.clone(), place.line)).collect::<BTreeSet<_>>().len()
        };
        let lines_left = lines(&mut times.left.keys());
        Listing {
            functions,
            left: listed.left.events().len(),
            recorded: listed.whole.events().len(),
            lines: lines_left,
            needless_lines: lines(&mut times.all.keys()).saturating_sub(lines_left),
            build: listed.whole.about.build.clone(),
            deepest: listed.left.about.deepest,
            telling: None,
        }
    }

    /// Returns it as the terminal shows it.
    pub fn text(&self, ending: &Ending<'_>) -> String {
        let telling = self.telling.as_ref().map_or(String::new(), |it| format!("\n{it}"));
        format!("{}{}\n{}{telling}", self.rows(), self.summary(), self.again(ending))
    }

    /// Returns the lines of its functions.
    pub fn rows(&self) -> String {
        let mut text = String::new();
        for ListedFunction { file, function, statements } in &self.functions {
            let function = function.as_ref().map_or(String::new(), |name| format!("  {}", shown(name)));
            text.push_str(&format!("{}{function}\n", shown(file)));
            statements.iter().for_each(|statement| text.push_str(&row(statement)));
            text.push('\n');
        }
        text
    }

    /// Returns how many executions matter, and how many do not.
    pub fn summary(&self) -> String {
        let needless = match (self.recorded.saturating_sub(self.left), self.needless_lines) {
            (0, 0) => "nothing is left out".to_owned(),
            (events, lines) => {
                format!("{} and {} do not matter", counted(events as u64, "executions"), counted(lines as u64, "lines"))
            }
        };
        format!(
            "{} of {} {} left, on {}; {needless}.{}",
            count(self.left as u64),
            counted(self.recorded as u64, "statement executions"),
            if self.left == 1 { "is" } else { "are" },
            counted(self.lines as u64, "lines"),
            self.deepest.map_or(String::new(), part_of_what),
        )
    }

    /// Returns where the plan is, and the command that runs the program under it.
    fn again(&self, ending: &Ending<'_>) -> String {
        shown(&format!("The plan: {}; again: {}", ending.plan.display(), self.command(ending)))
    }

    /// Returns whether no statement assigns a 0, as far as values are known.
    pub fn assigns_no_zero(&self) -> bool {
        let mut values = self.functions.iter().flat_map(|it| &it.statements).flat_map(|it| &it.values);
        !values.any(|it| it.value.parse::<f64>().is_ok_and(|value| value == 0.0))
    }

    /// Returns whether the program was built with guards: the plan says how, and what was looked into.
    pub fn is_built(&self) -> bool {
        self.build.is_some()
    }

    /// Returns the command that runs the program under the plan.
    pub fn command(&self, Ending { plan, options, command }: &Ending<'_>) -> String {
        let build = self
            .build
            .as_ref()
            .map_or(String::new(), |line| format!(" --build {}", String::from_utf8_lossy(&quoted(line.as_bytes()))));
        format!("reduct step {}{build}{options} -- {command}", typed(plan))
    }
}

/// Returns what is listed of a statement.
fn statement(listed: &Listed<'_>, times: &Times<'_>, place: &Place, indent: usize) -> ListedStatement {
    let events = &times.left[place][..];
    let all = times.all.get(place).copied().unwrap_or_default();
    let text = events.first().map_or("", |event| event.text.as_str());
    let iterations = times.left.get(&Place { is_iteration: true, ..place.clone() });
    let assigned = |events: &[&Execution]| {
        let last = events.iter().rev().find_map(|event| listed.values.get(&event.time));
        let values = last.into_iter().flatten().cloned();
        values.map(|(name, value)| AssignedValue { name, value }).collect::<Vec<_>>()
    };
    let of_iterations = iterations.map(|iterations| match iterations[..] {
        [only] if all == 1 => format!("{} of {}", only.text, times.iterations(place)),
        [only] => only.text.clone(),
        _ => format!("{} iterations", count(iterations.len() as u64)),
    });
    let values = iterations.map(|iterations| assigned(iterations)).into_iter().flatten().chain(assigned(events));
    ListedStatement {
        line: place.line,
        nth: place.nth,
        left: events.len(),
        executed: all,
        indent,
        text: text.chars().filter(|c| !c.is_control()).collect(),
        iterations: of_iterations,
        values: values.collect(),
        compared: listed.compared.get(place).cloned().unwrap_or_default(),
        is_last: times.last == events.iter().map(|event| times.order(event)).max(),
    }
}

impl ListedStatement {
    /// Returns its line, with its number if others begin before it on the line: `12.2`, as plans have it.
    pub fn number(&self) -> String {
        if is_first(&self.nth) { self.line.to_string() } else { format!("{}.{}", self.line, self.nth) }
    }

    /// Returns what is known of its executions: which iterations, and what was assigned.
    pub fn notes(&self) -> String {
        let value = |it: &AssignedValue| {
            let whole = self.whole_of(it).map_or(String::new(), |whole| format!(" (whole run: {})", cut(whole)));
            format!("{} = {}{whole}", shown(&it.name), cut(&it.value))
        };
        let values = self.values.iter().map(value).collect::<Vec<_>>().join(", ");
        let notes = self.iterations.iter().map(|it| shown(it)).chain([values]).filter(|note| !note.is_empty());
        let notes = notes.collect::<Vec<_>>().join(": ");
        let read = self
            .read()
            .map(|it| format!("reads {} = {} (whole run: {})", shown(&it.name), cut(&it.here), cut(&it.whole)));
        [notes].into_iter().filter(|notes| !notes.is_empty()).chain(read).collect::<Vec<_>>().join("; ")
    }

    /// Returns what a value was in the whole run, if that is another one.
    pub(crate) fn whole_of(&self, value: &AssignedValue) -> Option<&str> {
        let is_of = |it: &&ComparedValue| it.name == value.name && it.here == value.value;
        self.compared.iter().find(is_of).map(|it| it.whole.as_str())
    }

    /// Returns what the statement reads that had another value in the whole run.
    pub(crate) fn read(&self) -> impl Iterator<Item = &ComparedValue> {
        let is_assigned = |it: &ComparedValue| self.values.iter().any(|of| it.name == of.name && it.here == of.value);
        self.compared.iter().filter(move |it| !is_assigned(it))
    }
}

/// Returns the line of a statement.
fn row(statement: &ListedStatement) -> String {
    let last = statement.is_last.then(|| "<- the last one".to_owned());
    let notes = [statement.notes()].into_iter().filter(|note| !note.is_empty()).chain(last);
    let notes = notes.collect::<Vec<_>>().join(": ");
    let executed = format!("{} of {}", statement.left, statement.executed);
    let text: String = " ".repeat(statement.indent).chars().chain(statement.text.chars().map(visible)).collect();
    let row = format!("{:>6}  {executed:>10}  {text:STATEMENT$}  {notes}", statement.number());
    row.trim_end().to_owned() + "\n"
}

/// What was executed when.
struct Times<'a> {
    /// How often a statement was executed as a whole.
    all: HashMap<&'a Place, usize>,
    /// What is left of that.
    left: BTreeMap<&'a Place, Vec<&'a Execution>>,
    /// The last execution that is left.
    last: Option<usize>,
    /// If some were recorded later, whose numbers are greater: the order of all that are left is that of the plan.
    in_plan: HashMap<u32, usize>,
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
        let is_deeper = listed.left.about.record.is_some();
        let events = listed.left.events().iter().filter(|_| is_deeper);
        let in_plan = events.enumerate().map(|(at, event)| (event.time, at)).collect();
        let times = Times { all, left, last: None, in_plan };
        let last = listed.left.events().iter().map(|event| times.order(event)).max();
        Times { last, ..times }
    }

    /// Returns a number that is the greater, the later an execution of what is left is.
    fn order(&self, event: &Execution) -> usize {
        self.in_plan.get(&event.time).copied().unwrap_or(event.time as usize)
    }

    /// Returns how many iterations a loop had that was executed once.
    fn iterations(&self, place: &Place) -> String {
        let all = self.all.get(&Place { is_iteration: true, ..place.clone() }).copied().unwrap_or_default();
        count(all as u64)
    }
}
