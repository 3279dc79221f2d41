//! Sections of large files: a few thousand, cut where something begins. Larger texts are read in no language, and to take
//! them apart in any finer way takes long; when sections have gone, what is left is read. It has no name for `--by`: it
//! finds what can go, and finer passes prove that nothing more can.
//!
//! A section is some lines in a row, from one that begins something on: of those that are indented least, if there are
//! enough of them. Lines of a frame around them, like the brackets of a list, are in no section. Where a text has hardly
//! any lines, a section is some items of a list between commas or semicolons; where it has hardly any of these, and in
//! files that are no text, some bytes.

use super::Levels;
use crate::formats;
use crate::pass::{Pass, Proposals, Stage};
use crate::text::{Strings, moved};
use reduct_input::parts::Apart;
use reduct_input::{Subject, is_binary};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Stretches,
    success_prior: 0.999,
    ..Pass::deleting("sections", "sections", "sections of large files", propose)
};

/// Smaller files have none: they are read in their language.
const LARGE: usize = 8 << 20;

/// How many sections a file has at most, unless it has as many frames.
const SECTIONS: usize = 1 << 12;

/// So many things that begin are enough to be cut between.
const ENOUGH: usize = 1 << 10;

/// Deeper than this nothing is cut.
const DEEPEST: usize = 64;

fn propose(subject: &Subject) -> Proposals {
    let mut levels = Levels::default();
    for (_, addresses, text) in subject.artifact().files().filter(|(.., text)| text.len() > LARGE) {
        // What knows its format leaves out what that has.
        if formats::is_known(text) {
            continue;
        }
        let mut sections = Sections { least: text.len().div_ceil(SECTIONS), open: 0..0, found: vec![] };
        cut(text, &mut |thing| sections.add(thing));
        sections.finish().into_iter().for_each(|at| levels.add(0, moved(at, addresses.start)));
    }
    levels.finish(Apart)
}

/// Sections as they are found: each is some things in a row that are long enough together.
struct Sections {
    least: usize,
    open: Range<usize>,
    found: Vec<Range<usize>>,
}

impl Sections {
    fn add(&mut self, thing: Range<usize>) {
        if self.open.end != thing.start || self.open.len() >= self.least {
            self.end();
            self.open = thing;
        } else {
            self.open.end = thing.end;
        }
    }

    fn end(&mut self) {
        let section = std::mem::take(&mut self.open);
        if !section.is_empty() {
            self.found.push(section);
        }
    }

    fn finish(mut self) -> Vec<Range<usize>> {
        self.end();
        self.found
    }
}

/// Calls `add` with the things between which the text is cut, in their order.
fn cut(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    if is_binary(text) {
        return by_length(text, add);
    }
    let mut lines = [0; DEEPEST];
    for line in Lines::new(text).filter(|line| line.begins) {
        lines[line.depth] += 1;
    }
    if let Some(depth) = lines.iter().position(|lines| *lines >= ENOUGH) {
        return by_lines(text, depth, add);
    }
    let mut items = [0; DEEPEST];
    scan(text, |sign, _, depth| items[depth] += usize::from(sign == Sign::Separator));
    match items.iter().position(|items| *items >= ENOUGH) {
        Some(depth) => by_items(text, depth, add),
        None => by_length(text, add),
    }
}

/// Cuts anywhere, but not within a character.
fn by_length(text: &[u8], add: &mut impl FnMut(Range<usize>)) {
    let step = text.len().div_ceil(SECTIONS);
    let is_within = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut start = 0;
    while start < text.len() {
        let end = (start + step).min(text.len());
        let end = (end..end + 4).find(|end| !is_within(*end)).unwrap_or(end);
        add(start..end);
        start = end;
    }
}

/// Cuts before lines that begin something at this depth. What stands less deep is in no section.
fn by_lines(text: &[u8], depth: usize, add: &mut impl FnMut(Range<usize>)) {
    let mut open: Option<usize> = None;
    for line in Lines::new(text).filter(|line| line.depth <= depth) {
        let is_frame = line.depth < depth;
        if is_frame || line.begins {
            open.take().into_iter().for_each(|start| add(start..line.start));
            open = (!is_frame).then_some(line.start);
        }
    }
    open.into_iter().for_each(|start| add(start..text.len()));
}

/// Cuts behind commas and semicolons at this depth of brackets. What stands less deep is in no section.
fn by_items(text: &[u8], depth: usize, add: &mut impl FnMut(Range<usize>)) {
    let mut start = 0;
    scan(text, |sign, at, inside| match sign {
        Sign::Open if inside == depth => start = at + 1,
        // The last item of a list has no sign behind it.
        Sign::Separator | Sign::Close if inside == depth => {
            let end = at + usize::from(sign == Sign::Separator);
            add(start..end);
            start = end;
        }
        _ => {}
    });
    if depth == 0 {
        add(start..text.len());
    }
}

/// A line that is not blank.
struct Line {
    start: usize,
    /// How many blanks stand before it, up to a limit.
    depth: usize,
    /// Whether something begins with it: it does not end what stands before it, or belong to that.
    begins: bool,
}

/// The lines of a text that are not blank.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    /// The last sign of the line before.
    before: u8,
}

/// Words that end something, or go on with it.
const GOES_ON: [&[u8]; 9] = [b"end", b"else", b"elif", b"elsif", b"except", b"catch", b"finally", b"done", b"fi"];

impl<'a> Lines<'a> {
    fn new(text: &'a [u8]) -> Lines<'a> {
        Lines { text, at: 0, before: b';' }
    }

    /// Returns whether something begins with this line.
    fn begins(&self, line: &[u8]) -> bool {
        let word = line.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        match line {
            [b'}' | b')' | b']', ..] | [b'<', b'/', ..] => false,
            // A bracket of its own is that of what stands before it, if that does not end.
            [b'{' | b'(' | b'['] => matches!(self.before, b',' | b';' | b'{' | b'(' | b'[' | b'}' | b']' | b'>'),
            _ => !GOES_ON.contains(&&line[..word]),
        }
    }
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        loop {
            let start = self.at;
            let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
            let line = &rest[..rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1)];
            self.at += line.len();
            let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let words = line[blanks..].trim_ascii_end();
            if let Some(last) = words.last() {
                let begins = self.begins(words);
                self.before = *last;
                return Some(Line { start, depth: blanks.min(DEEPEST - 1), begins });
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Open,
    Separator,
    Close,
}

/// Calls `found` with the brackets, commas and semicolons outside of strings, where each stands, and how deep it is between
/// brackets, up to a limit; a bracket counts as within itself.
fn scan(text: &[u8], mut found: impl FnMut(Sign, usize, usize)) {
    let (mut depth, mut at, mut strings) = (0_usize, 0, Strings::default());
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => at += strings.length(text, at).map_or(0, |length| length - 1),
            b'{' | b'(' | b'[' => {
                depth += 1;
                found(Sign::Open, at, depth.min(DEEPEST - 1));
            }
            b'}' | b')' | b']' => {
                found(Sign::Close, at, depth.min(DEEPEST - 1));
                depth = depth.saturating_sub(1);
            }
            b',' | b';' => found(Sign::Separator, at, depth.min(DEEPEST - 1)),
            _ => {}
        }
        at += 1;
    }
}
