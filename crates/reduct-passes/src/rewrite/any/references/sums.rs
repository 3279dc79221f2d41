//! Numbers that add up a number of each part of a list near them, or count words in these parts.

use super::counts::{Counted, Scope, scopes, scopes_of};
use super::words::{DATA, Label, Place, Word, Words};
use crate::counting::{TELLING, says_so};
use reduct_input::{Addend, Amount, ByteOrder, FieldValue, Mend};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The words behind one label in one list.
#[derive(Default)]
struct Column {
    /// By their numbers among the words.
    words: Vec<usize>,
    /// The parts of the list in which they stand.
    parts: Vec<u32>,
    /// The sum of those that are numbers, in units of [`Amount`].
    units: i128,
}

/// In more words than that, to look for sums takes longer than many a test. When less is left, they are looked at again.
const WORDS: usize = 1 << 18;

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

/// One, in units of [`Amount`].
const ONE: i128 = Amount::ONE;

/// A list and a label.
type Key<'w, 'a> = (u32, &'w Label<'a>);

type Columns<'w, 'a> = HashMap<Key<'w, 'a>, Column>;

/// What a number says of a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Says {
    /// How many words are in it.
    Count,
    /// Their sum.
    Sum,
}

/// A number that says something of a column.
struct Sum {
    word: usize,
    list: u32,
}

/// By what is said, and the label of the column.
type Sums<'w, 'a> = BTreeMap<(Says, &'w Label<'a>), Vec<Sum>>;

/// Returns the numbers that are sums, or count what is in lists further in, but for those that count the parts of a list.
pub(super) fn sums(words: &Words, counts: &[Counted]) -> Vec<Counted> {
    if words.all.len() > WORDS {
        return vec![];
    }
    let counts: HashMap<u32, Arc<[u32]>> = counts
        .iter()
        .filter_map(|count| match &count.mend.holds {
            FieldValue::Count { of } => Some((count.mend.at.start, of.clone())),
            _ => None,
        })
        .collect();
    let is_of_data = |label: &Label| DATA.contains(&label.language);
    let amount = |number: usize| {
        let word = &words.all[number];
        Amount::read(word.text).filter(|_| is_of_data(&word.label))
    };
    let amounts: Vec<Option<Amount>> = (0..words.all.len()).map(amount).collect();
    let columns = columns(words, &amounts);
    let near = by_scope(words, &columns);
    let candidates: Vec<(usize, Amount)> = (0..words.all.len())
        .filter(|number| !counts.contains_key(&words.all[*number].at.start))
        .filter_map(|number| Some((number, amounts[number]?)))
        .collect();
    let numbers = candidates.iter().map(|(number, _)| &words.all[*number]);
    let own: Own = numbers.flat_map(|word| word.parts.iter().map(|place| (*place, &word.label))).collect();
    // By label: how many numbers there are, and of which columns they are the sums.
    let mut by_label: BTreeMap<&Label, (usize, Sums)> = BTreeMap::new();
    for (number, amount) in candidates {
        let word = &words.all[number];
        let (all, sums) = by_label.entry(&word.label).or_default();
        *all += 1;
        let mut seen: HashSet<(Says, &Label)> = HashSet::new();
        for (says, list, label) in near_of(words, word, amount, &near, (&columns, &own)) {
            if seen.insert((says, label)) {
                sums.entry((says, label)).or_default().push(Sum { word: number, list });
            }
        }
    }
    let mut chosen: BTreeMap<usize, (Says, Key)> = BTreeMap::new();
    for (label, (all, sums)) in by_label {
        // Of columns that say the same, the one of most numbers: what adds up sums adds up what these add up.
        let size =
            |of: &Label, sums: &[Sum]| sums.iter().map(|sum| columns[&(sum.list, of)].words.len()).sum::<usize>();
        let most = sums.into_iter().max_by_key(|((says, of), sums)| (sums.len(), *says, size(of, sums), Reverse(*of)));
        let Some(((says, of), sums)) = most.filter(|(_, sums)| sums.len() * 4 > all * 3) else { continue };
        let is_said = says_so(label.before);
        let addends = |sum: &Sum| match says {
            Says::Count => columns[&(sum.list, of)].words.len(),
            Says::Sum => addends(&columns[&(sum.list, of)], &amounts),
        };
        if is_said && sums.iter().any(|sum| addends(sum) >= 2)
            || says == Says::Sum && are_no_chance(words, &sums, addends)
        {
            chosen.extend(sums.iter().map(|sum| (sum.word, (says, (sum.list, of)))));
        }
    }
    mends(words, &Found { columns, chosen, amounts, counts })
}

/// The parts that have numbers behind a label, those that count the parts of a list left out.
type Own<'w, 'a> = HashSet<(Place, &'w Label<'a>)>;

/// Returns whether a list belongs to another number behind the same label: it stands in a part that has one, beside the
/// part of this number.
fn is_of_another<'w, 'a>(words: &'w Words<'a>, word: &'w Word<'a>, list: u32, own: &Own<'w, 'a>) -> bool {
    let group = words.groups.partition_point(|group| group.list < list);
    let mut within = words.groups[group..].iter().take(1).flat_map(|group| &group.within);
    within.any(|place| {
        word.parts.iter().any(|own| own.list == place.list && own.item != place.item)
            && own.contains(&(*place, &word.label))
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

/// Returns the columns of which a number is the sum or the length, the nearest first, and of those that are as near those of most parts.
fn near_of<'w, 'a>(
    words: &'w Words<'a>,
    word: &'w Word<'a>,
    amount: Amount,
    near: &Near<'w, 'a>,
    (columns, own_parts): (&Columns<'w, 'a>, &Own<'w, 'a>),
) -> impl Iterator<Item = (Says, u32, &'w Label<'a>)> {
    let found = scopes_of(word, NEAR).filter_map(move |scope| near.get(&(scope, amount.units)));
    // A part that goes takes no number with it that adds up something of it.
    let is_of_others = |(_, list, label): &(Says, u32, &Label)| {
        let own = word.parts.iter().find(|place| place.list == *list);
        **label != word.label
            && !is_of_another(words, word, *list, own_parts)
            && own.is_none_or(|own| columns[&(*list, *label)].parts.binary_search(&own.item).is_err())
    };
    found.filter(|columns| columns.len() <= COLUMNS).flatten().copied().filter(is_of_others)
}

/// Returns the words of all lists, by what stands before them.
fn columns<'w, 'a>(words: &'w Words<'a>, amounts: &[Option<Amount>]) -> Columns<'w, 'a> {
    let mut columns = Columns::new();
    for (number, word) in words.all.iter().enumerate() {
        if !DATA.contains(&word.label.language) {
            continue;
        }
        let units = amounts[number].map_or(0, |amount| amount.units);
        for place in &word.parts {
            let column = columns.entry((place.list, &word.label)).or_default();
            column.words.push(number);
            if column.parts.last() != Some(&place.item) {
                column.parts.push(place.item);
            }
            column.units = column.units.saturating_add(units);
        }
    }
    columns
}

/// Columns by where their lists stand and what they add up to, those of most parts first.
type Near<'w, 'a> = HashMap<(Scope, i128), Vec<(Says, u32, &'w Label<'a>)>>;

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
            near.entry((scope, column.units)).or_default().push((Says::Sum, list, label));
            // One part for each is a count of the parts themselves.
            if column.words.len() > column.parts.len() {
                near.entry((scope, column.words.len() as i128 * ONE)).or_default().push((Says::Count, list, label));
            }
        }
    }
    for found in near.values_mut() {
        found.sort_by_key(|(_, list, label)| Reverse(columns[&(*list, *label)].parts.len()));
    }
    near
}

/// What adds up what.
struct Found<'w, 'a> {
    columns: Columns<'w, 'a>,
    /// By the numbers of words that say something of a column, what, and the column.
    chosen: BTreeMap<usize, (Says, Key<'w, 'a>)>,
    amounts: Vec<Option<Amount>>,
    /// By the addresses of numbers that count the parts of a list, where these start.
    counts: HashMap<u32, Arc<[u32]>>,
}

/// By what is said of which column, the parts of its list that have such a number, and what is added up.
type Shared<'w, 'a> = HashMap<(Says, Key<'w, 'a>), (Arc<[u32]>, Arc<[Addend]>)>;

/// Returns what keeps sums true. Numbers that are the same sum share what is added up.
fn mends<'w, 'a>(words: &Words, found: &Found<'w, 'a>) -> Vec<Counted> {
    let mut shared = Shared::<'w, 'a>::new();
    let mut steps = 0;
    let mend = |(word, (says, key)): (&usize, &(Says, Key<'w, 'a>))| {
        let (parts, addends) = shared.entry((*says, *key)).or_insert_with(|| {
            let addends = match says {
                Says::Count => found.ones(words, key),
                Says::Sum => found.addends(words, key, &mut steps),
            };
            (found.columns[key].parts[..].into(), addends.into())
        });
        let at = words.all[*word].at.clone();
        let mend = Mend { at, order: ByteOrder::Decimal, holds: FieldValue::Total { of: addends.clone() } };
        Counted { list: key.0, parts: parts.clone(), mend }
    };
    found.chosen.iter().map(mend).collect()
}

impl<'w, 'a> Found<'w, 'a> {
    /// Returns one for each word of a column.
    fn ones(&self, words: &Words, key: &Key) -> Vec<Addend> {
        self.columns[key].words.iter().map(|word| (words.all[*word].at.start, ONE)).collect()
    }

    /// Returns what a column adds up: for numbers that are sums themselves, what these add up, as they change with it.
    fn addends(&self, words: &Words, key: &Key<'w, 'a>, steps: &mut usize) -> Vec<Addend> {
        let mut open: Vec<usize> = self.columns[key].words.clone();
        let mut seen: HashSet<&Key> = HashSet::from([key]);
        let mut addends = vec![];
        while let Some(word) = open.pop() {
            *steps += 1;
            let start = words.all[word].at.start;
            match self.chosen.get(&word).filter(|(_, key)| *steps < STEPS && seen.insert(key)) {
                Some((Says::Sum, key)) => open.extend(&self.columns[key].words),
                Some((Says::Count, key)) => addends.extend(self.ones(words, key)),
                None => match self.counts.get(&start) {
                    Some(of) => addends.extend(of.iter().map(|part| (*part, ONE))),
                    None => addends.extend(self.amounts[word].map(|amount| (start, amount.units))),
                },
            }
        }
        addends.sort_unstable();
        addends
    }
}
