//! Values of two runs, execution by execution: of what is left, and of the whole run.
//!
//! What is left may fail for another reason than the whole run, as something in it never got its value, or another one. The index of an
//! execution is the same in both runs, so the values can be compared before the same execution of the same statement. Only the texts are
//! compared that drivers show.

mod depended_on;
mod writers;

use crate::plan::{Execution, ExecutionPlan, Place};
use crate::recording::Statement;
use crate::run_values::{RunValues, pattern};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// What drivers call the function of statements that are in none.
const MODULE: &str = "<module>";

/// How empty a value is that a variable without one has.
const NOTHING: u32 = 2;

/// Of a statement, so many differences are told.
const MOST: usize = 3;

/// What is another one in each run: addresses, times of day, seconds and milliseconds since 1970.
static DIFFERS_ALWAYS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"0x[0-9a-fA-F]{6,}|\d\d:\d\d:\d\d(\.\d+)?|\b1[6-9]\d{8}(\d{3})?(\.\d+)?\b"));

/// A value that is another one in the whole run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedValue {
    /// The name of the variable, or of the field.
    pub name: String,
    /// What it is under the plan.
    pub here: String,
    /// What it was in the whole run.
    pub whole: String,
}

/// The difference that says most about the failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TellingValue {
    /// The statement before which it is seen.
    pub at: Place,
    /// The values.
    pub value: ComparedValue,
    /// What gave it its value in the whole run, and is left out, if that is known.
    pub assigned: Option<Writer>,
}

/// What gave a variable its value in the whole run, and is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writer {
    /// The statement.
    pub place: Place,
    /// Whether other executions of its line are left.
    pub is_left_elsewhere: bool,
}

impl ComparedValue {
    /// Returns whether both are the same: then what gave the variable its value in the whole run is left out, and nothing gives it one here.
    pub fn is_same(&self) -> bool {
        self.here == self.whole
    }
}

/// A run under a plan beside the whole run.
pub struct ComparedRuns<'a> {
    /// What was recorded.
    pub whole: &'a ExecutionPlan,
    /// What is left of it.
    pub left: &'a ExecutionPlan,
    /// The statements.
    pub statements: &'a HashMap<Place, Statement>,
    /// The values of what is left.
    pub here: &'a RunValues,
    /// The values of the whole run.
    pub there: &'a RunValues,
    /// What statements of the program write, as far as its language tells that.
    pub written: &'a HashMap<Place, Written>,
}

/// What a statement writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The names: fields stand behind a dot.
    pub names: Vec<String>,
    /// Variables that it names, and that are declared in its function.
    pub own: Vec<String>,
    /// Variables that it names, and of which its function declares several.
    pub several: Vec<String>,
}

impl ComparedRuns<'_> {
    /// Returns the differences before the last execution of each statement that is left: of what it reads, or, if its language does not tell
    /// that, of what it assigns.
    pub fn differences(&self) -> BTreeMap<Place, Vec<ComparedValue>> {
        let statements = self.left.events().iter().filter(|event| !event.place.is_iteration);
        let last: BTreeMap<&Place, &Execution> = statements.map(|event| (&event.place, event)).collect();
        let of_each = last.into_iter().map(|(place, event)| (place.clone(), self.differences_at(event.time)));
        of_each.filter(|(_, found)| !found.is_empty()).collect()
    }

    fn differences_at(&self, time: u32) -> Vec<ComparedValue> {
        let tells_reads = self.here.read.contains_key(&time) || self.there.read.contains_key(&time);
        let of = |values: &'_ RunValues| {
            let values = if tells_reads { &values.read } else { &values.assigned };
            values.get(&time).cloned().unwrap_or_default()
        };
        let there: HashMap<String, String> = of(self.there).into_iter().collect();
        let compared = of(self.here).into_iter().filter_map(|(name, here)| {
            let whole = there.get(&name).filter(|whole| !is_same(&here, whole))?.clone();
            // Where less is executed, most lists are shorter: they are no news, unless nothing is in them.
            let is_told = emptiness(&here) > 0 || !(has_parts(&here) && has_parts(&whole));
            is_told.then_some(ComparedValue { name, here, whole })
        });
        let mut found: Vec<ComparedValue> = compared.collect();
        found.sort_by_key(|it| std::cmp::Reverse(emptiness(&it.here)));
        found.truncate(MOST);
        found
    }

    /// Returns the difference that says most: at the last execution that is left, or else at the nearest one that it belongs to or that gave
    /// something its value; first of what is nothing or empty.
    pub fn telling(&self) -> Option<TellingValue> {
        let found = self.depended_on().into_iter().flat_map(|(event, passed)| {
            let is_passed = |here: &str, whole: &str| {
                passed.as_ref().is_none_or(|passed| passed.contains(&(here.to_owned(), whole.to_owned())))
            };
            let mut different = self.differences_at(event.time).into_iter();
            let different = different.find(|it| is_passed(&it.here, &it.whole));
            let is_empty = different.as_ref().is_some_and(|value| emptiness(&value.here) > 0);
            let told = |value: ComparedValue| {
                let assigned = self.writer(event, &value.name).map(|it| self.told_of(it));
                TellingValue { at: event.place.clone(), value, assigned }
            };
            let never = if is_empty {
                None
            } else {
                self.never_given(event).filter(|it| is_passed(&it.value.here, &it.value.whole))
            };
            never.or(different.map(told))
        });
        let found: Vec<TellingValue> = found.collect();
        let empty = found.iter().find(|it| emptiness(&it.value.here) > 0);
        empty.or(found.first()).cloned()
    }

    /// Returns a variable that is nothing in both runs before an execution, and that something gave this value in the whole run, which is left
    /// out: nothing gives it a value here.
    fn never_given(&self, read: &Execution) -> Option<TellingValue> {
        let (here, there) = (self.here.read.get(&read.time)?, self.there.read.get(&read.time)?);
        // In what is compiled, numbers begin as zero.
        let least = if self.whole.about.build.is_some() { 1 } else { NOTHING };
        let nothing = here.iter().filter(|(_, value)| emptiness(value) >= least).filter(|it| there.contains(it));
        let told = nothing.filter_map(|(name, value)| {
            let is_left = self.last_write(self.left, read, name).is_some() || !self.written.contains_key(&read.place);
            let assigned = self.writer(read, name).filter(|_| !is_left).map(|it| self.told_of(it))?;
            let value = ComparedValue { name: name.clone(), here: value.clone(), whole: value.clone() };
            Some(TellingValue { at: read.place.clone(), value, assigned: Some(assigned) })
        });
        told.into_iter().next()
    }

    fn told_of(&self, writer: &Execution) -> Writer {
        let line = |place: &Place| (place.file.clone(), place.line);
        let is_left_elsewhere = self.left.events().iter().any(|event| line(&event.place) == line(&writer.place));
        Writer { place: writer.place.clone(), is_left_elsewhere }
    }
}

/// Returns whether two texts of values say the same, but for what differs in each run.
fn is_same(one: &str, other: &str) -> bool {
    let masked = |text: &str| DIFFERS_ALWAYS.replace_all(text, "…").into_owned();
    one == other || masked(one) == masked(other)
}

/// Returns whether a value is a list, a structure or the like, by its text.
fn has_parts(value: &str) -> bool {
    !value.starts_with(['"', '\'', '`']) && value.contains(['[', '{', '('])
}

/// Returns how much a value looks like that of a variable that never got one: 0, if it does not.
fn emptiness(value: &str) -> u32 {
    match value {
        "undefined" | "nil" | "null" | "NULL" | "None" | "no value" | "NaN" => NOTHING,
        "0" | "0.0" | "\"\"" | "''" | "[]" | "{}" | "()" | "false" | "False" => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_values::ValuesByTime;

    fn by_time(values: &[(u32, &str, &str)]) -> ValuesByTime {
        let mut all = ValuesByTime::new();
        for (time, name, value) in values {
            all.entry(*time).or_default().push(((*name).to_owned(), (*value).to_owned()));
        }
        all
    }

    /// Compares a run of `main` with what is left of it: lines, the values that they read, in what is left and in the whole run, and those
    /// that they assign there.
    fn told(whole: &str, left: &str, values: [&[(u32, &str, &str)]; 3]) -> (String, Option<TellingValue>) {
        let parsed = |text: &str| ExecutionPlan::parse(text).unwrap();
        let (whole, left) = (parsed(whole), parsed(left));
        let [here, there, assigned] = values.map(by_time);
        let (here, there) = (
            RunValues { read: here, ..RunValues::default() },
            RunValues { read: there, assigned, ..RunValues::default() },
        );
        let statement = |event: &Execution| {
            let function = if event.depth == 0 { MODULE } else { "f" };
            let (place, text) = (event.place.clone(), event.text.clone());
            (place.clone(), Statement { place, text, indent: event.depth, function: function.into() })
        };
        let statements = whole.events().iter().map(statement).collect();
        let assigned_in = |event: &Execution| Some(event.text.split_once(" = ")?.0.to_owned());
        let own: Vec<String> = whole.events().iter().filter(|it| it.depth > 0).filter_map(assigned_in).collect();
        let written = whole.events().iter().map(|event| {
            let names = assigned_in(event).into_iter().collect();
            let own = own.iter().filter(|_| event.depth > 0).cloned().collect();
            (event.place.clone(), Written { names, own, several: vec![] })
        });
        let written = written.collect();
        let runs = ComparedRuns {
            whole: &whole,
            left: &left,
            statements: &statements,
            here: &here,
            there: &there,
            written: &written,
        };
        let found = runs.differences().into_iter().flat_map(|(place, found)| {
            found.into_iter().map(move |it| format!("{}: {} {} {}", place.line, it.name, it.here, it.whole))
        });
        (found.collect::<Vec<_>>().join("; "), runs.telling())
    }

    const WHOLE: &str = "a.js:1_1 total = 17\na.js:3_2 g(o)\n a.js:7_3 x = 1\n a.js:8_4 throw total\n";
    const LEFT: &str = "a.js:3_2 g(o)\n a.js:8_4 throw total\n";

    #[test]
    fn what_is_nothing_at_the_failure_is_told_with_what_assigned_it() {
        let here = [(2, "o", "{}"), (4, "total", "undefined"), (4, "n", "3")];
        let there = [(2, "o", "{ a: 1 }"), (4, "total", "17"), (4, "n", "4")];
        let (found, telling) = told(WHOLE, LEFT, [&here, &there, &[(1, "total", "17")]]);
        assert_eq!(found, "3: o {} { a: 1 }; 8: total undefined 17; 8: n 3 4");
        let lists = [(2, "o", "[1]"), (4, "n", "'(3'")];
        let longer = [(2, "o", "[1, 2]"), (4, "n", "'(4'")];
        assert_eq!(told(WHOLE, LEFT, [&lists, &longer, &[]]).0, "8: n '(3' '(4'");
        let telling = telling.unwrap();
        assert_eq!((telling.at.line, telling.value.name.as_str()), (8, "total"));
        assert_eq!(telling.assigned.unwrap().place.line, 1);
        // If another value was assigned last, something unknown gave it this one.
        let assigned = [(1, "total", "16")];
        assert_eq!(told(WHOLE, LEFT, [&here, &there, &assigned]).1.unwrap().assigned, None);
        // A variable of the function has its name: it is not that of the module.
        let assigned = [(1, "total", "17"), (3, "total", "2")];
        let own = WHOLE.replace("x = 1", "total = 2");
        assert_eq!(told(&own, LEFT, [&here, &there, &assigned]).1.unwrap().assigned, None);
    }

    #[test]
    fn a_condition_with_nothing_comes_before_a_failure_with_another_number() {
        let here = [(2, "o", "null"), (4, "n", "3")];
        let there = [(2, "o", "{}"), (4, "n", "4")];
        let [whole, left] = [WHOLE, LEFT].map(|text| text.replace("g(o)", "if (o) g()"));
        assert_eq!(told(&whole, &left, [&here, &there, &[]]).1.unwrap().at.line, 3);
        // What calls a function without handing it on does not matter.
        assert_eq!(told(WHOLE, LEFT, [&here, &there, &[]]).1.unwrap().at.line, 8);
        let passed = [(2, "o", "null"), (4, "n", "null")];
        let before = [(2, "o", "{}"), (4, "n", "{}")];
        assert_eq!(told(WHOLE, LEFT, [&passed, &before, &[]]).1.unwrap().at.line, 8);
        let found = told(WHOLE, LEFT, [&here[1..], &there[1..], &[]]).1.unwrap();
        assert_eq!((found.at.line, found.value.here.as_str()), (8, "3"));
    }

    #[test]
    fn what_is_nothing_in_both_runs_is_told_if_what_made_it_so_is_left_out() {
        let told_of = |whole: &str, left: &str, name: &str| {
            let values = [(4, name, "null")];
            let (found, telling) = told(whole, left, [&values, &values, &[(1, "total", "null")]]);
            assert_eq!(found, "");
            telling.map(|it| (it.at.line, it.assigned.unwrap().place.line, it.value.is_same()))
        };
        assert_eq!(told_of(WHOLE, LEFT, "total"), Some((8, 1, true)));
        assert_eq!(told_of(WHOLE, WHOLE, "total"), None);
        assert_eq!(told_of(WHOLE, LEFT, "other"), None);
        let fields = WHOLE.replace("total =", "shop.total =");
        // A field may be that of another object.
        assert_eq!(told_of(&fields, LEFT, "this.total"), None);
        assert_eq!(told_of(&fields, LEFT, "shop"), None);
    }

    #[test]
    fn a_local_variable_is_that_of_one_call() {
        let first = "a.js:3_1 f(0)\n a.js:5_2 if (x)\n  a.js:6_3 x = 5\n a.js:8_4 return x\n";
        let second = "a.js:9_5 f(5)\n a.js:5_6 if (x)\n a.js:8_7 return x\n";
        let assigned_of = |whole: &str, left: &str, time: u32| {
            let (here, there) = ([(time, "x", "3")], [(time, "x", "5")]);
            let told = told(whole, left, [&here, &there, &[(3, "x", "5")]]).1.unwrap();
            told.assigned.map(|it| (it.place.line, it.is_left_elsewhere))
        };
        let left = "a.js:3_1 f(0)\n a.js:8_4 return x\n";
        assert_eq!(assigned_of(first, left, 4), Some((6, false)));
        let both = format!("{first}{second}");
        assert_eq!(assigned_of(&both, "a.js:9_5 f(5)\n a.js:8_7 return x\n", 7), None);
        // A line that calls the function twice.
        let twice = first.to_owned() + " a.js:5_5 if (x)\n a.js:8_6 return x\n";
        assert_eq!(assigned_of(&twice, "a.js:3_1 f(0)\n a.js:8_6 return x\n", 6), None);
        assert_eq!(assigned_of(&twice, left, 4), None);
    }

    #[test]
    fn what_differs_in_each_run_is_no_difference() {
        for (here, there) in [
            ("0x7f1200aa", "0x7f1200bb"),
            ("<A object at 0x7f12, x at 12:00:01>", "<A object at 0x7f12, x at 12:03:59.25>"),
            ("1761234567.25", "1761234599.5"),
            ("17", "17"),
        ] {
            let (found, telling) = told(WHOLE, LEFT, [&[(4, "x", here)], &[(4, "x", there)], &[]]);
            assert_eq!((found.as_str(), telling), ("", None), "{here}");
        }
        // What only one of the runs shows is not known.
        assert_eq!(told(WHOLE, LEFT, [&[(4, "x", "1")], &[(4, "y", "2")], &[]]).1, None);
    }
}
