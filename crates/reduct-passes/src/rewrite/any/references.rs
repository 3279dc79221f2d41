//! Removes what has a name with all that refers to it by that name.
//!
//! ## What it tries
//! A word or number that stands for each of several things, as an `id`, and that stands elsewhere, too: the thing, and each part that has the word
//! elsewhere. What has a name, and what refers to it, is found by what stands before the words, as a key or an attribute: four and more words stand behind the
//! one, each once, and at least half of those behind the other are among them.
//!
//! ## When it helps
//! In data whose records refer to each other, or that are listed in an index, too: neither the record nor a reference can go alone.
//!
//! ## Before
//! ```json
//! {"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}, {"id": "d"}], "index": {"a": 0, "b": 1, "c": 2, "d": 3}}
//! ```
//! ## After
//! ```json
//! {"nodes": [{"id": "a"}, {"id": "c"}, {"id": "d"}], "index": {"a": 0, "c": 2, "d": 3}}
//! ```

use crate::pass::{Needs, Pass, Proposals};
use reduct_input::parts::ItemSets;
use reduct_input::siblings::{items, lists};
use reduct_input::{Class, Item, Role, Subject, Tree};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Grammar,
    ..Pass::rewriting("references", "removes what has a name with all that refers to it", 0.5, propose)
};

/// Fewer words say nothing of what they stand behind.
const FEWEST: usize = 4;

/// Longer words are no names.
const LONGEST: usize = 128;

/// So much of what stands before a word is compared.
const LABEL: usize = 64;

/// So many parts around a word are looked at: what it stands behind, and what it is the name of, are not further out.
const DEEPEST: usize = 8;

/// What stands in more places than this is not the name of one thing.
const MOST: usize = 1 << 10;

/// A word that stands behind more labels is no name.
const LABELS: usize = 16;

/// What stands before words that name the same kind of thing: up to the word, or up to the list in which it stands; and at which place of a row, if it
/// stands in a row without keys.
type Label<'a> = (&'static str, &'a [u8], usize);

/// A word, where it stands, and the parts that it stands in, from the innermost one.
struct Word<'a> {
    text: &'a [u8],
    at: u32,
    label: Label<'a>,
    parts: Vec<Place>,
}

/// Which part of which list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    list: u32,
    item: u32,
}

/// Where the nodes of a tree stand in lists.
struct Places {
    /// By node: which part of which list it is.
    places: Vec<Option<Place>>,
    /// By node: the innermost part around it, or itself.
    parts: Vec<Option<usize>>,
}

impl Places {
    /// Returns the parts around a node, from the innermost one, which may be itself.
    fn around(&self, tree: &Tree, node: usize) -> impl Iterator<Item = (usize, Place)> {
        let outer = |at: &usize| tree.parent(*at).and_then(|parent| self.parts[parent]);
        std::iter::successors(self.parts[node], outer).filter_map(|at| Some((at, self.places[at]?)))
    }
}

/// The lists of all files, and the words in them.
#[derive(Default)]
struct Words<'a> {
    lists: Vec<Vec<Item>>,
    all: Vec<Word<'a>>,
}

fn propose(subject: &Subject) -> Proposals {
    let mut words = Words::default();
    subject.trees().iter().for_each(|tree| words.add(subject, tree));
    words.sets().into_iter().map(Into::into).collect()
}

impl<'a> Words<'a> {
    fn add(&mut self, subject: &'a Subject, tree: &Tree) {
        let mut places: Vec<Option<Place>> = vec![None; tree.len()];
        for at in 0..tree.len() {
            lists(tree, at, |list| {
                let number = self.lists.len() as u32;
                for (item, at) in list.iter().enumerate() {
                    places[*at] = Some(Place { list: number, item: item as u32 });
                }
                self.lists.push(items(subject.artifact().bytes(), tree, list));
            });
        }
        // The innermost part in which each node stands, itself included.
        let mut parts: Vec<Option<usize>> = Vec::with_capacity(tree.len());
        for (at, place) in places.iter().enumerate() {
            let outer = tree.parent(at).and_then(|parent| parts[parent]);
            parts.push(place.map(|_| at).or(outer));
        }
        let places = Places { places, parts };
        let mut at = 0;
        while at < tree.len() {
            let is_value = tree.is(at, Class::STRING) || tree.is(at, Class::NUMBER);
            let is_leaf = tree.node(at).after as usize == at + 1;
            let is_other = tree.is(at, Class::NAME) || tree.is(at, Class::COMMENT) || tree.is(at, Class::TYPE);
            if is_value || is_leaf && tree.node(at).role != Role::Token && !is_other {
                self.all.extend(self.word(subject, tree, &places, at));
            }
            at = if is_value { tree.node(at).after as usize } else { at + 1 };
        }
    }

    /// Returns a word with what stands before it; `None` if nothing does.
    fn word(&self, subject: &'a Subject, tree: &Tree, places: &Places, leaf: usize) -> Option<Word<'a>> {
        let range = tree.range(leaf);
        let text = subject.text(range.clone()).trim_ascii();
        let text = text.strip_prefix(b"\"").or(text.strip_prefix(b"'")).unwrap_or(text);
        let text = text.strip_suffix(b"\"").or(text.strip_suffix(b"'")).unwrap_or(text);
        if text.is_empty() || text.len() > LONGEST || !text.iter().any(|byte| is_of_word(*byte)) {
            return None;
        }
        let (mut parts, mut start, mut row, mut label) = (vec![], range.start, 0, None);
        for (node, place) in places.around(tree, leaf).take(DEEPEST) {
            // What goes with the first of a list begins with the blanks before it.
            let before = subject.text(tree.node(node).start..start.max(tree.node(node).start));
            let before = &before[..before.len().min(LABEL)];
            let is_label = before.iter().any(|byte| is_of_word(*byte));
            if label.is_none() && is_label {
                label = Some((tree.grammar.language, before, row));
            } else if label.is_none() && !before.is_empty() {
                row = parts.last().map_or(0, |inner: &Place| inner.item as usize);
            }
            parts.push(place);
            start = self.lists[place.list as usize][0].at.start;
        }
        Some(Word { text, at: range.start, label: label?, parts })
    }

    /// Returns the sets of parts that go with a word.
    fn sets(&self) -> Option<ItemSets> {
        let mut by_label: HashMap<Label<'a>, Vec<usize>> = HashMap::new();
        for (number, word) in self.all.iter().enumerate() {
            by_label.entry(word.label).or_default().push(number);
        }
        // By label: which part goes, and whether it is what has the name.
        let mut levels: HashMap<Label<'a>, (usize, bool)> = HashMap::new();
        for (label, names) in linked(&self.all, &by_label) {
            let of_names: Vec<&[usize]> = names.iter().map(|name| &by_label[name][..]).collect();
            let level = self.level(&by_label[&label], &of_names);
            if let Some(level) = level.or((!names.is_empty()).then_some(0)) {
                levels.insert(label, (level, names.is_empty()));
            }
        }
        let mut sets: BTreeMap<&[u8], (Vec<Place>, bool)> = BTreeMap::new();
        for word in &self.all {
            let Some((level, is_named)) = levels.get(&word.label) else { continue };
            let set = sets.entry(word.text).or_default();
            set.0.extend(word.parts.get(*level).or(word.parts.last()));
            set.1 |= is_named;
        }
        self.numbered(sets.into_values().filter(|(_, is_named)| *is_named).map(|(set, _)| set).collect())
    }

    /// Returns how many parts further out than the innermost one that part of a word stands which goes with it: the first that stands in a list with others
    /// that have such a word, has no other one itself, and none of the names, as what refers from one thing to another has. `None` if that is so for less than
    /// half of the words.
    fn level(&self, words: &[usize], names: &[&[usize]]) -> Option<usize> {
        let within = |words: &[usize], from: u32, to: u32| {
            let before = |address: u32| words.partition_point(|word| self.all[*word].at < address);
            before(to) - before(from)
        };
        let mut levels: BTreeMap<usize, usize> = BTreeMap::new();
        for word in words {
            let is_one_of_many = |place: &Place| {
                let list = &self.lists[place.list as usize];
                let own = &list[place.item as usize].at;
                within(words, own.start, own.end) == 1
                    && within(words, list[0].at.start, list[list.len() - 1].at.end) > 1
                    && names.iter().all(|names| within(names, own.start, own.end) == 0)
            };
            if let Some(level) = self.all[*word].parts.iter().position(is_one_of_many) {
                *levels.entry(level).or_default() += 1;
            }
        }
        let most = levels.into_iter().max_by_key(|(level, count)| (*count, Reverse(*level)));
        most.filter(|(_, count)| count * 2 >= words.len()).map(|(level, _)| level)
    }

    /// Returns sets with the lists in which their parts stand.
    fn numbered(&self, sets: Vec<Vec<Place>>) -> Option<ItemSets> {
        let used: HashSet<u32> = sets.iter().flatten().map(|place| place.list).collect();
        let (mut items, mut first) = (vec![], HashMap::new());
        for (number, list) in self.lists.iter().enumerate().filter(|(number, _)| used.contains(&(*number as u32))) {
            first.insert(number as u32, items.len() as u32);
            items.extend(list.iter().cloned());
        }
        let numbers = |set: Vec<Place>| {
            let mut numbers: Vec<u32> = set.iter().map(|place| first[&place.list] + place.item).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let mut sets: Vec<Vec<u32>> =
            sets.into_iter().map(numbers).filter(|set| (2..=MOST).contains(&set.len())).collect();
        sets.sort();
        sets.dedup();
        let sets: Vec<_> = sets.into_iter().map(Into::into).collect();
        (!sets.is_empty()).then(|| ItemSets { items: items.into(), sets: sets.into() })
    }
}

/// Returns the labels behind which names stand, each of which is there once, and those behind which mostly such names stand; each with those behind which the
/// names stand that it refers to: of two that refer to each other, the one with more names, or the first one.
fn linked<'a>(words: &[Word<'a>], by_label: &HashMap<Label<'a>, Vec<usize>>) -> BTreeMap<Label<'a>, Vec<Label<'a>>> {
    let distinct: HashMap<Label<'a>, HashSet<&[u8]>> =
        by_label.iter().map(|(label, all)| (*label, all.iter().map(|word| words[*word].text).collect())).collect();
    let is_name = |label: &&Label<'a>| distinct[*label].len() == by_label[*label].len();
    let mut behind: HashMap<&[u8], Vec<Label<'a>>> = HashMap::new();
    for (label, texts) in &distinct {
        texts.iter().for_each(|text| behind.entry(text).or_default().push(*label));
    }
    let mut common: HashMap<(Label<'a>, Label<'a>), usize> = HashMap::new();
    for labels in behind.values().filter(|labels| (2..=LABELS).contains(&labels.len())) {
        for name in labels.iter().filter(is_name) {
            for other in labels.iter().filter(|other| *other != name) {
                *common.entry((*name, *other)).or_default() += 1;
            }
        }
    }
    let mut linked: BTreeMap<Label<'a>, Vec<Label<'a>>> = BTreeMap::new();
    for ((name, other), count) in common {
        if count < FEWEST || count * 2 < distinct[&other].len() {
            continue;
        }
        let rank = |label: &Label<'a>| (distinct[label].len(), Reverse(by_label[label][0]));
        linked.entry(name).or_default();
        let names = linked.entry(other).or_default();
        if rank(&name) > rank(&other) {
            names.push(name);
        }
    }
    linked
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}
