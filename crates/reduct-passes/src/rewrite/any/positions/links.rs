//! Which numbers refer to which lists.

use super::found::{Found, Link, Listed, Number};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Fewer numbers of which none says to which list they refer tell nothing.
const FEWEST: usize = 4;

/// A list whose last part the largest of them means has at least so many parts: shorter ones do by chance.
const LONG: usize = 8;

/// Of the places of such a list one in so many is among the numbers, or more; and one of so many last ones.
const SHARE: usize = 4;
const LAST: usize = 8;

/// So many of such lists are looked at.
const LISTS: usize = 16;

/// Numbers and lists for which more steps are needed are not looked at.
const STEPS: usize = 1 << 20;

/// Words behind a name that say that a number refers to it.
const REFERRING: &[&[u8]] = &[b"id", b"idx", b"index", b"indices", b"number", b"no", b"ref"];

/// Words that refer to something that is called otherwise, in glTF and WebAssembly.
const OTHERWISE: &[(&[u8], &[u8])] = &[
    (b"attributes", b"accessors"),
    (b"call", b"func"),
    (b"children", b"nodes"),
    (b"elem", b"func"),
    (b"indices", b"accessors"),
    (b"input", b"accessors"),
    (b"joints", b"nodes"),
    (b"matrices", b"accessors"),
    (b"output", b"accessors"),
    (b"skeleton", b"nodes"),
    (b"source", b"images"),
    (b"start", b"func"),
];

/// Returns the numbers that refer to lists.
pub(super) fn linked(found: &Found) -> Vec<Link> {
    let mut by_label: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, it) in found.numbers.iter().enumerate() {
        by_label.entry(it.label).or_default().push(number);
    }
    if by_label.len() * found.lists.len() > STEPS {
        return vec![];
    }
    let links = |numbers: Vec<usize>| said(found, &numbers).or_else(|| told(found, &numbers)).unwrap_or_default();
    let mut links: Vec<Link> = by_label.into_values().flat_map(links).collect();
    links.sort_by_key(|link| link.number);
    links
}

/// Returns the links of numbers with one label, if all of them are said to refer to something that is there.
fn said(found: &Found, numbers: &[usize]) -> Option<Vec<Link>> {
    let says = found.numbers[*numbers.first()?].says;
    // How many words of its name say that a list is meant; none if nothing does.
    let mut known: BTreeMap<&[u8], usize> = BTreeMap::new();
    let mut in_common = |name| *known.entry(name).or_insert_with(|| words_in_common(&says, name));
    let by_list: Vec<usize> = found.lists.iter().map(|list| in_common(list.name)).collect();
    let meant: Vec<usize> = (0..found.lists.len()).filter(|list| by_list[*list] > 0).collect();
    if meant.len() * numbers.len() > STEPS {
        return None;
    }
    let link = |number: &usize| {
        let it = &found.numbers[*number];
        let is_meant = |list: &usize| holds(&found.lists[*list], it);
        let nearest = |list: &usize| (by_list[*list], std::cmp::Reverse(found.lists[*list].scope.len()));
        let list = meant.iter().copied().filter(is_meant).max_by_key(nearest)?;
        (it.value < found.lists[list].items.len()).then_some(Link { number: *number, list })
    };
    numbers.iter().map(link).collect()
}

fn holds(list: &Listed, number: &Number) -> bool {
    list.scope.start <= number.at.start && number.at.end <= list.scope.end
}

/// Returns the links of numbers with one label that are places of one list, in which most of its places are.
fn told(found: &Found, numbers: &[usize]) -> Option<Vec<Link>> {
    let values: HashSet<usize> = numbers.iter().map(|number| found.numbers[*number].value).collect();
    let last = values.iter().copied().max()?;
    let is_told = |list: &usize| {
        let length = found.lists[*list].items.len();
        // What comes after the last part that is meant has gone already.
        let ends_there = last + 1 == length && length >= LONG;
        let has_most = last < length
            && (last + 1 + LAST > length)
            && (last + 1) * LAST >= length * (LAST - 1)
            && values.len() * SHARE >= length;
        ends_there || has_most && values.len() >= FEWEST
    };
    let all_held = |list: &usize| numbers.iter().all(|number| holds(&found.lists[*list], &found.numbers[*number]));
    let list = (0..found.lists.len())
        .filter(is_told)
        .take(LISTS)
        .filter(all_held)
        .min_by_key(|list| found.lists[*list].items.len())?;
    Some(numbers.iter().map(|number| Link { number: *number, list }).collect())
}

/// Returns how many words of the name of a list one of some labels ends with.
fn words_in_common(says: &[&[u8]], name: &[u8]) -> usize {
    let name = words(name);
    for label in says {
        let mut label = words(label);
        if let Some((_, other)) = OTHERWISE.iter().find(|(word, _)| label.last().is_some_and(|last| last == word)) {
            return usize::from(name.len() == 1 && name[0] == *other);
        }
        while label.last().is_some_and(|last| REFERRING.contains(&&last[..])) {
            label.pop();
        }
        if !label.is_empty() {
            let is_named = name.len() <= label.len()
                && name.iter().rev().zip(label.iter().rev()).all(|(name, label)| is_one_of(label, name));
            // The first word of an instruction says what it is about.
            let is_first = name.len() == 1 && label.len() > 1 && is_one_of(&label[0], &name[0]);
            return if is_named { name.len() } else { usize::from(is_first) };
        }
    }
    0
}

/// Returns whether one word is the other one, or its plural.
fn is_one_of(one: &[u8], other: &[u8]) -> bool {
    one == other || plurals(one).contains(other) || plurals(other).contains(one)
}

/// Returns how more than one of something may be called.
fn plurals(word: &[u8]) -> BTreeSet<Vec<u8>> {
    let with = |keep: usize, end: &[u8]| [&word[..keep.min(word.len())], end].concat();
    let shorter = |by: usize| word.len().saturating_sub(by);
    let mut all = BTreeSet::from([
        with(word.len(), b"s"),
        with(word.len(), b"es"),
        with(word.len(), b"list"),
        with(word.len(), b"table"),
    ]);
    match word {
        [.., b'y'] => drop(all.insert(with(shorter(1), b"ies"))),
        [.., b'i' | b'e', b'x'] => drop(all.insert(with(shorter(2), b"ices"))),
        _ => {}
    }
    all
}

/// Returns the words of a name, in small letters: those between signs, and those that begin with a large letter.
fn words(name: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = vec![];
    let mut before = b' ';
    for byte in name {
        let begins = !before.is_ascii_alphanumeric() || byte.is_ascii_uppercase() && !before.is_ascii_uppercase();
        if byte.is_ascii_alphanumeric() {
            if begins {
                words.push(vec![]);
            }
            if let Some(word) = words.last_mut() {
                word.push(byte.to_ascii_lowercase());
            }
        }
        before = *byte;
    }
    words
}
