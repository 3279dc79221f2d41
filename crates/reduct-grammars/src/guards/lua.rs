//! Lua: `x = f()` becomes `if __reduct_r.k(__reduct_f,7,0) then x = f() end`, and `local x = f()` becomes
//! `local x = __reduct_r.u(__reduct_r.k(__reduct_f,7,0) and __reduct_r.p(f()))`, so that `x` may be the one outside in `f()`.
//!
//! A function begins with `local __reduct_f=__reduct_r.enter()`, and gives its values to `__reduct_r.leave(__reduct_f, ...)`. A call in
//! the place of all values stays the last thing that is done, as Lua drops the caller then: `return f(__reduct_r.t(__reduct_f,x))`.

use super::edits::Edits;
use super::{GuardedStatement, GuardedText, Numbers, described, name_within};
use std::rc::Rc;
use tree_sitter::Node;

/// Kinds that are events. Declarations come besides.
const STATEMENTS: &[&str] = &[
    "assignment_statement",
    "function_call",
    "if_statement",
    "while_statement",
    "repeat_statement",
    "for_statement",
    "return_statement",
    "break_statement",
    "goto_statement",
];

const LOOPS: &[&str] = &["while_statement", "repeat_statement", "for_statement"];

const FUNCTIONS: &[&str] = &["function_declaration", "function_definition"];

/// Puts guards into a text.
pub(super) fn guarded(path: &str, root: Node<'_>, text: &[u8]) -> Option<GuardedText> {
    let mut work = Work { text, edits: Edits::default(), numbers: Numbers::default() };
    let mut open = vec![Visit { node: root, depth: 0, function: "<module>".into(), is_function: false }];
    while let Some(visit) = open.pop() {
        let below = work.visit(visit);
        open.extend(below.into_iter().rev());
    }
    let first = statements_of(root).first()?.start_byte();
    work.edits.first(first, begins(path, &work.numbers.statements, text));
    Some(GuardedText { text: work.edits.applied(text), statements: work.numbers.statements })
}

/// Returns what the file begins with: the functions that guards call, by the one value that can be named wherever a file is loaded.
fn begins(path: &str, statements: &[GuardedStatement], text: &[u8]) -> String {
    let all = described(statements, text);
    let list = |of: Vec<&str>| of.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(",");
    let keys = list(all.iter().map(|it| it.key.as_str()).collect());
    let about = list(all.iter().map(|it| it.json.as_str()).collect());
    format!(
        "local __reduct_r=(\"\").__reduct({},{{{keys}}},{{{about}}}) local __reduct_f=__reduct_r.top() ",
        quoted(path)
    )
}

/// Returns a string of Lua.
fn quoted(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | 0..=31 | 127.. => format!("\\{byte:03}"),
        _ => char::from(byte).to_string(),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

/// A node that is to be looked at, and where it stands.
struct Visit<'t> {
    node: Node<'t>,
    /// How many statements it is within, in its function.
    depth: usize,
    function: Rc<str>,
    /// Whether it stands in a function, rather than in the file.
    is_function: bool,
}

struct Work<'a> {
    text: &'a [u8],
    edits: Edits,
    numbers: Numbers,
}

impl Work<'_> {
    /// Puts the guard of a node, and returns the nodes below it.
    fn visit<'t>(&mut self, visit: Visit<'t>) -> Vec<Visit<'t>> {
        let Visit { node, mut depth, mut function, mut is_function } = visit;
        let is_body = node.parent().is_some_and(|it| matches!(it.kind(), "block" | "chunk"));
        let is_event = is_body && !node.has_error() && !self.is_fixed(node);
        if is_event && node.kind() == "variable_declaration" {
            self.declaration(node, depth, &function);
        } else if is_event && STATEMENTS.contains(&node.kind()) {
            self.statement(node, depth, &function);
            if node.kind() == "return_statement" && is_function {
                self.returned(node);
            }
            depth += 1;
        } else if is_body && self.is_fixed(node) {
            // What a module calls when it is loaded does not belong to what was executed last.
            let outer = depth as i64 - 1;
            self.edits.insert(node.start_byte(), true, format!(" __reduct_r.c(__reduct_f,{outer}) "));
        }
        let body = node.child_by_field_name("body");
        if FUNCTIONS.contains(&node.kind()) {
            (depth, is_function) = (0, true);
            function = name_within(self.name(node), &function);
            if let Some(body) = body.filter(|_| !node.has_error()) {
                self.edits.insert(body.start_byte(), true, " local __reduct_f=__reduct_r.enter() do ".into());
                self.edits.insert(end_of(node), false, " end __reduct_r.leave(__reduct_f) ".into());
            }
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        // The body of a loop belongs to an iteration, which is an execution of its own.
        let of_loop = usize::from(is_event && LOOPS.contains(&node.kind()));
        let inner = |child| depth + if Some(child) == body { of_loop } else { 0 };
        let of = |child| Visit { node: child, depth: inner(child), function: function.clone(), is_function };
        children.into_iter().map(of).collect()
    }

    fn asked(&mut self, node: Node<'_>, is_iteration: bool, depth: usize, function: &str) -> String {
        let number = self.numbers.number(node, is_iteration, function);
        format!("__reduct_r.k(__reduct_f,{number},{depth})")
    }

    fn statement(&mut self, node: Node<'_>, depth: usize, function: &str) {
        let asked = self.asked(node, false, depth, function);
        let names = match node.kind() {
            "assignment_statement" => self.names(node),
            "for_statement" => node.child_by_field_name("clause").map(|it| self.names(it)).unwrap_or_default(),
            _ => vec![],
        };
        self.edits.insert(node.start_byte(), true, format!(" if {asked} then "));
        if !LOOPS.contains(&node.kind()) {
            self.edits.insert(node.end_byte(), false, format!("{} end ", noting(depth, &names)));
            return;
        }
        self.edits.insert(node.end_byte(), false, " end ".into());
        let Some(body) = node.child_by_field_name("body") else { return };
        let asked = self.asked(node, true, depth + 1, function);
        // What an iterator or a condition calls belongs to the loop, whatever was executed last.
        let again = format!(" __reduct_r.c(__reduct_f,{depth}) ");
        if node.kind() == "repeat_statement" {
            // The condition sees the variables of the body, so that no block can be put around that.
            self.edits.insert(body.start_byte(), true, format!(" {asked} "));
            self.edits.insert(end_of(node), false, again);
            return;
        }
        let noted = noting(depth + 1, &names);
        self.edits.insert(body.start_byte(), true, format!(" if {asked} then{noted} "));
        self.edits.insert(end_of(node), false, format!(" end{again}"));
    }

    /// Puts the guard around the values of a declaration.
    fn declaration(&mut self, node: Node<'_>, depth: usize, function: &str) {
        let Some(values) = assignment_of(node).and_then(values_of) else { return };
        let asked = self.asked(node, false, depth, function);
        let names = assignment_of(node).map(|it| self.names(it)).unwrap_or_default();
        self.edits.insert(values.start_byte(), true, format!("__reduct_r.u({asked} and __reduct_r.p("));
        self.edits.insert(values.end_byte(), false, format!(")){} ", noting(depth, &names)));
    }

    /// Has the function left by what it returns.
    fn returned(&mut self, node: Node<'_>) {
        let values = node.named_child(0).filter(|it| it.kind() == "expression_list");
        let Some(values) = values else {
            let at = node.start_byte() + "return".len();
            self.edits.insert(at, false, " __reduct_r.leave(__reduct_f)".into());
            return;
        };
        let only = values.named_child(0).filter(|it| values.named_child_count() == 1 && it.kind() == "function_call");
        let Some(arguments) = only.and_then(|it| it.child_by_field_name("arguments")) else {
            self.edits.insert(values.start_byte(), true, "__reduct_r.leave(__reduct_f,".into());
            self.edits.insert(values.end_byte(), false, ")".into());
            return;
        };
        let is_open = arguments.child(0).is_some_and(|it| it.kind() == "(");
        let (start, end) = (arguments.start_byte(), arguments.end_byte());
        if is_open {
            let comma = if arguments.named_child_count() == 0 { "" } else { "," };
            self.edits.insert(start + 1, true, format!("__reduct_r.t(__reduct_f{comma}"));
            // With no arguments, both are at one place.
            self.edits.insert(end - 1, comma.is_empty(), ")".into());
        } else {
            self.edits.insert(start, true, "(__reduct_r.t(__reduct_f,".into());
            self.edits.insert(end, false, "))".into());
        }
    }

    /// Returns whether a statement only defines a function, or loads a module.
    fn is_fixed(&self, node: Node<'_>) -> bool {
        let assignment = if node.kind() == "variable_declaration" { assignment_of(node) } else { Some(node) };
        let values = assignment.and_then(values_of);
        let mut cursor = node.walk();
        values.is_some_and(|it| {
            it.named_children(&mut cursor).all(|it| it.kind() == "function_definition" || self.loads(it))
        })
    }

    fn loads(&self, value: Node<'_>) -> bool {
        let mut node = value;
        while let Some(inner) = node.child_by_field_name("name").or_else(|| node.child_by_field_name("table")) {
            if node.kind() == "function_call" && self.of(inner) == "require" {
                return true;
            }
            node = inner;
        }
        false
    }

    /// Returns the names that are given values: of an assignment, or of the clause of a loop.
    fn names(&self, node: Node<'_>) -> Vec<String> {
        let list = node.named_child(0).filter(|it| it.kind() == "variable_list");
        let list = list.unwrap_or(node);
        let mut cursor = list.walk();
        let names = list.children_by_field_name("name", &mut cursor).filter(|it| it.kind() == "identifier");
        let mut names: Vec<String> = names.map(|it| self.of(it).to_owned()).collect();
        names.dedup();
        names
    }

    fn name(&self, node: Node<'_>) -> Option<&str> {
        // What is assigned is called as what it is assigned to.
        let list = node.parent().filter(|it| it.named_child_count() == 1);
        let assigned = || list?.parent().filter(|it| it.kind() == "assignment_statement")?.named_child(0);
        let field = || node.parent().filter(|it| it.kind() == "field")?.child_by_field_name("name");
        node.child_by_field_name("name").or_else(assigned).or_else(field).map(|it| self.of(it))
    }

    fn of(&self, node: Node<'_>) -> &str {
        node.utf8_text(self.text).unwrap_or("")
    }
}

/// Returns the assignment that a declaration makes.
fn assignment_of(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(0).filter(|it| it.kind() == "assignment_statement")
}

fn values_of(assignment: Node<'_>) -> Option<Node<'_>> {
    assignment.named_child(1).filter(|it| assignment.kind() == "assignment_statement" && it.kind() == "expression_list")
}

/// Returns where the word that ends the body of a function or a loop begins.
fn end_of(node: Node<'_>) -> usize {
    let mut cursor = node.walk();
    let ends = node.children(&mut cursor).filter(|it| matches!(it.kind(), "end" | "until"));
    ends.last().map_or(node.end_byte(), |it| it.start_byte())
}

fn statements_of(block: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = block.walk();
    let inside = block.named_children(&mut cursor);
    inside.filter(|it| !matches!(it.kind(), "comment" | "hash_bang_line")).collect()
}

fn noting(depth: usize, names: &[String]) -> String {
    let pairs: String = names.iter().map(|name| format!(",\"{name}\",{name}")).collect();
    if names.is_empty() { String::new() } else { format!(" __reduct_r.v(__reduct_f,{depth}{pairs})") }
}
