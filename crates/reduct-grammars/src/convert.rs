//! From a tree-sitter tree to a [`Tree`], without recursion.

use crate::grammar::{Loaded, loaded};
use crate::language::Language;
use reduct_input::{Class, KindId, Node, Role, Tree};
use std::borrow::Cow;
use std::iter::Peekable;
use std::ops::{ControlFlow, Range};
use tree_sitter_language::LanguageFn;

/// tree-sitter reports its progress every hundred steps. A text that follows its language takes one or two
/// steps for each byte, and so does one with holes; one that takes this many is not worth waiting for. Steps
/// are counted, and no clock is asked, so that the same text is always read the same.
const REPORTS_PER_BYTE: f64 = 0.1;

/// However short a text is.
const LEAST_REPORTS: usize = 10_000;

fn parsed(function: LanguageFn, text: &[u8]) -> Option<tree_sitter::Tree> {
    within(function, text, LEAST_REPORTS + (text.len() as f64 * REPORTS_PER_BYTE) as usize).0
}

/// Reads a text with at most so many reports of progress; also, how many it did not take.
fn within(function: LanguageFn, text: &[u8], mut left: usize) -> (Option<tree_sitter::Tree>, usize) {
    let mut parser = tree_sitter::Parser::new();
    if parser.set_language(&function.into()).is_err() {
        return (None, left);
    }
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = tree_sitter::ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut |at, _| text.get(at..).unwrap_or_default(), None, Some(options));
    (tree, left)
}

/// Returns what the grammar reads in the place of a text: with blanks in the place of what it does not know, and where that is.
fn known<'t>(language: &Language, text: &'t [u8]) -> (Cow<'t, [u8]>, Vec<Range<usize>>) {
    let text = (language.read_as)(text);
    let unknown = (language.unknown)(&text);
    if unknown.is_empty() {
        return (text, unknown);
    }
    let mut text = text.into_owned();
    for range in &unknown {
        // Lines stay, so that what ends with a line still does.
        text[range.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    (text.into(), unknown)
}

/// Returns in how many places a text does not follow its language; as many as can be if it hardly follows it
/// anywhere.
pub(crate) fn errors(language: &'static Language, function: LanguageFn, text: &[u8]) -> usize {
    let text = &*known(language, text).0;
    let Some(tree) = parsed(function, text) else { return usize::MAX };
    let mut cursor = tree.walk();
    let (mut count, mut stray) = (0, 0);
    loop {
        let node = cursor.node();
        if is_wrong(language, &node, text) {
            count += 1;
            stray += if node.is_error() { astray(&node) } else { 0 };
        }
        // Where nothing is amiss no step is needed, unless the language has rules for what is.
        let goes_in = (node.has_error() || !language.wrong.is_empty()) && cursor.goto_first_child();
        if !goes_in {
            loop {
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return if stray * 2 > text.len() { usize::MAX } else { count };
                }
            }
        }
    }
}

/// Returns whether nothing is amiss in a text, tokens without nodes included, as the ends of lines are in Python.
pub(crate) fn follows(language: &'static Language, function: LanguageFn, text: &[u8]) -> bool {
    let text = &*known(language, text).0;
    parsed(function, text).is_some_and(|tree| !tree.root_node().has_error())
}

/// Returns whether a node is an error.
fn is_wrong(language: &Language, node: &tree_sitter::Node, text: &[u8]) -> bool {
    if !node.is_error() || !language.lenient {
        return node.is_error()
            || node.is_missing()
            || !language.wrong.is_empty() && language.wrong.contains(&node.kind());
    }
    let mut cursor = node.walk();
    let mut at = node.start_byte();
    let is_space = |from: usize, to: usize| text.get(from..to).unwrap_or_default().trim_ascii().is_empty();
    let is_read = node.children(&mut cursor).all(|child| {
        let follows = child.is_named() && is_space(at, child.start_byte());
        at = child.end_byte();
        follows
    });
    !(is_read && is_space(at, node.end_byte()))
}

/// Returns how many bytes of an error are in nothing that was read.
fn astray(error: &tree_sitter::Node) -> usize {
    let mut cursor = error.walk();
    let read: usize = error
        .children(&mut cursor)
        .filter(|child| child.named_child_count() > 0)
        .map(|child| child.byte_range().len())
        .sum();
    error.byte_range().len() - read
}

/// Returns the tree of a text; `None` if more than half of it does not follow its language.
pub(crate) fn tree(language: &'static Language, function: LanguageFn, text: &[u8]) -> Option<Tree> {
    let (original, (text, unknown)) = (text, known(language, text));
    let text = &*text;
    let tree = parsed(function, text)?;
    let loaded = loaded(language);
    let has_unknown = !unknown.is_empty();
    let ends = unknown.first().zip(unknown.last()).map(|(first, last)| first.start as u32..last.end as u32);
    let mut unknown = unknown.into_iter().peekable();
    let mut nodes = vec![];
    // The nodes that are not over, innermost last.
    let mut open: Vec<u32> = vec![];
    let mut stray = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_wrong = is_wrong(language, &node, text);
        if is_wrong && node.is_error() {
            stray += astray(&node);
        }
        let parent = open.last().copied();
        if parent.is_some() {
            push_unknown(&mut unknown, node.start_byte(), loaded, parent, &mut nodes);
        }
        let at = nodes.len() as u32;
        let is_kept = parent.is_none() || !node.byte_range().is_empty() || node.is_missing();
        if is_kept {
            let parent = parent.map(|parent| (parent, &nodes[..]));
            nodes.push(converted(loaded, &cursor, parent, is_wrong, text.len()));
        }
        // The root holds what the grammar does not know at its ends.
        if let (Some(ends), None) = (&ends, parent) {
            nodes[0].start = nodes[0].start.min(ends.start);
            nodes[0].end = nodes[0].end.max(ends.end);
        }
        if is_kept && cursor.goto_first_child() {
            open.push(at);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                if has_unknown {
                    push_unknown(&mut unknown, text.len(), loaded, Some(0), &mut nodes);
                    nodes[0].after = nodes.len() as u32;
                    give_words(loaded, original, &mut nodes);
                }
                give_signs(language, loaded, &mut nodes);
                return (stray * 2 <= text.len()).then(|| Tree { grammar: loaded.grammar.clone(), nodes });
            }
            if let Some(over) = open.pop() {
                nodes[over as usize].after = nodes.len() as u32;
                needs_its_only_one(&mut nodes, over as usize);
            }
        }
    }
}

/// Moves what the grammar does not know, and what stands before one of a list, into that one, which is nothing without it. What ends
/// with a sign that ends statements, or is a command of a shell, is one by itself.
fn give_words(loaded: &Loaded, text: &[u8], nodes: &mut [Node]) {
    for at in 1..nodes.len().saturating_sub(1) {
        let (word, next) = (nodes[at], nodes[at + 1]);
        let is_whole = text[..word.end as usize].ends_with(b";") || text[word.start as usize..].starts_with(b".");
        let is_word =
            word.kind == loaded.error && word.role == Role::Item && word.after as usize == at + 1 && !is_whole;
        let is_of_list = matches!(next.role, Role::Item | Role::ItemOfMany) && next.kind != loaded.error;
        if is_word && is_of_list && next.parent == word.parent {
            nodes[at] = Node { start: word.start, ..next };
            nodes[at + 1] = Node { parent: at as u32, after: at as u32 + 2, ..word };
            let mut child = at + 2;
            while child < next.after as usize {
                nodes[child].parent = at as u32;
                child = nodes[child].after as usize;
            }
        }
    }
}

/// Moves signs that the grammar has beside a node, and that end it, into it.
fn give_signs(language: &Language, loaded: &Loaded, nodes: &mut [Node]) {
    let kind = |at: usize, nodes: &[Node]| loaded.grammar.kinds[nodes[at].kind as usize].name.as_str();
    for at in 0..if language.signs.is_empty() { 0 } else { nodes.len() } {
        let next = nodes[at].after as usize;
        let mut signs = language.signs.iter().filter(|_| nodes[at].field == 0);
        let sign = signs.find(|(of, _)| *of == kind(at, nodes)).map(|(_, sign)| *sign);
        if next < nodes.len() && nodes[next].parent == nodes[at].parent && sign == Some(kind(next, nodes)) {
            nodes[next].parent = at as u32;
            nodes[at].after = nodes[next].after;
            nodes[at].end = nodes[next].end;
        }
    }
}

/// Adds, to the node that is open, what the grammar does not know before a position. What stands in another node, as in a comment,
/// is left to that.
fn push_unknown(
    unknown: &mut Peekable<impl Iterator<Item = Range<usize>>>,
    before: usize,
    loaded: &Loaded,
    parent: Option<u32>,
    nodes: &mut Vec<Node>,
) {
    while let Some(range) = unknown.next_if(|range| range.end <= before) {
        let (start, end) = (range.start as u32, range.end as u32);
        let at = nodes.len() as u32;
        let is_free = |parent: u32| {
            nodes[parent as usize].start <= start && (at == parent + 1 || nodes[at as usize - 1].end <= start)
        };
        if let Some(parent) = parent.filter(|parent| is_free(*parent)) {
            nodes.push(Node { kind: loaded.error, field: 0, role: Role::Item, parent, after: at + 1, start, end });
        }
    }
}

/// Notes that the only one cannot go from a list that needs at least one.
fn needs_its_only_one(nodes: &mut [Node], of: usize) {
    // By field, the first of its list, and whether there are more. A node has few fields.
    let mut lists: Vec<(u16, usize, bool)> = vec![];
    let mut next = of + 1;
    while next < nodes[of].after as usize {
        let node = nodes[next];
        if matches!(node.role, Role::ItemOfMany | Role::Mandatory) {
            match lists.iter_mut().find(|(field, ..)| *field == node.field) {
                Some((.., more)) => *more = true,
                None => lists.push((node.field, next, false)),
            }
        }
        next = node.after as usize;
    }
    for (_, only, _) in lists.into_iter().filter(|(.., more)| !more) {
        nodes[only].role = Role::Mandatory;
    }
}

/// Returns the node at a cursor. It is the last one so far, so what is after it is the next, until more is known.
fn converted(
    loaded: &Loaded,
    cursor: &tree_sitter::TreeCursor,
    parent: Option<(u32, &[Node])>,
    is_wrong: bool,
    length: usize,
) -> Node {
    let node = cursor.node();
    let kind = if node.is_error() {
        loaded.error
    } else {
        loaded.kinds.get(node.kind_id() as usize).copied().unwrap_or(loaded.error)
    };
    let Some((parent, nodes)) = parent else {
        return Node { kind, field: 0, role: Role::Root, parent: 0, after: 1, start: 0, end: length as u32 };
    };
    let field = cursor.field_id().map_or(0, |id| id.get());
    let around = nodes[parent as usize].kind;
    let role = match () {
        () if is_wrong => Role::Error,
        () if node.is_error() => Role::Item,
        () if !loaded.grammar.kinds[kind as usize].named => Role::Token,
        // Comments stand anywhere, and what was read in an error fits nowhere: both can always go.
        () if node.is_extra() || around == loaded.error => Role::Item,
        () => role(loaded, around, field, kind),
    };
    let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
    Node { kind, field, role, parent, after: nodes.len() as u32 + 1, start, end }
}

/// Returns what a named node is to the one it is in, as the node types say it.
fn role(loaded: &Loaded, around: KindId, field: u16, kind: KindId) -> Role {
    let exceptions = loaded.roles.get(&(around, field)).into_iter().flatten();
    let exception = exceptions.into_iter().find(|(kinds, _)| kinds.is_empty() || kinds.contains(&kind));
    let grammar = &loaded.grammar;
    match (exception, grammar.slot(around, field)) {
        (Some((_, role)), _) => *role,
        (None, None) => Role::Mandatory,
        (None, Some(slot)) => match (slot.multiple, slot.required) {
            (true, false) => Role::Item,
            (true, true) => Role::ItemOfMany,
            // Without it a function is a declaration, which needs a sign instead of it.
            (false, false)
                if Some(field) == loaded.body && grammar.kinds[around as usize].class.has(Class::FUNCTION) =>
            {
                Role::Mandatory
            }
            (false, false) => Role::Optional,
            (false, true) => Role::Mandatory,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{LANGUAGES, Reader};

    /// Texts that follow their languages, or are damaged, take a small share of the steps that are allowed.
    #[test]
    fn steps() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/languages");
        for language in LANGUAGES {
            let Reader::TreeSitter { function, .. } = language.reader else { continue };
            let path = format!("{folder}/{}.{}", language.name, language.extensions[0]);
            let text = std::fs::read(path).unwrap_or_default().repeat(50);
            let taken = |text: &[u8]| (1 << 30) - within(function, text, 1 << 30).1;
            let holes: Vec<u8> = text.iter().enumerate().filter(|(at, _)| at % 97 > 3).map(|(_, byte)| *byte).collect();
            let share = |text: &[u8]| taken(text) as f64 / text.len() as f64 / REPORTS_PER_BYTE;
            assert!(share(&text) < 0.3 && share(&holes) < 0.6, "{}", language.name);
        }
    }
}
