//! Go: `f()` becomes `if __reduct.K(__rf,7,0) {f()}`, and `x := f()` becomes `var __r7_0 int;if __reduct.K(..) {__r7_0 = f()};x := __r7_0`,
//! where the type of `x` is known.
//!
//! What guards call is in a package of the standard library, of which the build is told (`guards.go` of reduct-trace). A function has a frame,
//! the executions that are under way in it. Its results have names, so that it can end with `return` where a statement that returns them is left
//! out.

mod declarations;
mod frames;
mod nodes;

use super::edits::Edits;
use super::syntax::tree_of;
use super::{GuardedCode, Numbers, Types};
use nodes::{assigned, children, holds, is_control, names};
use std::rc::Rc;
use tree_sitter::Node;

/// How a file gets what guards call. No program is likely to use this package, so that little is compiled anew.
const IMPORT: &str = "; import __reduct \"container/ring\"";

/// Kinds that are events. Declarations come besides.
const STATEMENTS: &[&str] = &[
    "expression_statement",
    "send_statement",
    "inc_statement",
    "dec_statement",
    "assignment_statement",
    "return_statement",
    "go_statement",
    "defer_statement",
    "if_statement",
    "for_statement",
    "expression_switch_statement",
    "type_switch_statement",
    "select_statement",
    "break_statement",
    "continue_statement",
    "goto_statement",
];

/// Puts guards into a text in Go, but for functions and declarations that begin on these lines. Its statements have numbers from `first` on.
/// `types` are those of variables, by the line and the column, from 1, where they are declared.
pub(super) fn guarded(text: &[u8], first: usize, without: &[u32], types: &Types) -> Option<GuardedCode> {
    let tree = tree_of("a.go", text)?;
    let mut work =
        Work { text, first, without, types, edits: Edits::default(), numbers: Numbers::default(), functions: vec![] };
    work.walk(tree.root_node());
    let package = children(tree.root_node()).into_iter().find(|it| it.kind() == "package_clause")?;
    if work.numbers.statements.is_empty() {
        return None;
    }
    let functions = work.frames();
    work.edits.insert(package.end_byte(), false, IMPORT.into());
    Some(GuardedCode { text: work.edits.applied(text), statements: work.numbers.statements, functions })
}

/// A function.
struct Function<'t> {
    node: Node<'t>,
    body: Node<'t>,
    name: Rc<str>,
    /// How deep its innermost statement is within others, if it has one with a guard.
    deepest: Option<usize>,
    /// Whether it is what a `go` statement runs, and of which one.
    of_go: Option<usize>,
}

/// A node that is to be looked at, and where it stands.
struct Visit<'t> {
    node: Node<'t>,
    /// The function that it is in, if that gets guards.
    function: Option<usize>,
    /// How many statements it is within, in its function.
    depth: usize,
    /// Whether it stands where a statement stands.
    is_body: bool,
}

struct Work<'a, 't> {
    text: &'a [u8],
    first: usize,
    without: &'a [u32],
    types: &'a Types,
    edits: Edits,
    numbers: Numbers,
    functions: Vec<Function<'t>>,
}

impl<'t> Work<'_, 't> {
    fn walk(&mut self, root: Node<'t>) {
        let mut open = vec![Visit { node: root, function: None, depth: 0, is_body: false }];
        while let Some(visit) = open.pop() {
            let below = self.visit(visit);
            open.extend(below.into_iter().rev());
        }
    }

    /// Puts the guard of a node, and returns the nodes below it.
    fn visit(&mut self, visit: Visit<'t>) -> Vec<Visit<'t>> {
        let Visit { node, function, depth, is_body } = visit;
        if let (true, Some(body)) = (
            matches!(node.kind(), "function_declaration" | "method_declaration" | "func_literal"),
            node.child_by_field_name("body"),
        ) {
            return self.function(node, body);
        }
        let Some(at) = function else { return self.below(node, None, 0, false) };
        if !is_body || node.has_error() {
            return self.below(node, function, depth, false);
        }
        match node.kind() {
            "short_var_declaration" | "var_declaration" => {
                let is_event = self.declaration(node, depth, at);
                self.below(node, function, depth + usize::from(is_event), false)
            }
            "labeled_statement" => self.labeled(node, depth, at),
            kind if STATEMENTS.contains(&kind) => {
                self.statement(node, node, depth, at);
                self.below(node, function, depth + 1, true)
            }
            _ => self.below(node, function, depth, false),
        }
    }

    /// Puts the guard of a statement with a label. A loop keeps its label, as `continue` needs it.
    fn labeled(&mut self, node: Node<'t>, depth: usize, at: usize) -> Vec<Visit<'t>> {
        let Some(inner) = children(node).into_iter().skip(1).find(|it| it.kind() != "comment") else { return vec![] };
        if !is_control(inner) {
            return vec![Visit { node: inner, function: Some(at), depth, is_body: true }];
        }
        self.statement(node, inner, depth, at);
        self.below(inner, Some(at), depth + 1, true)
    }

    /// Returns what is below a node. `is_event` says that it has a guard.
    fn below(&self, node: Node<'t>, function: Option<usize>, depth: usize, is_event: bool) -> Vec<Visit<'t>> {
        let (kind, body) = (node.kind(), node.child_by_field_name("body"));
        let of = |child: Node<'t>| {
            // The body of a loop belongs to an iteration, which is an execution of its own.
            let is_iteration = is_event && kind == "for_statement" && body == Some(child);
            let is_else = kind == "if_statement" && node.child_by_field_name("alternative") == Some(child);
            let is_body = kind == "statement_list" || (is_else && child.kind() == "if_statement");
            Visit { node: child, function, depth: depth + usize::from(is_iteration), is_body }
        };
        children(node).into_iter().map(of).collect()
    }

    fn of(&self, node: Node<'_>) -> &str {
        node.utf8_text(self.text).unwrap_or("")
    }

    /// Notes a statement of a function. Returns its number.
    fn number(&mut self, node: Node<'_>, is_iteration: bool, depth: usize, at: usize) -> usize {
        let it = &mut self.functions[at];
        it.deepest = it.deepest.max(Some(depth));
        self.first + self.numbers.number(node, is_iteration, &it.name)
    }

    /// Returns how the values of these names are noted.
    fn noted(&self, depth: usize, names: &[Node<'_>]) -> String {
        let named = names.iter().map(|it| self.of(*it)).filter(|name| *name != "_");
        let noted: String = named.map(|name| format!("__reduct.V(__rf,{depth},\"{name}\",{name});")).collect();
        if noted.is_empty() { noted } else { format!(";if __reduct.H {{{noted}}}") }
    }

    /// What comes now belongs to what is at this depth.
    fn anew(&mut self, depth: usize, at: usize) -> String {
        let it = &mut self.functions[at];
        it.deepest = it.deepest.max(Some(depth));
        format!("__reduct.C(__rf,{depth})")
    }

    /// Puts the guard of a statement, before whose inner part a label may stand.
    fn statement(&mut self, node: Node<'t>, inner: Node<'t>, depth: usize, at: usize) {
        let number = self.number(node, false, depth, at);
        let is_else = node.parent().is_some_and(|it| it.kind() == "if_statement");
        let (opens, closes) = if is_else { ("{", "}") } else { ("", "") };
        let mut begins = format!("{opens}if __reduct.K(__rf,{number},{depth}) {{");
        let mut ends = String::new();
        match inner.kind() {
            "defer_statement" => ends = ";defer __reduct.S(__reduct.N())".to_owned(),
            "go_statement" => begins += &format!("__rg{number} := __reduct.N();_ = __rg{number};"),
            _ => ends += &self.noted(depth, &assigned(inner)),
        }
        self.edits.insert(node.start_byte(), true, begins);
        self.edits.insert(node.end_byte(), false, format!("{ends}}}{closes}"));
        if let (true, Some(body)) = (inner.kind() == "for_statement", inner.child_by_field_name("body")) {
            self.iterations(inner, body, depth, at);
        }
    }

    /// Puts the guards of the iterations of a loop.
    fn iterations(&mut self, node: Node<'t>, body: Node<'t>, depth: usize, at: usize) {
        let number = self.number(node, true, depth + 1, at);
        let header = children(node).into_iter().find(|it| *it != body && it.kind() != "comment");
        let field = |name: &str| header.and_then(|it| it.child_by_field_name(name));
        let (condition, declared) = match header.map(|it| it.kind()) {
            Some("for_clause") => {
                (field("condition"), field("initializer").and_then(|it| it.child_by_field_name("left")))
            }
            Some("range_clause") => (None, field("left")),
            _ => (header, None),
        };
        let noted = self.noted(depth + 1, &declared.map(names).unwrap_or_default());
        self.edits.insert(
            body.start_byte() + 1,
            false,
            format!("if __reduct.K(__rf,{number},{}) {{{noted};", depth + 1).replace("{;", "{"),
        );
        self.edits.insert(body.end_byte() - 1, true, "}".into());
        if let Some(condition) = condition.filter(|it| holds(*it, "call_expression")) {
            let anew = self.anew(depth + 1, at);
            self.edits.insert(condition.start_byte(), true, format!("{anew} && ("));
            self.edits.insert(condition.end_byte(), false, ")".into());
        }
    }
}
