//! The names that a statement reads and writes: variables, and fields of these, as far as the text says them. What is within the statements of a
//! body, or in another function, is read by others.

mod functions;

use super::syntax::{children, parsed};
use super::{GuardedStatement, Types, guarded, guarded_source};
use crate::language_of;
use functions::{function_of, is_declaration, is_function};
use std::collections::HashMap;
use std::path::Path;
use tree_sitter::Node;

/// Of a statement, so many names are looked at.
const MOST: usize = 12;

/// So many fields of fields are looked at.
const MOST_FIELDS: usize = 3;

/// What is special about a language.
pub(super) struct Reading {
    language: &'static str,
    /// Kinds of variables.
    variables: &'static [&'static str],
    /// Kinds that are a field of something: what has it, and which.
    fields: &'static [(&'static str, &'static str, &'static str)],
    /// Kinds that call something: the field of the node that is called.
    calls: &'static [(&'static str, &'static str)],
    /// Fields of nodes that are written.
    written: &'static [(&'static str, &'static str)],
    /// Fields of nodes that are written and read.
    changed: &'static [(&'static str, &'static str)],
    /// Kinds that are written, whatever they are a field of.
    targets: &'static [&'static str],
    /// Fields of nodes that are no variables.
    labels: &'static [(&'static str, &'static str)],
    /// Whether a function sees no variables but its own, unless a sign before the name says so.
    has_own_only: bool,
    /// Kinds that are not looked into.
    skipped: &'static [&'static str],
    /// Variables that are none of the program.
    foreign: &'static [&'static str],
}

/// Fields of statements in which other statements are.
const BODIES: &[&str] = &["body", "consequence", "alternative", "handler", "finalizer"];

const ALL: &[Reading] = &[
    Reading {
        language: "javascript",
        variables: &["identifier", "this", "shorthand_property_identifier", "shorthand_property_identifier_pattern"],
        fields: &[("member_expression", "object", "property")],
        calls: &[("call_expression", "function"), ("new_expression", "constructor")],
        written: &[("assignment_expression", "left"), ("variable_declarator", "name"), ("for_in_statement", "left")],
        changed: &[("augmented_assignment_expression", "left"), ("update_expression", "argument")],
        targets: &[],
        labels: &[("labeled_statement", "label"), ("break_statement", "label"), ("continue_statement", "label")],
        has_own_only: false,
        skipped: &[
            "statement_block",
            "switch_body",
            "arrow_function",
            "function_expression",
            "function_declaration",
            "generator_function",
            "generator_function_declaration",
            "class",
            "class_declaration",
            "method_definition",
            "catch_clause",
            "finally_clause",
            "else_clause",
        ],
        foreign: &[
            "console",
            "process",
            "Math",
            "JSON",
            "module",
            "exports",
            "globalThis",
            "global",
            "Object",
            "Array",
            "Number",
            "String",
            "Date",
            "Symbol",
            "Reflect",
            "Promise",
            "Buffer",
            "NaN",
            "Infinity",
            "arguments",
        ],
    },
    Reading {
        language: "ruby",
        variables: &["identifier", "instance_variable", "global_variable", "class_variable", "self"],
        fields: &[("call", "receiver", "method")],
        calls: &[("call", "method")],
        written: &[("assignment", "left"), ("for", "pattern")],
        changed: &[("operator_assignment", "left")],
        targets: &[],
        labels: &[("pair", "key")],
        has_own_only: true,
        skipped: &[
            "block",
            "do_block",
            "lambda",
            "method",
            "singleton_method",
            "class",
            "module",
            "then",
            "else",
            "elsif",
            "do",
            "when",
            "in_clause",
            "rescue",
            "ensure",
            "begin",
        ],
        foreign: &["$stdout", "$stderr", "$stdin"],
    },
    Reading {
        language: "php",
        variables: &["variable_name"],
        fields: &[
            ("member_access_expression", "object", "name"),
            ("nullsafe_member_access_expression", "object", "name"),
        ],
        calls: &[("function_call_expression", "function")],
        written: &[("assignment_expression", "left"), ("reference_assignment_expression", "left")],
        changed: &[("augmented_assignment_expression", "left"), ("update_expression", "argument")],
        targets: &[],
        labels: &[],
        has_own_only: true,
        skipped: &[
            "compound_statement",
            "colon_block",
            "switch_block",
            "anonymous_function",
            "arrow_function",
            "declaration_list",
            "else_clause",
            "else_if_clause",
            "catch_clause",
            "finally_clause",
        ],
        foreign: &["$GLOBALS", "$_SERVER"],
    },
    Reading {
        language: "lua",
        variables: &["identifier"],
        fields: &[("dot_index_expression", "table", "field")],
        calls: &[("function_call", "name")],
        written: &[("for_numeric_clause", "name")],
        changed: &[],
        targets: &["variable_list"],
        labels: &[("field", "name")],
        has_own_only: false,
        skipped: &["block", "function_definition", "function_declaration", "elseif_statement", "else_statement"],
        foreign: &["math", "string", "table", "io", "os", "coroutine", "utf8", "debug", "_G"],
    },
];

/// C: what its guards look at is in the text.
pub(super) const C: Reading = Reading {
    language: "c",
    variables: &["identifier"],
    fields: &[("field_expression", "argument", "field")],
    calls: &[("call_expression", "function")],
    written: &[("assignment_expression", "left"), ("init_declarator", "declarator")],
    changed: &[("update_expression", "argument")],
    targets: &[],
    labels: &[("labeled_statement", "label"), ("goto_statement", "label"), ("field_designator", "field")],
    has_own_only: false,
    skipped: &[
        "compound_statement",
        "else_clause",
        "sizeof_expression",
        "alignof_expression",
        "type_descriptor",
        "gnu_asm_expression",
    ],
    foreign: &["stdin", "stdout", "stderr", "errno"],
};

/// The names that a statement has: fields stand behind what has them, after a dot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementNames {
    /// Those that it reads.
    pub read: Vec<String>,
    /// Those that it writes.
    pub written: Vec<String>,
    /// Variables among these that are declared in the function that it stands in.
    pub own: Vec<String>,
    /// Variables among these of which the function, or what is in none, declares several: in blocks.
    pub several: Vec<String>,
}

/// Returns the names of each statement of a text with guards. `None` if its language has none, or they are not known there.
pub fn statement_names(path: &Path, text: &[u8]) -> Option<Vec<(GuardedStatement, StatementNames)>> {
    let language = language_of(path, text)?;
    let reading = ALL.iter().chain([&C]).find(|it| it.language == language.name)?;
    let of_source = || guarded_source(language.name, text, 0, &[], &Types::new()).map(|it| it.statements);
    let statements = guarded(path, text).map(|it| it.statements).or_else(of_source)?;
    let tree = parsed(language, text)?;
    let mut of_functions: HashMap<usize, Vec<String>> = HashMap::new();
    let of = |it: GuardedStatement| {
        let node = tree.root_node().descendant_for_byte_range(it.range.start, it.range.end);
        let Some(node) = node.filter(|_| !it.is_iteration) else { return (it, StatementNames::default()) };
        let mut names = reading.names(outermost(node), text);
        if !reading.has_own_only {
            let function = function_of(outermost(node));
            let declared = of_functions.entry(function.id()).or_insert_with(|| reading.declared_in(function, text));
            let of_name = |name: &&String| declared.iter().filter(|it| it == name).count();
            let all = names.read.iter().chain(&names.written);
            names.several = all.filter(|name| of_name(name) > 1).cloned().collect();
        }
        (it, names)
    };
    Some(statements.into_iter().map(of).collect())
}

/// Returns the outermost node with the range of one.
fn outermost(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while let Some(outer) = node.parent().filter(|it| it.byte_range() == node.byte_range() && it.parent().is_some()) {
        node = outer;
    }
    node
}

impl Reading {
    pub(super) fn names(&self, statement: Node<'_>, text: &[u8]) -> StatementNames {
        let mut names = StatementNames::default();
        let mut open = vec![statement];
        while let Some(node) = open.pop() {
            if self.targets.contains(&node.kind()) {
                names.written.extend(self.targets(node, text));
                continue;
            }
            for (_, field) in self.written.iter().chain(self.changed).filter(|(kind, _)| *kind == node.kind()) {
                let targets = node.child_by_field_name(field).map(|it| self.targets(it, text));
                names.written.extend(targets.into_iter().flatten());
            }
            let is_field = self.fields.iter().any(|(kind, ..)| *kind == node.kind());
            let name = if is_field { self.path(node, text) } else { None };
            let name = name.or_else(|| self.variable(node, text));
            match name {
                Some(name) if self.foreign.contains(&name.split(['.', '-']).next().unwrap_or_default()) => {}
                Some(name) if names.read.contains(&name) => {}
                Some(name) => names.read.push(name),
                None => open.extend(self.below(node, node == statement, text)),
            }
        }
        names.own = self.own(statement, text, names.read.iter().chain(&names.written));
        names.read.truncate(MOST);
        names
    }

    /// Returns those of the names that are variables of the function in which a statement stands.
    fn own<'n>(&self, statement: Node<'_>, text: &[u8], names: impl Iterator<Item = &'n String>) -> Vec<String> {
        let function = function_of(statement);
        let declared = if is_function(function) { self.declared_in(function, text) } else { vec![] };
        let plain = names.filter(|name| !name.contains(['.', '-', '@']));
        plain.filter(|name| self.has_own_only || declared.contains(name)).cloned().collect()
    }

    /// Returns the variables that a function declares, each as often as it does.
    fn declared_in(&self, function: Node<'_>, text: &[u8]) -> Vec<String> {
        let (mut declared, mut open) = (vec![], children(function));
        while let Some(node) = open.pop() {
            if is_function(node) {
                continue;
            }
            if is_declaration(node) {
                declared.extend(self.declared(node, text));
            }
            open.extend(children(node));
        }
        declared
    }

    /// Returns the names of what a node declares, without the values that it begins with.
    fn declared(&self, node: Node<'_>, text: &[u8]) -> Vec<String> {
        let field = |name: &str| node.child_by_field_name(name);
        if node.kind() == "for_in_statement" {
            let declared = field("left").filter(|_| field("kind").is_some());
            return declared.map(|it| self.targets(it, text)).unwrap_or_default();
        }
        self.targets(field("name").or_else(|| field("declarator")).unwrap_or(node), text)
    }

    /// Returns the names that are given values by what stands where something is written.
    fn targets(&self, target: Node<'_>, text: &[u8]) -> Vec<String> {
        let (mut names, mut open) = (vec![], vec![target]);
        while let Some(node) = open.pop() {
            let name = self.path(node, text).or_else(|| self.variable(node, text));
            let is_within = node.kind().contains("subscript") || node.kind() == "element_reference";
            match name {
                Some(name) => names.push(name),
                // An element is no variable.
                None if is_within => {}
                None => open.extend(children(node).into_iter().rev()),
            }
        }
        names
    }

    fn variable(&self, node: Node<'_>, text: &[u8]) -> Option<String> {
        self.variables.contains(&node.kind()).then(|| node.utf8_text(text).ok().map(str::to_owned)).flatten()
    }

    /// Returns a field of a variable as a name.
    fn path(&self, node: Node<'_>, text: &[u8]) -> Option<String> {
        let (mut node, mut fields) = (node, vec![]);
        while let Some((_, of, field)) = self.fields.iter().find(|(kind, ..)| *kind == node.kind()) {
            let field = node.child_by_field_name(field)?.utf8_text(text).ok()?;
            let is_word = field.chars().all(|c| c.is_alphanumeric() || c == '_');
            let is_called =
                node.child_by_field_name("arguments").is_some() || node.child_by_field_name("block").is_some();
            if !is_word || is_called || fields.len() == MOST_FIELDS {
                return None;
            }
            let of = node.child_by_field_name(of)?;
            // In C, a field of what a pointer points to is told from one of a structure.
            let is_pointer =
                self.language == "c" && text[of.end_byte()..node.end_byte()].trim_ascii().starts_with(b"->");
            fields.push(format!("{}{field}", if is_pointer { "->" } else { "." }));
            node = of;
        }
        fields.push(self.variable(node, text)?);
        fields.reverse();
        Some(fields.concat())
    }

    /// Returns what is read if a node of C takes the address of a variable or a field: pointers on the way to it only. Its type may be unknown.
    fn read_for_address<'t>(&self, node: Node<'t>) -> Option<Vec<Node<'t>>> {
        let takes_address = node.kind() == "pointer_expression" && node.child(0).is_some_and(|it| it.kind() == "&");
        let mut of = node.child_by_field_name("argument").filter(|_| self.language == "c" && takes_address)?;
        loop {
            match of.kind() {
                "parenthesized_expression" => of = of.named_child(0)?,
                "field_expression" => {
                    let inner = of.child_by_field_name("argument")?;
                    if of.child(1).is_some_and(|it| it.kind() == "->") {
                        return Some(vec![inner]);
                    }
                    of = inner;
                }
                "identifier" => return Some(vec![]),
                _ => return None,
            }
        }
    }

    /// Returns what is read below a node, the last one first.
    fn below<'t>(&self, node: Node<'t>, is_statement: bool, text: &[u8]) -> Vec<Node<'t>> {
        if let Some(read) = self.read_for_address(node) {
            return read;
        }
        let mut cursor = node.walk();
        let mut found = vec![];
        let has = |of: &[(&str, &str)], field: &str| of.iter().any(|it| *it == (node.kind(), field));
        if !cursor.goto_first_child() {
            return found;
        }
        loop {
            let (child, field) = (cursor.node(), cursor.field_name().unwrap_or_default());
            let is_body = is_statement && BODIES.contains(&field);
            // `+=` reads, too.
            let operator = node.child_by_field_name("operator").and_then(|it| it.utf8_text(text).ok());
            let is_only_written = has(self.written, field) && operator.is_none_or(|it| it == "=" || !it.ends_with('='));
            if has(self.calls, field) {
                // Of what is called, only what it is a field of is read.
                let of = self.fields.iter().find(|(kind, ..)| *kind == child.kind());
                found.extend(of.and_then(|(_, of, _)| child.child_by_field_name(of)));
            } else if child.is_named()
                && !is_body
                && !is_only_written
                && !has(self.labels, field)
                && !self.skipped.contains(&child.kind())
            {
                found.push(child);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        if node.kind() == "foreach_statement" {
            found.truncate(1);
        }
        found.reverse();
        found
    }
}
