//! Declarations: `int x = f(), y;` becomes `int x = k(..)?(f()):0, y=0;`.
//!
//! What is left out has a value, and the same one each time: zero, or null. A declaration whose value tells its type, and a constant, which
//! may be a label of a `switch`, stay and are always executed.

use super::nodes::{children, holds, modifier};
use super::{Standing, Work};
use tree_sitter::Node;

/// Kinds of values that name their type, and are objects.
const OBJECTS: &[&str] = &["object_creation_expression", "array_creation_expression", "string_literal"];

impl<'t> Work<'_, 't> {
    /// Puts the guards of a declaration: one for each value.
    pub(super) fn declaration(&mut self, node: Node<'t>, place: Standing, function: usize) {
        let Some(kind) = node.child_by_field_name("type") else { return };
        let declarators: Vec<Node<'t>> =
            children(node).into_iter().filter(|it| it.kind() == "variable_declarator").collect();
        let is_without_value = |it: &Node<'_>| it.child_by_field_name("value").is_none();
        if let Some(word) = modifier(node, "final").filter(|_| declarators.iter().any(is_without_value)) {
            self.edits.replace(word.byte_range(), String::new());
        }
        let mut last = None;
        for declarator in declarators {
            let Some(name) = declarator.child_by_field_name("name").filter(|it| it.kind() == "identifier") else {
                continue;
            };
            let has_dimensions = declarator.child_by_field_name("dimensions").is_some();
            let zero = if has_dimensions { "null" } else { self.zero(kind) };
            let Some(value) = declarator.child_by_field_name("value") else {
                self.edits.insert(declarator.end_byte(), false, format!("={zero}"));
                continue;
            };
            if self.is_fixed(node, kind, value, has_dimensions) {
                if holds(value, "method_invocation") || holds(value, "object_creation_expression") {
                    self.begins_anew(node, place.depth, function);
                }
                continue;
            }
            let asked = self.asked(declarator, false, place.depth, function);
            let new = match value.kind() {
                "array_initializer" => format!("new {}", self.of(kind)),
                _ => String::new(),
            };
            self.edits.insert(value.start_byte(), true, format!("{asked}?({new}"));
            self.edits.insert(value.end_byte(), false, format!("):{zero}"));
            last = Some(name);
        }
        let noted = self.noted(place.depth, function, &Vec::from_iter(last));
        self.edits.insert(node.end_byte(), false, noted);
    }

    /// Returns whether a variable gets its value in any case.
    fn is_fixed(&self, declaration: Node<'_>, kind: Node<'_>, value: Node<'_>, has_dimensions: bool) -> bool {
        let is_constant = || {
            let parts = ["method_invocation", "object_creation_expression", "array_creation_expression", "identifier"];
            let is_simple = !parts.iter().any(|part| holds(value, part)) && !holds(value, "lambda_expression");
            modifier(declaration, "final").is_some() && is_simple && value.kind() != "array_initializer"
        };
        match (self.of(kind), value.kind()) {
            ("var", kind) => !OBJECTS.contains(&kind),
            (_, "array_initializer") => has_dimensions || holds(kind, "generic_type"),
            _ => is_constant(),
        }
    }

    /// Returns what a variable of this type is if nothing gives it a value.
    pub(super) fn zero(&self, kind: Node<'_>) -> &'static str {
        match (kind.kind(), self.of(kind)) {
            (_, "byte") => "(byte)0",
            (_, "short") => "(short)0",
            (_, "char") => "(char)0",
            ("integral_type" | "floating_point_type", _) => "0",
            ("boolean_type", _) => "false",
            _ => "null",
        }
    }
}
