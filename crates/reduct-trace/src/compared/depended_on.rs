//! What an execution depends on, as far as names tell: what it belongs to, and what writes the variables that it reads.

use super::ComparedRuns;
use crate::plan::{Execution, ExecutionPlan, Place};
use std::collections::{HashMap, HashSet, VecDeque};

/// So many executions are looked at for the difference that says most.
const MOST_LOOKED_AT: usize = 60;

/// A value here, and in the whole run.
type Pair = (String, String);

impl ComparedRuns<'_> {
    /// Returns the last execution that is left, and what it depends on, the nearest first: what it belongs to, and what gave the values that it
    /// reads. Of each statement, one execution. With one that only calls a function come the values that the function reads: of what it reads itself,
    /// others do not matter.
    pub(super) fn depended_on(&self) -> Vec<(&Execution, Option<HashSet<Pair>>)> {
        let by_time: HashMap<u32, &Execution> = self.left.events().iter().map(|event| (event.time, event)).collect();
        let last = self.left.events().iter().max_by_key(|event| event.time);
        let mut open = VecDeque::from_iter(last.map(|event| (event, None::<HashSet<Pair>>)));
        let (mut known, mut found) = (HashSet::new(), vec![]);
        while let Some((event, passed)) = open.pop_front() {
            let parent = event.parent.and_then(|parent| by_time.get(&parent).copied());
            if event.place.is_iteration {
                open.extend(parent.map(|parent| (parent, None)));
                continue;
            }
            if !known.insert(&event.place) || found.len() == MOST_LOOKED_AT {
                continue;
            }
            let pairs = self.pairs(event.time);
            let is_passed = |pair: &&(String, Pair)| passed.as_ref().is_none_or(|passed| passed.contains(&pair.1));
            let writes = pairs.iter().filter(is_passed).filter_map(|(name, _)| self.last_write(self.left, event, name));
            open.extend(writes.map(|event| (event, None)));
            let values: HashSet<Pair> = pairs.iter().filter(is_passed).map(|(_, pair)| pair.clone()).collect();
            open.extend(parent.map(|parent| (parent, (!controls(parent, event)).then_some(values))));
            found.push((event, passed));
        }
        found
    }

    /// Returns what is read before an execution: the names, and the values here and in the whole run.
    fn pairs(&self, time: u32) -> Vec<(String, Pair)> {
        let there: HashMap<&String, &String> =
            self.there.read.get(&time).into_iter().flatten().map(|(name, value)| (name, value)).collect();
        let here = self.here.read.get(&time).into_iter().flatten();
        let both = here.filter_map(|(name, here)| Some((name.clone(), (here.clone(), (*there.get(name)?).clone()))));
        both.collect()
    }

    /// Returns the last execution of a plan before one that writes what may be the variable of a name.
    pub(super) fn last_write<'a>(
        &'a self,
        plan: &'a ExecutionPlan,
        read: &Execution,
        name: &str,
    ) -> Option<&'a Execution> {
        let name = name.replace("->", ".");
        let places: HashSet<&Place> = self.written.keys().filter(|it| self.writes(it, &read.place, &name)).collect();
        let before = plan.events().iter().filter(|event| event.time < read.time && places.contains(&event.place));
        before.max_by_key(|event| event.time)
    }

    /// Returns whether a statement writes what may be the variable of a name that another one reads.
    fn writes(&self, writes: &Place, reads: &Place, name: &str) -> bool {
        let names = self.written.get(writes).map_or(&[][..], |it| &it.names);
        let is_named = |it: &String| {
            let it = it.replace("->", ".");
            field(&it) == field(name) && is_field(&it) == is_field(name)
        };
        names.iter().any(is_named) && self.may_be_meant(writes, reads, name)
    }

    /// Returns whether a name may be that of one variable at two places: a field may be that of any object; a variable is one of the function, or
    /// of those that it stands in.
    fn may_be_meant(&self, writes: &Place, reads: &Place, name: &str) -> bool {
        if name.contains(['.', '@']) || (name.starts_with('$') && !reads.file.ends_with(".php")) {
            return true;
        }
        let function = |place: &Place| self.statements.get(place).map_or("", |it| it.function.as_str());
        let is_own = |place: &Place| self.written.get(place).is_some_and(|it| it.own.iter().any(|it| it == name));
        let (of, within) = (function(writes), function(reads));
        let is_one_variable = match (is_own(writes), is_own(reads)) {
            (true, true) => false,
            (false, true) => is_within(of, within),
            (true, false) => is_within(within, of),
            (false, false) => true,
        };
        writes.file == reads.file && (of == within || is_one_variable)
    }
}

/// Returns whether a statement decides that what belongs to it is executed, rather than that it calls what is.
pub(super) fn controls(outer: &Execution, inner: &Execution) -> bool {
    let words =
        ["if", "unless", "while", "until", "for", "foreach", "switch", "case", "do", "repeat", "try", "begin", "with"];
    let word = outer.text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_on_line = (&outer.place.file, outer.place.line) == (&inner.place.file, inner.place.line);
    is_on_line || words.contains(&word)
}

/// Returns whether a function stands in another one, by their names.
pub(super) fn is_within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns whether a name is that of a field, rather than of a variable.
pub(super) fn is_field(name: &str) -> bool {
    name.contains(['.', '@'])
}

/// Returns what a name ends in: the field, or the variable.
fn field(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim_start_matches('@')
}
