//! Guards: a program in which each statement is executed only if a function says so, line for line the same text.
//!
//! What is a statement, a loop or a function is a table a language ([`Guards`]); other languages have code of their own ([`OWN`],
//! [`guarded_source`]). `x = f();` becomes
//! `{if(__reduct_r.k(__reduct_f,7,0))x = f();}`: the function is asked with the activation it is in, the number of the statement in the
//! file, and how many statements it is within.

mod c;
mod edits;
mod go;
mod java;
mod javascript;
mod looking;
mod lua;
mod php;
mod reads;
mod ruby;
mod syntax;

pub use looking::guarded_to_look;
pub use reads::{StatementNames, statement_names};

use crate::language_of;
use edits::Edits;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use syntax::parsed;
use tree_sitter::Node;

/// A statement that has a guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardedStatement {
    /// The line it begins on, from 1.
    pub line: u32,
    /// Which of the statements that begin on the line, from 1.
    pub nth: u32,
    /// Whether it is the body of a loop, executed once, rather than the loop.
    pub is_iteration: bool,
    /// The function that it stands in.
    pub function: String,
    /// Where it stands in the text without guards.
    pub range: Range<usize>,
}

/// A text with guards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardedText {
    /// The text. Its lines are those of the original.
    pub text: Vec<u8>,
    /// Its statements, by their numbers from 0.
    pub statements: Vec<GuardedStatement>,
}

/// A text with guards that is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardedCode {
    /// The text. Others may stand before and behind it; its lines have the numbers that they had.
    pub text: Vec<u8>,
    /// Its statements.
    pub statements: Vec<GuardedStatement>,
    /// The lines of each function, from 1: of two, one may be in the other.
    pub functions: Vec<Range<u32>>,
}

/// The types of variables, as far as they are known, by the line and the column, from 1, where they are declared.
pub type Types = HashMap<(u32, u32), String>;

/// Puts guards into a text, but for functions that begin on these lines. Its statements have numbers from the first one on.
type PutGuards = fn(&[u8], usize, &[u32], &Types) -> Option<GuardedCode>;

/// The languages that are compiled.
const COMPILED: &[(&str, PutGuards)] = &[
    ("c", |text, first, without, _| c::guarded(text, first, without)),
    ("java", |text, first, without, _| java::guarded(text, first, without)),
    ("go", go::guarded),
];

/// Puts guards into a text in a language that is compiled, but for functions that begin on these lines. Its statements have numbers from
/// `first` on. `types` are for Go.
///
/// Returns nothing if it cannot be read, or has no statement.
pub fn guarded_source(
    language: &str,
    text: &[u8],
    first: usize,
    without: &[u32],
    types: &Types,
) -> Option<GuardedCode> {
    let (_, put) = COMPILED.iter().find(|(name, _)| *name == language)?;
    put(text, first, without, types)
}

/// What is special about a language.
struct Guards {
    /// The name of the language.
    language: &'static str,
    /// Kinds of nodes that are functions, with a block as their body.
    functions: &'static [&'static str],
    /// Kinds whose children are statements.
    blocks: &'static [&'static str],
    /// Kinds that are events, where they stand in a block or in the place of one.
    statements: &'static [&'static str],
    /// Kinds that declare variables.
    declarations: &'static [&'static str],
    /// Kinds that are loops.
    loops: &'static [&'static str],
    /// What begins the file: it is told the path, and the statements.
    begins: fn(path: &str, statements: &[GuardedStatement]) -> String,
    /// What begins and ends a function.
    enters: &'static str,
    leaves: &'static str,
    /// Returns whether a statement does nothing that can be left out: a directive, an import.
    is_fixed: fn(Node<'_>, &[u8]) -> bool,
    /// Returns how a declaration is taken apart: what stands for its keyword, the names, and where its values begin and end.
    declares: fn(Node<'_>, &[u8]) -> Option<Declared>,
    /// Returns the names that a statement gives values to.
    assigns: fn(Node<'_>, &[u8]) -> Vec<String>,
}

/// A declaration that is taken apart, so that its values can be left out.
struct Declared {
    keyword: (Range<usize>, &'static str),
    names: Vec<String>,
    values: Range<usize>,
}

const ALL: &[&Guards] = &[&javascript::GUARDS];

/// What puts guards into a text that was read.
type Puts = fn(path: &str, root: Node<'_>, text: &[u8]) -> Option<GuardedText>;

/// Languages with code of their own.
const OWN: &[(&str, Puts)] = &[("lua", lua::guarded), ("php", php::guarded), ("ruby", ruby::guarded)];

/// A function can be so deep in others.
const LONGEST_NAME: usize = 80;

/// Puts guards into a text, if its language has them and it can be read. `path` is how the text is called at run time.
pub fn guarded(path: &Path, text: &[u8]) -> Option<GuardedText> {
    let language = language_of(path, text)?;
    let own = OWN.iter().find(|(name, _)| *name == language.name);
    let guards = ALL.iter().find(|guards| guards.language == language.name);
    let tree = parsed(language, text)?;
    if let Some((_, puts)) = own {
        return puts(path.to_str()?, tree.root_node(), text);
    }
    let guards = guards?;
    let mut work = Work { guards, text, edits: Edits::default(), numbers: Numbers::default() };
    work.walk(tree.root_node());
    let begins = (guards.begins)(path.to_str()?, &work.numbers.statements);
    let at = work.first_statement(tree.root_node())?;
    work.edits.first(at, begins);
    Some(GuardedText { text: work.edits.applied(text), statements: work.numbers.statements })
}

/// A node that is to be looked at, and where it stands.
#[derive(Clone)]
struct Visit<'t> {
    node: Node<'t>,
    /// How many statements it is within, in its function.
    depth: usize,
    function: std::rc::Rc<str>,
    /// Whether it stands where a statement stands.
    is_body: bool,
}

struct Work<'a> {
    guards: &'a Guards,
    text: &'a [u8],
    edits: Edits,
    numbers: Numbers,
}

/// The statements so far.
#[derive(Default)]
struct Numbers {
    statements: Vec<GuardedStatement>,
    /// The line of the last statement, and how many began there.
    on_line: (u32, u32),
}

impl Numbers {
    /// Notes a statement. Returns its number.
    fn number(&mut self, node: Node<'_>, is_iteration: bool, function: &str) -> usize {
        let line = node.start_position().row as u32 + 1;
        if !is_iteration {
            self.on_line = (line, if self.on_line.0 == line { self.on_line.1 + 1 } else { 1 });
        }
        let function = function.to_owned();
        let (nth, range) = (self.on_line.1, node.byte_range());
        self.statements.push(GuardedStatement { line, nth, is_iteration, function, range });
        self.statements.len() - 1
    }
}

impl Work<'_> {
    fn walk(&mut self, root: Node<'_>) {
        let mut open = vec![Visit { node: root, depth: 0, function: "<module>".into(), is_body: false }];
        while let Some(visit) = open.pop() {
            let below = self.visit(visit);
            open.extend(below.into_iter().rev());
        }
    }

    /// Puts the guard of a node, and returns the nodes below it.
    fn visit<'t>(&mut self, visit: Visit<'t>) -> Vec<Visit<'t>> {
        let Visit { node, mut depth, mut function, is_body } = visit;
        let kind = node.kind();
        let has = |kinds: &[&str]| kinds.contains(&kind);
        let is_event = is_body && !node.has_error() && !(self.guards.is_fixed)(node, self.text);
        let is_declared = is_event && has(self.guards.declarations) && self.declaration(node, depth, &function);
        if is_event && !is_declared && has(self.guards.statements) {
            self.statement(node, depth, &function);
            depth += 1;
        }
        let body = node.child_by_field_name("body");
        let is_block = |body: &Node<'_>| self.guards.blocks.contains(&body.kind());
        if has(self.guards.functions) && body.as_ref().is_some_and(is_block) {
            depth = 0;
            function = self.name_of(node, &function);
            if let Some(body) = body {
                self.enter(body);
            }
        }
        let holds = has(self.guards.blocks);
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.children(&mut cursor).collect();
        let of = |child: Node<'t>| {
            let is_only = body == Some(child)
                || ["consequence", "alternative"].iter().any(|field| node.child_by_field_name(field) == Some(child));
            let is_control = self.guards.statements.contains(&kind) || kind == "else_clause";
            // The body of a loop belongs to an iteration, which is an execution of its own.
            let inner = depth + usize::from(self.guards.loops.contains(&kind) && body == Some(child));
            let is_body = holds || (is_only && is_control && kind != "labeled_statement") || kind == "else_clause";
            Visit { node: child, depth: inner, function: function.clone(), is_body }
        };
        children.into_iter().map(of).collect()
    }

    fn statement(&mut self, node: Node<'_>, depth: usize, function: &str) {
        let number = self.numbers.number(node, false, function);
        let names = (self.guards.assigns)(node, self.text);
        let of_loop = innermost(node);
        let is_loop = self.guards.loops.contains(&of_loop.kind());
        let notes = !names.is_empty() && !is_loop;
        self.edits.insert(
            node.start_byte(),
            true,
            format!("{{if({}){}", asked(number, depth), if notes { "{" } else { "" }),
        );
        let noted = if notes { format!(";{}}}}}", noting(depth, &names)) } else { "}".into() };
        self.edits.insert(end_of(node), false, noted);
        if let (true, Some(body)) = (is_loop, of_loop.child_by_field_name("body")) {
            let iteration = self.numbers.number(node, true, function);
            let noted = if names.is_empty() { String::new() } else { noting(depth + 1, &names) + ";" };
            self.edits.insert(body.start_byte(), true, format!("{{if({}){{{noted}", asked(iteration, depth + 1)));
            self.edits.insert(end_of(body), false, "}}".into());
        }
    }

    fn declaration(&mut self, node: Node<'_>, depth: usize, function: &str) -> bool {
        let Some(Declared { keyword, names, values }) = (self.guards.declares)(node, self.text) else { return false };
        let number = self.numbers.number(node, false, function);
        self.edits.replace(keyword.0, keyword.1.into());
        self.edits.insert(values.start, true, format!("{};if({})(", names.join(","), asked(number, depth)));
        self.edits.insert(values.end, false, format!(",{})", noting(depth, &names)));
        true
    }

    /// Puts what begins and ends a function around its body.
    fn enter(&mut self, body: Node<'_>) {
        let Some(first) = self.first_statement(body) else { return };
        self.edits.insert(first, true, self.guards.enters.into());
        self.edits.insert(end_of(body) - 1, false, self.guards.leaves.into());
    }

    /// Returns where the statements of a block begin, behind what must be first; nothing if there are none.
    fn first_statement(&self, block: Node<'_>) -> Option<usize> {
        let mut cursor = block.walk();
        let mut inside = block.children(&mut cursor).skip_while(|it| {
            matches!(it.kind(), "{" | "comment" | "hash_bang_line")
                || (it.kind() == "expression_statement" && (self.guards.is_fixed)(*it, self.text))
        });
        inside.next().filter(|it| it.kind() != "}").map(|it| it.start_byte())
    }

    fn name_of(&self, node: Node<'_>, outer: &str) -> std::rc::Rc<str> {
        let of_variable = || {
            node.parent().filter(|it| it.kind() == "variable_declarator").and_then(|it| it.child_by_field_name("name"))
        };
        let name = node.child_by_field_name("name").or_else(of_variable);
        name_within(name.and_then(|it| it.utf8_text(self.text).ok()), outer)
    }
}

/// Returns the name of a function with those that it stands in.
fn name_within(name: Option<&str>, outer: &str) -> std::rc::Rc<str> {
    let name = name.unwrap_or("anonymous");
    let whole = if outer.starts_with('<') { name.to_owned() } else { format!("{outer}.{name}") };
    if whole.len() > LONGEST_NAME { name.into() } else { whole.into() }
}

/// A statement as a driver needs it.
struct Described {
    /// Its line, and twice which one on the line, one more for an iteration: as records of what is known have it.
    key: String,
    /// Its place without the file, its text and its function, as a part of a list in JSON.
    json: String,
}

/// Returns what drivers need of statements that is not in the program that runs.
fn described(statements: &[GuardedStatement], text: &[u8]) -> Vec<Described> {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.lines().collect();
    let one = |it: &GuardedStatement| {
        let line = lines.get(it.line as usize - 1).map_or("", |line| line.trim_end());
        let json = serde_json::to_string(&(it.line, it.nth, it.is_iteration, line, &it.function)).unwrap_or_default();
        let key = format!("{} {}", it.line, it.nth * 2 + u32::from(it.is_iteration));
        Described { key, json: json.trim_matches(['[', ']']).to_owned() }
    };
    statements.iter().map(one).collect()
}

/// Returns where a statement ends. Without a semicolon, a comment behind it belongs to its node.
fn end_of(node: Node<'_>) -> usize {
    let mut last = node;
    let is_text = |it: &Node<'_>| it.kind() != "comment" && it.end_byte() > it.start_byte();
    loop {
        let mut cursor = last.walk();
        let children: Vec<Node<'_>> = last.children(&mut cursor).collect();
        match children.into_iter().rfind(is_text) {
            Some(child) => last = child,
            None => return last.end_byte(),
        }
    }
}

/// Returns the statement that labels stand before.
fn innermost(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while node.kind() == "labeled_statement" {
        let Some(body) = node.child_by_field_name("body") else { break };
        node = body;
    }
    node
}

fn asked(number: usize, depth: usize) -> String {
    format!("__reduct_r.k(__reduct_f,{number},{depth})")
}

fn noting(depth: usize, names: &[String]) -> String {
    format!("__reduct_r.v(__reduct_f,{depth},{{{}}})", names.join(","))
}
