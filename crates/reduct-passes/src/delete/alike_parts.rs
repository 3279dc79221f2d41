//! Parts that begin alike, wherever they stand: a list for each group of them, the largest first. It has no name for `--by`: it
//! finds what can go, and `nodes` proves that nothing more can.
//!
//! Records that refer to each other need it: none can go as long as another one refers to it, and the tree asks about each reference
//! by itself. All references are a group, nearly all of which goes in a few tests.

use crate::pass::{Needs, Pass, Proposals, Stage};
use crate::rewrite::any::alike::{Common, word_of};
use reduct_input::parts::SomeItems;
use reduct_input::siblings::{items, lists};
use reduct_input::{Item, Subject, Tree, united};
use std::cmp::Reverse;
use std::collections::HashMap;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::GroupParts,
    must_parse: true,
    needs: Needs::Grammar,
    ..Pass::deleting("alike-parts", "parts", "some of the parts that begin alike, wherever they stand", propose)
};

/// Fewer parts are soon asked about one by one.
const FEWEST: usize = 32;

/// What holds a smaller fraction of the text is left to other passes.
const LEAST: usize = 8;

/// So many groups are tried, the largest.
const MOST: usize = 3;

/// Lists of siblings, and groups of what stands in them, by what their parts have in common.
#[derive(Default)]
struct Groups<'a> {
    lists: Vec<Vec<Item>>,
    number: HashMap<Key<'a>, usize>,
    all: Vec<Group<'a>>,
}

/// What tells one group from all others: the language, and what its parts have in common.
type Key<'a> = (&'static str, Common<'a>);

/// Parts that begin alike: by the number of their list, and their place in it, in ascending order.
struct Group<'a> {
    key: Key<'a>,
    parts: Vec<(u32, u32)>,
}

impl<'a> Groups<'a> {
    /// Adds the parts of a list of siblings.
    fn add(&mut self, subject: &'a Subject, tree: &Tree, list: &[usize]) {
        let number = self.lists.len() as u32;
        self.lists.push(items(subject.artifact().bytes(), tree, list));
        for (place, at) in list.iter().enumerate() {
            let key = (tree.grammar.language, word_of(subject, tree, *at));
            let own = *self.number.entry(key).or_insert(self.all.len());
            if own == self.all.len() {
                self.all.push(Group { key, parts: vec![] });
            }
            self.all[own].parts.push((number, place as u32));
        }
    }

    /// Returns how many bytes a group holds: what is in several of its parts counts once.
    fn size(&self, group: &Group) -> usize {
        let addresses = group.parts.iter().map(|(list, place)| self.lists[*list as usize][*place as usize].at.clone());
        united(addresses.collect()).iter().map(ExactSizeIterator::len).sum()
    }

    /// Returns the parts of a group, with those that stand in the same lists.
    fn spans(&self, group: &Group) -> SomeItems {
        let (mut items, mut some): (Vec<Item>, Vec<u32>) = (vec![], vec![]);
        for parts in group.parts.chunk_by(|(list, _), (next, _)| list == next) {
            let first = items.len() as u32;
            items.extend(self.lists[parts[0].0 as usize].iter().cloned());
            some.extend(parts.iter().map(|(_, place)| first + place));
        }
        let (language, common) = group.key;
        SomeItems { items: items.into(), some: some.into(), name: format!("{language} {common:?}").into() }
    }
}

/// Takes memory in proportion to the number of nodes, and `MOST` times that at most.
fn propose(subject: &Subject) -> Proposals {
    let mut groups = Groups::default();
    for tree in subject.trees() {
        for at in 0..tree.len() {
            lists(tree, at, |list| groups.add(subject, tree, list));
        }
    }
    let least = subject.artifact().bytes().len().div_ceil(LEAST);
    let many = groups.all.iter().filter(|group| group.parts.len() >= FEWEST);
    let mut large: Vec<(usize, &Group)> =
        many.map(|group| (groups.size(group), group)).filter(|(size, _)| *size >= least).collect();
    large.sort_by_key(|(size, _)| Reverse(*size));
    large.into_iter().take(MOST).map(|(_, group)| groups.spans(group).into()).collect()
}
