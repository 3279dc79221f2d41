//! The tree of brackets of any text that no grammar reads: what stands side by side between two brackets.
//!
//! What separates the parts is read off the text between the two brackets itself: semicolons and
//! closing braces (statements and declarations), else commas (lists), else white space if there are
//! brackets within (s-expressions). Outside of all brackets, text whose lines do not end as statements do
//! is lines, as tables, logs and prose are; of a long line, its parts as well, and of a statement its rows of values.
//! Of a text of pairs of lines, as DXF, they are pairs and what these make up. Brackets in strings and comments do not count; a bracket without
//! its partner is a character like any other. One pass with a stack of its own, so that nesting is
//! bounded by memory, not by the machine's stack.

use super::{Levels, pairs};
use crate::pass::{Needs, Pass, Proposals};
use crate::text::{Strings, moved};
use reduct_input::Subject;
use reduct_input::parts::Apart;
use std::collections::HashMap;

pub(crate) const PASS: Pass = Pass {
    must_parse: true,
    needs: Needs::Text,
    ..Pass::deleting("brackets", "bracket items", "what stands side by side between two brackets", propose)
};

fn propose(subject: &Subject) -> Proposals {
    let mut levels = Levels::default();
    for region in subject.unparsed() {
        let text = subject.text(region.clone());
        if let Some(pairs) = pairs::items(text) {
            pairs.into_iter().for_each(|(level, at)| levels.add(level, moved(at, region.start)));
            continue;
        }
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

impl Region {
    fn new(level: u32, next: u32) -> Region {
        Region { level, next, blank: next, semicolons: false, commas: false, brackets: false }
    }

    /// Returns the text between its last item and a mark, without white space before it. Each white space is passed
    /// over once, however many marks stand in it.
    fn so_far<'a>(&mut self, text: &'a [u8], at: u32) -> &'a [u8] {
        let white = text[self.blank as usize..at as usize].iter().take_while(|b| b.is_ascii_whitespace());
        self.blank += white.count() as u32;
        &text[self.blank as usize..at as usize]
    }

    /// Returns whether an item ends at a mark that is not the region's end; `so_far` is the item's text.
    fn ends_at(&self, what: Sign, so_far: &[u8]) -> bool {
        match what {
            Sign::Semicolon => self.semicolons,
            Sign::Close { ends } if self.semicolons => ends,
            // A line of the preprocessor needs no semicolon.
            Sign::LineEnd if self.semicolons => so_far.starts_with(b"#"),
            Sign::Comma => self.commas && !self.semicolons,
            Sign::Space | Sign::LineEnd | Sign::Close { .. } => self.brackets && !self.commas && !self.semicolons,
            Sign::End => true,
        }
    }

    /// Returns the item that ends at a mark, if one does.
    fn item_at(&mut self, text: &[u8], mark: Mark) -> Option<(u32, u32)> {
        let so_far = self.so_far(text, mark.at);
        let is_separated = self.semicolons || self.commas || self.brackets;
        let found = is_separated && self.ends_at(mark.what, so_far) && !so_far.is_empty();
        found.then(|| (self.end_item(mark.at), mark.at))
    }

    /// Ends an item, and returns where it began.
    fn end_item(&mut self, at: u32) -> u32 {
        self.blank = at;
        std::mem::replace(&mut self.next, at)
    }
}

/// Calls `item` with the level, start and end of each item, those of a level in the order of the text. Between items and what is in their brackets
/// are the parts of those that are lists without brackets around them.
pub(crate) fn items(text: &[u8], mut item: impl FnMut(usize, u32, u32)) {
    let (mut regions, marks) = scan(text);
    let by_lines = is_by_lines(text, &marks);
    // By region, the marks since its last item.
    let mut since: HashMap<u32, Vec<Mark>> = HashMap::new();
    for mark in marks {
        let region = &mut regions[mark.region as usize];
        let (is_line, level) = (by_lines && mark.region == 0, 2 * region.level as usize);
        let found = match is_line {
            true => {
                let ends = matches!(mark.what, Sign::LineEnd | Sign::End) && !region.so_far(text, mark.at).is_empty();
                ends.then(|| (region.end_item(mark.at), mark.at))
            }
            false => region.item_at(text, mark),
        };
        if !is_line && !region.semicolons {
            found.into_iter().for_each(|(start, end)| item(level, start, end));
            continue;
        }
        let marks = since.entry(mark.region).or_default();
        marks.push(mark);
        if let Some((start, end)) = found {
            let parts =
                if is_line { parts_of_line(text, start, marks) } else { parts_of_statement(text, start, marks) };
            parts.into_iter().for_each(|(start, end)| item(level + 1, start, end));
            item(level, start, end);
            marks.clear();
        }
    }
}

/// Returns the start and end of each part of a line, if there are many.
fn parts_of_line(text: &[u8], start: u32, marks: &[Mark]) -> Vec<(u32, u32)> {
    let has = |sign: fn(Sign) -> bool| marks.iter().any(|mark| sign(mark.what));
    let mut line = Region {
        semicolons: has(|sign| sign == Sign::Semicolon),
        commas: has(|sign| sign == Sign::Comma),
        brackets: has(|sign| matches!(sign, Sign::Close { .. })),
        ..Region::new(1, start)
    };
    let Some((last, before)) = marks.split_last() else { return vec![] };
    let mut found: Vec<(u32, u32)> = before.iter().filter_map(|&mark| line.item_at(text, mark)).collect();
    if !found.is_empty() {
        found.extend(line.item_at(text, Mark { what: Sign::End, ..*last }));
    }
    if found.len() >= MANY { found } else { vec![] }
}

/// Returns the start and end of each part between the commas of a statement, if there are many: rows of values, each in brackets. Before the first
/// one stands what they are for.
fn parts_of_statement(text: &[u8], start: u32, marks: &[Mark]) -> Vec<(u32, u32)> {
    let ends = marks.iter().filter(|mark| mark.what == Sign::Comma).map(|mark| mark.at);
    let starts: Vec<u32> = std::iter::once(start).chain(ends.clone()).collect();
    let Some(last) = marks.last().filter(|_| starts.len() >= MANY) else { return vec![] };
    let end = last.at - u32::from(last.what == Sign::Semicolon);
    let mut parts: Vec<(u32, u32)> = starts.into_iter().zip(ends.chain([end])).collect();
    let slice = |(start, end): (u32, u32)| &text[start as usize..end as usize];
    let opens = |part: &[u8]| part.trim_ascii_start().first().copied().filter(|byte| b"([{".contains(byte));
    match parts.get(1).and_then(|second| opens(slice(*second))) {
        Some(open) if parts[1..].iter().all(|part| opens(slice(*part)) == Some(open)) => {
            match slice(parts[0]).iter().position(|byte| *byte == open) {
                Some(head) => parts[0].0 += head as u32,
                None => drop(parts.remove(0)),
            }
            parts
        }
        _ => vec![],
    }
}

/// Fewer items of a line than these are left to passes that take it apart by tokens: to ask about them, too, takes more
/// tests than it saves.
const MANY: usize = 16;

/// Returns whether what is outside of all brackets is lines that do not end as statements do: fewer than one in
/// `STATEMENTS` does.
fn is_by_lines(text: &[u8], marks: &[Mark]) -> bool {
    let is_comment = |text: &[u8]| text.starts_with(b"//") || text.starts_with(b"/*");
    let mut region = Region::new(0, 0);
    let (mut lines, mut statements, mut ended) = (0, 0, None);
    for mark in marks.iter().filter(|mark| mark.region == 0) {
        match mark.what {
            Sign::Semicolon | Sign::Close { ends: true } => ended = Some(mark.at),
            Sign::LineEnd | Sign::End => {
                let line = region.so_far(text, mark.at);
                if !line.is_empty() && !line.starts_with(b"#") && !is_comment(line) {
                    lines += 1;
                    let after = ended.map(|ended| text[ended as usize..mark.at as usize].trim_ascii_start());
                    statements += usize::from(after.is_some_and(|after| after.is_empty() || is_comment(after)));
                }
                region.end_item(mark.at);
                ended = None;
            }
            _ => {}
        }
    }
    lines > 1 && statements * STATEMENTS < lines
}

/// Of so many lines at least one ends as a statement where there are statements.
const STATEMENTS: usize = 4;

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
    let (mut regions, mut marks) = (vec![Region::new(0, 0)], vec![]);
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
                regions.push(Region::new(level, at as u32 + 1));
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
