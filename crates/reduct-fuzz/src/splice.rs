//! Examples with parts of their syntax changed: exchanged for others that fit, left out, doubled, nested deeply.

use crate::chance::Randomness;
use crate::{Example, boundary};
use reduct_input::{Class, Node, Role, Tree};
use std::ops::Range;

/// So often a node is looked for with which something can be done.
const TRIES: usize = 30;
const MOST_EDITS: usize = 4;

/// Some addresses, and what stands there instead.
type Edit = (Range<usize>, Vec<u8>);

/// Returns one of the examples that have syntax, changed in a few places that do not touch.
pub(crate) fn splice(chance: &mut Randomness, examples: &[Example], largest: usize) -> Vec<u8> {
    let read: Vec<(&[u8], &Tree)> =
        examples.iter().filter_map(|example| Some((&example.bytes[..], example.tree.as_ref()?))).collect();
    let (text, tree) = *chance.of(&read);
    let mut edits: Vec<Edit> = vec![];
    for _ in 0..=chance.below(MOST_EDITS) {
        let other = *chance.of(&read);
        let room = largest.saturating_sub(text.len());
        let edit = (0..TRIES).find_map(|_| edit(chance, (text, tree), other, room));
        let Some((place, with)) = edit else { continue };
        if edits.iter().all(|(taken, _)| place.end <= taken.start || taken.end <= place.start) {
            edits.push((place, with));
        }
    }
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = text.to_vec();
    for (place, with) in edits {
        text.splice(place, with);
    }
    text
}

fn edit(chance: &mut Randomness, (text, tree): (&[u8], &Tree), other: (&[u8], &Tree), room: usize) -> Option<Edit> {
    // The root stands for all.
    let at = 1 + chance.below(tree.len().saturating_sub(1));
    if at >= tree.len() {
        return None;
    }
    let place = place(tree.node(at));
    match chance.below(8) {
        0..=2 => exchange(chance, tree, at, other).map(|with| (place, with)),
        3 => can_go(tree.node(at)).then_some((place, vec![])),
        4 => {
            let copies = chance.size((room / place.len().max(1)).min(2_000));
            double(text, tree, at, copies)
        }
        5 => deepen(chance, text, tree, at, room),
        6 => tree.is(at, Class::NUMBER).then(|| (place, boundary::number(chance, room.min(2_000)))),
        _ => lengthen(chance, text, tree, at, room),
    }
}

fn place(node: &Node) -> Range<usize> {
    node.start as usize..node.end as usize
}

fn can_go(node: &Node) -> bool {
    matches!(node.role, Role::Optional | Role::Item)
}

/// Returns the text of a node of another tree that fits here.
fn exchange(chance: &mut Randomness, tree: &Tree, at: usize, (text, other): (&[u8], &Tree)) -> Option<Vec<u8>> {
    // Kinds are numbers of one grammar.
    if !tree.is_named(at) || tree.grammar.language != other.grammar.language {
        return None;
    }
    let with = 1 + chance.below(other.len().saturating_sub(1));
    let fits = with < other.len() && other.is_named(with) && tree.fits(at, other.node(with).kind);
    fits.then(|| text[place(other.node(with))].to_vec())
}

/// Returns an item of a list again and again, with what stands between it and the next one.
fn double(text: &[u8], tree: &Tree, at: usize, copies: usize) -> Option<Edit> {
    let node = tree.node(at);
    if !matches!(node.role, Role::Item | Role::ItemOfMany) || !tree.is_named(at) {
        return None;
    }
    let own = place(node);
    let next = tree.children(tree.parent(at)?).find(|child| *child > at && tree.is_named(*child));
    let between = match next {
        Some(next) => &text[own.end..tree.node(next).start as usize],
        None => b"\n",
    };
    let one = [&text[own.clone()], between].concat();
    let more = [&one.repeat(copies)[..], &text[own.clone()]].concat();
    Some((own, more))
}

/// Returns a node in itself in itself: what is around a part that could stand for the whole, again and again.
fn deepen(chance: &mut Randomness, text: &[u8], tree: &Tree, at: usize, room: usize) -> Option<Edit> {
    let inside = tree.descendants(at);
    if inside.is_empty() || !tree.is_named(at) {
        return None;
    }
    let within = inside.start + chance.below(inside.len());
    let (outer, inner) = (tree.node(at), tree.node(within));
    // Either may stand where the other one does, so that it can go on.
    if !tree.is_named(within) || !tree.fits(within, outer.kind) || place(outer) == place(inner) {
        return None;
    }
    let (outer, inner) = (place(outer), place(inner));
    let (before, after) = (&text[outer.start..inner.start], &text[inner.end..outer.end]);
    let most = room / (before.len() + after.len()).max(1);
    let levels = chance.size(most.min(50_000));
    Some((outer, [&before.repeat(levels), &text[inner], &after.repeat(levels)].concat()))
}

/// Returns a name, number or string that is longer than anybody's buffer.
fn lengthen(chance: &mut Randomness, text: &[u8], tree: &Tree, at: usize, room: usize) -> Option<Edit> {
    let is_leaf = tree.is_named(at) && tree.descendants(at).is_empty();
    let own = place(tree.node(at));
    if !is_leaf || own.is_empty() {
        return None;
    }
    let middle = own.start + own.len() / 2;
    let length = chance.size(room.min(70_000));
    Some((middle..middle, vec![text[middle]; length]))
}
