//! What a node of the syntax tree of C is, and which nodes it names.

pub(super) use crate::guards::syntax::holds;

use tree_sitter::Node;

/// Returns whether a child of a block is no item of it.
pub(super) fn is_no_item(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "ERROR" | "preproc_def" | "preproc_call" | "identifier")
}

/// Returns the statement behind a word or a label.
pub(super) fn last_statement(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let inside: Vec<Node<'_>> = node.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
    inside.into_iter().next_back()
}

/// Returns the declarator in parentheses.
pub(super) fn in_parentheses(node: Node<'_>) -> Option<Node<'_>> {
    (node.kind() == "parenthesized_declarator").then(|| node.named_child(0)).flatten()
}

/// Returns what an expression, or the beginning of a loop, gives values to, as far as it can be looked at once more: looking at it
/// changes nothing, and does not depend on much that was just changed.
pub(super) fn assigned(node: Node<'_>) -> Vec<Node<'_>> {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "assignment_expression" => field("left").filter(|it| can_be_read(*it)).into_iter().collect(),
        "update_expression" => field("argument").filter(|it| can_be_read(*it)).into_iter().collect(),
        "call_expression" => {
            let Some(arguments) = field("arguments") else { return vec![] };
            let mut cursor = arguments.walk();
            let addresses = arguments.named_children(&mut cursor).filter(|it| it.kind() == "pointer_expression");
            let of = |it: Node<'_>| it.child(0).is_some_and(|it| it.kind() == "&");
            let named = addresses.filter(|it| of(*it)).filter_map(|it| it.child_by_field_name("argument"));
            named.filter(|it| it.kind() == "identifier").collect()
        }
        "declaration" => {
            let mut cursor = node.walk();
            let declared = node.children_by_field_name("declarator", &mut cursor);
            let declared = declared.filter(|it| it.kind() == "init_declarator");
            let names = declared.filter_map(|it| scalar(it.child_by_field_name("declarator")?));
            names.collect()
        }
        _ => vec![],
    }
}

/// Returns whether a target can be looked at once more.
fn can_be_read(target: Node<'_>) -> bool {
    let field = |name: &str| target.child_by_field_name(name);
    let is_name = |it: Option<Node<'_>>| it.is_some_and(|it| it.kind() == "identifier");
    match target.kind() {
        "identifier" => true,
        "pointer_expression" => target.child(0).is_some_and(|it| it.kind() == "*") && is_name(field("argument")),
        "subscript_expression" => {
            let is_plain = field("index").is_some_and(|it| matches!(it.kind(), "identifier" | "number_literal"));
            is_name(field("argument")) && is_plain
        }
        "field_expression" => {
            let of = field("argument");
            let is_member = target.child(1).is_some_and(|it| it.kind() == ".");
            is_name(of) || (is_member && of.is_some_and(|it| it.kind() == "field_expression" && can_be_read(it)))
        }
        _ => false,
    }
}

/// Returns the name of what is declared, if that is a scalar, a pointer, or of a type that has a name.
pub(super) fn scalar(declarator: Node<'_>) -> Option<Node<'_>> {
    let (name, innermost) = declared(declarator)?;
    innermost.is_none_or(|kind| kind == "pointer_declarator").then_some(name)
}

/// Returns the name of what is declared, if that is an array. Attributes may stand behind it.
pub(super) fn array(declarator: Node<'_>) -> Option<Node<'_>> {
    let is_attributed = declarator.kind() == "attributed_declarator";
    let (name, innermost) = declared(declarator.named_child(0).filter(|_| is_attributed).unwrap_or(declarator))?;
    (innermost == Some("array_declarator")).then_some(name)
}

/// Returns the name of what is declared, and what it is: a pointer, an array, a function, or none of them.
fn declared(declarator: Node<'_>) -> Option<(Node<'_>, Option<&str>)> {
    let mut node = declarator;
    let mut innermost = None;
    loop {
        match node.kind() {
            "identifier" => break,
            "parenthesized_declarator" => node = in_parentheses(node)?,
            "pointer_declarator" | "array_declarator" | "function_declarator" => {
                innermost = Some(node.kind());
                node = node.child_by_field_name("declarator")?;
            }
            _ => return None,
        }
    }
    Some((node, innermost))
}
