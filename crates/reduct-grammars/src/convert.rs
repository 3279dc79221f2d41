//! From a tree-sitter tree to a [`Tree`], without recursion.

use crate::grammar::{Loaded, loaded};
use crate::language::Language;
use reduct_circumstances::{Grammar, KindId, Node, Role, Tree};
use std::ops::ControlFlow;
use tree_sitter_language::LanguageFn;

/// tree-sitter reports its progress every hundred steps. A text that follows its language takes about one
/// step for each of its words and signs; one that it can read in many ways takes more, and one that takes
/// this many for each byte is not worth waiting for. Steps are counted, and no clock is asked, so that the
/// same text is always read the same.
const REPORTS_PER_BYTE: f64 = 0.25;

/// However short a text is.
const LEAST_REPORTS: usize = 10_000;

fn parsed(function: LanguageFn, text: &[u8]) -> Option<tree_sitter::Tree> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&function.into()).ok()?;
    let mut left = LEAST_REPORTS + (text.len() as f64 * REPORTS_PER_BYTE) as usize;
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = tree_sitter::ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(&mut |at, _| text.get(at..).unwrap_or_default(), None, Some(options))
}

/// In how many places a text does not follow its language; as many as can be if it hardly follows it
/// anywhere.
pub(crate) fn errors(function: LanguageFn, text: &[u8]) -> usize {
    let Some(tree) = parsed(function, text) else { return usize::MAX };
    let mut cursor = tree.walk();
    let (mut count, mut stray) = (0, 0);
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            count += 1;
            stray += astray(&node);
        }
        let goes_in = node.has_error() && cursor.goto_first_child();
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

/// How many bytes of an error are in nothing that was read.
fn astray(error: &tree_sitter::Node) -> usize {
    let mut cursor = error.walk();
    let read: usize = error
        .children(&mut cursor)
        .filter(|child| child.named_child_count() > 0)
        .map(|child| child.byte_range().len())
        .sum();
    error.byte_range().len() - read
}

/// The tree of a text; `None` if more than half of it does not follow its language.
pub(crate) fn tree(language: &'static Language, function: LanguageFn, text: &[u8]) -> Option<Tree> {
    let tree = parsed(function, text)?;
    let loaded = loaded(language);
    let mut nodes = vec![];
    // The nodes that are not over, innermost last.
    let mut open: Vec<u32> = vec![];
    let mut stray = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            stray += astray(&node);
        }
        let parent = open.last().copied();
        let at = nodes.len() as u32;
        let is_kept = parent.is_none() || !node.byte_range().is_empty() || node.is_missing();
        if is_kept {
            nodes.push(converted(language, loaded, &cursor, parent.map(|parent| (parent, &nodes[..])), text.len()));
        }
        if is_kept && cursor.goto_first_child() {
            open.push(at);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (stray * 2 <= text.len()).then(|| Tree { grammar: loaded.grammar.clone(), nodes });
            }
            let after = nodes.len() as u32;
            if let Some(over) = open.pop() {
                nodes[over as usize].after = after;
            }
        }
    }
}

/// The node at a cursor. It is the last one so far, so what is after it is the next, until more is known.
fn converted(
    language: &Language,
    loaded: &Loaded,
    cursor: &tree_sitter::TreeCursor,
    parent: Option<(u32, &[Node])>,
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
        () if node.is_error() || node.is_missing() => Role::Error,
        () if !loaded.grammar.kinds[kind as usize].named => Role::Token,
        // Comments stand anywhere, and what was read in an error fits nowhere: both can always go.
        () if node.is_extra() || around == loaded.error => Role::Item,
        () => role(language, &loaded.grammar, around, field, kind),
    };
    let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
    Node { kind, field, role, parent, after: nodes.len() as u32 + 1, start, end }
}

/// What a named node is to the one it is in, as the node types say it.
fn role(language: &Language, grammar: &Grammar, around: KindId, field: u16, kind: KindId) -> Role {
    let name = |kind: KindId| grammar.kinds[kind as usize].name.as_str();
    let field_name = if field == 0 { "" } else { grammar.fields.get(field as usize - 1).map_or("", String::as_str) };
    let exception = language.roles.iter().find(|(parent, in_field, child, _)| {
        *parent == name(around) && *in_field == field_name && (child.is_empty() || *child == name(kind))
    });
    match (exception, grammar.slot(around, field)) {
        (Some((.., role)), _) => *role,
        (None, None) => Role::Mandatory,
        (None, Some(slot)) => match (slot.multiple, slot.required) {
            (true, false) => Role::Item,
            (true, true) => Role::ItemOfMany,
            (false, false) => Role::Optional,
            (false, true) => Role::Mandatory,
        },
    }
}
