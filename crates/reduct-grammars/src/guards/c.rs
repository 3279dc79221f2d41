//! C: `x = f();` becomes `(void)(__reduct_k(7,0)&&((x = f()),1));`, and other statements `{if(__reduct_k(8,0)){f();}}`.
//!
//! The text begins with what guards call (`c/begins.h`), and `#line` gives its lines the numbers that they had. A function has a frame: an
//! array of the executions that are under way in it, which needs no cleaning up after a `longjmp`. No block is put around what may live
//! longer than a statement: compound literals, declarations.

mod declarations;
mod frames;
mod looks;
mod nodes;

use super::edits::Edits;
use super::syntax::tree_of;
use super::{GuardedCode, Numbers};
use nodes::{assigned, holds, in_parentheses, is_no_item, last_statement};
use std::ops::Range;
use std::rc::Rc;
use tree_sitter::Node;

/// What a file with guards begins with.
const BEGINS: &str = include_str!("c/begins.h");

/// What some editors begin files with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Kinds that are events, where they stand in a block or in the place of one. Expressions and declarations come besides.
const CONTROL: &[&str] = &[
    "if_statement",
    "while_statement",
    "do_statement",
    "for_statement",
    "switch_statement",
    "return_statement",
    "break_statement",
    "continue_statement",
    "goto_statement",
];

/// Kinds whose children are statements.
const BLOCKS: &[&str] = &[
    "compound_statement",
    "case_statement",
    "preproc_if",
    "preproc_ifdef",
    "preproc_elif",
    "preproc_elifdef",
    "preproc_else",
];

const LOOPS: &[&str] = &["while_statement", "do_statement", "for_statement"];

/// What looks like a call and is none, or must stand where it stands.
const NO_CALLS: &[&str] = &["_Static_assert", "static_assert", "__attribute__", "__label__", "__extension__", "[["];

/// Puts guards into a text in C, but for functions that begin on these lines. Its statements have numbers from `first` on.
pub(super) fn guarded(text: &[u8], first: usize, without: &[u32]) -> Option<GuardedCode> {
    let tree = tree_of("a.c", text)?;
    let mut work = Work {
        text,
        first,
        without,
        edits: Edits::default(),
        numbers: Numbers::default(),
        functions: vec![],
        lines: vec![],
    };
    work.walk(tree.root_node());
    work.frames();
    if work.numbers.statements.is_empty() {
        return None;
    }
    work.edits.first(if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }, BEGINS.into());
    Some(GuardedCode {
        text: work.edits.applied(text),
        statements: work.numbers.statements,
        functions: work.lines.into_iter().collect(),
    })
}

/// A function.
struct Function<'t> {
    node: Node<'t>,
    body: Node<'t>,
    name: Rc<str>,
    /// How deep its innermost statement is within others, if it has one with a guard.
    deepest: Option<usize>,
    /// Whether a statement with a guard returns a value.
    returns: bool,
}

/// A node that is to be looked at, and where it stands.
struct Visit<'t> {
    node: Node<'t>,
    /// The function that it is in.
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
    edits: Edits,
    numbers: Numbers,
    functions: Vec<Function<'t>>,
    lines: Vec<Range<u32>>,
}

impl<'t> Work<'_, 't> {
    fn walk(&mut self, root: Node<'t>) {
        let mut open = vec![Visit { node: root, function: None, depth: 0, is_body: false }];
        while let Some(visit) = open.pop() {
            let below = self.visit(visit);
            open.extend(below.into_iter().rev());
        }
    }

    /// Puts the guard of a node, and returns the nodes below it in which there may be statements.
    fn visit(&mut self, visit: Visit<'t>) -> Vec<Visit<'t>> {
        let Visit { node, function, depth, is_body } = visit;
        if node.kind() == "function_definition" {
            return self.function(node).into_iter().collect();
        }
        let Some(function) = function else {
            let mut cursor = node.walk();
            let children = node.named_children(&mut cursor);
            return children.map(|node| Visit { node, function: None, depth: 0, is_body: false }).collect();
        };
        if node.kind() == "declaration" {
            if is_body {
                self.declaration(node, depth, function);
            }
            return vec![];
        }
        if node.kind() == "expression_statement" {
            if is_body {
                self.expression(node, depth, function);
            }
            return vec![];
        }
        let is_event = is_body && !node.has_error() && CONTROL.contains(&node.kind());
        if is_event {
            self.control(node, depth, function);
        }
        self.below(node, function, depth, is_event)
    }

    /// Returns how the values of these are noted.
    fn noted(&self, depth: usize, targets: &[Node<'_>]) -> Vec<String> {
        let texts = targets.iter().map(|it| self.of(*it)).filter(|text| !text.contains(['"', '\\', '\n', '\'']));
        texts.map(|text| format!("__reduct_v({depth},\"{text}\",{text})")).collect()
    }

    /// Returns what may hold statements of a statement.
    fn below(&self, node: Node<'t>, function: usize, depth: usize, is_event: bool) -> Vec<Visit<'t>> {
        let inner = depth + usize::from(is_event);
        let of = |node, depth| Visit { node, function: Some(function), depth, is_body: true };
        let field = |name: &str| node.child_by_field_name(name);
        let kind = node.kind();
        if BLOCKS.contains(&kind) {
            let value = field("value");
            let mut cursor = node.walk();
            let inside = node.named_children(&mut cursor).filter(|it| Some(*it) != value && !is_no_item(*it));
            return inside.map(|it| of(it, inner)).collect();
        }
        match kind {
            "if_statement" => {
                ["consequence", "alternative"].into_iter().filter_map(field).map(|it| of(it, inner)).collect()
            }
            // The body of a loop belongs to an iteration, which is an execution of its own.
            _ if LOOPS.contains(&kind) => {
                field("body").map(|it| of(it, inner + usize::from(is_event))).into_iter().collect()
            }
            "switch_statement" => field("body").map(|it| of(it, inner)).into_iter().collect(),
            "else_clause" | "labeled_statement" | "attributed_statement" => {
                last_statement(node).map(|it| of(it, inner)).into_iter().collect()
            }
            _ => vec![],
        }
    }

    /// Notes a function. Returns its body, if its statements get guards.
    fn function(&mut self, node: Node<'t>) -> Option<Visit<'t>> {
        let body = node.child_by_field_name("body").filter(|it| it.kind() == "compound_statement")?;
        let is_whole = |at: u32, text: &str| {
            let token = body.child(at);
            token.is_some_and(|it| it.kind() == text && !it.is_missing())
        };
        let line = |row: usize| row as u32 + 1;
        let begins = line(node.start_position().row);
        if !is_whole(0, "{") || !is_whole(body.child_count().checked_sub(1)?, "}") || self.without.contains(&begins) {
            return None;
        }
        let name = self.name(node.child_by_field_name("declarator")?);
        self.lines.push(begins..line(node.end_position().row) + 1);
        self.functions.push(Function { node, body, name: name.into(), deepest: None, returns: false });
        Some(Visit { node: body, function: Some(self.functions.len() - 1), depth: 0, is_body: false })
    }

    /// Returns the name of a function by its declarator.
    fn name(&self, declarator: Node<'_>) -> String {
        let mut node = declarator;
        while let Some(inner) = node.child_by_field_name("declarator").or_else(|| in_parentheses(node)) {
            node = inner;
        }
        self.of(node).to_owned()
    }

    fn of(&self, node: Node<'_>) -> &str {
        node.utf8_text(self.text).unwrap_or("")
    }

    /// Notes a statement of a function. Returns how its guard asks.
    fn asked(&mut self, node: Node<'_>, is_iteration: bool, depth: usize, function: usize) -> String {
        let it = &mut self.functions[function];
        it.deepest = it.deepest.max(Some(depth));
        let number = self.first + self.numbers.number(node, is_iteration, &it.name);
        let asked = format!("__reduct_k({number},{depth})");
        let looks = if is_iteration { String::new() } else { self.looks(node, depth) };
        if looks.is_empty() { asked } else { format!("({asked}&&(__reduct_l({depth})?({looks}(void)0):(void)0,1))") }
    }

    /// Puts the guard of a statement that is an expression.
    fn expression(&mut self, node: Node<'_>, depth: usize, function: usize) {
        let mut cursor = node.walk();
        let Some(value) = node.named_children(&mut cursor).find(|it| it.kind() != "comment") else { return };
        let text = self.of(value);
        if node.has_error() || NO_CALLS.iter().any(|word| text.starts_with(word)) {
            return;
        }
        let is_assignment = matches!(value.kind(), "assignment_expression" | "update_expression");
        let mut targets = assigned(value);
        targets.retain(|it| is_assignment || !self.may_be_opaque(*it, node));
        let noted = self.noted(depth, &targets);
        let asked = self.asked(node, false, depth, function);
        if is_assignment || holds(value, "compound_literal_expression") {
            let noted: String = noted.iter().map(|it| format!(",{it}")).collect();
            self.edits.insert(value.start_byte(), true, format!("(void)({asked}&&(("));
            self.edits.insert(value.end_byte(), false, format!("){noted},1))"));
            return;
        }
        // It may be a macro that stands for several statements.
        let noted: String = noted.iter().map(|it| format!("{it};")).collect();
        self.edits.insert(node.start_byte(), true, format!("{{if({asked}){{"));
        self.edits.insert(node.end_byte(), false, format!("{noted}}}}}"));
    }

    /// Puts the guard of a statement that controls what is executed.
    fn control(&mut self, node: Node<'_>, depth: usize, function: usize) {
        let asked = self.asked(node, false, depth, function);
        self.edits.insert(node.start_byte(), true, format!("{{if({asked})"));
        self.edits.insert(node.end_byte(), false, "}".into());
        let field = |name: &str| node.child_by_field_name(name);
        let mut cursor = node.walk();
        let has_value = node.named_children(&mut cursor).any(|it| it.kind() != "comment");
        self.functions[function].returns |= node.kind() == "return_statement" && has_value;
        if let Some(head) = field("initializer").filter(|it| it.kind() == "declaration") {
            self.head(head);
        }
        let Some(body) = field("body").filter(|_| LOOPS.contains(&node.kind())) else { return };
        let asked = self.asked(node, true, depth + 1, function);
        let names: Vec<Node<'_>> = field("initializer").map(assigned).unwrap_or_default();
        let noted: String = self.noted(depth + 1, &names).iter().map(|it| format!("{it};")).collect();
        self.edits.insert(body.start_byte(), true, format!("{{if({asked}){{{noted}"));
        self.edits.insert(body.end_byte(), false, "}}".into());
        // What a condition calls belongs to the loop, whatever was executed last.
        let in_parentheses = field("condition").filter(|it| it.kind() == "parenthesized_expression");
        let first = in_parentheses.and_then(|it| it.named_child(0));
        let conditions = match node.kind() {
            "for_statement" => vec![field("condition"), field("update")],
            _ => vec![first],
        };
        for condition in conditions.into_iter().flatten().filter(|it| it.kind() != "number_literal") {
            self.edits.insert(condition.start_byte(), true, format!("__reduct_c({depth}),"));
        }
    }
}
