//! PHP: `$x = f();` becomes `{if(\__reduct::k($__reduct_f,7,0)){$x = f();}}`, where `$__reduct_f` is the activation of the function. A
//! file has one of its own, by another name: it may be included within a function.

use super::edits::Edits;
use super::{GuardedStatement, GuardedText, Numbers, described, name_within};
use std::rc::Rc;
use tree_sitter::Node;

/// Kinds that are events, where they stand in a block or in the place of one.
const STATEMENTS: &[&str] = &[
    "expression_statement",
    "echo_statement",
    "if_statement",
    "while_statement",
    "do_statement",
    "for_statement",
    "foreach_statement",
    "return_statement",
    "break_statement",
    "continue_statement",
    "switch_statement",
    "try_statement",
    "exit_statement",
    "goto_statement",
    "unset_statement",
];

const LOOPS: &[&str] = &["while_statement", "do_statement", "for_statement", "foreach_statement"];

/// Kinds whose children are statements.
const BLOCKS: &[&str] = &["program", "compound_statement", "colon_block", "case_statement", "default_statement"];

/// Kinds whose body may be a statement without a block.
const WITH_BODY: &[&str] = &[
    "if_statement",
    "else_clause",
    "else_if_clause",
    "while_statement",
    "do_statement",
    "for_statement",
    "foreach_statement",
];

const FUNCTIONS: &[&str] = &["function_definition", "method_declaration", "anonymous_function"];

/// What must stand at the beginning of a file.
const BEGINNINGS: &[&str] =
    &["text", "php_tag", "comment", "declare_statement", "namespace_use_declaration", "text_interpolation"];

/// Puts guards into a text.
pub(super) fn guarded(path: &str, root: Node<'_>, text: &[u8]) -> Option<GuardedText> {
    let hash = path
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let top: Rc<str> = format!("$__reduct_{hash:x}").into();
    let mut work = Work { text, path, edits: Edits::default(), numbers: Numbers::default() };
    let of_file = Within { depth: 0, function: "<module>".into(), frame: top.clone(), loops: vec![] };
    let mut open = vec![(root, of_file)];
    while let Some((node, within)) = open.pop() {
        let below = work.visit(node, within);
        open.extend(below.into_iter().rev());
    }
    let begins = begins(path, &top, &work.numbers.statements, text);
    work.edits.first(work.first_statement(root)?, begins);
    Some(GuardedText { text: work.edits.applied(text), statements: work.numbers.statements })
}

/// Returns what the file begins with.
fn begins(path: &str, top: &str, statements: &[GuardedStatement], text: &[u8]) -> String {
    let all = described(statements, text);
    let list = |of: Vec<&str>| of.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(",");
    let keys = list(all.iter().map(|it| it.key.as_str()).collect());
    let about = list(all.iter().map(|it| it.json.as_str()).collect());
    format!("{top}=\\__reduct::top({},[{keys}],[{about}]);", quoted(path))
}

/// Returns a string of PHP.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Where a node stands.
#[derive(Clone)]
struct Within {
    /// How many statements it is within, in its function.
    depth: usize,
    function: Rc<str>,
    /// The variable of the activation.
    frame: Rc<str>,
    /// How deep the loops are that it is in, those outside first: those that `continue` counts.
    loops: Vec<usize>,
}

struct Work<'a> {
    text: &'a [u8],
    path: &'a str,
    edits: Edits,
    numbers: Numbers,
}

impl Work<'_> {
    /// Puts the guard of a node, and returns the nodes below it.
    fn visit<'t>(&mut self, node: Node<'t>, mut within: Within) -> Vec<(Node<'t>, Within)> {
        let is_whole = !node.has_error() && matches!(self.text[..node.end_byte()].last(), Some(b';' | b'}'));
        let is_event = is_body(node) && is_whole && STATEMENTS.contains(&node.kind()) && !defines(node);
        let is_loop = is_event && LOOPS.contains(&node.kind());
        if is_event && includes(node) {
            self.edits.insert(
                node.start_byte(),
                true,
                format!("{{\\__reduct::c({},{});", within.frame, within.depth as i64 - 1),
            );
            self.edits.insert(node.end_byte(), false, "}".into());
        } else if is_event {
            self.statement(node, &within);
            if is_loop || node.kind() == "switch_statement" {
                within.loops.push(within.depth);
            }
            within.depth += 1;
        }
        let body = node.child_by_field_name("body");
        if FUNCTIONS.contains(&node.kind()) {
            let name = node.child_by_field_name("name").or_else(|| assigned_to(node));
            let function = name_within(name.map(|it| self.of(it)), &self.class_of(node, &within.function));
            within = Within { depth: 0, function, frame: "$__reduct_f".into(), loops: vec![] };
            if let Some(body) = body.filter(|it| it.kind() == "compound_statement" && !node.has_error()) {
                self.enter(body);
            }
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        let of = |child| {
            let mut within = within.clone();
            // The body of a loop belongs to an iteration, which is an execution of its own.
            within.depth += usize::from(is_loop && Some(child) == body);
            (child, within)
        };
        children.into_iter().map(of).collect()
    }

    fn asked(&mut self, node: Node<'_>, is_iteration: bool, depth: usize, within: &Within) -> String {
        let number = self.numbers.number(node, is_iteration, &within.function);
        format!("\\__reduct::k({},{number},{depth})", within.frame)
    }

    fn statement(&mut self, node: Node<'_>, within: &Within) {
        let depth = within.depth;
        let asked = self.asked(node, false, depth, within);
        let names = self.assigned(node);
        let is_loop = LOOPS.contains(&node.kind());
        let first = if node.kind() == "continue_statement" { self.again(node, within) } else { String::new() };
        let noted = if is_loop { String::new() } else { noting(&within.frame, depth, &names) };
        self.edits.insert(node.start_byte(), true, format!("{{if({asked}){{{first}"));
        self.edits.insert(node.end_byte(), false, format!("{noted}}}}}"));
        let Some(body) = node.child_by_field_name("body").filter(|_| is_loop) else { return };
        let asked = self.asked(node, true, depth + 1, within);
        let noted = noting(&within.frame, depth + 1, &names);
        // What an iterator or a condition calls belongs to the loop, whatever was executed last.
        let again = format!("\\__reduct::c({},{depth})", within.frame);
        let has_colon = body.kind() == "colon_block";
        let (start, brace) = (body.start_byte() + usize::from(has_colon), if has_colon { "" } else { "{" });
        self.edits.insert(start, true, format!("{brace}if({asked}){{{noted}"));
        let close = if has_colon { " " } else { "}" };
        self.edits.insert(body.end_byte(), false, format!(" }}{again};{close}"));
        for field in ["condition", "update"] {
            let Some(it) = node.child_by_field_name(field) else { continue };
            if node.kind() == "for_statement" {
                self.edits.insert(it.start_byte(), true, format!("{again},"));
            } else {
                self.edits.insert(it.start_byte() + 1, true, format!("{again}&&("));
                self.edits.insert(it.end_byte() - 1, false, ")".into());
            }
        }
    }

    /// Returns what goes back to the loop that is continued.
    fn again(&self, node: Node<'_>, within: &Within) -> String {
        let levels = node.named_child(0).and_then(|it| self.of(it).parse::<usize>().ok()).unwrap_or(1);
        let depth = within.loops.len().checked_sub(levels).map(|at| within.loops[at]);
        depth.map_or(String::new(), |depth| format!("\\__reduct::c({},{depth});", within.frame))
    }

    /// Puts what begins and ends a function into its body. A generator may be ended when nobody goes on with it: it is only begun.
    fn enter(&mut self, body: Node<'_>) {
        if body.named_child_count() == 0 {
            return;
        }
        let begins = format!("$__reduct_f=\\__reduct::enter({});", quoted(self.path));
        let is_generator = yields(body);
        let tries = if is_generator { "" } else { "try{" };
        self.edits.insert(body.start_byte() + 1, true, format!("{begins}{tries}"));
        if !is_generator {
            self.edits.insert(body.end_byte() - 1, false, "}finally{\\__reduct::leave($__reduct_f);}".into());
        }
    }

    /// Returns where the statements of a file begin, behind what must be first.
    fn first_statement(&self, block: Node<'_>) -> Option<usize> {
        let mut cursor = block.walk();
        for it in block.named_children(&mut cursor).filter(|it| !BEGINNINGS.contains(&it.kind())) {
            if it.kind() == "namespace_definition" {
                match it.child_by_field_name("body") {
                    Some(body) => return self.first_statement(body),
                    None => continue,
                }
            }
            if matches!(self.text[..it.end_byte()].last(), Some(b';' | b'}')) {
                return Some(it.start_byte());
            }
        }
        None
    }

    /// Returns the variables that a statement gives values to.
    fn assigned(&self, node: Node<'_>) -> Vec<String> {
        let of_loop = || {
            let body = node.child_by_field_name("body");
            let mut cursor = node.walk();
            node.named_children(&mut cursor).skip(1).filter(|it| Some(*it) != body).collect::<Vec<_>>()
        };
        let targets = match node.kind() {
            "expression_statement" => node.named_child(0).and_then(target).into_iter().collect(),
            "foreach_statement" => of_loop(),
            "for_statement" => node.child_by_field_name("initialize").and_then(target).into_iter().collect(),
            _ => vec![],
        };
        let mut names: Vec<String> = vec![];
        let mut open = targets;
        while let Some(it) = open.pop() {
            match it.kind() {
                "variable_name" => names.push(self.of(it).to_owned()),
                "list_literal" | "pair" | "by_ref" | "array_element_initializer" => {
                    let mut cursor = it.walk();
                    open.extend(it.named_children(&mut cursor));
                }
                _ => {}
            }
        }
        names.sort();
        names.dedup();
        names.retain(|name| name != "$this");
        names
    }

    /// Returns what a function stands in: its class.
    fn class_of(&self, node: Node<'_>, outer: &str) -> String {
        let class = node.parent().and_then(|it| it.parent()).filter(|it| it.kind().ends_with("_declaration"));
        class.and_then(|it| it.child_by_field_name("name")).map_or(outer.to_owned(), |it| self.of(it).to_owned())
    }

    fn of(&self, node: Node<'_>) -> &str {
        node.utf8_text(self.text).unwrap_or("")
    }
}

/// Returns whether a node stands where a statement stands.
fn is_body(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    BLOCKS.contains(&parent.kind())
        || (WITH_BODY.contains(&parent.kind()) && parent.child_by_field_name("body") == Some(node))
}

/// Returns whether a statement only includes another file.
fn includes(node: Node<'_>) -> bool {
    let value = node.named_child(0).filter(|_| node.kind() == "expression_statement");
    value.is_some_and(|it| it.kind().starts_with("require_") || it.kind().starts_with("include_"))
}

/// Returns whether a statement only gives a variable a function.
fn defines(node: Node<'_>) -> bool {
    let assignment = node.named_child(0).filter(|it| it.kind() == "assignment_expression");
    let value = assignment.and_then(|it| it.child_by_field_name("right"));
    value.is_some_and(|it| matches!(it.kind(), "anonymous_function" | "arrow_function"))
}

fn target(expression: Node<'_>) -> Option<Node<'_>> {
    let is_assignment =
        expression.kind().ends_with("assignment_expression") || expression.kind() == "update_expression";
    let target = expression.child_by_field_name("left").or_else(|| expression.child_by_field_name("argument"));
    target.filter(|_| is_assignment)
}

/// Returns the variable that a function is assigned to.
fn assigned_to(function: Node<'_>) -> Option<Node<'_>> {
    let assignment = function.parent().filter(|it| it.kind() == "assignment_expression")?;
    assignment.child_by_field_name("left").filter(|it| it.kind() == "variable_name")?.named_child(0)
}

/// Returns whether a function is a generator.
fn yields(body: Node<'_>) -> bool {
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        if node.kind() == "yield_expression" {
            return true;
        }
        let mut cursor = node.walk();
        open.extend(node.named_children(&mut cursor).filter(|it| {
            !FUNCTIONS.contains(&it.kind()) && it.kind() != "arrow_function" && it.kind() != "declaration_list"
        }));
    }
    false
}

fn noting(frame: &str, depth: usize, names: &[String]) -> String {
    let pairs: Vec<String> = names.iter().map(|name| format!("'{name}'=>{name}??null")).collect();
    if names.is_empty() { String::new() } else { format!("\\__reduct::v({frame},{depth},[{}]);", pairs.join(",")) }
}
