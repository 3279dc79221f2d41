//! Which words refer to which names, guessed from what stands before them.

use super::words::{FEWEST, Label, Word};
use crate::text::telling;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A word that stands behind more labels is no name.
const LABELS: usize = 32;

/// So many different numbers that are names elsewhere are no chance, though nothing says so.
const NUMBERS: usize = 16;

/// The texts behind each label.
type Texts<'a> = HashMap<Label<'a>, HashSet<&'a [u8]>>;

/// A label behind which names stand, and how many of them stand behind another label, too.
struct Link<'a> {
    name: Label<'a>,
    common: usize,
    /// Whether one label says a word of the other.
    is_said: bool,
}

/// Returns by label behind which names stand to which words behind it refer, the likeliest first; of two that refer to each other, the one with fewer names refers,
/// or the later one. A label with names that refer to nothing has none.
pub(super) fn linked<'a>(
    words: &[Word<'a>],
    by_label: &HashMap<Label<'a>, Vec<usize>>,
) -> BTreeMap<Label<'a>, Vec<Label<'a>>> {
    let texts: Texts<'a> =
        by_label.iter().map(|(label, all)| (*label, all.iter().map(|word| words[*word].text).collect())).collect();
    let is_name = |label: &Label<'a>| texts[label].len() == by_label[label].len();
    let candidates = candidates(&texts, is_name);
    let rank = |label: &Label<'a>| (texts[label].len(), Reverse(by_label[label][0]));
    let mut linked: BTreeMap<Label<'a>, Vec<Label<'a>>> = BTreeMap::new();
    for (other, links) in &candidates {
        // Of two that both have names, each has to be what is likeliest for the other, or one says so.
        let is_mutual = |link: &Link<'a>| {
            !is_name(other)
                || link.is_said
                || candidates.get(&link.name).is_none_or(|links| links.iter().any(|back| back.name == *other))
        };
        for link in links.iter().filter(|link| is_mutual(link)) {
            linked.entry(link.name).or_default();
            let refers = rank(&link.name) > rank(other)
                || !candidates.get(&link.name).is_some_and(|links| links.iter().any(|back| back.name == *other));
            let names = linked.entry(*other).or_default();
            if refers {
                names.push(link.name);
            }
        }
    }
    linked
}

/// Returns by label to which names the words behind it may refer, the likeliest first.
fn candidates<'a>(texts: &Texts<'a>, is_name: impl Fn(&Label<'a>) -> bool) -> BTreeMap<Label<'a>, Vec<Link<'a>>> {
    let mut behind: HashMap<&[u8], Vec<Label<'a>>> = HashMap::new();
    // Labels with fewer words have too few in common with any.
    for (label, texts) in texts.iter().filter(|(_, texts)| texts.len() >= FEWEST) {
        texts.iter().for_each(|text| behind.entry(text).or_default().push(*label));
    }
    let mut common: HashMap<(Label<'a>, Label<'a>), usize> = HashMap::new();
    for labels in behind.values().filter(|labels| (2..=LABELS).contains(&labels.len())) {
        for name in labels.iter().filter(|name| is_name(name)) {
            for other in labels.iter().filter(|other| *other != name && !are_alike(name, other)) {
                *common.entry((*other, *name)).or_default() += 1;
            }
        }
    }
    let mut links: BTreeMap<Label<'a>, Vec<Link<'a>>> = BTreeMap::new();
    for ((other, name), common) in common.into_iter().filter(|(_, common)| *common >= FEWEST) {
        links.entry(other).or_default().push(Link { name, common, is_said: is_said(&other, &name) });
    }
    for (other, links) in &mut links {
        choose(&texts[other], is_name(other), links, texts);
    }
    links.retain(|_, links| !links.is_empty());
    links
}

/// Returns whether two labels are of one key in two tables: neither refers to the other.
fn are_alike(one: &Label, other: &Label) -> bool {
    one.is_of_key(other) && one.language == other.language
}

/// Keeps of the names to which words may refer those that are likely to be meant, the likeliest first. Each has words that those before it do not have, and all together
/// have half of the words.
fn choose<'a>(words: &HashSet<&'a [u8]>, are_unique: bool, links: &mut Vec<Link<'a>>, texts: &Texts<'a>) {
    let are_numbers = words.iter().all(|word| word.iter().all(u8::is_ascii_digit));
    // Numbers are mostly no names.
    let is_index = |link: &Link| {
        link.common * 2 >= texts[&link.name].len().max(words.len()) && (are_unique || link.common >= NUMBERS)
    };
    links.retain(|link| !are_numbers || link.is_said || is_index(link));
    let in_all = |link: &Link| words.len() + texts[&link.name].len() - link.common;
    links.sort_by(|one, other| {
        let share = |link: &Link, of: &Link| link.common as u64 * in_all(of) as u64;
        (other.is_said.cmp(&one.is_said))
            .then(share(other, one).cmp(&share(one, other)))
            .then(one.name.cmp(&other.name))
    });
    let mut known: HashSet<&[u8]> = HashSet::new();
    links.retain(|link| {
        let before = known.len();
        known.extend(words.intersection(&texts[&link.name]));
        known.len() - before >= FEWEST
    });
    if known.len() * 2 < words.len() {
        links.clear();
    }
}

/// Returns whether what refers says a word of what stands before the names, or of what stands before their table: `customer_id` one of `customers`.
pub(in crate::rewrite::any) fn is_said(other: &Label, name: &Label) -> bool {
    let named: Vec<Vec<u8>> = [name.before, name.table[0], name.table[1]].into_iter().flat_map(telling).collect();
    let is_of = |word: &Vec<u8>| named.iter().any(|named| named.starts_with(word) || word.starts_with(named));
    telling(other.before).iter().any(is_of)
}
