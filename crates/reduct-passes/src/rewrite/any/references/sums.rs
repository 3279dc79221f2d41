//! Numbers that add up a number of each part of a list near them.

use super::counts::{Counted, Scope, scopes, scopes_of};
use super::words::{DATA, Label, Word, Words};
use crate::counting::{TELLING, says_so};
use reduct_input::{Addend, Amount, ByteOrder, FieldValue, Mend};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The numbers behind one label in one list.
#[derive(Default)]
struct Column {
    /// By their numbers among the words.
    words: Vec<usize>,
    /// The parts of the list in which they stand.
    parts: Vec<u32>,
    /// Their sum, in units of [`Amount`].
    units: i128,
}

/// So many parts around a number are looked at: each element of XML is several of them.
const NEAR: usize = 6;

/// So many steps are taken to find what sums of sums add up. After that they are taken for numbers that do not change.
const STEPS: usize = 1 << 20;

/// A number of so many characters is no sum by chance.
const LONG: usize = 4;

/// Nor are so many numbers behind one label.
const SEVERAL: usize = 4;

/// If more columns near a number add up to it, it is not known which one it is the sum of.
const COLUMNS: usize = 16;

/// A list and a label.
type Key<'w, 'a> = (u32, &'w Label<'a>);

type Columns<'w, 'a> = HashMap<Key<'w, 'a>, Column>;

/// A number that is the sum of a column.
struct Sum {
    word: usize,
    list: u32,
}

/// By the label of what is added up.
type Sums<'w, 'a> = BTreeMap<&'w Label<'a>, Vec<Sum>>;

/// Returns the numbers that are sums, but for those that count something.
pub(super) fn sums(words: &Words, counts: &[Counted]) -> Vec<Counted> {
    let known: HashSet<u32> = counts.iter().map(|count| count.mend.at.start).collect();
    let is_of_data = |label: &Label| DATA.contains(&label.language);
    let amount = |number: usize| {
        let word = &words.all[number];
        Amount::read(word.text).filter(|_| is_of_data(&word.label) && !known.contains(&word.at.start))
    };
    let amounts: Vec<Option<Amount>> = (0..words.all.len()).map(amount).collect();
    let columns = columns(words, &amounts);
    let near = by_scope(words, &columns);
    // By label: how many numbers there are, and of which columns they are the sums.
    let mut by_label: BTreeMap<&Label, (usize, Sums)> = BTreeMap::new();
    for (number, word) in words.all.iter().enumerate() {
        let Some(amount) = amounts[number] else { continue };
        let (all, sums) = by_label.entry(&word.label).or_default();
        *all += 1;
        let mut seen: HashSet<&Label> = HashSet::new();
        for (list, label) in near_of(words, word, amount, &near, &columns) {
            if seen.insert(label) {
                sums.entry(label).or_default().push(Sum { word: number, list });
            }
        }
    }
    let mut chosen: BTreeMap<usize, Key> = BTreeMap::new();
    for (label, (all, sums)) in by_label {
        // Of columns that say the same, the one of most numbers: what adds up sums adds up what these add up.
        let size =
            |of: &&Label, sums: &[Sum]| sums.iter().map(|sum| columns[&(sum.list, *of)].words.len()).sum::<usize>();
        let most = sums.into_iter().max_by_key(|(of, sums)| (sums.len(), size(of, sums), Reverse(*of)));
        let Some((of, sums)) = most.filter(|(_, sums)| sums.len() * 4 > all * 3) else { continue };
        if says_so(label.before) && sums.iter().any(|sum| addends(&columns[&(sum.list, of)], &amounts) >= 2)
            || are_no_chance(words, &sums, |sum| addends(&columns[&(sum.list, of)], &amounts))
        {
            chosen.extend(sums.iter().map(|sum| (sum.word, (sum.list, of))));
        }
    }
    mends(words, &Found { columns, chosen, amounts })
}

/// Returns whether a list belongs to another number behind the same label: it stands in a part that has one, beside the
/// part of this number.
fn is_of_another<'w, 'a>(words: &'w Words<'a>, word: &'w Word<'a>, list: u32, columns: &Columns<'w, 'a>) -> bool {
    let group = words.groups.partition_point(|group| group.list < list);
    let mut within = words.groups[group..].iter().take(1).flat_map(|group| &group.within);
    within.any(|place| {
        word.parts.iter().any(|own| own.list == place.list && own.item != place.item)
            && columns.get(&(place.list, &word.label)).is_some_and(|own| own.parts.binary_search(&place.item).is_ok())
    })
}

/// Returns how many numbers of a column are not zero.
fn addends(column: &Column, amounts: &[Option<Amount>]) -> usize {
    column.words.iter().filter(|word| amounts[**word].is_some_and(|amount| amount.units != 0)).count()
}

/// Returns whether numbers whose key does not say so are sums: several are, or a long one is, and one of them of three numbers and more.
fn are_no_chance(words: &Words, sums: &[Sum], addends: impl Fn(&Sum) -> usize) -> bool {
    let is_long = |sum: &Sum| words.all[sum.word].text.len() >= LONG && addends(sum) >= TELLING;
    let several = sums.iter().filter(|sum| addends(sum) >= 2).count() >= SEVERAL;
    sums.iter().any(is_long) || several && sums.iter().any(|sum| addends(sum) >= TELLING)
}

/// Returns the columns that add up to a number, the nearest first, and of those that are as near those of most parts.
fn near_of<'w, 'a>(
    words: &'w Words<'a>,
    word: &'w Word<'a>,
    amount: Amount,
    near: &Near<'w, 'a>,
    columns: &Columns<'w, 'a>,
) -> impl Iterator<Item = (u32, &'w Label<'a>)> {
    let found = scopes_of(word, NEAR).filter_map(move |scope| near.get(&(scope, amount.units)));
    // A part that goes takes no number with it that adds up something of it.
    let is_of_others = |(list, label): &(u32, &Label)| {
        let own = word.parts.iter().find(|place| place.list == *list);
        **label != word.label
            && !is_of_another(words, word, *list, columns)
            && own.is_none_or(|own| columns[&(*list, *label)].parts.binary_search(&own.item).is_err())
    };
    found.filter(|columns| columns.len() <= COLUMNS).flatten().copied().filter(is_of_others)
}

/// Returns the numbers of all lists, by what stands before them.
fn columns<'w, 'a>(words: &'w Words<'a>, amounts: &[Option<Amount>]) -> Columns<'w, 'a> {
    let mut columns = Columns::new();
    for (number, word) in words.all.iter().enumerate() {
        let Some(amount) = amounts[number] else { continue };
        for place in &word.parts {
            let column = columns.entry((place.list, &word.label)).or_default();
            column.words.push(number);
            if column.parts.last() != Some(&place.item) {
                column.parts.push(place.item);
            }
            column.units = column.units.saturating_add(amount.units);
        }
    }
    columns
}

/// Columns by where their lists stand and what they add up to, those of most parts first.
type Near<'w, 'a> = HashMap<(Scope, i128), Vec<(u32, &'w Label<'a>)>>;

fn by_scope<'w, 'a>(words: &Words<'a>, columns: &Columns<'w, 'a>) -> Near<'w, 'a> {
    let mut all: Vec<(u32, &Label, &Column)> =
        columns.iter().map(|((list, label), column)| (*list, *label, column)).collect();
    all.sort_unstable_by_key(|(list, label, _)| (*list, *label));
    let mut near = Near::new();
    // All groups of a list stand at one place.
    let mut groups = words.groups.chunk_by(|one, next| one.list == next.list).peekable();
    for (list, label, column) in all {
        while groups.next_if(|groups| groups[0].list < list).is_some() {}
        let Some(group) = groups.peek().map(|groups| &groups[0]).filter(|group| group.list == list) else { continue };
        for scope in scopes(group) {
            near.entry((scope, column.units)).or_default().push((list, label));
        }
    }
    for found in near.values_mut() {
        found.sort_by_key(|key| Reverse(columns[key].parts.len()));
    }
    near
}

/// What adds up what.
struct Found<'w, 'a> {
    columns: Columns<'w, 'a>,
    /// By the numbers of words that are sums, their columns.
    chosen: BTreeMap<usize, Key<'w, 'a>>,
    amounts: Vec<Option<Amount>>,
}

/// By column, the parts of its list that have such a number, and what it adds up.
type Shared<'w, 'a> = HashMap<Key<'w, 'a>, (Arc<[u32]>, Arc<[Addend]>)>;

/// Returns what keeps sums true. Numbers that are the same sum share what is added up.
fn mends<'w, 'a>(words: &Words, found: &Found<'w, 'a>) -> Vec<Counted> {
    let mut shared = Shared::<'w, 'a>::new();
    let mut steps = 0;
    let mend = |(word, key): (&usize, &Key<'w, 'a>)| {
        let (parts, addends) = shared
            .entry(*key)
            .or_insert_with(|| (found.columns[key].parts[..].into(), found.addends(words, key, &mut steps).into()));
        let at = words.all[*word].at.clone();
        let mend = Mend { at, order: ByteOrder::Decimal, holds: FieldValue::Total { of: addends.clone() } };
        Counted { list: key.0, parts: parts.clone(), mend }
    };
    found.chosen.iter().map(mend).collect()
}

impl<'w, 'a> Found<'w, 'a> {
    /// Returns what a column adds up: for numbers that are sums themselves, what these add up, as they change with it.
    fn addends(&self, words: &Words, key: &Key<'w, 'a>, steps: &mut usize) -> Vec<Addend> {
        let mut open: Vec<usize> = self.columns[key].words.clone();
        let mut seen: HashSet<&Key> = HashSet::from([key]);
        let mut addends = vec![];
        while let Some(word) = open.pop() {
            *steps += 1;
            match self.chosen.get(&word).filter(|key| *steps < STEPS && seen.insert(key)) {
                Some(key) => open.extend(&self.columns[key].words),
                None => addends.extend(self.amounts[word].map(|amount| (words.all[word].at.start, amount.units))),
            }
        }
        addends.sort_unstable();
        addends
    }
}
