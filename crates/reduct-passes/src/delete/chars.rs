//! Characters: those of UTF-8 where the text is UTF-8, single bytes where it is not.
//!
//! Of a text whose language is known, those of strings and comments only: for names, numbers and white
//! space there are passes that get by with one test for what takes one a character here, and half a keyword
//! is of use to nobody.

use super::flat;
use crate::pass::{Pass, Proposals};
use crate::text::is_string;
use reduct_input::Class;
use reduct_input::Subject;
use reduct_input::parts::{Apart, Bytes};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    single_list: true,
    unit_of_known: Some("characters of strings and comments"),
    ..Pass::deleting("chars", "characters", "characters; where the text is not UTF-8, bytes", propose)
};

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

/// Returns the characters of texts of unknown languages, of strings and of comments.
fn of_free_text(subject: &Subject) -> Proposals {
    let mut free = subject.of_unknown_languages();
    for tree in subject.trees() {
        let mut at = 1;
        while at < tree.len() {
            let is_free = is_string(subject, tree, at) || tree.is(at, Class::COMMENT);
            if is_free {
                free.push(tree.range(at));
            }
            at = if is_free { tree.node(at).after as usize } else { at + 1 };
        }
    }
    free.sort_by_key(|range| (range.start, range.end));
    let mut parts: Vec<Range<u32>> = vec![];
    for range in free {
        let mut at = range.start.max(parts.last().map_or(0, |last| last.end));
        while at < range.end {
            let end = at + width(subject.text(at..range.end)) as u32;
            parts.push(at..end);
            at = end;
        }
    }
    if parts.is_empty() { vec![] } else { vec![Apart(parts.into()).into()] }
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
