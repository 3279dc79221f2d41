//! What gave a variable the value that it had in the whole run, if that is known: a local variable is one of a call of its function, and a name
//! is not enough to tell a field of one object from that of another.

use super::depended_on::{controls, is_field, is_within};
use super::{ComparedRuns, MODULE};
use crate::plan::Execution;
use std::collections::{HashMap, HashSet};

/// A call of a function: its file, its name, and the execution that called it.
type Activation<'a> = (&'a str, &'a str, Option<u32>);

/// Beginnings of lines that go on with the alternatives of a condition.
const ALTERNATIVES: &[&str] = &["elif", "elsif", "elseif", "else if"];

impl ComparedRuns<'_> {
    /// Returns the execution that is left out and gave a variable its value in the whole run before another execution. It is the last that is known to
    /// assign this variable, and has assigned this value. `None` if that is not known.
    pub(super) fn writer(&self, read: &Execution, name: &str) -> Option<&Execution> {
        let value = self.there.read.get(&read.time)?.iter().find(|(of, _)| of == name)?;
        let is_of_function = self.is_of_function(read, name)?;
        let writes = self.whole.events().iter().filter(|event| {
            event.time < read.time && event.place.file == read.place.file && self.may_write(event, name)
        });
        let last = if is_of_function {
            self.last_in_activation(writes, read, name)
        } else {
            self.last_of_module(writes, read, name)
        }?;
        let gave = self.there.assigned.get(&last.time)?.contains(value);
        let is_left = self.left.events().iter().any(|event| event.time == last.time);
        (gave && !is_left).then_some(last)
    }

    /// Returns whether a statement reads a variable of its function, rather than one of the module. `None` if that is not known.
    fn is_of_function(&self, read: &Execution, name: &str) -> Option<bool> {
        let function = self.function(read)?;
        // Of what has no name, there may be several.
        if is_field(name) || name.contains('>') || function.ends_with("anonymous") && function != MODULE {
            return None;
        }
        let Some(names) = self.written.get(&read.place) else {
            // Only Python tells it as it runs.
            let of_module = self.there.of_module.get(&read.time)?;
            return Some(!of_module.iter().any(|it| it == name));
        };
        if names.several.iter().any(|it| it == name) {
            return None;
        }
        let is_global = name.starts_with('$') && !read.place.file.ends_with(".php");
        let is_own = !is_global && (function == MODULE || names.own.iter().any(|it| it == name));
        // A function may see the variables of those that it stands in.
        let is_in_another = function.contains('.');
        (is_own || is_global || !is_in_another).then_some(is_own && function != MODULE)
    }

    /// Returns whether an execution may write a variable of a name.
    fn may_write(&self, event: &Execution, name: &str) -> bool {
        let is_noted = || self.there.assigned.get(&event.time).into_iter().flatten().any(|(of, _)| of == name);
        self.written.get(&event.place).is_some_and(|it| it.names.iter().any(|it| it == name)) || is_noted()
    }

    /// Returns the last execution in the same call of a function, if what stands in this function writes nothing later.
    fn last_in_activation<'a>(
        &'a self,
        writes: impl Iterator<Item = &'a Execution>,
        read: &Execution,
        name: &str,
    ) -> Option<&'a Execution> {
        let by_time: HashMap<u32, &Execution> = self.whole.events().iter().map(|event| (event.time, event)).collect();
        let of = self.activation(&by_time, by_time.get(&read.time)?)?;
        let (mut last, mut within): (Option<&Execution>, Option<u32>) = (None, None);
        for event in writes {
            let function = self.function(event)?;
            if function == of.1 {
                let is_later = last.is_none_or(|last| last.time < event.time);
                if is_later && self.activation(&by_time, event) == Some(of) {
                    last = Some(event);
                }
            } else if is_within(function, of.1) && !self.is_own(event, name) {
                within = within.max(Some(event.time));
            }
        }
        let last = last?;
        (within.is_none_or(|within| within < last.time) && self.is_one_call(&by_time, of)).then_some(last)
    }

    /// Returns the last execution that writes a variable of a module, if each that may be one is known to be.
    fn last_of_module<'a>(
        &'a self,
        writes: impl Iterator<Item = &'a Execution>,
        read: &Execution,
        name: &str,
    ) -> Option<&'a Execution> {
        let last = writes.filter(|event| !self.is_own(event, name)).max_by_key(|event| event.time)?;
        let function = self.function(last)?;
        let is_known = match self.written.get(&last.place) {
            Some(names) => !function.contains('.') && !names.several.iter().any(|it| it == name),
            None => function == MODULE,
        };
        // A block may have parameters.
        let by_time: HashMap<u32, &Execution> = self.whole.events().iter().map(|event| (event.time, event)).collect();
        let are_both = function == MODULE && self.function(read)? == MODULE;
        let is_one = || Some(self.activation(&by_time, by_time.get(&read.time)?)? == self.activation(&by_time, last)?);
        (is_known && (!are_both || is_one()?)).then_some(last)
    }

    fn is_own(&self, event: &Execution, name: &str) -> bool {
        let is_of_function = self.function(event).is_some_and(|it| it != MODULE);
        is_of_function && self.written.get(&event.place).is_some_and(|it| it.own.iter().any(|it| it == name))
    }

    fn function(&self, event: &Execution) -> Option<&str> {
        self.statements.get(&event.place).map(|it| it.function.as_str())
    }

    /// Returns the call of a function to which an execution belongs: up to the first that is no condition or loop around it. In doubt, that is
    /// taken for the call: then less is known to be in one.
    fn activation<'a>(&'a self, by_time: &HashMap<u32, &Execution>, event: &Execution) -> Option<Activation<'a>> {
        let of = self.statements.get(&event.place)?;
        let mut inner = event;
        while let Some(outer) = inner.parent.and_then(|parent| by_time.get(&parent)) {
            if !self.is_in_block(outer, inner) {
                break;
            }
            inner = outer;
        }
        Some((&of.place.file, &of.function, inner.parent))
    }

    /// Returns whether an execution is one of the block of a condition or of a loop. What a call in such a line executes is indented less, if it is
    /// of the same function.
    fn is_in_block(&self, outer: &Execution, inner: &Execution) -> bool {
        let of = |event: &Execution| self.statements.get(&event.place);
        let (Some(around), Some(within)) = (of(outer), of(inner)) else { return false };
        let is_of_one = around.function == within.function && around.place.file == within.place.file;
        let is_line = around.place.line == within.place.line;
        let begins = within.text.trim_start_matches(['}', ' ']);
        let is_alternative = within.indent == around.indent && ALTERNATIVES.iter().any(|it| begins.starts_with(it));
        let is_loop = outer.place.is_iteration || inner.place.is_iteration;
        let is_iteration_of = inner.place.is_iteration && is_line && inner.place.nth == outer.place.nth;
        let is_block = (is_loop || controls(outer, inner)) && within.indent > around.indent && !is_line;
        is_of_one && (is_iteration_of || is_block || is_alternative && !is_line)
    }

    /// Returns whether the execution that called a function has called it once: what a function begins with is executed once then.
    fn is_one_call(&self, by_time: &HashMap<u32, &Execution>, (file, function, parent): Activation<'_>) -> bool {
        let mut known = HashSet::new();
        let is_of_it = |event: &&Execution| {
            let of = self.statements.get(&event.place);
            event.parent == parent && of.is_some_and(|it| it.function == function && it.place.file == file)
        };
        let calls = parent.is_none_or(|parent| by_time.get(&parent).is_some_and(|it| !it.place.is_iteration));
        calls && self.whole.events().iter().filter(is_of_it).all(|event| known.insert(&event.place))
    }
}
