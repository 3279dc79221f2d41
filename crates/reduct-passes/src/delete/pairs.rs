//! Texts of pairs of lines, as DXF: a line with a small number, the key, and a line with a value. What is seen of one is that every second line is such
//! a number, and others are not.
//!
//! A group is from one pair that has the key of the first pair to the next. A group whose value is END and some letters of the value of one before ends
//! that: `SECTION` and `ENDSEC`, `BLOCK` and `ENDBLK`. In a group, what stands from one pair of its most frequent key to the next is a part, too.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How many levels of parts there are from one depth to the next: groups, parts of them, pairs.
const LEVELS: usize = 3;

/// Deeper than this nothing is taken apart.
const DEEPEST: usize = 16;

/// Fewer pairs are soon gone through as lines.
const FEWEST: usize = 4;

/// Of so many values one at least is no small number.
const VALUES: usize = 4;

/// A key that stands less often in a group begins no part of it.
const OFTEN: usize = 3;

/// A key with its value.
struct Pair<'t> {
    key: &'t [u8],
    value: &'t [u8],
    at: Range<usize>,
}

/// Returns the parts of a text of pairs, each with its level, those of a level in the order of the text; `None` if it is no such text.
pub(super) fn items(text: &[u8]) -> Option<Vec<(usize, Range<usize>)>> {
    let pairs = pairs(text)?;
    let heads: Vec<usize> = (0..pairs.len()).filter(|at| pairs[*at].key == pairs[0].key).collect();
    let ends = heads.iter().skip(1).copied().chain([pairs.len()]);
    let groups: Vec<Range<usize>> = heads.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
    let mut found = vec![];
    // By group that is not ended, the one that ends it.
    let mut open: Vec<usize> = vec![];
    let ended = ends_of(&pairs, &groups);
    for (number, group) in groups.iter().enumerate() {
        if open.pop_if(|end| *end == number).is_some() {
            parts_of(&pairs, group, LEVELS * open.len(), &mut found);
            continue;
        }
        let level = LEVELS * open.len();
        match ended[number].filter(|_| open.len() < DEEPEST) {
            Some(end) => {
                found.push((level, span(&pairs, &(group.start..groups[end].end))));
                open.push(end);
            }
            None => found.push((level, span(&pairs, group))),
        }
        parts_of(&pairs, group, level, &mut found);
    }
    found.sort_by_key(|(level, at)| (*level, at.start));
    Some(found)
}

/// Returns where some pairs stand.
fn span(pairs: &[Pair<'_>], group: &Range<usize>) -> Range<usize> {
    pairs[group.start].at.start..pairs[group.end - 1].at.end
}

/// Adds what stands in a group behind its first pair: pairs, and parts of several.
fn parts_of(pairs: &[Pair<'_>], group: &Range<usize>, level: usize, found: &mut Vec<(usize, Range<usize>)>) {
    let inner = group.start + 1..group.end;
    found.extend(pairs[inner.clone()].iter().map(|pair| (level + 2, pair.at.clone())));
    let mut counts: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for at in inner.clone() {
        counts.entry(pairs[at].key).or_default().push(at);
    }
    // Of those that stand alike often, the first one begins the parts.
    let most = counts.into_values().max_by_key(|places| (places.len(), Reverse(places[0])));
    let Some(places) = most.filter(|places| places.len() >= OFTEN && places.len() * 2 <= inner.len()) else { return };
    let ends = places.iter().skip(1).copied().chain([inner.end]);
    found.extend(places.iter().copied().zip(ends).map(|(start, end)| (level + 1, span(pairs, &(start..end)))));
}

/// Returns, by group, the group that ends it.
fn ends_of(pairs: &[Pair<'_>], groups: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut ended = vec![None; groups.len()];
    let mut open: Vec<usize> = vec![];
    let value = |group: usize| pairs[groups[group].start].value;
    let ends: BTreeSet<&[u8]> = (0..groups.len()).filter_map(|group| value(group).strip_prefix(b"END")).collect();
    let begins = |group: usize| ends.iter().take(DEEPEST).any(|letters| is_short_for(letters, value(group)));
    for group in 0..groups.len() {
        match value(group).strip_prefix(b"END") {
            Some(letters) => {
                let mut last = open.iter().rev().take(DEEPEST);
                let Some(back) = last.position(|open| is_short_for(letters, value(*open))) else { continue };
                open.truncate(open.len() - back);
                if let Some(begin) = open.pop() {
                    ended[begin] = Some(group);
                }
            }
            None if begins(group) => open.push(group),
            None => {}
        }
    }
    ended
}

/// Returns whether letters are the first one of a word and some later ones, in their order.
fn is_short_for(letters: &[u8], word: &[u8]) -> bool {
    let mut rest = word.iter();
    let is_first = letters.first().is_some_and(|first| word.first() == Some(first));
    is_first && letters.iter().all(|letter| rest.any(|byte| byte == letter))
}

/// Returns the pairs of a text; `None` if it does not consist of pairs.
fn pairs(text: &[u8]) -> Option<Vec<Pair<'_>>> {
    let (mut found, mut start) = (vec![], 0);
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    while let Some(first) = lines.next() {
        let key = first.trim_ascii();
        if key.is_empty() && text[start..].trim_ascii().is_empty() {
            break;
        }
        if !is_small_number(key) {
            return None;
        }
        let second = lines.next()?;
        let end = start + first.len() + second.len();
        found.push(Pair { key, value: second.trim_ascii(), at: start..end });
        start = end;
    }
    let values = found.iter().filter(|pair| !is_small_number(pair.value)).count();
    (found.len() >= FEWEST && values * VALUES >= found.len()).then_some(found)
}

fn is_small_number(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}
