//! Syntax trees, as all languages whose programs get guards look at them.

use crate::language::{Language, Reader};
use crate::language_of;
use std::path::Path;
use tree_sitter::{Node, Parser, Tree};

/// Parses a text in the language of files of this name.
pub(super) fn tree_of(name: &str, text: &[u8]) -> Option<Tree> {
    parsed(language_of(Path::new(name), b"")?, text)
}

/// Parses a text in a language.
pub(super) fn parsed(language: &Language, text: &[u8]) -> Option<Tree> {
    let Reader::TreeSitter { function, .. } = language.reader else { return None };
    let mut parser = Parser::new();
    parser.set_language(&function.into()).ok()?;
    parser.parse(text, None)
}

/// Returns the named nodes below a node.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// Returns whether a node of this kind is in another one, or is that.
pub(super) fn holds(node: Node<'_>, kind: &str) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if node.kind() == kind {
            return true;
        }
        open.extend(children(node));
    }
    false
}
