//! What a method is called on.

use reduct_input::{NamePlace, Subject, Tree};

/// The languages whose methods are put in the place of their calls.
const LANGUAGES: &[&str] = &["javascript", "typescript", "tsx", "java", "csharp", "cpp", "python"];

/// Words before the name of a method that is more than a function.
const MORE: &[&[u8]] = &[b"get", b"set", b"async", b"*", b"virtual", b"override"];

/// The fields under which it stands in an access or a call.
const FIELDS: &[&str] = &["object", "argument", "receiver", "expression"];

/// What a method is called on.
#[derive(Clone, Copy)]
pub(super) struct Object {
    pub(super) node: usize,
    /// Whether the first parameter stands for it.
    pub(super) is_parameter: bool,
}

/// Returns what a method is called on at a place. `None` if it is no plain method, or if it says more of it than can be put elsewhere.
pub(super) fn of(
    subject: &Subject,
    (tree, definition): (&Tree, usize),
    parameters: &[usize],
    (other, used): (&Tree, &NamePlace),
) -> Option<Object> {
    let text = |at: usize| subject.text(tree.range(at));
    if !LANGUAGES.contains(&tree.grammar.language) || tree.children(definition).any(|at| MORE.contains(&text(at))) {
        return None;
    }
    let access = other.parent(used.node)?;
    let node = FIELDS.iter().find_map(|field| other.child(access, field)).filter(|node| *node != used.node)?;
    let has_self = tree.grammar.language == "python";
    let is_parameter = has_self && parameters.first().is_some_and(|first| text(*first) == b"self");
    let says_this = places(tree, definition, definition).next().is_some();
    // What is no name may do something each time. A pointer is not what it points to.
    let is_usable = other.children(node).next().is_none() && (tree.grammar.language != "cpp" || !says_this);
    let is_known = if has_self { is_parameter && is_usable } else { is_usable || !says_this };
    is_known.then_some(Object { node, is_parameter })
}

/// Returns where a method names the object that it is called on, from one node to another.
pub(super) fn places(tree: &Tree, first: usize, last: usize) -> impl Iterator<Item = usize> + '_ {
    let is_it = |at: &usize| tree.kind(*at) == "this" && tree.children(*at).next().is_none();
    (first..tree.node(last).after as usize).filter(is_it)
}
