//! What may be used without being named.

use super::cpp;
use reduct_input::{Class, Tree};

/// Lists of names of which each has what stands at its place: none can go alone.
const PATTERNS: &[&str] =
    &["pattern_list", "tuple_pattern", "list_pattern", "array_pattern", "tuple_struct_pattern", "left_assignment_list"];

/// The kinds of imports of all that something has.
const ALL: &[&str] = &["asterisk", "wildcard_import", "use_wildcard", "dot"];

/// What a class says of another one whose functions it replaces, or that calls its functions.
const BASES: &[&str] = &[
    "superclass",
    "super_interfaces",
    "extends_interfaces",
    "base_list",
    "base_clause",
    "class_heritage",
    "class_interface_clause",
];

/// Returns whether what others do may depend on an item that none of them names.
pub(in crate::rewrite::any) fn acts_unnamed(tree: &Tree, item: usize) -> bool {
    cpp::acts_unnamed(tree, item)
        || is_of_pattern(tree, item)
        || imports_all(tree, item)
        || is_called_by_base(tree, item)
        || is_of_go(tree, item)
}

/// Returns whether this is a field of Go, which has its place in its struct, or a method, which may be one of an interface.
fn is_of_go(tree: &Tree, item: usize) -> bool {
    let is_field = tree.parent(item).is_some_and(|parent| tree.kind(parent) == "field_declaration");
    tree.grammar.language == "go" && (is_field || tree.kind(item) == "method_declaration")
}

fn is_of_pattern(tree: &Tree, item: usize) -> bool {
    tree.parent(item).is_some_and(|parent| PATTERNS.contains(&tree.kind(parent)))
}

/// Returns whether this imports all that something has, or changes how the text is read.
fn imports_all(tree: &Tree, item: usize) -> bool {
    tree.kind(item) == "future_import_statement"
        || tree.is(item, Class::IMPORT) && tree.descendants(item).any(|at| ALL.contains(&tree.kind(at)))
}

/// Returns whether this is a member of a class that has a base: what uses the base may call it or read it, as `compareTo`. In some languages a
/// member of any class is often found by a name that is put together, as `visit_` and the name of something.
fn is_called_by_base(tree: &Tree, item: usize) -> bool {
    let around = std::iter::successors(tree.parent(item), |at| tree.parent(*at));
    let Some(class) = { around }.find(|at| tree.is(*at, Class::AGGREGATE)) else { return false };
    let is_found_by_name = matches!(tree.grammar.language, "python" | "ruby");
    is_found_by_name
        || tree.children(class).any(|child| BASES.contains(&tree.kind(child)) || BASES.contains(&tree.field(child)))
}
