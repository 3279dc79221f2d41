//! Numbers that say how many entries a list near them has, as the pass `counts` guesses them in texts.

use crate::counting::{LISTS, NEAR, are_counts};
use crate::formats::head::Field;
use reduct_input::{FieldValue, Mend};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// So much of a key is compared.
const KEY: usize = 64;

/// Of a file with more numbers, none is looked at: each takes some 80 bytes of memory.
const MOST: usize = 1 << 20;

/// What a number stands behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Label<'a> {
    /// The nearest key.
    key: &'a [u8],
    /// How many lists begin between that and the number.
    depth: usize,
    /// At which place of a row it stands, if it stands in a list of a list.
    row: usize,
}

impl<'a> Label<'a> {
    /// Returns the label of the value behind a key.
    pub fn of_key(text: &'a [u8], key: Range<usize>) -> Label<'a> {
        Label { key: &text[key.start..key.end.min(key.start + KEY)], depth: 0, row: 0 }
    }

    /// Returns the label of an entry of a list that has this label itself.
    pub fn of_entry(self, row: usize) -> Label<'a> {
        Label { depth: self.depth + 1, row, ..self }
    }
}

struct Number<'a> {
    value: usize,
    field: Field,
    label: Label<'a>,
    /// In which list it stands.
    list: usize,
}

/// The numbers with one label.
#[derive(Default)]
struct Alike<'n> {
    all: usize,
    /// Those that are as large as a list near them is long, and which one that is.
    counts: Vec<(&'n Field, usize)>,
}

/// A list, or a map: what has entries.
struct List {
    /// In which list it stands. That of the whole file stands in itself.
    outer: usize,
    /// Where its entries start.
    starts: Arc<[u32]>,
}

/// The numbers and the lists of a file. List 0 is that of the whole file.
#[derive(Default)]
pub(super) struct Numbers<'a> {
    all: Vec<Number<'a>>,
    lists: Vec<List>,
}

impl<'a> Numbers<'a> {
    pub fn add(&mut self, value: usize, field: Field, label: Label<'a>, list: usize) {
        if self.all.len() <= MOST {
            self.all.push(Number { value, field, label, list });
        }
    }

    /// Begins a list in another one, and returns its number.
    pub fn begin(&mut self, outer: usize) -> usize {
        self.lists.push(List { outer, starts: [].into() });
        self.lists.len() - 1
    }

    /// Ends a list: its entries start there.
    pub fn end(&mut self, list: usize, starts: Arc<[u32]>) {
        self.lists[list].starts = starts;
    }

    /// Returns the numbers that count entries, each with these.
    pub fn counts(&self) -> Vec<Mend> {
        if self.all.len() > MOST {
            return vec![];
        }
        let by_scope = self.by_scope();
        let mut by_label: BTreeMap<Label, Alike> = BTreeMap::new();
        for number in &self.all {
            let alike = by_label.entry(number.label).or_default();
            alike.all += 1;
            alike.counts.extend(self.counted(number, &by_scope).map(|list| (&number.field, list)));
        }
        by_label.retain(|label, alike| {
            are_counts(label.key, alike.all, alike.counts.iter().map(|(_, list)| self.lists[*list].starts.len()))
        });
        let mend = |((at, order), list): (&Field, usize)| {
            let holds = FieldValue::Count { of: self.lists[list].starts.clone() };
            Mend { at: at.start as u32..at.end as u32, order: *order, holds }
        };
        by_label.into_values().flat_map(|alike| alike.counts).map(mend).collect()
    }

    /// Returns lists by that in which they stand, or one further out if they stand alone, and by how many entries they have.
    fn by_scope(&self) -> HashMap<(usize, usize), Vec<usize>> {
        let mut by_scope: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        for (number, list) in self.lists.iter().enumerate().skip(1) {
            let outer = &self.lists[list.outer];
            let next = (outer.starts.len() == 1 && list.outer > 0).then_some(outer.outer);
            for scope in [list.outer].into_iter().chain(next) {
                let found = by_scope.entry((scope, list.starts.len())).or_default();
                if found.len() <= LISTS {
                    found.push(number);
                }
            }
        }
        by_scope
    }

    /// Returns the list nearest to a number that has as many entries.
    fn counted(&self, number: &Number, by_scope: &HashMap<(usize, usize), Vec<usize>>) -> Option<usize> {
        let outer = |list: &usize| (*list > 0).then(|| self.lists[*list].outer);
        let around = || std::iter::successors(Some(number.list), outer);
        around().take(NEAR).find_map(|scope| {
            let found = by_scope.get(&(scope, number.value)).filter(|found| found.len() <= LISTS)?;
            found.iter().copied().find(|list| around().take(NEAR + 1).all(|around| around != *list))
        })
    }
}
