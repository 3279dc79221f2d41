//! Parts that begin alike, wherever they stand: a list for each group of them, the largest first. It has no name for `--by`: it
//! finds what can go, and `nodes` proves that nothing more can.
//!
//! Records that refer to each other need it: none can go as long as another one refers to it, and the tree asks about each reference
//! by itself. All references are a group, nearly all of which goes in a few tests.

use crate::pass::{Needs, Pass, Proposals, Stage};
use crate::rewrite::any::alike::{Common, word_of};
use reduct_input::parts::SomeItems;
use reduct_input::siblings::{items, lists};
use reduct_input::{Item, Subject, Tree};
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

/// Groups, by what their parts have in common.
#[derive(Default)]
struct Groups<'a> {
    number: HashMap<(&'static str, Common<'a>), usize>,
    all: Vec<Group>,
}

/// Parts that begin alike.
#[derive(Default)]
struct Group {
    /// All parts of the lists in which some of them stand, and which these are.
    items: Vec<Item>,
    some: Vec<u32>,
    size: usize,
}

impl Group {
    /// Adds what stands at these places of a list.
    fn add(&mut self, list: &[Item], places: &[usize]) {
        let first = self.items.len();
        self.items.extend(list.iter().cloned());
        self.some.extend(places.iter().map(|place| (first + place) as u32));
        self.size += places.iter().map(|place| list[*place].at.len()).sum::<usize>();
    }
}

impl<'a> Groups<'a> {
    /// Adds the parts of a list of siblings.
    fn add(&mut self, subject: &'a Subject, tree: &Tree, list: &[usize]) {
        let parts = items(subject.artifact().bytes(), tree, list);
        let mut of_list: Vec<(usize, Vec<usize>)> = vec![];
        let mut met: HashMap<usize, usize> = HashMap::new();
        for (place, at) in list.iter().enumerate() {
            let number = self.number_of((tree.grammar.language, word_of(subject, tree, *at)));
            let own = *met.entry(number).or_insert(of_list.len());
            if own == of_list.len() {
                of_list.push((number, vec![]));
            }
            of_list[own].1.push(place);
        }
        for (number, places) in of_list {
            self.all[number].add(&parts, &places);
        }
    }

    fn number_of(&mut self, common: (&'static str, Common<'a>)) -> usize {
        let number = *self.number.entry(common).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(Group::default());
        }
        number
    }
}

fn propose(subject: &Subject) -> Proposals {
    let mut groups = Groups::default();
    for tree in subject.trees() {
        for at in 0..tree.len() {
            lists(tree, at, |list| groups.add(subject, tree, list));
        }
    }
    let all = subject.artifact().bytes().len();
    let mut groups = groups.all;
    groups.retain(|group| group.some.len() >= FEWEST && group.size * LEAST >= all);
    groups.sort_by_key(|group| Reverse(group.size));
    groups.truncate(MOST);
    groups.into_iter().map(|group| SomeItems { items: group.items.into(), some: group.some.into() }.into()).collect()
}
