//! Shortens a word of data wherever it stands, so that it stays the same in all places.
//!
//! ## What it tries
//! For a few words that stand in several places of a text of no known language, of strings, or of YAML, XML, HTML and CSS, those
//! first that gain most: one letter that is no word yet in all places, a digit for what begins with a digit. Then, where no
//! grammar reads the text, the same words gone from all places. Numbers of programs are such words, too; what stands between blanks, commas and brackets is one
//! whatever signs are in it.
//!
//! ## When it helps
//! Where a failure needs the same word twice: a key and what refers to it, two equal rows, a value and what it is
//! compared with.
//!
//! ## Before
//! ```text
//! lemon: yellow-1204
//! lemon: yellow-1204
//! ```
//! ## After
//! ```text
//! b: a
//! b: a
//! ```

use super::rename::Shorter;
use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use crate::text::{is_number, is_string, outermost};
use reduct_input::names::{is_word, words};
use reduct_input::{Class, Edit, Splice, Subject, Tree};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("same-words", "shortens a word of data in all its places", 0.3, propose)
};

/// So many words are tried in a visit.
const MOST: usize = 16;

/// In larger texts, what stands in several places is still found place by place.
const LONGEST: usize = 1 << 16;

/// Languages whose leaves are data.
const DATA: &[&str] = &["yaml", "xml", "html", "css", "toml"];

/// What ends a word that may have other signs in it.
const ENDS: &[u8] = b",;|:=<>()[]{}\"'`\\";

fn propose(subject: &Subject) -> Proposals {
    if subject.artifact().bytes().len() > LONGEST {
        return vec![];
    }
    let mut shorter = Shorter::new(subject);
    let mut digits = unused_digits(subject);
    let mut found: Vec<(&[u8], Vec<Range<u32>>)> = repeated(subject).into_iter().collect();
    found.sort_by_key(|(word, places)| Reverse((word.len() - 1) * places.len()));
    found.truncate(MOST);
    let everywhere = |places: &[Range<u32>], new: &[u8]| {
        Edit::new(places.iter().map(|at| Splice { at: at.clone(), with: new.into() }).collect())
    };
    let short = found.iter().filter_map(|(word, places)| {
        let new = if word[0].is_ascii_digit() { digits.pop().map(|digit| vec![digit]) } else { shorter.than(word) };
        everywhere(places, &new?)
    });
    let short = propose_in_order(subject, largest_first(short.collect()));
    let unknown = subject.of_unknown_languages();
    let is_unread = |at: &Range<u32>| unknown.iter().any(|file| file.contains(&at.start));
    let gone = found.iter().filter(|(_, places)| places.iter().all(is_unread));
    let gone = gone.filter_map(|(_, places)| everywhere(places, b""));
    [short, propose_in_order(subject, gone)].concat()
}

/// Returns the digits that are no numbers of the text, the first one last.
fn unused_digits(subject: &Subject) -> Vec<u8> {
    let text = subject.artifact().bytes();
    let is_used = |digit: u8| words(text).any(|at| text[at.start as usize..at.end as usize] == [digit]);
    (b'0'..=b'9').map(|digit| if digit == b'9' { b'0' } else { digit + 1 }).rev().filter(|it| !is_used(*it)).collect()
}

/// Returns the words of data that stand in several places, and these.
fn repeated(subject: &Subject) -> BTreeMap<&[u8], Vec<Range<u32>>> {
    let mut places: BTreeMap<&[u8], Vec<Range<u32>>> = BTreeMap::new();
    let regions = subject.of_unknown_languages().into_iter();
    for region in regions.chain(subject.trees().iter().flat_map(|tree| data(subject, tree))) {
        let text = subject.text(region.clone());
        for at in words_between(text, |byte| !is_word(byte)).chain(wide(text)) {
            let at = region.start + at.start..region.start + at.end;
            places.entry(subject.text(at.clone())).or_default().push(at);
        }
    }
    with_names(subject, &mut places);
    places.retain(|_, places| places.len() > 1);
    // What stands in longer words only is changed with them.
    let longer = places.iter().filter(|(word, _)| !word.iter().all(|byte| is_word(*byte)));
    let ends: BTreeMap<u32, u32> = longer.flat_map(|(_, places)| places).map(|at| (at.start, at.end)).collect();
    let is_within = |at: &Range<u32>| {
        let around = ends.range(..=at.start).next_back();
        around.is_some_and(|(start, end)| at.end <= *end && (*start, *end) != (at.start, at.end))
    };
    places.retain(|_, places| !places.iter().all(is_within));
    places
}

/// Returns where strings, numbers, and other data of a tree stand.
fn data(subject: &Subject, tree: &Tree) -> Vec<Range<u32>> {
    let is_data = DATA.contains(&tree.grammar.language);
    let is_leaf = |at: usize| tree.is_named(at) && !tree.children(at).any(|child| tree.is_named(child));
    let is_other = |at: usize| ![Class::NAME, Class::COMMENT].iter().any(|class| tree.is(at, *class));
    outermost(tree, |at| {
        is_string(subject, tree, at) || is_number(subject, tree, at) || is_data && is_leaf(at) && is_other(at)
    })
}

/// Adds where a word of data is a name that the text defines.
fn with_names<'a>(subject: &'a Subject, places: &mut BTreeMap<&'a [u8], Vec<Range<u32>>>) {
    let names = subject.names();
    let own = (0..names.all().len()).filter(|name| names.all()[*name].definitions > 0);
    let of_text: HashMap<&[u8], usize> = own.map(|name| (names.text(subject, name), name)).collect();
    for (word, places) in places {
        let Some(name) = of_text.get(word) else { continue };
        places.extend(names.places_of(*name).map(|place| place.at.clone()));
        places.sort_by_key(|at| (at.start, at.end));
        places.dedup();
    }
}

/// Returns the words that have other signs in them.
fn wide(text: &[u8]) -> impl Iterator<Item = Range<u32>> + '_ {
    let all = words_between(text, |byte| byte.is_ascii_whitespace() || ENDS.contains(&byte));
    all.filter(|at| !text[at.start as usize..at.end as usize].iter().all(|byte| is_word(*byte)))
}

/// Returns what stands between bytes that end words. A backslash ends one together with what follows it.
fn words_between(text: &[u8], ends: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<u32>> {
    let (mut found, mut start, mut at) = (vec![], 0, 0);
    while at < text.len() {
        if ends(text[at]) {
            found.push(start as u32..at as u32);
            at += usize::from(text[at] == b'\\');
            start = (at + 1).min(text.len());
        }
        at += 1;
    }
    found.push(start as u32..text.len() as u32);
    found.into_iter().filter(|word| !word.is_empty())
}
