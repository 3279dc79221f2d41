//! The tree of brackets of any text that no grammar reads: what stands side by side between two brackets.
//!
//! What separates the parts is read off the text between the two brackets itself: semicolons and
//! closing braces (statements and declarations), else commas (lists), else white space if there are
//! brackets within (s-expressions). Brackets in strings and comments do not count; a bracket without
//! its partner is a character like any other. One pass with a stack of its own, so that nesting is
//! bounded by memory, not by the machine's stack.

use super::Levels;
use crate::pass::{Needs, Pass, Proposals};
use crate::text::Strings;
use reduct_input::Subject;
use reduct_input::parts::Apart;

pub(crate) const PASS: Pass = Pass {
    must_parse: true,
    needs: Needs::Text,
    ..Pass::deleting("brackets", "bracket items", "what stands side by side between two brackets", propose)
};

fn propose(subject: &Subject) -> Proposals {
    let mut levels = Levels::default();
    for region in subject.unparsed() {
        let text = subject.text(region.clone());
        items(text, |level, start, end| levels.add(level, region.start + start..region.start + end));
    }
    levels.finish(Apart)
}

/// A place where an item may end: the position after it.
#[derive(Clone, Copy)]
struct Mark {
    at: u32,
    region: u32,
    what: Sign,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Semicolon,
    Comma,
    Space,
    LineEnd,
    /// A bracket within the region was closed; `ends` if a statement may end with it.
    Close {
        ends: bool,
    },
    /// The region itself ends.
    End,
}

/// The text between two brackets, or the whole text.
#[derive(Clone, Copy)]
struct Region {
    level: u32,
    /// Where the next item begins.
    next: u32,
    /// From there to here there is only white space.
    blank: u32,
    semicolons: bool,
    commas: bool,
    brackets: bool,
}

/// Calls `item` with the level, start and end of each item, those of a level in the order of the text.
fn items(text: &[u8], mut item: impl FnMut(usize, u32, u32)) {
    let (mut regions, marks) = scan(text);
    for mark in marks {
        let region = &mut regions[mark.region as usize];
        // Each white space is passed over once, however many marks stand in it.
        let white = text[region.blank as usize..mark.at as usize].iter().take_while(|b| b.is_ascii_whitespace());
        region.blank += white.count() as u32;
        let so_far = &text[region.blank as usize..mark.at as usize];
        let ends = match mark.what {
            Sign::End => true,
            _ if region.semicolons => match mark.what {
                Sign::Semicolon => true,
                Sign::Close { ends } => ends,
                // A line of the preprocessor needs no semicolon.
                Sign::LineEnd => so_far.starts_with(b"#"),
                _ => false,
            },
            _ if region.commas => mark.what == Sign::Comma,
            _ if region.brackets => matches!(mark.what, Sign::Space | Sign::LineEnd | Sign::Close { .. }),
            _ => false,
        };
        let separated = region.semicolons || region.commas || region.brackets;
        if ends && separated && !so_far.is_empty() {
            item(region.level as usize, region.next, mark.at);
            (region.next, region.blank) = (mark.at, mark.at);
        }
    }
}

/// Returns whether a statement ends with the brace that `rest` follows; `head` stands before its partner.
///
/// It does at the end of a line, and after a head like `if (x)` or `int f()`, wherever that is; after
/// another head, as in `struct s { } x;`, only a semicolon tells.
fn ends_statement(head: &[u8], rest: &[u8]) -> bool {
    let line_ends = rest.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r')).is_none_or(|&next| next == b'\n');
    let called = head.iter().rfind(|b| !b.is_ascii_whitespace()) == Some(&b')');
    let next = &rest[rest.iter().take_while(|b| b.is_ascii_whitespace()).count()..];
    let goes_on = [b"else".as_slice(), b"catch", b"finally", b"while", b";", b",", b")"];
    (line_ends || called) && !goes_on.iter().any(|word| next.starts_with(word))
}

/// Returns the regions of the text, and all places where items may end, in the order of the text.
fn scan(text: &[u8]) -> (Vec<Region>, Vec<Mark>) {
    let partners = partners(text);
    let region = |level, next| Region { level, next, blank: next, semicolons: false, commas: false, brackets: false };
    let (mut regions, mut marks) = (vec![region(0, 0)], vec![]);
    let mut stack = vec![0u32];
    let mut opened_at = vec![];
    let mut pair = 0;
    for (at, byte) in Outside::new(text) {
        let inside = stack[stack.len() - 1];
        let mut mark = |what| marks.push(Mark { at: at as u32 + 1, region: inside, what });
        match byte {
            b'{' | b'(' | b'[' if partners.opens.get(pair) == Some(&(at as u32)) => {
                pair += 1;
                let level = stack.len() as u32;
                opened_at.push(at);
                stack.push(regions.len() as u32);
                regions.push(region(level, at as u32 + 1));
            }
            b'}' | b')' | b']' if partners.closes.contains(at as u32) => {
                marks.push(Mark { at: at as u32, region: inside, what: Sign::End });
                stack.pop();
                let outside = stack[stack.len() - 1];
                let head = &text[..opened_at.pop().unwrap_or(0)];
                let ends = byte == b'}' && ends_statement(head, &text[at + 1..]);
                marks.push(Mark { at: at as u32 + 1, region: outside, what: Sign::Close { ends } });
                let outside = &mut regions[outside as usize];
                outside.brackets = true;
                outside.semicolons |= ends && outside.level == 0;
            }
            b';' => {
                regions[inside as usize].semicolons = true;
                mark(Sign::Semicolon);
            }
            b',' => {
                regions[inside as usize].commas = true;
                mark(Sign::Comma);
            }
            b'\n' => mark(Sign::LineEnd),
            b' ' | b'\t' => mark(Sign::Space),
            _ => {}
        }
    }
    marks.push(Mark { at: text.len() as u32, region: 0, what: Sign::End });
    (regions, marks)
}

/// The positions of the brackets that have a partner.
struct Partners {
    opens: Vec<u32>,
    closes: Sorted,
}

struct Sorted(Vec<u32>);

impl Sorted {
    fn contains(&self, at: u32) -> bool {
        self.0.binary_search(&at).is_ok()
    }
}

fn partners(text: &[u8]) -> Partners {
    let (mut open, mut counts) = (Vec::<u32>::new(), [0usize; 3]);
    let (mut opens, mut closes) = (vec![], vec![]);
    let which = |byte| match byte {
        b'{' | b'}' => 0,
        b'(' | b')' => 1,
        _ => 2,
    };
    for (at, byte) in Outside::new(text) {
        match byte {
            b'{' | b'(' | b'[' => {
                open.push(at as u32);
                counts[which(byte)] += 1;
            }
            // With no partner open it is left alone; else what was opened since has no partner.
            b'}' | b')' | b']' if counts[which(byte)] > 0 => {
                while let Some(opened) = open.pop() {
                    let kind = which(text[opened as usize]);
                    counts[kind] -= 1;
                    if kind == which(byte) {
                        opens.push(opened);
                        closes.push(at as u32);
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    opens.sort_unstable();
    Partners { opens, closes: Sorted(closes) }
}

/// The bytes of a text outside of strings, characters and comments, whose brackets do not count, with
/// their positions.
struct Outside<'a> {
    text: &'a [u8],
    at: usize,
    strings: Strings,
    /// Where the last end of a block comment stands, so that none is searched for after it.
    last_end: Option<usize>,
}

impl<'a> Outside<'a> {
    fn new(text: &'a [u8]) -> Outside<'a> {
        let last_end = text.windows(2).rposition(|pair| pair == b"*/");
        Outside { text, at: 0, strings: Strings::default(), last_end }
    }

    /// Returns the position after the string, character or comment that begins at `at`; `at` if none does.
    fn after(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let length = match rest {
            [b'"', ..] => self.strings.length(self.text, at).unwrap_or(0),
            [b'\'', b'\\', _, b'\'', ..] => 4,
            [b'\'', _, b'\'', ..] => 3,
            [b'/', b'*', ..] if self.last_end.is_some_and(|end| at + 2 <= end) => {
                rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(0, |end| end + 4)
            }
            [b'/', b'/', ..] => rest.iter().take_while(|&&b| b != b'\n').count(),
            _ => 0,
        };
        at + length
    }
}

impl Iterator for Outside<'_> {
    type Item = (usize, u8);

    fn next(&mut self) -> Option<(usize, u8)> {
        while self.at < self.text.len() {
            let end = self.after(self.at);
            if end == self.at {
                self.at += 1;
                return Some((end, self.text[end]));
            }
            self.at = end;
        }
        None
    }
}
