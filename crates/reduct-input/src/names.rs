//! The names in a text: where each stands, which places define it, and what can go with it.
//!
//! Names are told apart by their text alone, so two variables of one name are one here. That is as much
//! as any language's grammar says, and the test judges the rest.

mod calls;
mod draft;
mod entities;
mod entity;
mod parts;
mod removal;
mod uses;

pub use calls::{arguments_of, listed, parameters_of};
pub use draft::EditDraft;
pub use entity::{Entity, Sort};
pub use uses::bracketed;

use crate::items::Item;
use crate::parsed::Parsed;
use crate::tree::{Class, Role, Tree};
use removal::Removal;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What a name does in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It refers to what is defined elsewhere.
    Uses,
    /// It is the name of what this node defines or declares.
    Defines(usize),
    /// This node, an import, makes it known.
    Imports(usize),
}

/// One place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePlace {
    /// Which name, by index.
    pub name: usize,
    /// In which of the trees of the subject.
    pub tree: usize,
    /// The node that is the name, or has it in it as the grammar does not look into it.
    pub node: usize,
    /// Where it stands.
    pub at: Range<u32>,
    /// What it does there.
    pub part: Part,
    /// For what is defined here, the node that goes with it: the innermost that can, whose only purpose it is.
    pub item: Option<usize>,
}

/// One name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Its places, by index, in the order of their addresses.
    pub places: Vec<usize>,
    /// How many of them define it.
    pub definitions: usize,
    /// How many of them import it.
    pub imports: usize,
}

/// All names, in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: Vec<Name>,
    places: Vec<NamePlace>,
    removals: Vec<Removal>,
    /// By tree and node, the innermost statement that can go.
    statements: Vec<Vec<Option<u32>>>,
    /// By tree and node, the outermost node that is nothing without it.
    wholes: Vec<Vec<Option<u32>>>,
    entities: Vec<Entity>,
    /// By place, the entity it defines or refers to.
    of_place: Vec<Option<usize>>,
}

impl Names {
    /// Returns the names in the trees of a subject.
    pub fn new(subject: &dyn Parsed) -> Names {
        let trees = subject.trees();
        let removals: Vec<_> = trees.iter().map(|tree| Removal::new(subject.bytes(), tree)).collect();
        let mut places = vec![];
        for (number, (tree, removal)) in trees.iter().zip(&removals).enumerate() {
            for (node, part) in parts::parts(tree) {
                let item = match part {
                    Part::Uses => None,
                    Part::Defines(definition) | Part::Imports(definition) => removal.item_of(tree, node, definition),
                };
                places.push(NamePlace { name: 0, tree: number, node, at: tree.range(node), part, item });
            }
        }
        places.extend(hidden(subject, &places));
        places.sort_by_key(|place| place.at.start);
        let mut known: HashMap<&[u8], usize> = HashMap::new();
        let mut names: Vec<Name> = vec![];
        for (index, place) in places.iter_mut().enumerate() {
            let next = names.len();
            place.name = *known.entry(subject.text(place.at.clone())).or_insert(next);
            if place.name == next {
                names.push(Name::default());
            }
            let name = &mut names[place.name];
            name.places.push(index);
            name.definitions += usize::from(matches!(place.part, Part::Defines(_)));
            name.imports += usize::from(matches!(place.part, Part::Imports(_)));
        }
        let statements = trees.iter().zip(&removals).map(|(tree, removal)| uses::statements(tree, removal)).collect();
        let wholes = trees.iter().map(uses::wholes).collect();
        let mut names = Names { names, places, removals, statements, wholes, ..Names::default() };
        (names.entities, names.of_place) = entities::entities(trees, &names);
        names
    }

    /// Returns the names, in the order in which they first appear.
    pub fn all(&self) -> &[Name] {
        &self.names
    }

    /// Returns all places of all names, in the order of their addresses.
    pub fn places(&self) -> &[NamePlace] {
        &self.places
    }

    /// Returns the places of a name.
    pub fn places_of(&self, name: usize) -> impl Iterator<Item = &NamePlace> + Clone {
        self.names[name].places.iter().map(|at| &self.places[*at])
    }

    /// Returns what is defined, in the order of the first definitions.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// Returns what a place, given by index, defines or refers to.
    pub fn entity_of(&self, place: usize) -> Option<usize> {
        self.of_place[place]
    }

    /// Returns the text of a name.
    pub fn text<'a>(&self, subject: &'a dyn Parsed, name: usize) -> &'a [u8] {
        subject.text(self.places[self.names[name].places[0]].at.clone())
    }

    /// Returns the places between these addresses, by index.
    pub fn within(&self, at: Range<u32>) -> Range<usize> {
        let first = self.places.partition_point(|place| place.at.start < at.start);
        first..first + self.places[first..].partition_point(|place| place.at.start < at.end)
    }

    /// Returns whether a node can go alone.
    pub fn can_go(&self, subject: &dyn Parsed, tree: usize, node: usize) -> bool {
        self.removals[tree].can_go(&subject.trees()[tree], node)
    }

    /// Returns all that can go of a tree, list by list.
    pub fn items(&self, tree: usize) -> &[Item] {
        self.removals[tree].items()
    }

    /// Returns which of the items of a tree go with these nodes, by their numbers in ascending order: what can only go with something around it
    /// takes that along. `None` if one of the nodes cannot go.
    pub fn items_of(&self, subject: &dyn Parsed, tree: usize, nodes: &[usize]) -> Option<Vec<usize>> {
        self.removals[tree].parts_of(&subject.trees()[tree], nodes)
    }

    /// Returns the number of the item of a tree that is this node, if it can go with others.
    pub fn item_at(&self, tree: usize, node: usize) -> Option<usize> {
        self.removals[tree].item_at(node)
    }

    /// Returns the lists of a tree that need one item, as ranges of their numbers, each with the number of the innermost item around it, if there is one.
    pub fn lists_that_need_one(&self, subject: &dyn Parsed, tree: usize) -> Vec<(Range<usize>, Option<usize>)> {
        self.removals[tree].lists_that_need_one(&subject.trees()[tree])
    }

    /// Returns the lists of statements of a tree of which one must stay, as ranges of their numbers.
    pub fn blocks_that_need_one(&self, subject: &dyn Parsed, tree: usize) -> Vec<Range<usize>> {
        self.removals[tree].blocks_that_need_one(&subject.trees()[tree])
    }

    /// Returns the innermost node that can go and holds this one, or is it.
    pub fn enclosing(&self, tree: usize, node: usize) -> Option<usize> {
        self.removals[tree].enclosing(node)
    }
}

/// Returns all that can go, tree by tree, and by tree the number of its first item.
pub fn items_of_trees(subject: &dyn Parsed, names: &Names) -> (Vec<Item>, Vec<usize>) {
    let (mut items, mut firsts) = (vec![], vec![]);
    for tree in 0..subject.trees().len() {
        firsts.push(items.len());
        items.extend_from_slice(names.items(tree));
    }
    (items, firsts)
}

/// Names inside of what a grammar takes for one word, as the text of a macro, and in what it cannot read. Only what is a name elsewhere.
fn hidden(subject: &dyn Parsed, places: &[NamePlace]) -> Vec<NamePlace> {
    let mut found = vec![];
    let mut known: Option<HashSet<&[u8]>> = None;
    for (number, tree) in subject.trees().iter().enumerate() {
        for (node, region) in (1..tree.len()).flat_map(|node| not_looked_into(tree, node)) {
            let known =
                known.get_or_insert_with(|| places.iter().map(|place| subject.text(place.at.clone())).collect());
            for at in words(subject.text(region.clone())) {
                let at = region.start + at.start..region.start + at.end;
                if known.contains(subject.text(at.clone())) {
                    found.push(NamePlace { name: 0, tree: number, node, at, part: Part::Uses, item: None });
                }
            }
        }
    }
    found
}

/// Returns, with the node itself, where the text of a node stands that the grammar does not look into.
fn not_looked_into(tree: &Tree, node: usize) -> Vec<(usize, Range<u32>)> {
    if is_opaque(tree, node) {
        return vec![(node, tree.range(node))];
    }
    if !tree.is_unread(node) {
        return vec![];
    }
    // What was read in it has nodes of its own.
    let (mut from, mut found) = (tree.node(node).start, vec![]);
    for child in tree.children(node) {
        found.push((node, from..tree.node(child).start));
        from = tree.node(child).end;
    }
    found.push((node, from..tree.node(node).end));
    found.retain(|(_, at)| !at.is_empty());
    found
}

/// Returns whether a node is the text of a definition that the grammar does not look into.
fn is_opaque(tree: &Tree, node: usize) -> bool {
    let Some(parent) = tree.parent(node) else { return false };
    let leaf = tree.node(node).after as usize == node + 1 && tree.is_named(node);
    let plain = [Class::NAME, Class::NUMBER, Class::STRING, Class::COMMENT].iter().all(|class| !tree.is(node, *class));
    leaf && plain && tree.is(parent, Class::DEFINITION) && tree.node(node).role != Role::Token
}

/// Returns where the words of a text are.
pub fn words(text: &[u8]) -> impl Iterator<Item = Range<u32>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(|byte| is_word(*byte))?;
        at = start + text[start..].iter().take_while(|byte| is_word(**byte)).count();
        Some(start as u32..at as u32)
    })
}

/// Returns whether a byte can stand in a name.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
