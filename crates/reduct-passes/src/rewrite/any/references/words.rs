//! Words that may name something, with the parts in which they stand and what stands before them.

use crate::rewrite::any::alike::{Common, word_of};
use crate::text::is_alphanumeric;
use reduct_input::siblings::{items, lists};
use reduct_input::{Class, Item, Role, Subject, Tree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Fewer words say nothing of what they stand behind.
pub(in crate::rewrite::any) const FEWEST: usize = 4;

/// In which languages a key says what a number is. In programs it would be chance.
pub(in crate::rewrite::any) const DATA: &[&str] = &["json", "toml", "xml", "yaml"];

pub(super) const SQL: &str = "sql";
const VALUES: &[u8] = b"values";

/// Longer words are no names.
const LONGEST: usize = 128;

/// So much of what stands before a word is compared.
const LABEL: usize = 64;

/// The same of an `INSERT`, which may name its columns.
const COLUMNS: usize = 1 << 10;

/// So many parts around a word are looked at: what it stands behind, and what it is the name of, are not further out.
const DEEPEST: usize = 8;

/// So many lists of one label are told apart by what stands before them. More of them are no tables but records themselves.
const TABLES: usize = 16;

/// Names that are data: the keys of TOML.
const KEYS: &[&str] = &["bare_key", "quoted_key"];

/// What stands before words that name the same kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Label<'a> {
    pub(super) language: &'static str,
    /// Up to the word, or up to the list in which it stands.
    pub(super) before: &'a [u8],
    /// What is before the word in its own part: the `-` of a list of YAML, whose words may refer to the keys of a mapping behind the same key.
    pub(super) sign: &'a [u8],
    /// At which place of a row it stands, if it stands in a row without keys.
    pub(super) row: usize,
    /// What of a pointer is before the name: `#/definitions/`.
    pointer: &'a [u8],
    /// The words with which the two next parts further out begin, as far as they tell tables apart.
    pub(super) table: [&'a [u8]; 2],
}

impl Label<'_> {
    pub(in crate::rewrite::any) fn language(&self) -> &'static str {
        self.language
    }

    /// Returns whether both are of one key.
    pub(in crate::rewrite::any) fn is_of_key(&self, other: &Label) -> bool {
        (self.before, self.sign) == (other.before, other.sign)
    }
}

/// A word, where it stands, and the parts that it stands in, from the innermost one.
pub(crate) struct Word<'a> {
    pub(in crate::rewrite::any) text: &'a [u8],
    pub(in crate::rewrite::any) at: Range<u32>,
    /// In which file.
    pub(super) tree: u32,
    pub(in crate::rewrite::any) label: Label<'a>,
    pub(in crate::rewrite::any) parts: Vec<Place>,
}

/// Which part of which list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(super) list: u32,
    pub(super) item: u32,
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

/// Parts of one list that are of one kind, which something may count.
pub(crate) struct Group {
    pub(super) list: u32,
    /// The innermost part in which the list stands, and the next one if that part is alone; none if it stands in no part.
    pub(super) within: Vec<Place>,
    /// In which file, if nothing but that is around these.
    pub(super) tree: Option<u32>,
    /// Its parts, in ascending order, each with the address where it starts without the blanks that go with it.
    pub(super) parts: Vec<(u32, u32)>,
}

/// The lists of all files, and the words in them.
#[derive(Default)]
pub(crate) struct Words<'a> {
    pub(super) lists: Vec<Vec<Item>>,
    /// In the order of their addresses.
    pub(in crate::rewrite::any) all: Vec<Word<'a>>,
    pub(super) groups: Vec<Group>,
}

impl<'a> Words<'a> {
    /// Returns the words of all files that a grammar reads.
    pub(crate) fn of(subject: &'a Subject) -> Words<'a> {
        let mut words = Words::default();
        for (number, tree) in subject.trees().iter().enumerate() {
            words.add(subject, number as u32, tree);
        }
        words.tell_tables_apart();
        words
    }

    fn add(&mut self, subject: &'a Subject, number: u32, tree: &Tree) {
        let places = self.add_lists(subject, number, tree);
        let mut at = 0;
        while at < tree.len() {
            let is_key = KEYS.contains(&tree.kind(at));
            let is_value = is_key || tree.is(at, Class::STRING) || tree.is(at, Class::NUMBER);
            let is_leaf = tree.node(at).after as usize == at + 1;
            let is_other = tree.is(at, Class::NAME) || tree.is(at, Class::COMMENT) || tree.is(at, Class::TYPE);
            if is_value || is_leaf && tree.node(at).role != Role::Token && !is_other {
                self.all.extend(self.word(subject, number, tree, &places, at));
            }
            at = if is_value { tree.node(at).after as usize } else { at + 1 };
        }
    }

    fn add_lists(&mut self, subject: &'a Subject, number: u32, tree: &Tree) -> Places {
        let mut places: Vec<Option<Place>> = vec![None; tree.len()];
        let mut found: Vec<Vec<usize>> = vec![];
        for at in 0..tree.len() {
            lists(tree, at, |list| {
                let number = (self.lists.len() + found.len()) as u32;
                for (item, at) in list.iter().enumerate() {
                    places[*at] = Some(Place { list: number, item: item as u32 });
                }
                found.push(list.to_vec());
            });
        }
        // The innermost part in which each node stands, itself included.
        let mut parts: Vec<Option<usize>> = Vec::with_capacity(tree.len());
        for (at, place) in places.iter().enumerate() {
            let outer = tree.parent(at).and_then(|parent| parts[parent]);
            parts.push(place.map(|_| at).or(outer));
        }
        let places = Places { places, parts };
        let first = self.lists.len();
        for list in &found {
            let outer = tree.parent(list[0]).into_iter().flat_map(|parent| places.around(tree, parent));
            let mut within: Vec<Place> = outer.map(|(_, place)| place).take(2).collect();
            let is_alone = |place: &Place| found[place.list as usize - first].len() == 1;
            let of_file = (within.len() < 2 && within.iter().all(is_alone)).then_some(number);
            within.dedup_by(|_, inner| !is_alone(inner));
            if DATA.contains(&tree.grammar.language) {
                self.add_groups(subject, (of_file, tree), list, &within);
            }
            self.lists.push(items(subject.artifact().bytes(), tree, list));
        }
        places
    }

    /// Adds what of a list is of one kind, or begins with one word.
    fn add_groups(
        &mut self,
        subject: &'a Subject,
        (of_file, tree): (Option<u32>, &Tree),
        list: &[usize],
        within: &[Place],
    ) {
        let mut kinds: HashMap<u16, Vec<(u32, u32)>> = HashMap::new();
        let mut words: HashMap<Common, Vec<(u32, u32)>> = HashMap::new();
        for (item, at) in list.iter().enumerate() {
            let part = (item as u32, tree.node(*at).start);
            kinds.entry(tree.node(*at).kind).or_default().push(part);
            words.entry(word_of(subject, tree, *at)).or_default().push(part);
        }
        let mut groups: Vec<Vec<(u32, u32)>> = kinds.into_values().chain(words.into_values()).collect();
        groups.sort();
        groups.dedup();
        let list = self.lists.len() as u32;
        self.groups.extend(groups.into_iter().map(|parts| Group {
            list,
            within: within.to_vec(),
            tree: of_file,
            parts,
        }));
    }

    /// Returns a word with what stands before it; `None` if nothing does.
    fn word(&self, subject: &'a Subject, number: u32, tree: &Tree, places: &Places, leaf: usize) -> Option<Word<'a>> {
        let at = tree.range(leaf);
        let whole = subject.text(at.clone());
        let (pointer, text) = named(whole);
        if text.is_empty() || text.len() > LONGEST || !text.iter().any(|byte| is_alphanumeric(*byte)) {
            return None;
        }
        let (mut parts, mut start, mut row, mut sign) = (vec![], at.start, 0, &[][..]);
        let mut label: Option<(&[u8], usize)> = None;
        let mut table: Vec<&[u8]> = vec![];
        let is_sql = tree.grammar.language == SQL;
        for (node, place) in places.around(tree, leaf).take(DEEPEST) {
            // What goes with the first of a list begins with the blanks before it.
            let before = subject.text(tree.node(node).start..start.max(tree.node(node).start));
            let before = if is_sql { up_to_values(before) } else { before };
            let before = &before[..before.len().min(if is_sql { COLUMNS } else { LABEL })];
            let is_label = before.iter().any(|byte| is_alphanumeric(*byte));
            if label.is_none() && !is_label && sign.is_empty() {
                sign = before.trim_ascii();
            }
            if is_label && label.is_some() {
                table.push(first_word(before));
            } else if is_label {
                label = Some((before, row));
            } else if label.is_none() && !before.is_empty() {
                row = parts.last().map_or(0, |inner: &Place| inner.item as usize);
            }
            parts.push(place);
            // What stands before the rows of SQL in one list with them says of which table they are.
            start = match is_sql && parts.len() > 1 {
                true => tree.node(node).start,
                false => self.lists[place.list as usize][0].at.start,
            };
        }
        let (before, row) = label?;
        let outer = |at: usize| table.get(at).copied().unwrap_or_default();
        let table = [outer(0), outer(1)];
        let label = Label { language: tree.grammar.language, before, sign, row, pointer, table };
        // The text is a part of the whole.
        let start = at.start + (text.as_ptr() as usize - whole.as_ptr() as usize) as u32;
        Some(Word { text, at: start..start + text.len() as u32, tree: number, label, parts })
    }

    /// Keeps of what stands further out than a label only what tells one table from another: names are there once in each.
    fn tell_tables_apart(&mut self) {
        let base = |label: &Label<'a>, tables: usize| {
            let outer = |at: usize| if at < tables { label.table[at] } else { &[][..] };
            Label { table: [outer(0), outer(1)], ..*label }
        };
        let mut by_label: HashMap<Label<'a>, Vec<usize>> = HashMap::new();
        for (number, word) in self.all.iter().enumerate() {
            by_label.entry(base(&word.label, 0)).or_default().push(number);
        }
        for words in by_label.into_values() {
            let unique = [0, 1, 2].map(|tables| self.words_told_apart(&words, |label| base(label, tables)));
            let most = unique.iter().max().copied().unwrap_or(0);
            let tables = (0..3).rev().find(|tables| unique[*tables] * 2 >= most).unwrap_or(0);
            let is_data = DATA.contains(&self.all[words[0]].label.language);
            let tables = if most == 0 || !is_data { 0 } else { tables };
            for word in words {
                self.all[word].label = base(&self.all[word].label, tables);
            }
        }
    }

    /// Returns how many of these words stand behind labels behind which each word is there once; 0 if there are too many labels.
    fn words_told_apart(&self, words: &[usize], label: impl Fn(&Label<'a>) -> Label<'a>) -> usize {
        let mut texts: HashMap<Label<'a>, (usize, HashSet<&[u8]>)> = HashMap::new();
        for word in words {
            let entry = texts.entry(label(&self.all[*word].label)).or_default();
            entry.0 += 1;
            entry.1.insert(self.all[*word].text);
            if texts.len() > TABLES {
                return 0;
            }
        }
        let is_unique = |(count, texts): &&(usize, HashSet<&[u8]>)| *count == texts.len() && *count >= FEWEST;
        texts.values().filter(is_unique).map(|(count, _)| count).sum()
    }

    /// Returns where a part of a list stands.
    pub(crate) fn range(&self, place: Place) -> Range<u32> {
        self.lists[place.list as usize][place.item as usize].at.clone()
    }

    /// Returns the words by what stands before them.
    pub(in crate::rewrite::any) fn by_label(&self) -> HashMap<Label<'a>, Vec<usize>> {
        let mut by_label: HashMap<Label<'a>, Vec<usize>> = HashMap::new();
        for (number, word) in self.all.iter().enumerate() {
            by_label.entry(word.label).or_default().push(number);
        }
        by_label
    }
}

/// Returns the beginning of what stands before a row of SQL that says of which table and columns it is: up to `VALUES`, if that is there.
fn up_to_values(before: &[u8]) -> &[u8] {
    let end = before.windows(VALUES.len()).position(|window| window.eq_ignore_ascii_case(VALUES));
    &before[..end.map_or(before.len(), |at| at + VALUES.len())]
}

/// Returns what a word names, without quotes, and what stands before it if the word is a pointer into the text, as `#/a/b` or `#b`.
fn named(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii();
    let text = text.strip_prefix(b"\"").or(text.strip_prefix(b"'")).unwrap_or(text);
    let text = text.strip_suffix(b"\"").or(text.strip_suffix(b"'")).unwrap_or(text);
    let Some(hash) = text.iter().position(|byte| *byte == b'#') else { return (&[], text) };
    let last = text[hash..].iter().rposition(|byte| matches!(byte, b'#' | b'/')).unwrap_or(0);
    text.split_at(hash + last + 1)
}

/// Returns the first word of what stands before a part.
fn first_word(before: &[u8]) -> &[u8] {
    let start = before.iter().position(|byte| is_alphanumeric(*byte)).unwrap_or(before.len());
    let len = before[start..].iter().take_while(|byte| is_alphanumeric(**byte) || b"_-".contains(byte)).count();
    &before[start..start + len]
}
