//! Functions of the shell that consist of one command.

use crate::rewrite::MOST_COPIES;
use crate::text::only_child;
use reduct_input::names::EditDraft;
use reduct_input::{Edit, Subject, Tree};
use std::collections::BTreeMap;

/// A command: the node that names it, and its arguments.
type Command = (usize, Vec<usize>);

/// Returns the edits that put the command of a function in the place of its calls, with their arguments for `"$@"` and `$1`.
pub(super) fn wrappers(subject: &Subject, number: usize) -> Vec<Edit> {
    let tree = &subject.trees()[number];
    if tree.grammar.language != "bash" {
        return vec![];
    }
    let mut calls: BTreeMap<&[u8], Vec<(usize, Command)>> = BTreeMap::new();
    for at in (1..tree.len()).filter(|at| tree.kind(*at) == "command") {
        if let Some((name, arguments)) = command(tree, at) {
            calls.entry(subject.text(tree.range(name))).or_default().push((at, (name, arguments)));
        }
    }
    let inlined = |definition: usize| {
        let name = tree.child(definition, "name")?;
        let calls = calls.get(subject.text(tree.range(name))).filter(|calls| calls.len() <= MOST_COPIES)?;
        let body = only_child(tree, tree.child(definition, "body")?)?;
        let own = command(tree, body).filter(|_| tree.kind(body) == "command")?;
        let mut change = EditDraft::new(subject, subject.names());
        change.remove(number, definition);
        for (call, (called, arguments)) in calls {
            // A command that calls itself stays.
            if tree.descendants(definition).contains(call) {
                return None;
            }
            let text = substituted(subject, tree, &own, arguments)?;
            change.put(tree.node(*called).start..tree.node(*call).end, &text);
        }
        change.edit()
    };
    let definitions = (1..tree.len()).filter(|at| tree.kind(*at) == "function_definition");
    definitions.filter_map(inlined).collect()
}

/// Returns the name and the arguments of a command, if nothing else follows its name.
fn command(tree: &Tree, at: usize) -> Option<Command> {
    let name = tree.child(at, "name")?;
    let after: Vec<usize> = tree.children(at).filter(|child| *child > name).collect();
    after.iter().all(|child| tree.field(*child) == "argument").then_some((name, after))
}

/// Returns the text of the command of a function that is called with these arguments. `None` if it does something else with them.
fn substituted(subject: &Subject, tree: &Tree, own: &Command, given: &[usize]) -> Option<Vec<u8>> {
    let (name, arguments) = own;
    let mut words: Vec<&[u8]> = vec![subject.text(tree.range(*name))];
    let given: Vec<&[u8]> = given.iter().map(|at| subject.text(tree.range(*at))).collect();
    for argument in arguments {
        let text = subject.text(tree.range(*argument));
        let bare = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text);
        match bare {
            b"$@" | b"$*" => words.extend(&given),
            [b'$', digit @ b'1'..=b'9'] => words.extend(given.get(usize::from(digit - b'1'))),
            _ if text.windows(2).any(|pair| pair[0] == b'$' && is_of_function(pair[1])) => return None,
            _ => words.push(text),
        }
    }
    Some(words.join(&b" "[..]))
}

/// Returns whether `$` with this byte may be what a function was called with.
fn is_of_function(byte: u8) -> bool {
    byte.is_ascii_digit() || b"@*#{".contains(&byte)
}
