//! What can be done about one place that uses a name.

use super::parts::is_reference;
use super::{Change, Names, Place};
use crate::subject::Subject;
use crate::tree::{Class, Tree};

/// The fields through which the whole of an expression depends on this part of it: what is called, what a
/// member is taken of, what is assigned to. `0(x)`, `0.a` and `0 = 1` make no sense; the whole can be `0`.
const LEADING: &[&str] = &[
    "function",
    "object",
    "argument",
    "operand",
    "receiver",
    "macro",
    "name",
    "field",
    "property",
    "attribute",
    "value",
    "constructor",
    "scope",
    "path",
];

/// The outermost node that is nothing without the name in it, and has a value or is a type.
fn value_of(tree: &Tree, node: usize) -> usize {
    let mut at = node;
    while let Some(parent) = tree.parent(at) {
        let whole = tree.range(parent) == tree.range(at) && tree.parent(parent).is_some();
        let valued = tree.is(parent, Class::EXPRESSION) || tree.is(parent, Class::CALL);
        let typed = tree.is(parent, Class::TYPE) && (!tree.is(parent, Class::DEFINITION) || is_reference(tree, parent));
        // The left of `a = b`, but not of `a + b`.
        let assigned = tree.field(at) == "left" && tree.kind(parent).contains("assign");
        let led = valued && (LEADING.contains(&tree.field(at)) || assigned);
        let block = tree.is(parent, Class::STATEMENT) || tree.is(parent, Class::BLOCK);
        if block || !(led || typed || whole) {
            break;
        }
        at = parent;
    }
    at
}

/// A text with parentheses, if what it is of does not stand as firmly together as a word.
pub(crate) fn bracketed(tree: &Tree, node: usize, text: &[u8]) -> Vec<u8> {
    let leaf = tree.node(node).after as usize == node + 1;
    let firm = [Class::CALL, Class::NAME, Class::NUMBER, Class::STRING].iter().any(|class| tree.is(node, *class));
    let closed = text.first() == Some(&b'(') && tree.kind(node).starts_with("paren");
    if leaf || firm || closed { text.to_vec() } else { [b"(", text, b")"].concat() }
}

impl Names {
    /// The innermost statement, declaration or member that can go and holds this place.
    pub(crate) fn statement(&self, subject: &Subject, place: &Place) -> Option<usize> {
        let tree = &subject.trees()[place.tree];
        let is_whole = |at: &usize| {
            let among = tree.parent(*at).is_none_or(|parent| tree.is(parent, Class::BLOCK) || parent == 0);
            let class = [Class::STATEMENT, Class::DEFINITION, Class::IMPORT].iter().any(|class| tree.is(*at, *class));
            (among || class) && self.can_go(subject, place.tree, *at)
        };
        let parameter = |at: &usize| tree.parent(*at).is_some_and(|parent| tree.is(parent, Class::PARAMETERS));
        std::iter::successors(Some(place.node), |at| tree.parent(*at)).find(|at| is_whole(at) && !parameter(at))
    }

    /// Does without a use: what is nothing without it becomes the shortest text that may stand there, or goes
    /// if it is a statement of its own. `None` if neither can be.
    pub(crate) fn do_without(&self, subject: &Subject, place: &Place, change: &mut Change) -> Option<()> {
        let tree = &subject.trees()[place.tree];
        if tree.range(place.node) != place.at {
            return None;
        }
        let whole = value_of(tree, place.node);
        let parent = tree.parent(whole)?;
        let own_statement = tree.is(parent, Class::STATEMENT)
            && tree.children(parent).filter(|child| tree.is_named(*child)).count() == 1
            && !tree.kind(parent).starts_with("return");
        if own_statement && self.can_go(subject, place.tree, parent) {
            change.remove(place.tree, parent);
            return Some(());
        }
        let text = [whole, place.node].into_iter().find_map(|node| tree.shortest(node).first());
        match text {
            Some(text) if text.as_bytes() != subject.text(place.at.clone()) => {
                change.put(tree.range(whole), text.as_bytes());
            }
            _ => change.remove(place.tree, self.enclosing(subject, place.tree, place.node)?),
        }
        Some(())
    }
}
