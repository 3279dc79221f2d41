//! Java: `f();` becomes `{if(__Reduct1.k(__reduct_f0,7,0)){f();}}`, and `int x = f();` becomes `int x = __Reduct1.k(..)?(f()):0;`, so that it
//! stays one declaration: a variable that a lambda uses has one value.
//!
//! At the end of the file stands the class that guards call (`java/ends.java`). A function has a frame: an array of the executions that are
//! under way in it. What initialises a class is always executed, as it depends on who uses the class first.

mod declarations;
mod functions;
mod nodes;

use super::edits::Edits;
use super::syntax::tree_of;
use super::{GuardedCode, Numbers};
use nodes::{LOOPS, assigned, binds_after, children, holds, innermost, named, runs_forever};
use std::rc::Rc;
use tree_sitter::Node;

/// The class that guards call; its name is put in.
const ENDS: &str = include_str!("java/ends.java");

/// Kinds that are events, where they stand in a block or in the place of one. Declarations come besides.
const STATEMENTS: &[&str] = &[
    "expression_statement",
    "if_statement",
    "while_statement",
    "do_statement",
    "for_statement",
    "enhanced_for_statement",
    "return_statement",
    "break_statement",
    "continue_statement",
    "switch_expression",
    "throw_statement",
    "try_statement",
    "try_with_resources_statement",
    "synchronized_statement",
    "labeled_statement",
    "assert_statement",
];

/// Kinds whose children are statements.
const BLOCKS: &[&str] = &["block", "constructor_body", "switch_block_statement_group"];

/// Puts guards into a text in Java, but for functions that begin on these lines. Its statements have numbers from `first` on.
pub(super) fn guarded(text: &[u8], first: usize, without: &[u32]) -> Option<GuardedCode> {
    let tree = tree_of("a.java", text)?;
    let mut work = Work {
        text,
        first,
        without,
        class: format!("__Reduct{first}"),
        edits: Edits::default(),
        numbers: Numbers::default(),
        functions: vec![],
    };
    work.walk(tree.root_node());
    if work.numbers.statements.is_empty() {
        return None;
    }
    let lines = work.frames();
    let mut text = work.edits.applied(text);
    text.extend_from_slice(format!("\n{}", ENDS.replace("__Reduct", &work.class)).as_bytes());
    Some(GuardedCode { text, statements: work.numbers.statements, functions: lines })
}

/// A node that is to be looked at, and where it stands.
#[derive(Clone, Copy)]
struct Visit<'t> {
    node: Node<'t>,
    place: Standing,
    /// Whether it stands where a statement stands.
    is_body: bool,
    /// Whether nothing follows it in its block.
    is_last: bool,
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Standing {
    /// The function that it is in, if that gets guards.
    function: Option<usize>,
    /// How many statements it is within, in its function.
    depth: usize,
    /// How many functions it is within.
    nested: usize,
    /// Whether the end of what it is in may not be reached, so that its last statement has no guard.
    keeps_end: bool,
    /// Whether it is in a `switch` that has a value: what gives it one has no guard.
    has_value: bool,
}

/// A function.
struct Function<'t> {
    node: Node<'t>,
    body: Node<'t>,
    /// Behind this, its statements begin.
    begins: usize,
    name: Rc<str>,
    /// The name of its frame.
    frame: String,
    /// How deep its innermost statement is within others, if it has one with a guard.
    deepest: Option<usize>,
}

struct Work<'a, 't> {
    text: &'a [u8],
    first: usize,
    without: &'a [u32],
    /// The class that guards call.
    class: String,
    edits: Edits,
    numbers: Numbers,
    functions: Vec<Function<'t>>,
}

impl<'t> Work<'_, 't> {
    fn walk(&mut self, root: Node<'t>) {
        let place = Standing { function: None, depth: 0, nested: 0, keeps_end: false, has_value: false };
        let mut open = vec![Visit { node: root, place, is_body: false, is_last: false }];
        while let Some(visit) = open.pop() {
            let below = self.visit(visit);
            open.extend(below.into_iter().rev());
        }
    }

    /// Puts the guard of a node, and returns the nodes below it.
    fn visit(&mut self, visit: Visit<'t>) -> Vec<Visit<'t>> {
        let Visit { node, place, .. } = visit;
        if let Some(below) = self.definition(node, place) {
            return below;
        }
        let Some(function) = place.function else { return self.others(node, place) };
        let is_event = visit.is_body && !node.has_error();
        let stays = self.stays(visit);
        if is_event && node.kind() == "local_variable_declaration" {
            self.declaration(node, place, function);
        }
        if !is_event || stays || !STATEMENTS.contains(&node.kind()) {
            let is_in_block = node.parent().is_some_and(|it| BLOCKS.contains(&it.kind()));
            if is_event && is_in_block && STATEMENTS.contains(&node.kind()) && holds(node, "method_invocation") {
                self.begins_anew(node, place.depth, function);
            }
            // The condition of a loop with a label was looked at when the label was.
            let keeps_end = stays && (place.keeps_end || binds_after(node));
            return self.below(node, Standing { keeps_end, ..place }, stays);
        }
        self.statement(node, place.depth, function);
        let inner = Standing { depth: place.depth + 1, keeps_end: false, ..place };
        self.below(node, inner, false)
    }

    /// Returns whether a statement has no guard: the text must not be left on its way, or it says what a name means behind it.
    fn stays(&self, visit: Visit<'t>) -> bool {
        let Visit { node, place, is_last, .. } = visit;
        (place.keeps_end && is_last)
            || (place.has_value && holds(node, "yield_statement"))
            || (node.kind() == "if_statement" && binds_after(node))
    }

    /// Returns what is below a node, such that no statement there has a guard if it is in no function.
    fn others(&self, node: Node<'t>, place: Standing) -> Vec<Visit<'t>> {
        children(node).into_iter().map(|node| Visit { node, place, is_body: false, is_last: false }).collect()
    }

    /// Returns what is below a node in a function. `is_plain` says that the node has no guard.
    fn below(&self, node: Node<'t>, place: Standing, is_plain: bool) -> Vec<Visit<'t>> {
        let kind = node.kind();
        let inside = children(node);
        let last = inside.iter().rfind(|it| it.kind() != "comment").copied();
        let is_value = kind == "switch_rule" && place.has_value;
        let of = |child: Node<'t>| {
            let is_field = |name: &str| node.child_by_field_name(name) == Some(child);
            let is_block = BLOCKS.contains(&child.kind());
            let is_body = match kind {
                _ if BLOCKS.contains(&kind) => true,
                "if_statement" => is_field("consequence") || is_field("alternative"),
                _ if LOOPS.contains(&kind) => is_field("body"),
                "switch_rule" => is_block || (!is_value && child.kind().ends_with("_statement")),
                _ => is_block,
            };
            // The body of a loop belongs to an iteration, which is an execution of its own.
            let is_iteration = LOOPS.contains(&kind) && is_field("body") && !is_plain;
            let is_last = !BLOCKS.contains(&kind) || last == Some(child);
            let mut place = Standing { depth: place.depth + usize::from(is_iteration), ..place };
            if child.kind() == "switch_expression" && !is_body && kind != "labeled_statement" {
                place = Standing { keeps_end: true, has_value: true, ..place };
            }
            Visit { node: child, place, is_body, is_last }
        };
        inside.into_iter().map(of).collect()
    }

    fn of(&self, node: Node<'_>) -> &str {
        node.utf8_text(self.text).unwrap_or("")
    }

    /// Notes a statement of a function. Returns how its guard asks.
    fn asked(&mut self, node: Node<'_>, is_iteration: bool, depth: usize, function: usize) -> String {
        let it = &mut self.functions[function];
        it.deepest = it.deepest.max(Some(depth));
        let number = self.first + self.numbers.number(node, is_iteration, &it.name);
        format!("{}.k({},{number},{depth})", self.class, it.frame)
    }

    /// Returns what makes that all comes now belongs to what is at this depth.
    fn anew(&mut self, depth: usize, function: usize) -> String {
        let it = &mut self.functions[function];
        it.deepest = it.deepest.max(Some(depth));
        format!("{}.c({},{depth})", self.class, it.frame)
    }

    fn begins_anew(&mut self, node: Node<'_>, depth: usize, function: usize) {
        let anew = self.anew(depth, function);
        self.edits.insert(node.start_byte(), true, format!("{anew};"));
    }

    /// Returns how the values of these names are noted.
    fn noted(&self, depth: usize, function: usize, names: &[Node<'_>]) -> String {
        let frame = &self.functions[function].frame;
        let of = |name: &Node<'_>| {
            let name = self.of(*name);
            format!("{}.v({frame},{depth},\"{name}\",{name});", self.class)
        };
        names.iter().map(of).collect()
    }

    /// Puts the guard of a statement.
    fn statement(&mut self, node: Node<'t>, depth: usize, function: usize) {
        let asked = self.asked(node, false, depth, function);
        let names = if node.kind() == "expression_statement" { assigned(node) } else { vec![] };
        let noted = self.noted(depth, function, &names);
        let braces = if noted.is_empty() { ("", "") } else { ("{", "}") };
        self.edits.insert(node.start_byte(), true, format!("{{if({asked}){}", braces.0));
        self.edits.insert(node.end_byte(), false, format!("{noted}{}}}", braces.1));
        let of_loop = innermost(node);
        if LOOPS.contains(&of_loop.kind()) {
            self.iterations(of_loop, depth, function);
        }
    }

    /// Puts the guards of the iterations of a loop.
    fn iterations(&mut self, node: Node<'t>, depth: usize, function: usize) {
        let field = |name: &str| node.child_by_field_name(name);
        let Some(body) = field("body") else { return };
        let asked = self.asked(node, true, depth + 1, function);
        let anew = self.anew(depth + 1, function);
        let names: Vec<Node<'_>> = match node.kind() {
            "enhanced_for_statement" => field("name").into_iter().filter(|it| it.kind() == "identifier").collect(),
            _ => field("init").filter(|it| it.kind() == "local_variable_declaration").map(named).unwrap_or_default(),
        };
        let noted = self.noted(depth + 1, function, &names);
        self.edits.insert(body.start_byte(), true, format!("{{if({asked}){{{noted}"));
        // What gives the next one may be code of the program.
        let next = if node.kind() == "enhanced_for_statement" { format!("{anew};") } else { String::new() };
        self.edits.insert(body.end_byte(), false, format!("}}{next}}}"));
        let condition = field("condition").map(|it| match it.kind() {
            "parenthesized_expression" => it.named_child(0).unwrap_or(it),
            _ => it,
        });
        if let Some(condition) = condition.filter(|it| holds(*it, "method_invocation")) {
            self.edits.insert(condition.start_byte(), true, format!("{anew}&&("));
            self.edits.insert(condition.end_byte(), false, ")".into());
        }
        if let Some(update) = field("update") {
            self.edits.insert(update.start_byte(), true, format!("{anew},"));
        }
    }

    /// Returns whether nothing follows a statement: it leaves its function, or goes on for ever.
    fn never_ends(&self, last: Node<'_>) -> bool {
        last.kind() == "throw_statement" || runs_forever(last, self.text)
    }
}
