//! What is in an object: entries of dictionaries and elements of lists, and which other objects they name.

use std::ops::Range;

/// An entry of a dictionary with its key, or an element of a list, with the blanks behind it.
pub(super) struct Entry {
    pub(super) at: Range<usize>,
    /// In how many dictionaries and lists it is.
    pub(super) depth: usize,
}

/// A number that names an object, or stands as itself.
pub(super) struct Named {
    /// The digits.
    pub(super) at: Range<usize>,
    pub(super) number: usize,
    /// The entry that it is the value of, as its place among the entries.
    pub(super) entry: Option<usize>,
    /// The key of the entry of a dictionary that it is in, without the slash.
    pub(super) key: Range<usize>,
}

#[derive(Default)]
pub(super) struct Body {
    pub(super) entries: Vec<Entry>,
    /// Names of objects: `N G R`.
    pub(super) references: Vec<Named>,
    /// Numbers that are values of keys.
    pub(super) numbers: Vec<Named>,
    /// The first number, if nothing stands before it.
    pub(super) first: Option<Range<usize>>,
    /// The word at which it ends.
    pub(super) end: Range<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Open(bool),
    Close,
    Name,
    Number,
    Word,
    String,
}

/// A dictionary or a list that is open.
struct Open {
    is_dictionary: bool,
    /// Its entry that is not yet over.
    entry: Option<usize>,
    key: Range<usize>,
    /// Whether a key comes next.
    awaits_key: bool,
}

impl Body {
    /// Reads an object up to a word that ends it.
    pub(super) fn read(text: &[u8], within: Range<usize>) -> Body {
        let mut body = Body { end: within.end..within.end, ..Body::default() };
        let mut open: Vec<Open> = vec![];
        let mut at = within.start;
        let mut is_first = true;
        while let Some((kind, token)) = token(text, at..within.end) {
            if kind == Kind::Word && matches!(&text[token.clone()], b"stream" | b"endobj" | b"startxref") {
                body.end = token;
                break;
            }
            at = token.end;
            match kind {
                Kind::Close => {
                    if let Some(over) = open.pop() {
                        body.close(over.entry, token.start);
                    }
                }
                Kind::Name if open.last().is_some_and(|open| open.awaits_key) => {
                    let depth = open.len();
                    body.begin(open.last_mut(), depth, token.start);
                    if let Some(open) = open.last_mut() {
                        (open.key, open.awaits_key) = (token.start + 1..token.end, false);
                    }
                }
                _ => {
                    let depth = open.len();
                    if open.last().is_some_and(|open| !open.is_dictionary) {
                        body.begin(open.last_mut(), depth, token.start);
                    }
                    if is_first && kind == Kind::Number {
                        body.first = Some(token.clone());
                    }
                    let key = open.last().map_or(0..0, |open| open.key.clone());
                    if let Some(open) = open.last_mut() {
                        open.awaits_key = open.is_dictionary;
                    }
                    match kind {
                        Kind::Number => at = body.number(text, token, within.end, open.last(), key),
                        Kind::Open(is_dictionary) => {
                            open.push(Open { is_dictionary, entry: None, key, awaits_key: is_dictionary });
                        }
                        _ => {}
                    }
                }
            }
            is_first = false;
        }
        let end = body.end.start;
        open.into_iter().for_each(|open| body.close(open.entry, end));
        body
    }

    fn begin(&mut self, open: Option<&mut Open>, depth: usize, start: usize) {
        if let Some(open) = open {
            self.close(open.entry, start);
            open.entry = Some(self.entries.len());
            self.entries.push(Entry { at: start..start, depth });
        }
    }

    fn close(&mut self, entry: Option<usize>, end: usize) {
        if let Some(entry) = entry {
            self.entries[entry].at.end = end;
        }
    }

    /// Adds a number, or the name of an object that begins with it. Returns where that ends.
    fn number(&mut self, text: &[u8], at: Range<usize>, end: usize, open: Option<&Open>, key: Range<usize>) -> usize {
        let Some(number) = decimal(text, at.clone()) else { return at.end };
        let named = Named { at: at.clone(), number, entry: open.and_then(|open| open.entry), key };
        let second = token(text, at.end..end).filter(|(kind, _)| *kind == Kind::Number);
        let third = second.and_then(|(_, second)| token(text, second.end..end));
        match third.filter(|(_, third)| &text[third.clone()] == b"R") {
            Some((_, third)) => {
                self.references.push(named);
                third.end
            }
            None => {
                if open.is_some_and(|open| open.is_dictionary) {
                    self.numbers.push(named);
                }
                at.end
            }
        }
    }

    /// Returns the number that is the value of a key of the object itself.
    pub(super) fn value(&self, text: &[u8], key: &[u8]) -> Option<&Named> {
        let is_own = |named: &&Named| named.entry.is_some_and(|entry| self.entries[entry].depth == 1);
        self.numbers.iter().filter(is_own).find(|named| &text[named.key.clone()] == key)
    }
}

/// Returns the number that digits are. `None` if they are none, or too many.
pub(super) fn decimal(text: &[u8], at: Range<usize>) -> Option<usize> {
    let digits = text.get(at).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

/// Returns where the first thing that is no blank is.
pub(super) fn after_blanks(text: &[u8], within: Range<usize>) -> usize {
    text[within.clone()].iter().position(|byte| !is_blank(*byte)).map_or(within.end, |blanks| within.start + blanks)
}

/// Returns the first token.
fn token(text: &[u8], within: Range<usize>) -> Option<(Kind, Range<usize>)> {
    let mut start = after_blanks(text, within.clone());
    while start < within.end && text[start] == b'%' {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        start += text[start..within.end].iter().position(is_end)?;
        start = after_blanks(text, start..within.end);
    }
    let rest = &text[start..within.end];
    let until =
        |is_end: fn(u8) -> bool| rest[1..].iter().position(|byte| is_end(*byte)).map_or(rest.len(), |at| at + 1);
    let is_end = |byte: u8| is_blank(byte) || b"()<>[]{}/%".contains(&byte);
    let (kind, length) = match rest.first()? {
        b'<' if rest.starts_with(b"<<") => (Kind::Open(true), 2),
        b'>' if rest.starts_with(b">>") => (Kind::Close, 2),
        b'[' => (Kind::Open(false), 1),
        b']' => (Kind::Close, 1),
        b'<' => (Kind::String, (until(|byte| byte == b'>') + 1).min(rest.len())),
        b'(' => (Kind::String, string(rest)),
        b'/' => (Kind::Name, until(is_end)),
        b')' | b'>' | b'{' | b'}' => (Kind::Word, 1),
        _ => {
            let length = until(is_end);
            let is_number = rest[..length].iter().all(u8::is_ascii_digit);
            (if is_number { Kind::Number } else { Kind::Word }, length)
        }
    };
    Some((kind, start..start + length))
}

/// Returns how long a string in brackets is.
fn string(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' if depth == 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}
