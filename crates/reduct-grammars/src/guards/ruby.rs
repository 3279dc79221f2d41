//! Ruby: `x = f` becomes `if $__reduct.k(__reduct_f0,7,0);x = f;end`, whose value is that of the statement.
//!
//! Methods and blocks begin with an activation, in a variable that no other block has, and end it in an `ensure`. Each call of a block is
//! an iteration, but for those of procs and the like. What is put in stands between a form feed and a vertical tab, which Ruby takes for
//! blanks: so it can be taken out of a line that Ruby shows.

use super::edits::Edits;
use super::syntax::children;
use super::{GuardedStatement, GuardedText, Numbers, described, name_within};
use std::cell::Cell;
use std::rc::Rc;
use tree_sitter::Node;

/// Kinds whose children are statements.
const BLOCKS: &[&str] = &["program", "body_statement", "block_body", "then", "else", "do", "begin", "ensure"];

/// What stands among statements and is none, or only defines something.
const NO_STATEMENTS: &[&str] = &[
    "comment",
    "method",
    "singleton_method",
    "class",
    "singleton_class",
    "module",
    "alias",
    "undef",
    "rescue",
    "else",
    "ensure",
    "begin_block",
    "end_block",
    "empty_statement",
    "heredoc_body",
    "uninterpreted",
];

/// What is not looked into: code within texts, and what is run at other times.
const SKIPPED: &[&str] =
    &["interpolation", "begin_block", "end_block", "method_parameters", "block_parameters", "lambda_parameters"];

const CLASSES: &[&str] = &["class", "singleton_class", "module"];

const METHODS: &[&str] = &["method", "singleton_method"];

const MODIFIERS: &[&str] = &["if_modifier", "unless_modifier"];

const LOOPS: &[&str] = &["while", "until", "for", "while_modifier", "until_modifier"];

/// Methods that keep a block, or call it in the place of something else, rather than once for each of many.
const NO_ITERATORS: &[&str] = &[
    "lambda",
    "proc",
    "new",
    "define_method",
    "define_singleton_method",
    "instance_eval",
    "class_eval",
    "module_eval",
    "instance_exec",
    "class_exec",
    "module_exec",
    "at_exit",
    "tap",
    "then",
    "trap",
    "fork",
    "catch",
];

/// Puts guards into a text.
pub(super) fn guarded(path: &str, root: Node<'_>, text: &[u8]) -> Option<GuardedText> {
    let mut work = Work { text, path, edits: Edits::default(), numbers: Numbers::default(), frames: 0 };
    let within =
        Within { depth: 0, function: "<module>".into(), frame: Some(0), is_method: false, host: Rc::default() };
    let mut open = vec![(root, within)];
    while let Some((node, within)) = open.pop() {
        let below = work.visit(node, within);
        open.extend(below.into_iter().rev());
    }
    work.folders(root);
    let first = children(root).into_iter().find(|it| it.kind() != "comment" && it.kind() != "uninterpreted")?;
    let begins = begins(path, &work.numbers.statements, text);
    work.edits.first(first.start_byte(), begins);
    Some(GuardedText { text: work.edits.applied(text), statements: work.numbers.statements })
}

/// Returns what the file begins with.
fn begins(path: &str, statements: &[GuardedStatement], text: &[u8]) -> String {
    let all = described(statements, text);
    let list = |of: Vec<&str>| of.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(",");
    let keys = list(all.iter().map(|it| it.key.as_str()).collect());
    let about = list(all.iter().map(|it| it.json.as_str()).collect());
    put(&format!("__reduct_f0=$__reduct.top({},[{keys}],[{about}]);", quoted(path)))
}

/// Returns a string of Ruby.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace(['\x0b', '\x0c'], " "))
}

/// Returns what is put into a text, marked as that.
fn put(text: &str) -> String {
    format!("\x0c{text}\x0b")
}

/// Where a node stands.
#[derive(Clone)]
struct Within {
    /// How many statements it is within, in its method or block.
    depth: usize,
    function: Rc<str>,
    /// The number of the variable of the activation, if there is one.
    frame: Option<usize>,
    /// Whether it stands in a method or a block.
    is_method: bool,
    /// Line and number on it of the statement whose first block this may be.
    host: Rc<Cell<Option<(u32, u32)>>>,
}

struct Work<'a> {
    text: &'a [u8],
    path: &'a str,
    edits: Edits,
    numbers: Numbers,
    frames: usize,
}

impl Work<'_> {
    /// Has the folder of the file asked for as an absolute path: the main program is not loaded by Ruby itself.
    fn folders(&mut self, root: Node<'_>) {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if node.kind() == "identifier" && self.of(node) == "__dir__" {
                self.begin(node.start_byte(), "$__reduct.folder(");
                self.end(node.end_byte(), ")");
            }
            open.extend(children(node));
        }
    }

    fn begin(&mut self, at: usize, text: &str) {
        self.edits.insert(at, true, put(text));
    }

    fn end(&mut self, at: usize, text: &str) {
        self.edits.insert(at, false, put(text));
    }

    /// Puts the guard of a node, and returns the nodes below it.
    fn visit<'t>(&mut self, node: Node<'t>, mut within: Within) -> Vec<(Node<'t>, Within)> {
        let kind = node.kind();
        if SKIPPED.contains(&kind) {
            return vec![];
        }
        let mut inner = None;
        if let (Some(frame), true) = (within.frame, is_statement(node)) {
            if self.is_fixed(node) {
                // What they call does not belong to what was executed last.
                self.begin(node.start_byte(), &format!("$__reduct.c(__reduct_f{frame},{});", within.depth as i64 - 1));
            } else {
                within.host = Rc::new(Cell::new(Some(self.statement(node, frame, &within))));
                inner = Some(if LOOPS.contains(&kind) { self.iteration(node, frame, &within) } else { 0 });
                within.depth += 1;
            }
        } else if METHODS.contains(&kind) {
            let name = node.child_by_field_name("name").map(|it| self.of(it).to_owned());
            within.function = name_within(name.as_deref(), &within.function);
            within = self.entered(node, within, false);
        } else if CLASSES.contains(&kind) {
            let name = node.child_by_field_name("name").map(|it| self.of(it).to_owned());
            within.function = name.map_or(within.function.clone(), |name| name_within(Some(&name), &within.function));
            within.frame = None;
        } else if matches!(kind, "block" | "do_block") {
            let is_iterator = self.is_iterator(node);
            within = self.entered(node, within, is_iterator);
        }
        let body = node.child_by_field_name("body");
        let of = |child| {
            let mut within = within.clone();
            within.depth += if Some(child) == body { inner.unwrap_or(0) } else { 0 };
            (child, within)
        };
        children(node).into_iter().map(of).collect()
    }

    /// Puts the guard of a statement. Returns the line that it begins on, and which one it is there.
    fn statement(&mut self, node: Node<'_>, frame: usize, within: &Within) -> (u32, u32) {
        let (depth, is_body) = (within.depth, is_of_modifier(node));
        let number = self.numbers.number(node, false, &within.function);
        let at = (node.start_position().row as u32 + 1, self.numbers.on_line.1);
        let open = if is_body { "(" } else { "" };
        // At its end, the main program is not left by Ruby itself.
        let stops = if node.kind() == "return" && !within.is_method {
            format!("$__reduct.stop(__reduct_f{frame});")
        } else {
            String::new()
        };
        self.begin(node.start_byte(), &format!("{open}if $__reduct.k(__reduct_f{frame},{number},{depth});{stops}"));
        self.end(node.end_byte(), &format!(";end{}", if is_body { ")" } else { "" }));
        let names = self.assigned(node);
        if !names.is_empty() {
            let named: String = names.iter().map(|name| format!(",'{name}',{name}")).collect();
            self.begin(node.start_byte(), &format!("$__reduct.v(__reduct_f{frame},{depth},("));
            self.end(node.end_byte(), &format!("){named})"));
        }
        at
    }

    /// Puts the guard of the iterations of a loop. Returns how much deeper its body is.
    fn iteration(&mut self, node: Node<'_>, frame: usize, within: &Within) -> usize {
        let (Some(body), depth) = (node.child_by_field_name("body"), within.depth) else { return 0 };
        let condition = node.child_by_field_name("condition").filter(|it| it.kind() != "true");
        if let Some(condition) = condition {
            // What a condition calls belongs to the loop, whatever was executed last.
            self.begin(condition.start_byte(), &format!("($__reduct.c(__reduct_f{frame},{depth});"));
            self.end(condition.end_byte(), ")");
        }
        let is_modifier = node.kind().ends_with("_modifier") && body.kind() != "begin";
        let (start, end) = if is_modifier {
            (body.start_byte(), body.end_byte())
        } else {
            let Some(first) = children(body).first().copied() else { return 0 };
            (first.start_byte(), last_token(body))
        };
        let number = self.numbers.number(node, true, &within.function);
        let names = node.child_by_field_name("pattern").map(|it| self.names(it)).unwrap_or_default();
        let noted = noting(frame, depth + 1, &names);
        let asked = format!("if $__reduct.k(__reduct_f{frame},{number},{});{noted}", depth + 1);
        if is_modifier {
            self.begin(start, &format!("({asked}"));
            self.end(end, ";end)");
        } else {
            // A body may have a `rescue`.
            self.begin(start, &format!("{asked}begin;"));
            self.end(end, ";end;end;");
        }
        1
    }

    /// Puts what begins and ends a method or a block into its body. Returns where its statements stand.
    fn entered(&mut self, node: Node<'_>, within: Within, is_iterator: bool) -> Within {
        let body = node.child_by_field_name("body").filter(|it| matches!(it.kind(), "body_statement" | "block_body"));
        let first = body.and_then(|it| children(it).into_iter().find(|it| it.kind() != "comment"));
        let Some(first) = first.filter(|_| !node.has_error()) else {
            return Within { frame: None, host: Rc::default(), ..within };
        };
        self.frames += 1;
        let frame = self.frames;
        let mut begins = format!("__reduct_f{frame}=$__reduct.enter({});begin;", quoted(self.path));
        let mut ends = format!(";ensure;$__reduct.leave(__reduct_f{frame});end;");
        if is_iterator {
            let names = node.child_by_field_name("parameters").map(|it| self.names(it)).unwrap_or_default();
            let number = self.block_number(node, &within);
            begins += &format!("if $__reduct.k(__reduct_f{frame},{number},0);{}", noting(frame, 0, &names));
            ends = format!(";end{ends}");
        }
        self.begin(first.start_byte(), &format!("{begins}begin;"));
        self.end(last_token(node), &format!(";end{ends}"));
        Within { depth: usize::from(is_iterator), frame: Some(frame), is_method: true, host: Rc::default(), ..within }
    }

    /// Numbers the calls of a block: as iterations of its statement, if it is the first one there.
    fn block_number(&mut self, node: Node<'_>, within: &Within) -> usize {
        let Some((line, nth)) = within.host.take() else {
            // It has a place of its own.
            self.numbers.number(node, false, &within.function);
            let last = self.numbers.statements.len() - 1;
            self.numbers.statements[last].is_iteration = true;
            return last;
        };
        let function = within.function.to_string();
        self.numbers.statements.push(GuardedStatement {
            line,
            nth,
            is_iteration: true,
            function,
            range: node.byte_range(),
        });
        self.numbers.statements.len() - 1
    }

    /// Returns whether a method calls its block for each of many.
    fn is_iterator(&self, block: Node<'_>) -> bool {
        let call = block.parent().filter(|it| it.kind() == "call");
        let method = call.and_then(|it| it.child_by_field_name("method"));
        method.is_some_and(|it| !NO_ITERATORS.contains(&self.of(it)))
    }

    /// Returns whether a statement loads a file, or only gives a name to a function.
    fn is_fixed(&self, node: Node<'_>) -> bool {
        let method = node.child_by_field_name("method").filter(|_| node.kind() == "call");
        let loads =
            method.is_some_and(|it| matches!(self.of(it), "require" | "require_relative" | "load" | "autoload"));
        let value = node.child_by_field_name("right").filter(|_| node.kind() == "assignment");
        let is_lambda = value.is_some_and(|it| {
            it.kind() == "lambda"
                || (it.child_by_field_name("block").is_some()
                    && it.child_by_field_name("receiver").is_none()
                    && it.child_by_field_name("method").is_some_and(|it| matches!(self.of(it), "lambda" | "proc")))
        });
        let arguments = node.child_by_field_name("arguments");
        loads || is_lambda || arguments.is_some_and(|it| children(it).iter().any(|it| METHODS.contains(&it.kind())))
    }

    /// Returns the local variables that a statement gives values to.
    fn assigned(&self, node: Node<'_>) -> Vec<String> {
        let is_assignment = matches!(node.kind(), "assignment" | "operator_assignment");
        let left = node.child_by_field_name("left").filter(|_| is_assignment);
        left.map(|it| self.names(it)).unwrap_or_default()
    }

    fn names(&self, pattern: Node<'_>) -> Vec<String> {
        let (mut names, mut open) = (vec![], vec![pattern]);
        while let Some(it) = open.pop() {
            match it.kind() {
                "identifier" => names.push(self.of(it).to_owned()),
                "left_assignment_list"
                | "destructured_left_assignment"
                | "rest_assignment"
                | "block_parameters"
                | "destructured_parameter"
                | "splat_parameter" => open.extend(children(it).into_iter().rev()),
                "optional_parameter" | "keyword_parameter" => open.extend(it.child_by_field_name("name")),
                _ => {}
            }
        }
        names.dedup();
        names.retain(|name| !name.starts_with('_'));
        names
    }

    fn of(&self, node: Node<'_>) -> &str {
        node.utf8_text(self.text).unwrap_or("")
    }
}

/// Returns whether a node stands where a statement stands, and is one that can be left out.
fn is_statement(node: Node<'_>) -> bool {
    let Some(parent) = node.parent().filter(|_| node.is_named() && !node.has_error()) else { return false };
    is_of_modifier(node) || (BLOCKS.contains(&parent.kind()) && !NO_STATEMENTS.contains(&node.kind()))
}

/// Returns whether a statement is what a modifier stands behind: `x if y`.
fn is_of_modifier(node: Node<'_>) -> bool {
    let is_of = |it: Node<'_>| {
        let is_loop = LOOPS.contains(&it.kind()) && it.kind().ends_with("_modifier") && node.kind() != "begin";
        (MODIFIERS.contains(&it.kind()) || is_loop) && it.child_by_field_name("body") == Some(node)
    };
    node.parent().is_some_and(is_of)
}

/// Returns where the word or the bracket that ends a node begins.
fn last_token(node: Node<'_>) -> usize {
    let last = node.child_count().checked_sub(1).and_then(|last| node.child(last));
    last.map_or(node.end_byte(), |it| it.start_byte())
}

fn noting(frame: usize, depth: usize, names: &[String]) -> String {
    let pairs: String = names.iter().map(|name| format!(",'{name}',{name}")).collect();
    if names.is_empty() { String::new() } else { format!("$__reduct.v(__reduct_f{frame},{depth},nil{pairs});") }
}
