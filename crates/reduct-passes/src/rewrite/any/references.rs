//! Removes what has a name with all that refers to it by that name.
//!
//! ## What it tries
//! A word or number that stands for each of several things, as an `id`, and that stands elsewhere, too: the thing, each part that has the word
//! elsewhere, and what goes with the things that have their names in these parts. What has a name, and what refers to it, is found by what stands before the words, as a key
//! or an attribute: four and more words stand behind the one, each once in its table, and at least half of those behind the other are among them. Of several tables with the same
//! words, that is meant which the key says, as `customer_id` one of `customers`; in SQL, that which the schema says is referenced. Numbers near the lists that say how many parts these have are changed with them.
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

mod counts;
mod links;
mod schema;
mod sums;
mod words;

pub(super) use counts::Counted;
pub(super) use links::is_said;
pub(super) use words::{DATA, FEWEST, Label, Place, Word, Words};

use crate::pass::{Needs, Pass, Proposals};
use links::linked;
use reduct_input::Subject;
use reduct_input::parts::ItemSets;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use words::SQL;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Grammar,
    ..Pass::rewriting("references", "removes what has a name with all that refers to it", 0.5, propose).cutting_anew()
};

/// What stands in more places than this, with what goes with these, does not go as a whole.
const MOST: usize = 1 << 10;

/// So many steps are taken to find what goes with what. What is not found then goes without what refers to it in turn.
const STEPS: usize = 1 << 20;

/// So many labels refer to each other in turn.
const CHAIN: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let words = Words::of(subject);
    let Some(references) = References::new(subject, &words) else { return vec![] };
    let counted = counted(&words);
    let narrow = if references.are_declared { references.tables() } else { vec![references.sets(false)] };
    let mut wide = references.sets(true);
    let known: HashSet<&Vec<Place>> = narrow.iter().flatten().collect();
    wide.retain(|set| !known.contains(set));
    narrow.into_iter().chain([wide]).filter_map(|sets| numbered(&words, sets, &counted)).map(Into::into).collect()
}

/// What of a word's parts goes with a name: how many parts further out than the innermost one it stands.
#[derive(Clone, Copy)]
struct Level {
    /// First, and where that differs, in another turn.
    at: [usize; 2],
}

/// What refers to what.
struct References<'w, 'a> {
    words: &'w Words<'a>,
    /// By label, which names the words behind it are, those of itself or of others.
    names: HashMap<Label<'a>, Vec<Label<'a>>>,
    levels: HashMap<Label<'a>, Level>,
    /// Whether the text declares what refers to what.
    are_declared: bool,
}

impl<'w, 'a> References<'w, 'a> {
    fn new(subject: &'a Subject, words: &'w Words<'a>) -> Option<References<'w, 'a>> {
        let by_label = words.by_label();
        let declared = schema::linked(subject, &by_label);
        let are_declared = declared.is_some();
        // What is declared is declared of SQL alone.
        let others = by_label.iter().filter(|(label, _)| !are_declared || label.language != SQL);
        let mut linked = linked(&words.all, &others.map(|(label, all)| (*label, all.clone())).collect());
        linked.extend(declared.into_iter().flatten());
        let root = |label: &Label<'a>| {
            let next = |label: &Label<'a>| linked.get(label).and_then(|names| names.first()).copied();
            std::iter::successors(Some(*label), next).take(CHAIN).last().unwrap_or(*label)
        };
        let mut references = References { words, names: HashMap::new(), levels: HashMap::new(), are_declared };
        let (named, referring): (Vec<_>, Vec<_>) = linked.iter().partition(|(_, names)| names.is_empty());
        let mut owners: HashSet<Place> = HashSet::new();
        for (label, _) in named {
            let Some(level) = level(words, &by_label[label], &[]) else { continue };
            owners.extend(by_label[label].iter().filter_map(|word| words.all[*word].parts.get(level)));
            references.names.insert(*label, vec![*label]);
            references.levels.insert(*label, Level { at: [level; 2] });
        }
        for (label, names) in referring {
            let names: Vec<Label<'a>> = names.iter().map(root).collect();
            let of_names: Vec<&[usize]> = names.iter().map(|name| &by_label[name][..]).collect();
            let level = level_of_reference(words, &by_label[label], &of_names, &owners);
            references.names.insert(*label, names);
            references.levels.insert(*label, level);
        }
        (!references.names.is_empty()).then_some(references)
    }

    /// Returns the sets of parts that go with a word: what has it as its name, what refers to that, and what goes with what is in these.
    fn sets(&self, wide: bool) -> Vec<Vec<Place>> {
        let mut names: HashMap<(Label<'a>, &[u8]), usize> = HashMap::new();
        let mut things: Vec<Vec<Place>> = vec![];
        let mut starts: Vec<(u32, usize)> = vec![];
        let part =
            |word: &Word, level: &Level| word.parts.get(level.at[usize::from(wide)]).or(word.parts.last()).copied();
        for word in &self.words.all {
            let own = self.names.get(&word.label).is_some_and(|names| names[..] == [word.label]);
            if !own {
                continue;
            }
            names.insert((word.label, word.text), things.len());
            starts.push((word.at.start, things.len()));
            things.push(part(word, &self.levels[&word.label]).into_iter().collect());
        }
        for word in &self.words.all {
            let Some(labels) = self.names.get(&word.label).filter(|names| names[..] != [word.label]) else { continue };
            let thing = labels.iter().find_map(|label| names.get(&(*label, word.text)));
            if let Some(thing) = thing {
                things[*thing].extend(part(word, &self.levels[&word.label]));
            }
        }
        self.closed(&things, &starts)
    }

    /// Returns the same sets for each table by itself: first those of which much goes in many sets.
    fn tables(&self) -> Vec<Vec<Vec<Place>>> {
        let mut owners: HashMap<Place, Label<'a>> = HashMap::new();
        for word in &self.words.all {
            let own = self.names.get(&word.label).is_some_and(|names| names[..] == [word.label]);
            let level = self.levels.get(&word.label).map(|level| level.at[0]);
            if let Some(place) = level.filter(|_| own).and_then(|level| word.parts.get(level).or(word.parts.last())) {
                owners.insert(*place, word.label);
            }
        }
        // By the first row of a set that has a name: what it is of.
        let mut tables: BTreeMap<Label<'a>, Vec<Vec<Place>>> = BTreeMap::new();
        for set in self.sets(false) {
            if let Some(label) = set.iter().find_map(|place| owners.get(place)) {
                tables.entry(*label).or_default().push(set);
            }
        }
        let worth = |sets: &Vec<Vec<Place>>| {
            let all: BTreeSet<&Place> = sets.iter().flatten().collect();
            let bytes: usize = all.into_iter().map(|place| self.words.range(*place).len()).sum();
            bytes * (sets.len().ilog2() as usize + 1)
        };
        let mut tables: Vec<Vec<Vec<Place>>> = tables.into_values().collect();
        tables.sort_by_cached_key(|sets| Reverse(worth(sets)));
        tables
    }

    /// Returns the same parts with all that goes with the things that are named in them.
    fn closed(&self, things: &[Vec<Place>], starts: &[(u32, usize)]) -> Vec<Vec<Place>> {
        let named_in = |at: Range<u32>| {
            let from = starts.partition_point(|(start, _)| *start < at.start);
            starts[from..].iter().take_while(move |(start, _)| *start < at.end).map(|(_, thing)| *thing)
        };
        let mut steps = 0;
        let mut sets: BTreeSet<Vec<Place>> = BTreeSet::new();
        let mut seen: Vec<usize> = vec![usize::MAX; things.len()];
        for first in 0..things.len() {
            let (mut open, mut set): (Vec<usize>, Vec<Place>) = (vec![first], vec![]);
            seen[first] = first;
            while let Some(thing) = open.pop() {
                set.extend(&things[thing]);
                steps += things[thing].len();
                if set.len() > MOST || steps > STEPS {
                    break;
                }
                for place in &things[thing] {
                    let named = named_in(self.words.lists[place.list as usize][place.item as usize].at.clone());
                    open.extend(named.filter(|thing| std::mem::replace(&mut seen[*thing], first) != first));
                }
            }
            set.sort_unstable();
            set.dedup();
            if (2..=MOST).contains(&set.len()) {
                sets.insert(set);
            }
        }
        sets.into_iter().collect()
    }
}

/// Returns which part of what refers goes: the innermost one of a list whose others refer, too, and in which there is no such name. Where it has no such part, it is there
/// once in what has a name itself: if nearly each of these has it, that goes first.
fn level_of_reference(words: &Words, of: &[usize], names: &[&[usize]], owners: &HashSet<Place>) -> Level {
    let narrow = level(words, of, names);
    let mut levels: BTreeMap<usize, usize> = BTreeMap::new();
    for word in of {
        if let Some(level) = words.all[*word].parts.iter().position(|place| owners.contains(place)) {
            *levels.entry(level).or_default() += 1;
        }
    }
    let wide = levels.into_iter().max_by_key(|(level, count)| (*count, Reverse(*level)));
    let Some((wide, owned)) = wide else { return Level { at: [narrow.unwrap_or(0); 2] } };
    let refers_to_others = |word: &&usize| {
        let place = words.all[**word].parts.get(wide);
        let at = place.map(|place| words.lists[place.list as usize][place.item as usize].at.clone());
        at.is_some_and(|at| names.iter().all(|names| within(words, names, at.start, at.end) == 0))
    };
    match narrow {
        // What refers to others of its own kind mostly does so now and then.
        Some(narrow) if of.iter().filter(refers_to_others).count() * 2 < of.len() => Level { at: [narrow; 2] },
        Some(narrow) => Level { at: [narrow, wide.max(narrow)] },
        None if owned * 4 >= names.iter().map(|names| names.len()).max().unwrap_or(0) * 3 => Level { at: [wide, 0] },
        None => Level { at: [0, wide] },
    }
}

/// Returns how many parts further out than the innermost one that part of a word stands which goes with it: the first that stands in a list with others
/// that have such a word, has no other one itself, and none of the names, as what refers from one thing to another has. `None` if that is so for less than
/// half of the words.
pub(super) fn level(words: &Words, of: &[usize], names: &[&[usize]]) -> Option<usize> {
    let within = |of: &[usize], from: u32, to: u32| within(words, of, from, to);
    let mut levels: BTreeMap<usize, usize> = BTreeMap::new();
    for word in of {
        let is_one_of_many = |place: &Place| {
            let list = &words.lists[place.list as usize];
            let own = &list[place.item as usize].at;
            within(of, own.start, own.end) == 1
                && within(of, list[0].at.start, list[list.len() - 1].at.end) > 1
                && names.iter().all(|names| within(names, own.start, own.end) == 0)
        };
        if let Some(level) = words.all[*word].parts.iter().position(is_one_of_many) {
            *levels.entry(level).or_default() += 1;
        }
    }
    let most = levels.into_iter().max_by_key(|(level, count)| (*count, Reverse(*level)));
    most.filter(|(_, count)| count * 2 >= of.len()).map(|(level, _)| level)
}

/// Returns how many of some words stand between two addresses.
fn within(words: &Words, of: &[usize], from: u32, to: u32) -> usize {
    let before = |address: u32| of.partition_point(|word| words.all[*word].at.start < address);
    before(to) - before(from)
}

/// Returns the numbers that count the parts of lists, or add up a number of each part, in the order of their addresses.
pub(super) fn counted(words: &Words) -> Vec<Counted> {
    let mut all = counts::counts(words);
    let sums = sums::sums(words, &all);
    all.extend(sums);
    all.sort_by_key(|counted| counted.mend.at.start);
    all
}

/// Returns sets with the lists in which their parts stand, and the numbers that count parts of these. `None` if there are no sets.
pub(super) fn numbered(words: &Words, sets: Vec<Vec<Place>>, counted: &[Counted]) -> Option<ItemSets> {
    let used: HashSet<u32> = sets.iter().flatten().map(|place| place.list).collect();
    let (mut items, mut first) = (vec![], HashMap::new());
    for (number, list) in words.lists.iter().enumerate().filter(|(number, _)| used.contains(&(*number as u32))) {
        first.insert(number as u32, items.len() as u32);
        items.extend(list.iter().cloned());
    }
    let numbers = |set: Vec<Place>| {
        let mut numbers: Vec<u32> = set.iter().map(|place| first[&place.list] + place.item).collect();
        numbers.sort_unstable();
        numbers
    };
    let mut sets: Vec<Vec<u32>> = sets.into_iter().map(numbers).collect();
    sets.sort();
    let sets: Vec<_> = sets.into_iter().map(Into::into).collect();
    let mends = counted.iter().filter(|it| it.is_of(&used)).map(|it| it.mend.clone()).collect();
    (!sets.is_empty()).then(|| ItemSets { items: items.into(), sets: sets.into(), mends, emptied: [].into() })
}
