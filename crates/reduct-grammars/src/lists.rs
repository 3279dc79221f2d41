//! A reader for lists in parentheses as SMT-LIB has them: what is a list of arguments, of bindings, of
//! commands, and where a name is defined or a sort stands.

use crate::describe::describe_plainly;
use crate::language::Language;
use reduct_input::{Class, Grammar, KindId, KindInfo, Node, Role, Slot, Tree};
use std::ops::Range;
use std::sync::Arc;

const SCRIPT: KindId = 0;
const COMMAND: KindId = 1;
const DECLARATION: KindId = 2;
const TERM: KindId = 3;
const BINDINGS: KindId = 4;
const BINDING: KindId = 5;
const SYMBOL: KindId = 6;
const NUMBER: KindId = 7;
const STRING: KindId = 8;
const KEYWORD: KindId = 9;
const COMMENT: KindId = 10;
const ERROR: KindId = 11;
const OPEN: KindId = 12;
const CLOSE: KindId = 13;
const SORT: KindId = 14;
const COMPOUND: KindId = 15;
const SORTS: KindId = 16;
const TERMS: KindId = 17;

/// The field of what a list begins with.
const HEAD: u16 = 1;

/// The field of what is defined.
const NAME: u16 = 2;

/// The field of a sort.
const TYPE: u16 = 3;

const KINDS: [(&str, Class); 18] = [
    ("script", Class(0)),
    ("command", Class::STATEMENT),
    ("declaration", Class(Class::STATEMENT.0 | Class::DEFINITION.0)),
    ("term", Class(Class::EXPRESSION.0 | Class::CALL.0)),
    ("bindings", Class::PARAMETERS),
    ("binding", Class::DEFINITION),
    ("symbol", Class(Class::NAME.0 | Class::EXPRESSION.0)),
    ("number", Class(Class::NUMBER.0 | Class::EXPRESSION.0)),
    ("string", Class(Class::STRING.0 | Class::EXPRESSION.0)),
    ("keyword", Class(0)),
    ("comment", Class::COMMENT),
    ("ERROR", Class(0)),
    ("(", Class(0)),
    (")", Class(0)),
    ("sort", Class(Class::NAME.0 | Class::TYPE.0)),
    ("compound_sort", Class::TYPE),
    ("sorts", Class(0)),
    ("terms", Class(0)),
];

/// What takes any number of arguments, but not none.
const VARIADIC: &[&str] = &[
    "and", "or", "xor", "=>", "=", "distinct", "+", "-", "*", "<", "<=", ">", ">=", "div", "/", "concat", "bvadd",
    "bvmul", "bvand", "bvor", "bvxor", "str.++", "re.++", "re.union", "re.inter", "seq.++",
];

/// Returns the kinds, and what fits where.
pub(crate) fn grammar(language: &Language) -> Grammar {
    let mut kinds: Vec<KindInfo> = KINDS
        .iter()
        .map(|(name, class)| KindInfo {
            name: (*name).to_owned(),
            named: !matches!(*name, "(" | ")"),
            class: *class,
            shortest: vec![],
        })
        .collect();
    describe_plainly(language, &mut kinds);
    let slot = |required, types: &[KindId]| Slot { required, multiple: true, types: types.to_vec() };
    let terms = &[TERM, SYMBOL, NUMBER, STRING];
    let sorts = &[SORT, COMPOUND];
    let mut slots = vec![
        ((SCRIPT, 0), slot(false, &[COMMAND, DECLARATION])),
        ((COMMAND, 0), slot(true, terms)),
        ((DECLARATION, 0), slot(true, terms)),
        ((TERM, 0), slot(true, terms)),
        ((TERM, HEAD), slot(true, &[TERM, SYMBOL])),
        ((BINDINGS, 0), slot(false, &[BINDING])),
        ((BINDING, 0), slot(true, terms)),
        ((DECLARATION, TYPE), slot(true, sorts)),
        ((BINDING, TYPE), slot(true, sorts)),
        ((COMPOUND, TYPE), slot(true, sorts)),
        ((SORTS, TYPE), slot(true, sorts)),
        ((TERMS, 0), slot(true, terms)),
    ];
    slots.sort_by_key(|(place, _)| *place);
    Grammar { language: language.name, kinds, fields: ["head", "name", "type"].map(str::to_owned).into(), slots }
}

/// What the members of a list are to it.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// Any number.
    Any,
    /// At least one.
    Many,
    /// All of them.
    Fixed,
    /// All of them, and the one at this position is a list of which some have to stay, or none.
    Binds(usize, bool),
    /// All of them, and the one at this position is a list of sorts.
    Sorts(usize),
    /// All of them, and the one at this position is a list of terms of which some have to stay.
    Lists(usize),
}

/// At which positions of a list sorts stand: a bit for each, the last one for all that follow.
#[derive(Clone, Copy, PartialEq)]
struct Sorts(u8);

impl Sorts {
    const NOWHERE: Sorts = Sorts(0);
    const EVERYWHERE: Sorts = Sorts(!0);

    fn holds(self, position: usize) -> bool {
        self.0 >> position.min(7) & 1 == 1
    }
}

/// A list that is not closed.
struct Open {
    at: usize,
    members: usize,
    form: Form,
    sorts: Sorts,
    /// The same for the lists in it that bind names.
    of_bindings: Sorts,
}

impl Open {
    fn new(at: usize, form: Form, sorts: Sorts) -> Open {
        Open { at, members: 0, form, sorts, of_bindings: Sorts::NOWHERE }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    nodes: Vec<Node>,
    open: Vec<Open>,
}

/// Returns in how many places brackets or quotes do not match.
pub(crate) fn errors(text: &[u8]) -> usize {
    let (mut depth, mut count) = (0usize, 0);
    for (kind, _) in words(text) {
        match kind {
            OPEN => depth += 1,
            CLOSE if depth == 0 => count += 1,
            CLOSE => depth -= 1,
            ERROR => count += 1,
            _ => {}
        }
    }
    count + depth
}

/// Returns the tree of a text in a language whose grammar this is.
pub(crate) fn tree(grammar: Arc<Grammar>, text: &[u8]) -> Tree {
    let root = Node { kind: SCRIPT, field: 0, role: Role::Root, parent: 0, after: 1, start: 0, end: text.len() as u32 };
    let whole = Open::new(0, Form::Any, Sorts::NOWHERE);
    let mut reader = Reader { text, nodes: vec![root], open: vec![whole] };
    for (kind, range) in words(text) {
        reader.read(kind, range);
    }
    while reader.open.len() > 1 {
        reader.close(text.len()..text.len());
    }
    reader.nodes[0].after = reader.nodes.len() as u32;
    Tree { grammar, nodes: reader.nodes }
}

impl Reader<'_> {
    fn read(&mut self, kind: KindId, range: Range<usize>) {
        match kind {
            OPEN => self.begin(range),
            CLOSE if self.open.len() > 1 => self.close(range),
            CLOSE | ERROR => self.push(ERROR, 0, Role::Error, range),
            COMMENT => self.push(COMMENT, 0, Role::Item, range),
            _ => self.member(kind, range),
        }
    }

    /// Adds a member to the innermost list.
    fn member(&mut self, kind: KindId, range: Range<usize>) {
        let depth = self.open.len();
        let Some(list) = self.open.last_mut() else { return };
        let (at, position) = (list.at, list.members);
        list.members += 1;
        let of = self.nodes[at].kind;
        let is_head = position == 0 && matches!(of, COMMAND | TERM | COMPOUND);
        if is_head && kind == SYMBOL {
            let head = &self.text[range.clone()];
            list.form = form(head, depth == 2);
            if of == COMPOUND {
                list.sorts = if head == b"_" { Sorts::NOWHERE } else { Sorts::EVERYWHERE };
            } else {
                (list.sorts, list.of_bindings) = sorts(head, depth == 2);
            }
            if depth == 2 && (head.starts_with(b"declare-") || head.starts_with(b"define-")) {
                self.nodes[at].kind = DECLARATION;
            }
        }
        let role = match list.form {
            Form::Any => Role::Item,
            Form::Many if position > 0 || matches!(of, BINDINGS | TERMS) => Role::ItemOfMany,
            _ => Role::Mandatory,
        };
        let is_sort = !is_head && list.sorts.holds(position);
        let is_name = of == DECLARATION && position == 1 || of == BINDING && position == 0;
        let field = if is_head {
            HEAD
        } else if is_name {
            NAME
        } else if is_sort {
            TYPE
        } else {
            0
        };
        self.push(if is_sort && kind == SYMBOL { SORT } else { kind }, field, role, range);
    }

    /// Adds a node to the innermost list.
    fn push(&mut self, kind: KindId, field: u16, role: Role, range: Range<usize>) {
        let parent = self.open.last().map_or(0, |list| list.at as u32);
        let after = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, field, role, parent, after, start: range.start as u32, end: range.end as u32 });
    }

    fn begin(&mut self, range: Range<usize>) {
        let Some(around) = self.open.last() else { return };
        let (kind, form, sorts) = match (self.nodes[around.at].kind, around.form) {
            (SCRIPT, _) => (COMMAND, Form::Fixed, Sorts::NOWHERE),
            (BINDINGS, _) => (BINDING, Form::Fixed, around.of_bindings),
            _ if around.sorts.holds(around.members) => (COMPOUND, Form::Fixed, Sorts::NOWHERE),
            (_, Form::Binds(position, many)) if around.members == position => {
                (BINDINGS, if many { Form::Many } else { Form::Any }, Sorts::NOWHERE)
            }
            (_, Form::Sorts(position)) if around.members == position => (SORTS, Form::Fixed, Sorts::EVERYWHERE),
            (_, Form::Lists(position)) if around.members == position => (TERMS, Form::Many, Sorts::NOWHERE),
            _ => (TERM, Form::Fixed, Sorts::NOWHERE),
        };
        let (at, of_bindings) = (self.nodes.len(), around.of_bindings);
        self.member(kind, range.start..self.text.len());
        self.open.push(Open { of_bindings, ..Open::new(at, form, sorts) });
        self.push(OPEN, 0, Role::Token, range);
    }

    fn close(&mut self, range: Range<usize>) {
        // What is missing at the end is an error of no length.
        let (kind, role) = if range.is_empty() { (ERROR, Role::Error) } else { (CLOSE, Role::Token) };
        self.push(kind, 0, role, range.clone());
        let after = self.nodes.len() as u32;
        if let Some(list) = self.open.pop() {
            let node = &mut self.nodes[list.at];
            (node.end, node.after) = (range.end as u32, after);
        }
    }
}

/// Returns what a list that begins with this word consists of.
fn form(head: &[u8], is_command: bool) -> Form {
    match head {
        b"let" | b"forall" | b"exists" | b"lambda" if !is_command => Form::Binds(1, true),
        b"define-fun" | b"define-fun-rec" | b"define-sort" if is_command => Form::Binds(2, false),
        b"declare-fun" if is_command => Form::Sorts(2),
        b"get-value" | b"check-sat-assuming" if is_command => Form::Lists(1),
        _ if !is_command && VARIADIC.iter().any(|name| name.as_bytes() == head) => Form::Many,
        _ => Form::Fixed,
    }
}

/// Returns where sorts stand in a list that begins with this word, and in those in it that bind names.
fn sorts(head: &[u8], is_command: bool) -> (Sorts, Sorts) {
    let second = Sorts(1 << 1);
    match head {
        b"forall" | b"exists" | b"lambda" if !is_command => (Sorts::NOWHERE, second),
        b"as" if !is_command => (Sorts(1 << 2), Sorts::NOWHERE),
        b"declare-const" | b"define-const" if is_command => (Sorts(1 << 2), Sorts::NOWHERE),
        b"declare-fun" if is_command => (Sorts(1 << 3), Sorts::NOWHERE),
        b"define-fun" | b"define-fun-rec" if is_command => (Sorts(1 << 3), second),
        b"declare-sort" if is_command => (second, Sorts::NOWHERE),
        b"define-sort" if is_command => (Sorts(1 << 1 | 1 << 3), Sorts::NOWHERE),
        _ => (Sorts::NOWHERE, Sorts::NOWHERE),
    }
}

/// Returns the words of a text, and its brackets.
fn words(text: &[u8]) -> impl Iterator<Item = (KindId, Range<usize>)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let start = at;
        let (kind, length) = word(text.get(at..)?)?;
        at += length;
        Some((kind, start..at))
    })
}

fn word(text: &[u8]) -> Option<(KindId, usize)> {
    // Neither of the last two can stand in a symbol: `x#b1` and `get-info:name` are two words each.
    let is_over =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'"' | b';' | b'|' | b'#' | b':');
    let plain = |text: &[u8]| text.iter().skip(1).take_while(|byte| !is_over(byte)).count() + 1;
    Some(match text.first()? {
        b'(' => (OPEN, 1),
        b')' => (CLOSE, 1),
        b';' => (COMMENT, text.iter().take_while(|byte| **byte != b'\n').count()),
        b'"' => closed(STRING, text),
        b'|' => closed(SYMBOL, text),
        b':' => (KEYWORD, plain(text)),
        b'#' | b'0'..=b'9' => (NUMBER, plain(text)),
        _ => (SYMBOL, plain(text)),
    })
}

/// Returns what ends with the quote it begins with; a quote in a string is doubled. An error if it does not end.
fn closed(kind: KindId, text: &[u8]) -> (KindId, usize) {
    let quote = text[0];
    let mut at = 1;
    while at < text.len() {
        match (text[at] == quote, text.get(at + 1) == Some(&quote) && quote == b'"') {
            (true, true) => at += 2,
            (true, false) => return (kind, at + 1),
            _ => at += 1,
        }
    }
    // It may be the quote that is too much, so that what comes after it is read all the same.
    (ERROR, 1)
}
