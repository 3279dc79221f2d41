//! What a statement reads, looked at before it is executed: `__reduct_w(0,"p->x",p->x)`, if what `p` points to is there.
//!
//! Only variables are looked at that a declaration in the file gives a meaning where the statement stands, and their fields.

use super::Work;
use super::nodes::in_parentheses;
use crate::guards::reads::C;
use crate::guards::syntax::children;
use tree_sitter::Node;

impl Work<'_, '_> {
    /// Returns what looks at the values that a statement reads, each with a comma behind it.
    pub(super) fn looks(&self, statement: Node<'_>, depth: usize) -> String {
        let names = C.names(statement, self.text).read;
        let is_declared = |name: &String| {
            let variable = name.split(['.', '-']).next().unwrap_or_default();
            self.is_declared(variable, statement)
        };
        names.iter().filter(|name| is_declared(name)).map(|name| look(name, depth)).collect()
    }

    /// Returns whether a variable is declared outside of a statement, and before it.
    fn is_declared(&self, name: &str, statement: Node<'_>) -> bool {
        self.declaration_of(name, statement).is_some()
    }

    /// Returns the declaration, outside of a statement and before it, of a variable.
    fn declaration_of<'t>(&self, name: &str, statement: Node<'t>) -> Option<Node<'t>> {
        let mut node = statement;
        while let Some(outer) = node.parent() {
            let is_before = |it: &Node<'_>| it.end_byte() <= node.start_byte() && it.kind() == "declaration";
            let declares = |it: &Node<'t>| self.declares(*it, name);
            if let Some(found) = children(outer).into_iter().filter(is_before).find(declares) {
                return Some(found);
            }
            if outer.kind() == "function_definition" {
                let of_function = outer.child_by_field_name("declarator").and_then(function);
                let parameters = of_function.and_then(|it| it.child_by_field_name("parameters"));
                if let Some(found) = parameters.and_then(|it| children(it).into_iter().find(declares)) {
                    return Some(found);
                }
            }
            node = outer;
        }
        None
    }

    /// Returns whether a variable may be a structure of which no more than its name is known: a guard cannot have its value.
    pub(super) fn may_be_opaque(&self, variable: Node<'_>, statement: Node<'_>) -> bool {
        let name = self.of(variable);
        let Some(declaration) = self.declaration_of(name, statement) else { return false };
        let is_plain = |it: &Node<'_>| it.kind() == "identifier" && self.of(*it) == name;
        let of_type = declaration.child_by_field_name("type").map_or("", |it| it.kind());
        let is_extern = |it: &Node<'_>| it.kind() == "storage_class_specifier" && self.of(*it) == "extern";
        let has_structure = matches!(of_type, "struct_specifier" | "union_specifier");
        let parts = children(declaration);
        parts.iter().any(is_plain) && (has_structure || (of_type == "type_identifier" && parts.iter().any(is_extern)))
    }

    /// Returns whether a declaration, or a parameter, declares a variable: no function, and no name of a type.
    fn declares(&self, declaration: Node<'_>, name: &str) -> bool {
        let mut cursor = declaration.walk();
        let declared: Vec<Node<'_>> = declaration.children_by_field_name("declarator", &mut cursor).collect();
        declared.into_iter().any(|it| {
            let (mut node, mut is_function) = (it, false);
            while let Some(inner) = node.child_by_field_name("declarator").or_else(|| in_parentheses(node)) {
                is_function |= node.kind() == "function_declarator";
                node = inner;
            }
            node.kind() == "identifier" && !is_function && self.of(node) == name
        })
    }
}

/// Returns the part of a declarator that has the parameters of a function.
fn function(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut node = declarator;
    while node.kind() != "function_declarator" {
        node = node.child_by_field_name("declarator").or_else(|| in_parentheses(node))?;
    }
    Some(node)
}

/// Returns what looks at one value. What a pointer points to may not be there: then the variable is looked at alone.
fn look(name: &str, depth: usize) -> String {
    let noted = |name: &str| format!("__reduct_w({depth},\"{name}\",{name})");
    let pointers: Vec<String> =
        name.match_indices("->").map(|(at, _)| format!("__reduct_a({})", &name[..at])).collect();
    if pointers.is_empty() {
        return noted(name) + ",";
    }
    let variable = name.split(['.', '-']).next().unwrap_or_default();
    format!("({}?{}:{}),", pointers.join("&&"), noted(name), noted(variable))
}
