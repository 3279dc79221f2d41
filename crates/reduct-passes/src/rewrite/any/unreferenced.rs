//! Removes records to which nothing refers any more.
//!
//! ## What it tries
//! Of tables to some of whose records something refers by their names: all records to which nothing refers, and what only these refer to, as one group, so that one test can remove
//! everything. If that cannot go, each such record with what only it leads to is asked about, by halves. Words are names if each of four and more behind one key or attribute is there once. What
//! refers to them are words of which half are among them: four and more, or fewer behind the same key or one that says a word of the names' or of their table's, as `region` one of `regions`. A
//! name that is no number is referred to wherever the same word stands. Tables of which nothing is referred to from elsewhere stay. In texts of 16 KiB and
//! more, less than 1/128 of the text waits.
//!
//! ## When it helps
//! In data with tables, at the beginning and whenever much has gone: what that referred to stands in tables before or behind it.
//!
//! ## Before
//! ```json
//! {"taxes": [{"id": "ta"}, {"id": "tb"}, {"id": "tc"}, {"id": "td"}],
//!  "items": [{"id": "a", "tax": "ta"}, {"id": "b", "tax": "tb"}, {"id": "c", "tax": "tc"}, {"id": "d", "tax": "td"}],
//!  "sold": [{"item": "b"}]}
//! ```
//! ## After
//! ```json
//! {"taxes": [{"id": "tb"}],
//!  "items": [{"id": "b", "tax": "tb"}],
//!  "sold": [{"item": "b"}]}
//! ```

use super::references::{DATA, FEWEST, Label, Place, Word, Words, counted, is_said, level, numbered};
use crate::pass::{Pass, Proposals};
use crate::rewrite::waits_for_more;
use reduct_input::parts::{Led, Root, Roots, led_to, roots_of};
use reduct_input::{Spans, Subject};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("unreferenced", "removes records to which nothing refers, all at once", 0.8, propose)
        .following_others();

/// So often a word is compared with names, at most.
const STEPS: usize = 1 << 22;

fn propose(subject: &Subject) -> Proposals {
    let words = Words::of(subject);
    let mut tables = tables(&words);
    loop {
        let records = Records::of(&words, &tables);
        let is_used = led_to(&records.nodes, &records.always);
        let before = tables.len();
        // What nothing refers to from elsewhere may be what all is about.
        tables.retain(|table| table.records.values().any(|place| is_used[records.number(place)]));
        if tables.len() == before {
            let gain: usize = records.outermost(&is_used).map(|place| words.range(place).len()).sum();
            let is_soon = waits_for_more(subject, gain);
            return if gain == 0 || is_soon { vec![] } else { records.roots(&words).into_iter().collect() };
        }
    }
}

/// Records with names of one kind.
struct Table<'a> {
    label: Label<'a>,
    /// By name.
    records: BTreeMap<&'a [u8], Place>,
    are_numbers: bool,
    /// Behind which labels words refer to its records.
    referring: BTreeSet<Label<'a>>,
}

/// Returns the tables to whose records something may refer.
fn tables<'a>(words: &Words<'a>) -> Vec<Table<'a>> {
    let by_label = words.by_label();
    let mut tables: Vec<Table> = by_label.iter().filter_map(|(label, of)| table(words, *label, of)).collect();
    tables.sort_by_key(|table| table.label);
    let mut naming: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (number, table) in tables.iter().enumerate() {
        table.records.keys().for_each(|name| naming.entry(name).or_default().push(number));
    }
    let mut hits: BTreeMap<(Label, usize), usize> = BTreeMap::new();
    let mut steps = 0;
    for word in &words.all {
        for table in naming.get(word.text).into_iter().flatten() {
            steps += 1;
            if steps > STEPS {
                return vec![];
            }
            if refers(word, &tables[*table]) {
                *hits.entry((word.label, *table)).or_default() += 1;
            }
        }
    }
    let are_referring = |((label, table), hits): (&(Label<'a>, usize), &usize)| {
        let table = &tables[*table];
        let is_telling = is_said(label, &table.label) || !table.are_numbers && label.is_of_key(&table.label);
        let are_enough = is_telling || !table.are_numbers && *hits >= FEWEST;
        hits * 2 >= by_label[label].len() && are_enough
    };
    let found: BTreeSet<(Label, usize)> =
        hits.iter().filter(|hits| are_referring(*hits)).map(|(key, _)| *key).collect();
    let numbers: HashMap<Label, usize> = tables.iter().enumerate().map(|(at, table)| (table.label, at)).collect();
    let rank = |at: usize| (tables[at].records.len(), Reverse(by_label[&tables[at].label][0]));
    // Of two that refer to each other, the one with fewer names refers, or the later one.
    let is_meant = |(label, table): &&(Label<'a>, usize)| {
        let back = numbers.get(label).filter(|own| found.contains(&(tables[*table].label, **own)));
        back.is_none_or(|own| rank(*own) < rank(*table))
    };
    let meant: Vec<(Label, usize)> = found.iter().filter(is_meant).copied().collect();
    for (label, table) in meant {
        tables[table].referring.insert(label);
    }
    tables.retain(|table| !table.referring.is_empty());
    tables
}

/// Returns the table whose records have the words behind a label for their names.
fn table<'a>(words: &Words<'a>, label: Label<'a>, of: &[usize]) -> Option<Table<'a>> {
    if of.len() < FEWEST || !DATA.contains(&label.language()) {
        return None;
    }
    let level = level(words, of, &[])?;
    let records: BTreeMap<&[u8], Place> =
        of.iter().map(|at| &words.all[*at]).filter_map(|word| Some((word.text, *word.parts.get(level)?))).collect();
    let are_numbers = records.keys().all(|name| name.iter().all(u8::is_ascii_digit));
    let is_once = records.len() == of.len();
    is_once.then(|| Table { label, records, are_numbers, referring: BTreeSet::new() })
}

/// Returns whether a word, if it stands for a record of a table, stands outside of it.
fn refers(word: &Word, table: &Table) -> bool {
    word.label != table.label && table.records.get(word.text).is_some_and(|record| !word.parts.contains(record))
}

/// Records, and what they refer to.
struct Records {
    /// In the order of their lists.
    places: Vec<Place>,
    nodes: Vec<Led>,
    /// Those to which something refers that is in no record.
    always: Vec<u32>,
    names: Vec<Range<u32>>,
}

impl Records {
    fn of(words: &Words, tables: &[Table]) -> Records {
        let places: BTreeSet<Place> = tables.iter().flat_map(|table| table.records.values().copied()).collect();
        let places: Vec<Place> = places.into_iter().collect();
        let mut naming: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (number, table) in tables.iter().enumerate() {
            table.records.keys().for_each(|name| naming.entry(name).or_default().push(number));
        }
        let mut nodes = vec![Led::default(); places.len()];
        let mut names = vec![0..0; places.len()];
        let mut always = BTreeSet::new();
        let number = |place: &Place| places.binary_search(place).ok();
        for word in &words.all {
            let around = word.parts.iter().filter_map(|place| number(place).map(|at| at as u32));
            for table in naming.get(word.text).into_iter().flatten().map(|table| &tables[*table]) {
                let Some(record) = number(&table.records[word.text]) else { continue };
                if word.label == table.label {
                    names[record] = word.at.clone();
                    nodes[record].within = around.clone().skip_while(|at| *at as usize != record).nth(1);
                } else if refers(word, table) && (!table.are_numbers || table.referring.contains(&word.label)) {
                    match around.clone().next() {
                        Some(from) => nodes[from as usize].leads_to.push(record as u32),
                        None => drop(always.insert(record as u32)),
                    }
                }
            }
        }
        Records { places, nodes, always: always.into_iter().collect(), names }
    }

    fn number(&self, place: &Place) -> usize {
        self.places.binary_search(place).unwrap_or_default()
    }

    /// Returns the records that are not used, but for those in such records.
    fn outermost<'a>(&'a self, is_used: &'a [bool]) -> impl Iterator<Item = Place> + 'a {
        let goes = |at: &usize| !is_used[*at] && self.nodes[*at].within.is_none_or(|outer| is_used[outer as usize]);
        (0..self.places.len()).filter(goes).map(|at| self.places[at])
    }

    /// Returns what is not used, by what nothing else refers to.
    fn roots(&self, words: &Words) -> Option<Spans> {
        let sets = numbered(words, self.places.iter().map(|place| vec![*place]).collect(), &counted(words))?;
        let root = |node: u32| Root { node, name: self.names[node as usize].clone() };
        let roots: Vec<Root> = roots_of(&self.nodes, &self.always).into_iter().map(root).collect();
        let (nodes, always) = (self.nodes.clone().into(), self.always.clone().into());
        (!roots.is_empty()).then(|| Roots { sets, nodes, always, roots: roots.into() }.into())
    }
}
