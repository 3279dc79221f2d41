//! Removes all parts that begin alike, wherever they stand.
//!
//! ## What it tries
//! For the parts that can go, all of one kind that begin with the same word: the members of one key, the attributes of
//! one name, the calls of one function. Then columns: what stands at the same place of lists that are as long as each
//! other, as the values in the rows of a table. Groups of a few parts, and groups that hold less than a hundredth of
//! the text, are left to other passes.
//!
//! ## When it helps
//! Where a large input says the same of many things: a test for each key, and not for each record. It is tried if
//! more than five eighths of 16 KiB or more still stand after the search of the tree has asked for a while, or 2 KiB of data, which
//! have no functions; `--by` does not take it.
//!
//! ## Before
//! ```json
//! [{"id": 1, "at": [7, 8]}, {"id": 2, "at": [7, 9]}, {"id": 3, "at": [8, 8]}, {"id": 4, "at": [9, 8]}]
//! ```
//! ## After
//! ```json
//! [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]
//! ```

use crate::pass::{Pass, Proposals, Stage};
use crate::rewrite::{largest_first, propose_in_order, removal};
use reduct_input::siblings::{items, lists};
use reduct_input::{Class, Role, Subject, Tree, removed, united};
use std::collections::HashMap;
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass { stage: Stage::Group, ..Pass::rewriting("alike", "removes all parts that begin alike", 0.5, propose) };

/// What fewer parts have in common is left to passes that take them one by one.
const FEWEST: usize = 4;

/// What holds a smaller share of the text is left to them too.
const LEAST: usize = 100;

/// So many groups are tried, the largest.
const MOST: usize = 64;

/// Longer lists have no columns.
const COLUMNS: usize = 64;

/// How many words and signs at the beginning of a part are looked at.
const LEAVES: usize = 3;

/// How many nodes at the beginning of a part are looked at: the first word may be deep in it.
const NODES: usize = 64;

/// What parts have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Common<'a> {
    /// As what they stand where, what they are, and the word that they begin with; values have none.
    Word { parent: u16, field: u16, kind: u16, word: &'a [u8] },
    /// In what lists they stand if only lists of one kind are meant, how long these are, and at which place.
    Column { parent: Option<u16>, len: usize, place: usize },
}

/// Groups in the order in which they were met, each with the addresses of its parts.
#[derive(Default)]
struct Groups<'a> {
    number: HashMap<(&'static str, Common<'a>), usize>,
    all: Vec<Group>,
}

#[derive(Default)]
struct Group {
    parts: usize,
    gone: Vec<Range<u32>>,
}

impl<'a> Groups<'a> {
    fn add(&mut self, language: &'static str, common: Common<'a>, parts: usize, gone: Vec<Range<u32>>) {
        let number = *self.number.entry((language, common)).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(Group::default());
        }
        self.all[number].parts += parts;
        self.all[number].gone.extend(gone);
    }
}

fn propose(subject: &Subject) -> Proposals {
    let mut groups = Groups::default();
    for tree in subject.trees() {
        for at in 0..tree.len() {
            lists(tree, at, |list| add(&mut groups, subject, tree, list));
        }
    }
    let least = subject.artifact().bytes().len() / LEAST;
    let edit = |group: Group| {
        let gone = united(group.gone);
        let is_large = group.parts >= FEWEST && gone.iter().map(ExactSizeIterator::len).sum::<usize>() >= least;
        if is_large { removal(subject, gone) } else { None }
    };
    let mut edits = largest_first(groups.all.into_iter().filter_map(edit).collect());
    // A column may be all that begins with one word.
    edits.dedup();
    edits.truncate(MOST);
    propose_in_order(subject, edits)
}

/// Adds the parts of a list to the groups.
fn add<'a>(groups: &mut Groups<'a>, subject: &'a Subject, tree: &Tree, list: &[usize]) {
    let language = tree.grammar.language;
    let parts = items(subject.artifact().bytes(), tree, list);
    let gone = |places: &[usize]| removed(&parts, places);
    let mut of_list: HashMap<Common<'a>, Vec<usize>> = HashMap::new();
    for (place, at) in list.iter().enumerate() {
        of_list.entry(word_of(subject, tree, *at)).or_default().push(place);
    }
    let mut of_list: Vec<(Common<'a>, Vec<usize>)> = of_list.into_iter().collect();
    of_list.sort_by_key(|(_, places)| places[0]);
    for (common, places) in of_list {
        groups.add(language, common, places.len(), gone(&places));
    }
    let is_row = (2..=COLUMNS).contains(&list.len())
        && list.iter().all(|at| !tree.is(*at, Class::STATEMENT) && !tree.is(*at, Class::DEFINITION));
    for place in (0..list.len()).filter(|_| is_row) {
        let own = tree.parent(list[place]).map(|parent| tree.node(parent).kind);
        for parent in [own, None] {
            groups.add(language, Common::Column { parent, len: list.len(), place }, 1, gone(&[place]));
        }
    }
}

pub(crate) fn word_of<'a>(subject: &'a Subject, tree: &Tree, at: usize) -> Common<'a> {
    let node = tree.node(at);
    let is_value = tree.is(at, Class::NUMBER) || tree.is(at, Class::STRING);
    let word = if is_value { &[][..] } else { first_word(subject, tree, at) };
    let parent = tree.parent(at).map_or(0, |parent| tree.node(parent).kind);
    Common::Word { parent, field: node.field, kind: node.kind, word }
}

/// Returns the first word in a node, or nothing if it begins with several signs: of what implements a trait of Rust, the first word of the trait.
fn first_word<'a>(subject: &'a Subject, tree: &Tree, at: usize) -> &'a [u8] {
    let at = tree.child(at, "trait").unwrap_or(at);
    let inner = at..(tree.node(at).after as usize).min(at + NODES);
    let mut leaves = inner.filter(|at| tree.node(*at).after as usize == at + 1 && tree.node(*at).role != Role::Error);
    let is_word = |text: &&[u8]| text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    leaves.by_ref().take(LEAVES).map(|leaf| subject.text(tree.range(leaf))).find(is_word).unwrap_or_default()
}
