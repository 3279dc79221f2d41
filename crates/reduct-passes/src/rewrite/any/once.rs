//! Makes an assignment of a loop over a list of one.
//!
//! ## What it tries
//! For each loop over a list in which one thing stands, and each function of JavaScript that is called where it stands: the
//! assignment of that thing, or of the arguments, and the body after it, without what made a loop or a function of it. Of other lists, and
//! of what an iterator gives, the first is assigned, where that is shorter: `let[a]=b;` for `for(let a of b)`.
//!
//! ## When it helps
//! Where a loop is left with the one thing that matters. What is assigned can then be inlined.
//!
//! ## Before
//! ```js
//! for (let a of [f(1)]) g(a);
//! (b => { h(b) })(2);
//! ```
//! ## After
//! ```js
//! let a=f(1);g(a);
//! b=2;{ h(b) };
//! ```

mod first;

use crate::pass::{Pass, Proposals};
use crate::rewrite::{deeper, largest_first, propose_in_order};
use crate::text::{is_word, pairs};
use reduct_input::names::listed;
use reduct_input::{Class, Edit, Splice, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting("once", "makes an assignment of a loop over a list of one", 0.3, propose);

/// By language: the word between what is assigned and the list, and whether the list stands first; what stands before and after the
/// assignment then.
const LOOPS: &[(&str, &str, bool, &str, &str)] = &[
    ("python", "in", false, "", "="),
    ("javascript", "of", false, "", "="),
    ("typescript", "of", false, "", "="),
    ("tsx", "of", false, "", "="),
    ("php", "as", true, "", "="),
    ("ruby", "in", false, "", "="),
    ("rust", "in", false, "let ", "="),
    ("lua", "in", false, "", "="),
    ("csharp", "in", false, "", "="),
    ("go", "range", false, "", ":="),
];

/// What a list of one may begin with, and the bracket that ends it.
const LISTS: &[(&str, u8)] = &[
    ("[", b']'),
    ("vec![", b']'),
    ("&[", b']'),
    ("array(", b')'),
    ("ipairs{", b'}'),
    ("ipairs({", b'}'),
    ("new[]{", b'}'),
    ("new[] {", b'}'),
];

/// Longer heads are no list of one.
const LONGEST: usize = 1 << 12;

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let looped = (1..tree.len()).filter(|at| tree.kind(*at).starts_with("for"));
        let looped = looped.filter_map(|at| loop_of_one(subject, tree, at));
        let each = (1..tree.len()).filter(|at| tree.grammar.language == "ruby" && tree.kind(*at) == "call");
        let each = each.filter_map(|at| each_of_one(subject, tree, at));
        let statements = (1..tree.len()).filter(|at| tree.kind(*at) == "expression_statement");
        let calls = statements.filter_map(|at| called(subject, tree, at));
        looped.chain(each).chain(calls).collect::<Vec<Edit>>()
    });
    propose_in_order(subject, largest_first(edits.collect()))
}

/// Returns the edit that makes an assignment of the head of a loop.
fn loop_of_one(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let (_, word, list_first, before, sign) = LOOPS.iter().find(|(it, ..)| *it == tree.grammar.language)?;
    let body = tree.child(at, "body")?;
    let (whole, block) = (tree.range(at), tree.range(body));
    let head = std::str::from_utf8(subject.text(whole.start..block.start)).ok().filter(|head| head.len() < LONGEST)?;
    let head = head.trim_start_matches("foreach").trim_start_matches("for").trim();
    let head = ["do", ":"].iter().fold(head, |head, end| head.strip_suffix(end).unwrap_or(head)).trim_end();
    let bracketed = head.strip_prefix('(').and_then(|head| head.strip_suffix(')'));
    let head = bracketed.filter(|_| tree.grammar.language != "python").unwrap_or(head).trim();
    let (first, second) = around(head, word)?;
    let (name, list) = if *list_first { (second, first) } else { (first, second) };
    let name = name.trim_end_matches(":=").trim();
    let assigned = match only_one(list, tree.grammar.language) {
        Some(one) => [before, last_name(name, tree.grammar.language)?, sign, one].concat(),
        None if leaves(tree, body) => return None,
        None => first::first_of(tree.grammar.language, name, list)?,
    };
    let mut splices = vec![];
    match tree.grammar.language {
        "python" if subject.text(whole.start..block.start).contains(&b'\n') => {
            let indent = blanks_before(subject, whole.start);
            splices.push(replaced(whole.start..block.start, &format!("{assigned}\n{}", " ".repeat(indent))));
            splices.extend(deeper(subject, &whole, &block)?.into_iter().map(|at| replaced(at, "")));
        }
        language => {
            splices.push(replaced(whole.start..block.start, &format!("{assigned};")));
            if matches!(language, "lua" | "ruby") && block.end < whole.end {
                splices.push(replaced(block.end..whole.end, ""));
            }
        }
    }
    Edit::new(splices)
}

/// Returns the name of what is in a list, without that of its number, which is not used.
fn last_name<'a>(name: &'a str, language: &str) -> Option<&'a str> {
    let name = if matches!(language, "lua" | "go") { name.strip_prefix('_')?.trim_start() } else { name };
    Some(name.strip_prefix(',').map_or(name, str::trim_start))
}

/// Returns whether the body of a loop says where the loop ends or goes on.
fn leaves(tree: &Tree, body: usize) -> bool {
    tree.descendants(body).any(|at| ["break", "continue", "next"].iter().any(|word| tree.kind(at).starts_with(word)))
}

fn replaced(at: Range<u32>, with: &str) -> Splice {
    Splice { at, with: with.as_bytes().into() }
}

/// Returns how many blanks stand before an address in its line, if nothing else does.
fn blanks_before(subject: &Subject, at: u32) -> usize {
    let before = &subject.artifact().bytes()[..at as usize];
    before.iter().rev().take_while(|byte| **byte == b' ').count()
}

/// Returns what stands before a word and after it.
fn around<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|byte| !is_word(*byte) || *byte == b'$');
    let bytes = text.as_bytes();
    let is_apart = |at: &usize| {
        is_edge(at.checked_sub(1).and_then(|before| bytes.get(before))) && is_edge(bytes.get(at + word.len()))
    };
    let at = text.match_indices(word).map(|(at, _)| at).find(is_apart)?;
    Some((text[..at].trim(), text[at + word.len()..].trim()))
}

/// Returns what stands in a list alone.
fn only_one<'a>(list: &'a str, language: &str) -> Option<&'a str> {
    let of_go = || (language == "go").then(|| list.find('{').map(|at| (at + 1, b'}'))).flatten();
    let known = LISTS.iter().find(|(open, _)| list.starts_with(open)).map(|(open, end)| (open.len(), *end));
    let (start, end) = of_go().or(known.filter(|_| language != "go"))?;
    let (_, close) = pairs(list.as_bytes()).into_iter().find(|(open, _)| *open + 1 == start)?;
    let rest = list[close + 1..].trim();
    let one = list[start..close].trim();
    let is_whole = list.as_bytes()[close] == end && (rest.is_empty() || rest == ")" && list.starts_with("ipairs("));
    (is_whole && is_single(one)).then_some(one)
}

/// Returns whether a text is one expression, as far as commas and signs tell.
fn is_single(text: &str) -> bool {
    let brackets = pairs(text.as_bytes());
    let is_inside = |at: usize| brackets.iter().any(|(open, close)| *open < at && at < *close);
    let strings = crate::text::quoted(text.as_bytes());
    let is_quoted = |at: usize| strings.iter().any(|string| string.contains(&at));
    let commas = text.match_indices([',', ';']).any(|(at, _)| !is_inside(at) && !is_quoted(at));
    let is_spread = text.starts_with('*') || text.starts_with("...") || around(text, "for").is_some();
    !text.is_empty() && !commas && !is_spread
}

/// Returns the edit that makes an assignment of the head of a block of Ruby which is called with each of one thing.
fn each_of_one(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let (receiver, method, block) = (tree.child(at, "receiver")?, tree.child(at, "method")?, tree.child(at, "block")?);
    let parameters = tree.children(block).find(|child| tree.is(*child, Class::PARAMETERS))?;
    let body = tree.child(block, "body")?;
    let list = std::str::from_utf8(subject.text(tree.range(receiver))).ok().filter(|list| list.len() < LONGEST)?;
    let name = std::str::from_utf8(subject.text(tree.range(parameters))).ok()?.trim_matches('|');
    let is_each = subject.text(tree.range(method)) == b"each";
    let head = match only_one(list, "ruby") {
        Some(one) => format!("{name}={one};"),
        None if leaves(tree, body) => return None,
        None => first::first_of("ruby", name, list)? + ";",
    };
    let (whole, body) = (tree.range(at), tree.range(body));
    let splices = vec![replaced(whole.start..body.start, &head), replaced(body.end..whole.end, "")];
    is_each.then(|| Edit::new(splices))?
}

/// Returns the edit that makes assignments of the arguments of a function that is called where it stands, as a statement.
fn called(subject: &Subject, tree: &Tree, statement: usize) -> Option<Edit> {
    let call = tree.children(statement).find(|child| tree.kind(*child) == "call_expression")?;
    let function = tree.child(call, "function").filter(|at| tree.kind(*at) == "parenthesized_expression")?;
    let function = listed(tree, function).first().copied()?;
    let body = tree.child(function, "body").filter(|_| tree.kind(function).contains("function"))?;
    let parameters = match tree.child(function, "parameters") {
        Some(list) => listed(tree, list),
        None => vec![tree.child(function, "parameter")?],
    };
    let arguments = listed(tree, tree.child(call, "arguments")?);
    if parameters.len() != arguments.len() {
        return None;
    }
    let text = |at: &usize| String::from_utf8_lossy(subject.text(tree.range(*at))).into_owned();
    let pairs = parameters.iter().zip(&arguments);
    let assigned: String = pairs.map(|(name, value)| format!("{}={};", text(name), text(value))).collect();
    let (whole, body) = (tree.range(call), tree.range(body));
    Edit::new(vec![replaced(whole.start..body.start, &assigned), replaced(body.end..whole.end, "")])
}
