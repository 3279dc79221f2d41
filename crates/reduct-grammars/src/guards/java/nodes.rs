//! What a node of the syntax tree of Java is, and which nodes it names.

pub(super) use crate::guards::syntax::{children, holds};

use tree_sitter::Node;

/// Kinds that are loops.
pub(super) const LOOPS: &[&str] = &["while_statement", "do_statement", "for_statement", "enhanced_for_statement"];

/// Returns whether what a lambda or a method does gives a value by `return`, besides those within it.
pub(super) fn returns_value(body: Node<'_>) -> bool {
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        match node.kind() {
            "return_statement" if children(node).iter().any(|it| it.kind() != "comment") => return true,
            "lambda_expression" | "class_body" => {}
            _ => open.extend(children(node)),
        }
    }
    false
}

/// Returns the statement that labels stand before.
pub(super) fn innermost(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while node.kind() == "labeled_statement" {
        let Some(body) = children(node).into_iter().rfind(|it| it.kind() != "comment") else { break };
        node = body;
    }
    node
}

/// Returns the names that a declaration declares.
pub(super) fn named(declaration: Node<'_>) -> Vec<Node<'_>> {
    let of = |it: Node<'_>| declared_name(it);
    let declarators = children(declaration).into_iter().filter(|it| it.kind() == "variable_declarator");
    declarators.filter_map(|it| it.child_by_field_name("name").filter(|name| of(*name))).collect()
}

/// Returns whether this is a name that can be used.
fn declared_name(name: Node<'_>) -> bool {
    name.kind() == "identifier"
}

/// Returns what a statement gives values to, as far as it is a variable or a field of this object.
pub(super) fn assigned(statement: Node<'_>) -> Vec<Node<'_>> {
    let Some(value) = statement.named_child(0) else { return vec![] };
    let target = match value.kind() {
        "assignment_expression" => value.child_by_field_name("left"),
        "update_expression" => children(value).into_iter().next(),
        _ => None,
    };
    let is_own = |it: &Node<'_>| {
        let object = it.child_by_field_name("object");
        it.kind() == "field_access" && object.is_some_and(|it| it.kind() == "this")
    };
    target.filter(|it| it.kind() == "identifier" || is_own(it)).into_iter().collect()
}

/// Returns whether names of patterns in the condition of an `if` mean something behind it: it leaves what it is in.
pub(super) fn binds_after(node: Node<'_>) -> bool {
    let field = |name: &str| node.child_by_field_name(name);
    let (Some(condition), Some(mut last)) = (field("condition"), field("consequence")) else { return false };
    if field("alternative").is_some() || !holds_pattern(condition) {
        return false;
    }
    while last.kind() == "block" {
        let Some(inner) = children(last).into_iter().rfind(|it| it.kind() != "comment") else { return false };
        last = inner;
    }
    matches!(last.kind(), "return_statement" | "throw_statement" | "break_statement" | "continue_statement")
}

fn holds_pattern(node: Node<'_>) -> bool {
    let binds = |node: Node<'_>| {
        node.kind() == "instanceof_expression"
            && ["name", "pattern"].iter().any(|field| node.child_by_field_name(field).is_some())
    };
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if binds(node) {
            return true;
        }
        open.extend(children(node));
    }
    false
}

/// Returns whether a statement is a loop whose condition always holds.
pub(super) fn runs_forever(node: Node<'_>, text: &[u8]) -> bool {
    let is_true = |it: Node<'_>| matches!(it.utf8_text(text), Ok("(true)" | "true"));
    LOOPS.contains(&node.kind())
        && node.kind() != "enhanced_for_statement"
        && node.child_by_field_name("condition").is_none_or(is_true)
}

/// Returns the word among the modifiers of a declaration, if it is there.
pub(super) fn modifier<'t>(declaration: Node<'t>, word: &str) -> Option<Node<'t>> {
    let modifiers = children(declaration).into_iter().find(|it| it.kind() == "modifiers")?;
    let mut cursor = modifiers.walk();
    modifiers.children(&mut cursor).find(|it| it.kind() == word)
}
