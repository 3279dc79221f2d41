//! Removes a definition with all that depends on it.
//!
//! ## What it tries
//! For each thing that is defined: its definitions and declarations go, with each statement or member that uses it. If all definitions of
//! another thing are gone with that, its uses go, too, and so on. The first are those that are expected to gain most: the more
//! parts go, and the larger they are, the more likely one is needed. What is run from outside, as `main`, stays. `definitions` does so with what uses a thing itself, and in shorter texts, too.
//!
//! ## When it helps
//! In programs that must still work, most of which is not needed, though it is used by other things that are not needed.
//!
//! ## Before
//! ```c
//! struct S { int a; };
//! int f(struct S *s);
//! int g() { return 1; }
//! int main() { g(); f(0); return 0; }
//! ```
//! ## After
//! ```c
//! int g() { return 1; }
//! int main() { g(); return 0; }
//! ```

use super::orphans::{Node, is_entry, is_specialization};
use crate::pass::{Pass, Proposals};
use reduct_input::names::items_of_trees;
use reduct_input::parts::ItemSets;
use reduct_input::{Item, NamePlace, Names, Part, Sort, Subject};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

pub(crate) const PASS: Pass =
    Pass::rewriting("dependents", "removes a definition with all that depends on it", 0.25, propose)
        .of_at_least(WORTH_IT)
        .on_call();

/// Of shorter texts all definitions are soon asked about one by one.
const WORTH_IT: usize = 16 << 10;

/// What share of the parts is taken to be needed.
const NEEDED: f64 = 1.0 / 32.0;

/// What is much more than this fraction of the text is taken to be needed, too.
const MUCH: f64 = 1.0 / 48.0;

/// With more parts, one of them is needed nearly always.
const MOST: usize = 128;

/// What is used more often is not looked at, in however few statements that is.
const USES: usize = MOST * 32;

/// What is more than this fraction of the text is needed nearly always, too.
const LARGEST: usize = 6;

/// What is less than the text divided by this is left to the tree.
const LEAST: usize = 1 << 12;

/// So many are asked about at most before it is seen anew what depends on what.
const SETS: usize = 1 << 12;

/// So many names and nodes are looked at to find what depends on what. What is not found then is left to others.
pub(super) const STEPS: usize = 1 << 25;

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let dependents = Dependents::new(subject, names);
    let mut steps = STEPS;
    let whole = subject.artifact().bytes().len();
    let is_used = |entity: &usize| {
        let entity = &names.entities()[*entity];
        entity.sort != Sort::Parameter && !entity.uses.is_empty()
    };
    let of = (0..names.entities().len()).filter(is_used).filter_map(|entity| dependents.of(entity, &mut steps));
    let mut known: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut sets: Vec<(f64, Vec<usize>)> = vec![];
    for set in of.filter_map(|nodes| dependents.items_of(&nodes)) {
        let gain: usize = set.iter().map(|item| dependents.items[*item].at.len()).sum();
        if gain > whole / LEAST && known.insert(set.clone()) {
            sets.push((expected(gain, set.len(), whole), set));
        }
    }
    // What a search asks about first is at the end.
    sets.sort_by(|(one, of_one), (other, of_other)| one.total_cmp(other).then_with(|| of_other.cmp(of_one)));
    let least = sets.len().saturating_sub(SETS);
    let sets: Vec<Vec<usize>> = sets.split_off(least).into_iter().map(|(_, set)| set).collect();
    if sets.is_empty() { vec![] } else { vec![of_used_lists(&dependents.items, &sets).into()] }
}

/// Returns how many bytes are expected to go with so many parts that have `gain` bytes.
pub(super) fn expected(gain: usize, parts: usize, whole: usize) -> f64 {
    let share = gain as f64 / (whole as f64 * MUCH);
    let square = (1.0 + share) * (1.0 + share);
    (0..parts).fold(gain as f64 / (square * square), |gain, _| gain * (1.0 - NEEDED))
}

/// What depends on what.
pub(super) struct Dependents<'a> {
    subject: &'a Subject,
    names: &'a Names,
    /// All that can go, tree by tree.
    pub(super) items: Vec<Item>,
    /// By tree, the number of its first item.
    firsts: Vec<usize>,
}

impl<'a> Dependents<'a> {
    pub(super) fn new(subject: &'a Subject, names: &'a Names) -> Dependents<'a> {
        let (items, firsts) = items_of_trees(subject, names);
        Dependents { subject, names, items, firsts }
    }

    /// Returns what goes with something that is defined. `None` if that is too much, cannot go, or takes more steps than are left.
    pub(super) fn of(&self, entity: usize, steps: &mut usize) -> Option<BTreeSet<Node>> {
        let mut gone: BTreeSet<Node> = BTreeSet::new();
        let mut room = self.subject.artifact().bytes().len().max(WORTH_IT) / LARGEST;
        // Of what else is defined in what goes, how many definitions are left.
        let mut left: HashMap<usize, usize> = HashMap::new();
        let mut counted: HashSet<usize> = HashSet::new();
        let mut todo = self.defined(entity)?;
        let mut seen = HashSet::from([entity]);
        todo.extend(self.uses(entity)?);
        while let Some((tree, node)) = todo.pop() {
            if self.is_in(&gone, (tree, node), steps)? {
                continue;
            }
            gone.insert((tree, node));
            room = room.checked_sub(self.subject.trees()[tree].range(node).len())?;
            if gone.len() > MOST {
                return None;
            }
            let within = self.names.within(self.subject.trees()[tree].range(node));
            *steps = steps.checked_sub(within.len())?;
            for at in within {
                let place = &self.names.places()[at];
                let other = self.names.entity_of(at).filter(|_| matches!(place.part, Part::Defines(_)));
                let Some(other) = other.filter(|_| counted.insert(at)) else { continue };
                if is_entry(self.names.text(self.subject, place.name)) {
                    return None;
                }
                if !self.is_general(place) {
                    continue;
                }
                let left = left.entry(other).or_insert_with(|| self.general(other));
                *left -= 1;
                if *left == 0 && seen.insert(other) {
                    todo.extend(self.defined(other)?);
                    todo.extend(self.uses(other)?);
                }
            }
        }
        Some(gone)
    }

    /// Returns whether what is defined here is no specialization of a template.
    fn is_general(&self, place: &NamePlace) -> bool {
        !is_specialization(&self.subject.trees()[place.tree], place.node)
    }

    /// Returns in how many places something is defined, but for specializations.
    fn general(&self, entity: usize) -> usize {
        let defines = self.defines(entity).filter(|place| matches!(place.part, Part::Defines(_)));
        defines.filter(|place| self.is_general(place)).count()
    }

    /// Returns where something is defined or imported.
    fn defines(&self, entity: usize) -> impl Iterator<Item = &NamePlace> {
        self.names.entities()[entity].defines.iter().map(|at| &self.names.places()[*at])
    }

    /// Returns what defines, declares or imports something. `None` if one of these cannot go.
    fn defined(&self, entity: usize) -> Option<Vec<Node>> {
        self.defines(entity).map(|place| Some((place.tree, place.item?))).collect()
    }

    /// Returns the statements and members that use something. `None` if one of them cannot go, or there are too many.
    fn uses(&self, entity: usize) -> Option<Vec<Node>> {
        let uses = &self.names.entities()[entity].uses;
        if uses.len() > USES {
            return None;
        }
        let places = uses.iter().map(|at| &self.names.places()[*at]);
        places.map(|place| Some((place.tree, self.names.statement(place)?))).collect()
    }

    /// Returns whether a node is in one that goes, or is it. `None` if that takes more steps than are left.
    fn is_in(&self, gone: &BTreeSet<Node>, (tree, node): Node, steps: &mut usize) -> Option<bool> {
        let parent = |at: &usize| self.subject.trees()[tree].parent(*at);
        for at in std::iter::successors(Some(node), parent) {
            *steps = steps.checked_sub(1)?;
            if gone.contains(&(tree, at)) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns the items that go with nodes, by their numbers. What is in another one goes with that.
    pub(super) fn items_of(&self, nodes: &BTreeSet<Node>) -> Option<Vec<usize>> {
        let mut items = vec![];
        let mut nodes: Vec<Node> = nodes.iter().copied().collect();
        nodes.dedup_by(|(tree, node), (other, around)| {
            tree == other && *node < self.subject.trees()[*tree].node(*around).after as usize
        });
        for of_tree in nodes.chunk_by(|(one, _), (other, _)| one == other) {
            let tree = of_tree[0].0;
            let nodes: Vec<usize> = of_tree.iter().map(|(_, node)| *node).collect();
            let found = self.names.items_of(self.subject, tree, &nodes)?;
            items.extend(found.into_iter().map(|item| self.firsts[tree] + item));
        }
        Some(items)
    }
}

/// Returns sets of items with the lists that these are in, and no others.
pub(super) fn of_used_lists(items: &[Item], sets: &[Vec<usize>]) -> ItemSets {
    let used: HashSet<usize> = sets.iter().flatten().copied().collect();
    let mut numbers = vec![0; items.len()];
    let mut kept: Vec<Item> = vec![];
    let mut start = 0;
    for list in items.chunk_by(|_, next| !next.first) {
        if (start..start + list.len()).any(|item| used.contains(&item)) {
            (start..).zip(list).for_each(|(item, _)| numbers[item] = (kept.len() + item - start) as u32);
            kept.extend_from_slice(list);
        }
        start += list.len();
    }
    let numbered = |set: &Vec<usize>| set.iter().map(|item| numbers[*item]).collect::<Arc<[u32]>>();
    ItemSets { items: kept.into(), sets: sets.iter().map(numbered).collect(), mends: [].into(), emptied: [].into() }
}
