//! Puts what is added to a list into the list from the beginning.
//!
//! ## What it tries
//! For each name that is first given a list or table in brackets, or a new one without anything: the first statement after it
//! that only adds something to it goes, and what it adds stands at the end of the brackets. In SQL, statements in a row that put rows into
//! one table become one.
//!
//! ## When it helps
//! Where data is collected step by step, of which a step or two are left. What stands in brackets can then be inlined.
//!
//! ## Before
//! ```py
//! a = []
//! a.append(f(1))
//! g(a)
//! ```
//! ## After
//! ```py
//! a = [f(1)]
//! g(a)
//! ```

mod inserts;

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_in_order;
use crate::text::{is_word, pairs};
use reduct_input::names::EditDraft;
use reduct_input::{Class, Edit, NamePlace, Names, Subject};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("collected", "puts what is added to a list into it from the beginning", 0.3, propose);

/// What makes something that has nothing in it yet, and what stands before and after its parts then.
const NEW: &[(&str, &str, &str)] = &[
    ("list()", "[", "]"),
    ("set()", "{", "}"),
    ("dict()", "{", "}"),
    ("Vec::new()", "vec![", "]"),
    ("new ArrayList<>()", "List.of(", ")"),
    ("new HashSet<>()", "Set.of(", ")"),
    ("new HashMap<>()", "Map.of(", ")"),
    ("new Set()", "new Set([", "])"),
    ("new Set", "new Set([", "])"),
    ("new Map()", "new Map([", "])"),
    ("new Map", "new Map([", "])"),
    ("new Array()", "[", "]"),
];

/// What stands between a name and what is added to it, if that is the whole of a statement.
const ADDING: &[&str] = &["append", "push", "add", "Add", "push_back", "appendleft", "unshift"];

/// Where more names are left, what is collected is not the failure alone.
const MOST: usize = 32;

/// Longer statements are no single step.
const LONGEST: usize = 1 << 12;

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let edits = (0..names.all().len()).filter_map(|name| collected(subject, names, name));
    let inserts = subject.trees().iter().flat_map(|tree| inserts::joined(subject, tree));
    propose_in_order(subject, edits.take(MOST).chain(inserts).collect::<Vec<Edit>>())
}

/// Returns the edit that takes the first thing that is added to a name into what it is first given.
fn collected(subject: &Subject, names: &Names, name: usize) -> Option<Edit> {
    let mut places = names.places_of(name);
    let first = places.next()?;
    let list = List::given(subject, names, first)?;
    let (statement, adding) = places.take(MOST).find_map(|place| {
        let statement = names.statement(place)?;
        let at = subject.trees()[place.tree].range(statement);
        let part = added(subject, &place.at, subject.text(at.clone()), at.start, &list)?;
        (list.close.start < at.start).then_some(((place.tree, statement), part))
    })?;
    let mut change = EditDraft::new(subject, names);
    change.remove(statement.0, statement.1);
    let separator: &[u8] = if list.is_empty { b"" } else { b"," };
    let with = [list.open.as_bytes(), separator, &adding, list.end.as_bytes()].concat();
    change.put(list.close.clone(), &with);
    change.edit()
}

/// What a name is first given.
struct List {
    /// What is replaced: its closing bracket, or all of it if it has no brackets yet.
    close: Range<u32>,
    /// What stands before and after what is added there.
    open: &'static str,
    end: &'static str,
    is_empty: bool,
    language: &'static str,
}

impl List {
    fn given(subject: &Subject, names: &Names, place: &NamePlace) -> Option<List> {
        let tree = &subject.trees()[place.tree];
        let at = tree.range(names.statement(place).or_else(|| tree.within(place.node, Class::DEFINITION))?);
        let rest = at.end.checked_sub(place.at.end).map(|_| subject.text(place.at.end..at.end))?;
        let equals = rest.iter().take(LONGEST).position(|byte| *byte == b'=')?;
        let after = &rest[equals + 1..];
        let value = equals + 1 + after.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let text = &rest[value..];
        let start = place.at.end + value as u32;
        let language = tree.grammar.language;
        let is_end = |at: usize| text[at..].iter().all(|byte| byte.is_ascii_whitespace() || *byte == b';');
        for (empty, open, end) in NEW {
            if text.starts_with(empty.as_bytes()) && is_end(empty.len()) {
                return Some(List { close: start..start + empty.len() as u32, open, end, is_empty: true, language });
            }
        }
        if text.len() > LONGEST {
            return None;
        }
        let begins = match () {
            () if matches!(text[0], b'[' | b'{') && language != "go" => 0,
            () if text.starts_with(b"vec![") => 4,
            () if language == "go" && matches!(text[0], b'[' | b'm') => text.iter().position(|byte| *byte == b'{')?,
            () => return None,
        };
        let (open, close) = pairs(text).into_iter().find(|(open, _)| *open == begins)?;
        let end = ["]", "}"].into_iter().find(|end| text[close] == end.as_bytes()[0])?;
        let is_empty = text[open + 1..close].trim_ascii().is_empty();
        let at = start + close as u32;
        is_end(close + 1).then_some(List { close: at..at + 1, open: "", end, is_empty, language })
    }
}

/// Returns what a statement adds to a name, as it stands in brackets, if it does nothing else.
fn added(subject: &Subject, name: &Range<u32>, statement: &[u8], start: u32, list: &List) -> Option<Vec<u8>> {
    let before = &statement[..name.start.checked_sub(start)? as usize];
    let statement = &statement[..statement.len().min(LONGEST)];
    let after = statement.get((name.end - start) as usize..)?.trim_ascii();
    let after = after.strip_suffix(b";").unwrap_or(after);
    let word = subject.text(name.clone());
    if list.language == "go" {
        let rest = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start().strip_prefix(b"append(")?;
        let rest = rest.strip_prefix(word)?.trim_ascii_start().strip_prefix(b",")?;
        return before.is_empty().then(|| rest.strip_suffix(b")")).flatten().map(<[u8]>::to_vec);
    }
    if list.language == "lua" && before == b"table.insert(" {
        return after.strip_prefix(b",")?.strip_suffix(b")").map(<[u8]>::to_vec);
    }
    if !before.is_empty() && before != b"$" {
        return None;
    }
    if let Some(value) = after.strip_prefix(b"<<").or_else(|| after.strip_prefix(b"[]=")) {
        return Some(value.trim_ascii().to_vec());
    }
    if let Some(value) = after.strip_prefix(b"[]") {
        return Some(value.trim_ascii().strip_prefix(b"=")?.trim_ascii().to_vec());
    }
    match after.first()? {
        b'[' => entry(after, list),
        b'.' => {
            let length = after[1..].iter().take_while(|byte| is_word(**byte)).count();
            let (method, rest) = (&after[1..1 + length], &after[1 + length..]);
            let whole = pairs(rest).first() == Some(&(0, rest.len().checked_sub(1)?)) && rest[0] == b'(';
            let arguments = || rest[1..rest.len() - 1].trim_ascii();
            match std::str::from_utf8(method).ok()? {
                "set" if whole && list.open.starts_with("new Map") => Some([b"[", arguments(), b"]"].concat()),
                "put" if whole => Some(arguments().to_vec()),
                method if whole && ADDING.contains(&method) => Some(arguments().to_vec()),
                name => field(name, rest, list),
            }
        }
        _ => None,
    }
}

/// Returns an entry of a table for what is assigned to an element: `[k] = v`.
fn entry(after: &[u8], list: &List) -> Option<Vec<u8>> {
    let (_, close) = pairs(after).into_iter().find(|(open, _)| *open == 0)?;
    let key = after[1..close].trim_ascii();
    let value = after[close + 1..].trim_ascii().strip_prefix(b"=").filter(|value| !value.starts_with(b"="))?;
    let value = value.trim_ascii();
    let is_literal = matches!(key.first()?, b'"' | b'\'' | b'0'..=b'9');
    Some(match list.language {
        "php" | "ruby" => [key, b"=>", value].concat(),
        "lua" if key.starts_with(b"#") => value.to_vec(),
        "lua" => [b"[", key, b"]=", value].concat(),
        "javascript" | "typescript" | "tsx" if !is_literal => [b"[", key, b"]:", value].concat(),
        _ => [key, b":", value].concat(),
    })
}

/// Returns an entry of a table for what is assigned to a field: `.k = v`.
fn field(name: &str, rest: &[u8], list: &List) -> Option<Vec<u8>> {
    let value = rest.trim_ascii().strip_prefix(b"=").filter(|value| !value.starts_with(b"="))?.trim_ascii();
    let sign: &[u8] = match list.language {
        "javascript" | "typescript" | "tsx" => b":",
        "lua" => b"=",
        _ => return None,
    };
    Some([name.as_bytes(), sign, value].concat())
}
