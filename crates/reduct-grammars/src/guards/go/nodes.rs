//! What a node of the syntax tree of Go is, and which nodes it names.

pub(super) use crate::guards::syntax::{children, holds};

use tree_sitter::Node;

/// Returns whether a label of this statement is one that `break` and `continue` may name.
pub(super) fn is_control(node: Node<'_>) -> bool {
    let kinds = ["for_statement", "expression_switch_statement", "type_switch_statement", "select_statement"];
    kinds.contains(&node.kind())
}

/// Returns the variables of a list, or the variable that this is.
pub(super) fn names(list: Node<'_>) -> Vec<Node<'_>> {
    if list.kind() == "identifier" {
        return vec![list];
    }
    children(list).into_iter().filter(|it| it.kind() == "identifier").collect()
}

/// Returns the variables that a statement gives values to.
pub(super) fn assigned(statement: Node<'_>) -> Vec<Node<'_>> {
    match statement.kind() {
        "assignment_statement" => statement.child_by_field_name("left").map(names).unwrap_or_default(),
        "inc_statement" | "dec_statement" => {
            children(statement).into_iter().filter(|it| it.kind() == "identifier").collect()
        }
        _ => vec![],
    }
}
