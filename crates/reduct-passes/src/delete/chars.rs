//! Characters: those of UTF-8 where the text is UTF-8, single bytes where it is not.
//!
//! Of a text whose language is known, those of strings and comments only: for names, numbers and white
//! space there are passes that get by with one test for what takes one a character here, and half a keyword
//! is of use to nobody. In HTML and XML, the strings are the values of attributes in quotes; in YAML, scalars in quotes and blocks of
//! text. Texts between tags, plain scalars and regular expressions are words to other passes, and `texts` makes them shorter.

use super::{coarse, flat};
use crate::pass::{Narrowed, Pass, Proposals};
use crate::text::is_string;
use reduct_input::Class;
use reduct_input::Subject;
use reduct_input::parts::{Apart, Bytes};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    single_list: true,
    narrowed: Some(Narrowed { names: NARROWED, name: narrowed }),
    coarse: Some(coarse::of_bytes),
    ..Pass::deleting("chars", "characters", "characters; where the text is not UTF-8, bytes", propose)
};

/// What the characters are of, where a language is known: of [`STRINGS`], [`COMMENTS`] and [`OTHERS`] together, by their sum less one.
const NARROWED: &[&str] = &[
    "characters of strings",
    "characters of comments",
    "characters of strings and comments",
    "characters of texts in no known language",
    "characters of strings and texts in no known language",
    "characters of comments and texts in no known language",
    "characters of strings, comments and texts in no known language",
];

const STRINGS: usize = 1;
const COMMENTS: usize = 2;
/// Texts whose language is not known.
const OTHERS: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let artifact = subject.artifact();
    if subject.knows_a_language() {
        return of_free_text(subject);
    }
    match artifact.bytes() {
        [] => vec![],
        bytes if bytes.is_ascii() => vec![Bytes.into()],
        _ => flat(artifact, |text, at| at + width(&text[at..])),
    }
}

fn narrowed(subject: &Subject) -> Option<&'static str> {
    let sorts = || free_text(subject).iter().fold(0, |sorts, (_, sort)| sorts | sort);
    // Where there is nothing to try, nothing else would have been tried.
    subject.knows_a_language().then(|| match sorts() {
        0 => NARROWED[(STRINGS | COMMENTS) - 1],
        sorts => NARROWED[sorts - 1],
    })
}

/// Returns the characters of texts of unknown languages, of strings and of comments.
fn of_free_text(subject: &Subject) -> Proposals {
    let mut parts: Vec<Range<u32>> = vec![];
    for (range, _) in free_text(subject) {
        let mut at = range.start.max(parts.last().map_or(0, |last| last.end));
        while at < range.end {
            let end = at + width(subject.text(at..range.end)) as u32;
            parts.push(at..end);
            at = end;
        }
    }
    if parts.is_empty() { vec![] } else { vec![Apart(parts.into()).into()] }
}

/// Returns where texts of unknown languages, strings and comments stand that are not empty, each with its sort, in the order of the text.
fn free_text(subject: &Subject) -> Vec<(Range<u32>, usize)> {
    let mut free: Vec<_> = subject.of_unknown_languages().into_iter().map(|range| (range, OTHERS)).collect();
    for tree in subject.trees() {
        let mut at = 1;
        while at < tree.len() {
            let sort = match () {
                () if is_string(subject, tree, at) => Some(STRINGS),
                () if tree.is(at, Class::COMMENT) => Some(COMMENTS),
                () => None,
            };
            free.extend(sort.map(|sort| (tree.range(at), sort)));
            at = if sort.is_some() { tree.node(at).after as usize } else { at + 1 };
        }
    }
    free.retain(|(range, _)| !range.is_empty());
    free.sort_by_key(|(range, _)| (range.start, range.end));
    free
}

/// Returns how many bytes the character at the start of `rest` has.
fn width(rest: &[u8]) -> usize {
    let width = match rest[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    rest.get(..width).filter(|bytes| std::str::from_utf8(bytes).is_ok()).map_or(1, <[u8]>::len)
}
