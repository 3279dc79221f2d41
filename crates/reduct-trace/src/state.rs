//! States of programs: the variables of all active functions before an execution, compared between two runs.

use crate::plan::{Execution, ExecutionPlan, Place, Provenance};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// What the first line of a change of a state begins with.
const HEAD: &str = "# reduct state 1: ";

/// What stands before the execution that a change is made before.
const BEFORE: &str = "before ";

/// A variable of an active function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FrameVariable {
    /// How many active functions have called the one that it belongs to, one another.
    pub depth: u32,
    /// The function and the line it begins on: `name:line`.
    pub function: String,
    /// Its name.
    pub name: String,
}

/// Variables and their values, as texts of the program's language. Only such are in it whose text says all of the value.
pub type ProgramState = BTreeMap<FrameVariable, String>;

/// Other values for variables, before an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateChange {
    /// The number of the execution in the recorded run.
    pub before: u32,
    /// Its statement, as shown: `file:line_time text`.
    pub shown: String,
    /// The variables and their values.
    pub values: Vec<(FrameVariable, String)>,
    /// What is known of the recorded run.
    pub about: Provenance,
    /// How many executions were recorded.
    pub recorded: usize,
}

/// Why a text is no change of a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no line of a change of a state: {text}")]
pub struct StateError {
    /// The line, from 1.
    line: usize,
    text: String,
}

/// What stands in the first line of a change.
#[derive(Serialize, Deserialize)]
struct Head {
    recorded: usize,
    about: Provenance,
}

impl StateChange {
    /// Returns whether a text was written by [`StateChange::to_text`].
    pub fn is_one(text: &str) -> bool {
        text.starts_with(HEAD)
    }

    /// Returns the text of a change, a value a line, for a program in this language.
    pub fn to_text(&self, language: &str) -> String {
        let head = Head { recorded: self.recorded, about: self.about.clone() };
        // Strings and numbers can be written.
        let head = serde_json::to_string(&head).unwrap_or_default();
        let mut text = format!("{HEAD}{language}; {head}\n{BEFORE}{}\n", self.shown);
        for (FrameVariable { depth, function, name }, value) in &self.values {
            // To a String, everything can be written.
            let _ = writeln!(text, "{depth} {function} {name} = {value}");
        }
        text
    }

    /// Reads a change.
    ///
    /// # Errors
    /// If a line is none of one.
    pub fn parse(text: &str) -> Result<StateChange, StateError> {
        let mut lines = text.lines().enumerate();
        let mut line = |wanted: &str| {
            let (at, line) = lines.next().unwrap_or_default();
            let error = StateError { line: at + 1, text: line.chars().take(100).collect() };
            line.strip_prefix(wanted).map(str::to_owned).ok_or(error)
        };
        let not_one = |line: usize, text: &str| StateError { line, text: text.chars().take(100).collect() };
        let head = line(HEAD)?;
        let parsed = head.split_once("; ").and_then(|(_, head)| serde_json::from_str::<Head>(head).ok());
        let Head { recorded, about } = parsed.ok_or_else(|| not_one(1, &head))?;
        let shown = line(BEFORE)?;
        let execution = ExecutionPlan::parse(&shown).ok().and_then(|plan| plan.events().first().map(|it| it.time));
        let before = execution.ok_or_else(|| not_one(2, &shown))?;
        let values = lines.filter(|(_, line)| !line.is_empty()).map(|(at, line)| {
            let value = || {
                let (variable, value) = line.split_once(" = ")?;
                let (depth, rest) = variable.split_once(' ')?;
                let (function, name) = rest.rsplit_once(' ')?;
                let depth = depth.parse().ok()?;
                Some((FrameVariable { depth, function: function.into(), name: name.into() }, value.to_owned()))
            };
            value().ok_or_else(|| not_one(at + 1, line))
        });
        Ok(StateChange { before, shown, values: values.collect::<Result<_, _>>()?, about, recorded })
    }
}

/// Reads the states that a driver has written down, by the number of the execution that they are before.
pub fn read_states(text: &str) -> HashMap<u32, ProgramState> {
    let lines = text.lines();
    let states = lines.filter_map(|line| serde_json::from_str::<(u32, Vec<(u32, String, String, String)>)>(line).ok());
    let variables = |state: Vec<(u32, String, String, String)>| {
        let it = state.into_iter();
        it.map(|(depth, function, name, value)| (FrameVariable { depth, function, name }, value)).collect()
    };
    states.map(|(execution, state)| (execution, variables(state))).collect()
}

/// Returns the variables that are in both states with two values, with those of `good`.
pub fn differences(good: &ProgramState, bad: &ProgramState) -> Vec<(FrameVariable, String)> {
    let differ = good.iter().filter(|(variable, value)| bad.get(variable).is_some_and(|other| other != *value));
    differ.map(|(variable, value)| (variable.clone(), value.clone())).collect()
}

/// Returns the numbers of executions that are the same one in two recorded runs, in the order of the second, by the execution
/// index: what they belong to is the same, and they come there as often after executions of the same statement (Xin, Sumner
/// and Zhang, PLDI 2008).
pub fn matching(good: &ExecutionPlan, bad: &ExecutionPlan) -> Vec<(u32, u32)> {
    let names = |plan: &ExecutionPlan| -> Vec<(u32, Option<u32>, Place, u32)> {
        let counts = plan.counts();
        let name =
            |it: &Execution| (it.time, it.parent, it.place.clone(), counts.get(&it.time).copied().unwrap_or_default());
        let mut names: Vec<_> = plan.events().iter().map(name).collect();
        names.sort_by_key(|(time, ..)| *time);
        names
    };
    let known: HashMap<(Option<u32>, Place, u32), u32> =
        names(good).into_iter().map(|(time, parent, place, count)| ((parent, place, count), time)).collect();
    let mut same: HashMap<u32, u32> = HashMap::new();
    let mut matched = vec![];
    for (time, parent, place, count) in names(bad) {
        let parent = match parent {
            None => None,
            Some(parent) => match same.get(&parent) {
                Some(of_good) => Some(*of_good),
                None => continue,
            },
        };
        if let Some(of_good) = known.get(&(parent, place, count)) {
            same.insert(time, *of_good);
            matched.push((*of_good, time));
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_as_it_was_written() {
        let variable = FrameVariable { depth: 2, function: "<module>:1".into(), name: "x".into() };
        let values = vec![(variable, "'a = b\\n'".into())];
        let about = Provenance { folder: Some("/home/u".into()), ..Provenance::default() };
        let change = StateChange { before: 12, shown: "a b.py:3_12 x = y".into(), values, about, recorded: 40 };
        assert_eq!(StateChange::parse(&change.to_text("python")), Ok(change));
        assert_eq!(
            StateChange::parse("hello\n").unwrap_err().to_string(),
            "line 1 is no line of a change of a state: hello"
        );
    }

    #[test]
    fn executions_match_if_what_they_belong_to_does() {
        let plan = |text| ExecutionPlan::parse(text).unwrap();
        let good = plan("a.py:1_1 for\n a.py:1_2 iteration 1\n  a.py:2_3 f(x)\n   a.py:9_4 y\n a.py:1_5 iteration 2\n");
        // One more iteration before, and another statement in the first one.
        let bad = plan(
            "a.py:1_1 for\n a.py:1_2 iteration 1\n  a.py:3_3 g(x)\n   a.py:9_4 y\n a.py:1_5 iteration 2\n a.py:1_6 iteration 3\n",
        );
        assert_eq!(matching(&good, &bad), [(1, 1), (2, 2), (5, 5)]);
    }
}
