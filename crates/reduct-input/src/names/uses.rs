//! What can be done about one place that uses a name.

use super::parts::is_reference;
use super::removal::Removal;
use super::{EditDraft, NamePlace, Names};
use crate::parsed::Parsed;
use crate::tree::{Class, Tree};

/// The fields through which the whole of an expression depends on this part of it: what is called, what a
/// member is taken of, what is assigned to. `0(x)`, `0.a` and `0 = 1` make no sense; the whole can be `0`.
const LEADING: &[&str] = &[
    "function",
    "head",
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

/// Returns, by node, the outermost node that is nothing without it, and has a value or is a type.
pub(super) fn wholes(tree: &Tree) -> Vec<Option<u32>> {
    tree.innermost(|at| tree.parent(at).is_none_or(|parent| !depends(tree, at, parent)))
}

/// Returns whether a node is nothing without this part of it.
fn depends(tree: &Tree, at: usize, parent: usize) -> bool {
    let whole = tree.range(parent) == tree.range(at) && tree.parent(parent).is_some();
    let valued = tree.is(parent, Class::EXPRESSION) || tree.is(parent, Class::CALL);
    let typed = || tree.is(parent, Class::TYPE) && (!tree.is(parent, Class::DEFINITION) || is_reference(tree, parent));
    // The left of `a = b`, but not of `a + b`.
    let assigned = || tree.field(at) == "left" && tree.kind(parent).contains("assign");
    let led = || valued && (LEADING.contains(&tree.field(at)) || assigned());
    let block = tree.is(parent, Class::STATEMENT) || tree.is(parent, Class::BLOCK);
    !block && (whole || led() || typed())
}

/// Returns, by node, the innermost statement, declaration or member that can go and holds it, or is it.
pub(super) fn statements(tree: &Tree, removal: &Removal) -> Vec<Option<u32>> {
    tree.innermost(|at| {
        let parent = tree.parent(at);
        let among = parent.is_none_or(|parent| tree.is(parent, Class::BLOCK) || parent == 0);
        let class = [Class::STATEMENT, Class::DEFINITION, Class::IMPORT].iter().any(|class| tree.is(at, *class));
        let parameter = parent.is_some_and(|parent| tree.is(parent, Class::PARAMETERS));
        (among || class) && !parameter && removal.can_go(tree, at)
    })
}

/// Returns a text with parentheses, if what it is of does not stand as firmly together as a word.
pub fn bracketed(tree: &Tree, node: usize, text: &[u8]) -> Vec<u8> {
    let leaf = tree.node(node).after as usize == node + 1;
    let firm = [Class::CALL, Class::NAME, Class::NUMBER, Class::STRING].iter().any(|class| tree.is(node, *class));
    let closed = text.first() == Some(&b'(') && tree.kind(node).starts_with("paren");
    if leaf || firm || closed { text.to_vec() } else { [b"(", text, b")"].concat() }
}

impl Names {
    /// Returns the innermost statement, declaration or member that can go and holds this place.
    pub fn statement(&self, place: &NamePlace) -> Option<usize> {
        self.statements[place.tree][place.node].map(|at| at as usize)
    }

    /// Does without a use: what is nothing without it becomes the shortest text that may stand there, or goes
    /// if it is a statement of its own. `None` if neither can be.
    pub fn do_without(&self, subject: &dyn Parsed, place: &NamePlace, change: &mut EditDraft) -> Option<()> {
        let tree = &subject.trees()[place.tree];
        if tree.range(place.node) != place.at {
            return None;
        }
        let whole = self.wholes[place.tree][place.node].map_or(place.node, |at| at as usize);
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
            _ => change.remove(place.tree, self.enclosing(place.tree, place.node)?),
        }
        Some(())
    }
}
