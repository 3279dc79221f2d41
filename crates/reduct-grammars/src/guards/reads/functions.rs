//! The functions of a text, and what declares variables in them.

use tree_sitter::Node;

/// Kinds that declare variables of a function, and what they stand in, if that tells.
const DECLARED: &[(&str, &str)] = &[
    ("", "variable_declarator"),
    ("", "formal_parameters"),
    ("", "parameters"),
    ("", "parameter_list"),
    ("", "init_declarator"),
    ("", "for_in_statement"),
    ("declaration", "identifier"),
    ("declaration", "array_declarator"),
    ("declaration", "pointer_declarator"),
    ("arrow_function", "identifier"),
    ("catch_clause", "identifier"),
    ("variable_declaration", "variable_list"),
    ("for_generic_clause", "variable_list"),
    ("", "for_numeric_clause"),
];

pub(super) fn is_function(node: Node<'_>) -> bool {
    let kind = node.kind();
    (kind.contains("function_d") && kind != "function_declarator")
        || kind.contains("function_e")
        || matches!(kind, "arrow_function" | "method_definition" | "generator_function")
}

/// Returns what a node stands in, if it is of this kind.
fn parent_of<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    node.parent().filter(|it| it.kind() == kind)
}

/// Returns the function that a statement stands in, or the whole text.
pub(super) fn function_of(statement: Node<'_>) -> Node<'_> {
    let mut function = statement;
    while let Some(outer) = function.parent().filter(|_| !is_function(function)) {
        function = outer;
    }
    function
}

/// Returns whether a node declares variables.
pub(super) fn is_declaration(node: Node<'_>) -> bool {
    let stands_in = |outer: &str| outer.is_empty() || parent_of(node, outer).is_some();
    let is_declared = DECLARED.iter().any(|(outer, kind)| *kind == node.kind() && stands_in(outer));
    // `local a = 1` is an assignment in a declaration.
    let assignment = parent_of(node, "assignment_statement").filter(|_| node.kind() == "variable_list");
    is_declared || assignment.is_some_and(|it| parent_of(it, "variable_declaration").is_some())
}
