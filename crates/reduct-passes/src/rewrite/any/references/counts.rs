//! Numbers that say how many parts a list near them has.

use super::words::{DATA, Group, Label, Place, Word, Words};
use crate::counting::{LISTS, NEAR, are_counts};
use reduct_input::{ByteOrder, FieldValue, Mend};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Longer numbers count nothing.
const DIGITS: usize = 8;

/// Where a list stands: in a part, beside one, or in no part at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Scope {
    In(Place),
    Beside(u32),
    Alone(u32),
}

/// Groups by where they stand and how many parts they have.
type Groups = HashMap<(Scope, usize), Vec<usize>>;

/// A number that counts the parts of a group.
struct Count {
    word: usize,
    group: usize,
}

/// A number that is kept true, and what it counts.
pub(crate) struct Counted<'w> {
    pub(super) group: &'w Group,
    pub(super) mend: Mend,
}

impl Counted<'_> {
    /// Returns what is the same for numbers that count the same parts, and another for each other group.
    pub(crate) fn group_key(&self) -> *const Group {
        self.group
    }

    /// Returns each part that it counts by itself.
    pub(crate) fn each(&self) -> impl Iterator<Item = Vec<Place>> {
        self.group.parts.iter().map(|(item, _)| vec![Place { list: self.group.list, item: *item }])
    }
}

/// Returns the numbers that count the parts of lists, in the order of their addresses.
pub(crate) fn counts<'w>(words: &'w Words) -> Vec<Counted<'w>> {
    let groups = by_scope(&words.groups);
    let is_of_data = |(_, word): &(usize, &Word)| DATA.contains(&word.label.language);
    // By label: how many numbers there are, and those that count something.
    let mut by_label: BTreeMap<Label, (usize, Vec<Count>)> = BTreeMap::new();
    for (number, word) in words.all.iter().enumerate().filter(is_of_data) {
        let Some(value) = number_of(word.text) else { continue };
        let entry = by_label.entry(word.label).or_default();
        entry.0 += 1;
        entry.1.extend(counted(word, value, words, &groups).map(|group| Count { word: number, group }));
    }
    let telling = by_label.into_iter().filter(|(label, (all, counts))| {
        are_counts(label.before, *all, counts.iter().map(|count| words.groups[count.group].parts.len()))
    });
    let mut counts: Vec<Count> = telling.flat_map(|(_, (_, counts))| counts).collect();
    counts.sort_by_key(|count| words.all[count.word].at.start);
    // Numbers that count the same parts share the list of these.
    let mut starts: HashMap<usize, Arc<[u32]>> = HashMap::new();
    counts.iter().map(|count| mend(words, count, &mut starts)).collect()
}

fn number_of(text: &[u8]) -> Option<usize> {
    let is_number = text.len() <= DIGITS && text.iter().all(u8::is_ascii_digit) && !(text.len() > 1 && text[0] == b'0');
    is_number.then(|| text.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0')))
}

fn by_scope(all: &[Group]) -> Groups {
    let mut groups = Groups::new();
    for (number, group) in all.iter().enumerate() {
        let parts = group.within.iter().flat_map(|place| [Scope::In(*place), Scope::Beside(place.list)]);
        let scopes = parts.chain(group.tree.map(Scope::Alone));
        scopes.for_each(|scope| groups.entry((scope, group.parts.len())).or_default().push(number));
    }
    groups
}

/// Returns the group nearest to a number that has as many parts.
fn counted(word: &Word, value: usize, words: &Words, groups: &Groups) -> Option<usize> {
    let near = word.parts.iter().take(NEAR).flat_map(|place| [Scope::In(*place), Scope::Beside(place.list)]);
    let is_of_others = |group: &usize| {
        let list = words.groups[*group].list;
        word.parts.iter().all(|place| place.list != list)
    };
    let mut scopes = near.chain((word.parts.len() < NEAR).then_some(Scope::Alone(word.tree)));
    scopes.find_map(|scope| {
        let found = groups.get(&(scope, value)).filter(|found| found.len() <= LISTS)?;
        found.iter().copied().find(is_of_others)
    })
}

/// Returns what keeps a number true. One of several lists that are as long as each other counts the first of them.
fn mend<'w>(words: &'w Words, count: &Count, starts: &mut HashMap<usize, Arc<[u32]>>) -> Counted<'w> {
    let group = &words.groups[count.group];
    let of_group = || group.parts.iter().map(|(_, start)| *start).collect();
    let of = starts.entry(count.group).or_insert_with(of_group).clone();
    let at = words.all[count.word].at.clone();
    Counted { group, mend: Mend { at, order: ByteOrder::Decimal, holds: FieldValue::Count { of } } }
}
