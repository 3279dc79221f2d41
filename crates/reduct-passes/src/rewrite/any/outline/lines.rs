//! The lines of a text, and how each begins.

use super::notes::{self, Note};
use crate::text::{indent, is_word};
use std::collections::HashMap;
use std::ops::Range;

/// A line, with its end.
pub(in crate::rewrite::any) struct Line {
    pub(in crate::rewrite::any) at: Range<usize>,
    /// How many columns of white space it begins with; `None` if it is nothing but white space.
    pub(in crate::rewrite::any) indent: Option<usize>,
    /// The number of what it begins with: its first word or sign, with its indent. And of all of it.
    pub(in crate::rewrite::any) begins: u32,
    pub(in crate::rewrite::any) whole: u32,
    /// Whether it ends something, or goes on with it.
    pub(in crate::rewrite::any) ends: bool,
    /// Whether it describes one below.
    pub(in crate::rewrite::any) note: Option<Note>,
    /// The number of the first line that describes it; its own one if none does.
    pub(in crate::rewrite::any) first: usize,
}

/// First words of lines that end something, or go on with it, in small letters.
const ENDING: &[&[u8]] =
    &[b"done", b"fi", b"esac", b"else", b"elif", b"elsif", b"catch", b"finally", b"except", b"then"];
const END: &[u8] = b"end";

/// What may stand behind `end` in one word.
const WITH_ENDS: &[&[u8]] = &[
    b"if",
    b"for",
    b"while",
    b"case",
    b"module",
    b"function",
    b"task",
    b"do",
    b"proc",
    b"sub",
    b"subroutine",
    b"program",
    b"procedure",
    b"class",
    b"macro",
    b"def",
    b"foreach",
    b"switch",
    b"loop",
    b"type",
    b"interface",
    b"package",
    b"generate",
    b"m",
    b"p",
    b"chapter",
];

/// In so many lines before the first section a number is looked for that says how many there are.
pub(in crate::rewrite::any) const FIRST: usize = 16;

/// Longer words do not tell more.
const LONGEST: usize = 24;

/// Returns the lines of a text. Takes time in proportion to it.
pub(in crate::rewrite::any) fn of(text: &[u8]) -> Vec<Line> {
    let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
    let (mut lines, mut at) = (vec![], 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let range = at..at + line.len();
        at = range.end;
        let words = line.trim_ascii();
        let indent = indent(line);
        let key = [&[b'0' + indent.unwrap_or(0).min(64) as u8][..], &beginning(words)].concat();
        let mut number = |key: Vec<u8>| {
            let next = known.len() as u32;
            *known.entry(key).or_insert(next)
        };
        let (begins, whole) = (number(key), number([b" ", words].concat()));
        lines.push(Line { at: range, indent, begins, whole, ends: ends(words), note: None, first: lines.len() });
    }
    add_notes(text, &mut lines);
    lines
}

/// Notes which lines describe others.
fn add_notes(text: &[u8], lines: &mut [Line]) {
    let words: Vec<&[u8]> = lines.iter().map(|line| text[line.at.clone()].trim_ascii()).collect();
    let indents: Vec<Option<usize>> = lines.iter().map(|line| line.indent).collect();
    let mut first = None;
    for (at, note) in notes::of(&words, &indents, |at| lines[at].ends).into_iter().enumerate() {
        lines[at].note = note;
        match note {
            Some(_) => first = first.or(Some(at)),
            None => lines[at].first = first.take().unwrap_or(at),
        }
    }
}

/// Returns the first signs and the first word of a line, in which all numbers are alike.
fn beginning(words: &[u8]) -> Vec<u8> {
    let signs = words.iter().take_while(|byte| !is_word(**byte) && !byte.is_ascii_whitespace()).take(3).count();
    let word = words[signs..].iter().take_while(|byte| is_word(**byte)).take(LONGEST).count();
    let mut found: Vec<u8> =
        words[..signs + word].iter().map(|byte| if byte.is_ascii_digit() { b'0' } else { *byte }).collect();
    found.dedup_by(|a, b| *a == b'0' && *b == b'0');
    found
}

/// Returns whether a line ends something, or goes on with it.
fn ends(words: &[u8]) -> bool {
    // As in TeX.
    let bare = words.strip_prefix(b"\\").unwrap_or(words);
    let word: Vec<u8> = bare.iter().take_while(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect();
    let is_end = word.strip_prefix(END).is_some_and(|what| what.is_empty() || WITH_ENDS.contains(&what));
    let is_bracket = matches!(words, [b'}' | b')' | b']', ..] | [b'<', b'/', ..]);
    is_bracket || is_end || ENDING.contains(&&word[..])
}

/// Returns the numbers in a line that may count something, and where each stands: without zeros before them, or a point beside them.
pub(in crate::rewrite::any) fn numbers<'t>(
    text: &'t [u8],
    line: &Line,
) -> impl Iterator<Item = (Range<usize>, u64)> + use<'t> {
    let (mut at, end) = (line.at.start, line.at.end);
    std::iter::from_fn(move || {
        let start = (at..end).find(|at| text[*at].is_ascii_digit() && (*at == 0 || !is_word(text[*at - 1])))?;
        at = (start..end).find(|at| !is_word(text[*at])).unwrap_or(end);
        Some(start..at)
    })
    .filter(move |at| {
        let is_point = |at: Option<usize>| at.and_then(|at| text.get(at)) == Some(&b'.');
        let has_zeros = at.len() > 1 && text[at.start] == b'0';
        let has_part = is_point(Some(at.end)) && text.get(at.end + 1).is_some_and(u8::is_ascii_digit);
        let is_part = is_point(at.start.checked_sub(1));
        !(has_zeros || has_part || is_part)
    })
    .filter_map(|at| Some((at.clone(), std::str::from_utf8(&text[at]).ok()?.parse().ok()?)))
}
