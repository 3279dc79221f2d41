//! Numbers that say how many parts a list near them has.

use super::words::{DATA, Group, Label, Place, Word, Words};
use crate::counting::{LISTS, NEAR, are_counts};
use reduct_input::{ByteOrder, FieldValue, Mend};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Longer numbers count nothing.
const DIGITS: usize = 8;

/// Where a list stands: in a part, beside one, or in no part at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scope {
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

/// A number that is kept true, and the parts of a list that it says something of.
pub(crate) struct Counted {
    pub(super) list: u32,
    pub(crate) parts: Arc<[u32]>,
    pub(super) mend: Mend,
}

impl Counted {
    /// Returns each part that it counts by itself.
    pub(crate) fn each(&self) -> impl Iterator<Item = Vec<Place>> {
        self.parts.iter().map(|item| vec![Place { list: self.list, item: *item }])
    }

    /// Returns whether it is a sum.
    pub(crate) fn adds_up(&self) -> bool {
        matches!(self.mend.holds, FieldValue::Total { .. })
    }

    /// Returns whether it can change if parts of these lists go.
    pub(super) fn is_of(&self, lists: &HashSet<u32>) -> bool {
        // What is added up may stand further in.
        lists.contains(&self.list) || self.adds_up()
    }
}

/// Returns the numbers that count the parts of lists.
pub(super) fn counts(words: &Words) -> Vec<Counted> {
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
    let counts: Vec<Count> = telling.flat_map(|(_, (_, counts))| counts).collect();
    // Numbers that count the same parts share the lists of these.
    let mut shared = Shared::new();
    counts.iter().map(|count| mend(words, count, &mut shared)).collect()
}

fn number_of(text: &[u8]) -> Option<usize> {
    let is_number = text.len() <= DIGITS && text.iter().all(u8::is_ascii_digit) && !(text.len() > 1 && text[0] == b'0');
    is_number.then(|| text.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0')))
}

fn by_scope(all: &[Group]) -> Groups {
    let mut groups = Groups::new();
    for (number, group) in all.iter().enumerate() {
        scopes(group).for_each(|scope| groups.entry((scope, group.parts.len())).or_default().push(number));
    }
    groups
}

/// Returns where what a number counts may stand if so many parts around the number are looked at, the nearest first.
pub(super) fn scopes_of(word: &Word, near: usize) -> impl Iterator<Item = Scope> {
    let parts = word.parts.iter().take(near).flat_map(|place| [Scope::In(*place), Scope::Beside(place.list)]);
    parts.chain((word.parts.len() < near).then_some(Scope::Alone(word.tree)))
}

/// Returns where a group stands.
pub(super) fn scopes(group: &Group) -> impl Iterator<Item = Scope> {
    let parts = group.within.iter().flat_map(|place| [Scope::In(*place), Scope::Beside(place.list)]);
    parts.chain(group.tree.map(Scope::Alone))
}

/// Returns the group nearest to a number that has as many parts.
fn counted(word: &Word, value: usize, words: &Words, groups: &Groups) -> Option<usize> {
    let is_of_others = |group: &usize| {
        let list = words.groups[*group].list;
        word.parts.iter().all(|place| place.list != list)
    };
    scopes_of(word, NEAR).find_map(|scope| {
        let found = groups.get(&(scope, value)).filter(|found| found.len() <= LISTS)?;
        found.iter().copied().find(is_of_others)
    })
}

/// By group, its parts and where they start.
type Shared = HashMap<usize, (Arc<[u32]>, Arc<[u32]>)>;

/// Returns what keeps a number true. One of several lists that are as long as each other counts the first of them.
fn mend(words: &Words, count: &Count, shared: &mut Shared) -> Counted {
    let group = &words.groups[count.group];
    let (parts, of) = shared.entry(count.group).or_insert_with(|| {
        let (parts, starts): (Vec<u32>, Vec<u32>) = group.parts.iter().copied().unzip();
        (parts.into(), starts.into())
    });
    let at = words.all[count.word].at.clone();
    let mend = Mend { at, order: ByteOrder::Decimal, holds: FieldValue::Count { of: of.clone() } };
    Counted { list: group.list, parts: parts.clone(), mend }
}
