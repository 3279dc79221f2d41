//! Lifetimes of Rust, which names do not tell from variables.

use reduct_input::names::{EditDraft, listed};
use reduct_input::{Edit, Subject, Tree};
use std::ops::Range;

/// What takes references without naming how long they live.
const ELIDING: &[&str] = &["function_item", "function_signature_item", "impl_item"];

/// Where more places have lifetimes, they are left to other passes: each edit looks at all.
const MOST: usize = 256;

/// Returns the edits that remove a lifetime parameter with the arguments for it. What lives as long then lives as long as nothing says, or
/// for ever where something has to be said; or what a type refers to is in it.
pub(super) fn lifetimes(subject: &Subject, number: usize) -> Vec<Edit> {
    let tree = &subject.trees()[number];
    let is_rust = tree.grammar.language == "rust";
    let parameters: Vec<usize> =
        (1..tree.len()).filter(|at| is_rust && tree.kind(*at) == "lifetime_parameter").take(MOST + 1).collect();
    let lists: Vec<usize> =
        (1..tree.len()).filter(|at| is_rust && tree.kind(*at) == "type_arguments").take(MOST + 1).collect();
    if parameters.len() > MOST || lists.len() > MOST {
        return vec![];
    }
    let both = |parameter| [false, true].map(|is_held| without(subject, number, (parameter, is_held), &lists));
    let mut edits: Vec<Edit> = parameters.into_iter().flat_map(both).flatten().collect();
    edits.dedup();
    edits
}

/// Returns the text without a parameter; if that is asked for, types hold what they refer to for so long.
fn without(subject: &Subject, number: usize, (parameter, is_held): (usize, bool), lists: &[usize]) -> Option<Edit> {
    let tree = &subject.trees()[number];
    let text = |at: usize| subject.text(tree.range(at));
    let lifetime = tree.child(parameter, "name")?;
    let list = tree.parent(parameter)?;
    let owner = tree.parent(list)?;
    let mut change = EditDraft::new(subject, subject.names());
    leave(tree, number, list, parameter, &mut change);
    let is_use = |at: &usize| tree.kind(*at) == "lifetime" && text(*at) == text(lifetime);
    for used in tree.descendants(owner).filter(|at| is_use(at) && !tree.descendants(parameter).contains(at)) {
        let parent = tree.parent(used)?;
        match tree.kind(parent) {
            "type_arguments" => leave(tree, number, parent, used, &mut change),
            "reference_type" | "self_parameter" if ELIDING.contains(&tree.kind(owner)) => {
                change.put(with_blanks(subject, tree, used), b"");
            }
            "reference_type" if is_held => {
                let held = tree.child(parent, "type")?;
                change.put(tree.node(parent).start..tree.node(held).start, b"");
            }
            _ => change.put(tree.range(used), b"'static"),
        }
    }
    let is_lifetime = |at: &usize| matches!(tree.kind(*at), "lifetime" | "lifetime_parameter");
    let position = listed(tree, list).into_iter().filter(is_lifetime).position(|at| at == parameter)?;
    let Some(name) = tree.child(owner, "name").filter(|_| !ELIDING.contains(&tree.kind(owner))) else {
        return change.edit();
    };
    for given in lists {
        let named = tree.children(tree.parent(*given)?).take_while(|child| child < given).last();
        if named.is_some_and(|named| text(named) == text(name)) {
            let argument = listed(tree, *given).into_iter().filter(is_lifetime).nth(position);
            argument.into_iter().for_each(|argument| leave(tree, number, *given, argument, &mut change));
        }
    }
    change.edit()
}

/// Removes a part of a list in angle brackets, and the list with the only one.
fn leave(tree: &Tree, number: usize, list: usize, part: usize, change: &mut EditDraft) {
    if listed(tree, list).len() == 1 {
        change.put(tree.range(list), b"");
    } else {
        change.remove(number, part);
    }
}

/// Returns where a node and the white space after it are.
fn with_blanks(subject: &Subject, tree: &Tree, at: usize) -> Range<u32> {
    let Range { start, end } = tree.range(at);
    let after = subject.text(end..tree.node(0).end);
    start..end + after.iter().take_while(|byte| byte.is_ascii_whitespace()).count() as u32
}
