//! The parts of a result that are varied: words, names with all their places, numbers, strings, signs, white space.

use super::signs::sign;
use reduct_input::Subject;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What sort of part it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultPartSort {
    /// A name; in a text of no known language, any word. All its places are one part.
    Name,
    /// A number.
    Number,
    /// What stands between quotes.
    String,
    /// A word of the language itself.
    Word,
    /// Anything else that can be seen.
    Sign,
    /// White space.
    Space,
}

impl ResultPartSort {
    /// All sorts, in the order in which they are tried.
    pub const ALL: [ResultPartSort; 6] = [
        ResultPartSort::Space,
        ResultPartSort::Name,
        ResultPartSort::Number,
        ResultPartSort::String,
        ResultPartSort::Sign,
        ResultPartSort::Word,
    ];

    /// Returns the word for one of it.
    pub fn name(self) -> &'static str {
        match self {
            ResultPartSort::Name => "name",
            ResultPartSort::Number => "number",
            ResultPartSort::String => "string",
            ResultPartSort::Word => "word",
            ResultPartSort::Sign => "sign",
            ResultPartSort::Space => "white space",
        }
    }
}

/// A part of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultPart {
    /// Where it stands, in the order of the addresses; in several places, if it is a name.
    pub places: Vec<Range<u32>>,
    /// What sort of part it is.
    pub sort: ResultPartSort,
    /// Its text, the same in all places.
    pub text: Vec<u8>,
}

/// Returns the parts of a subject, in the order of their first places.
pub(super) fn of(subject: &Subject) -> Vec<ResultPart> {
    let names: HashSet<Vec<u8>> = {
        let names = subject.names();
        let all = (0..names.all().len()).filter_map(|name| names.places_of(name).next());
        all.map(|place| subject.text(place.at.clone()).to_vec()).collect()
    };
    let known = !subject.trees().is_empty();
    let mut result_parts: Vec<ResultPart> = vec![];
    let mut seen: HashMap<Vec<u8>, usize> = HashMap::new();
    for (_, addresses, text) in subject.artifact().files() {
        let mut at = 0;
        while at < text.len() {
            let (length, sort) = next(&text[at..]);
            let start = addresses.start + at as u32;
            let place = start..start + length as u32;
            let text = text[at..at + length].to_vec();
            at += length;
            let is_word = sort == ResultPartSort::Name;
            let sort = if is_word && known && !names.contains(&text) { ResultPartSort::Word } else { sort };
            match seen.get(&text).filter(|_| sort == ResultPartSort::Name) {
                Some(&first) => result_parts[first].places.push(place),
                None => {
                    if sort == ResultPartSort::Name {
                        seen.insert(text.clone(), result_parts.len());
                    }
                    result_parts.push(ResultPart { places: vec![place], sort, text });
                }
            }
        }
    }
    result_parts
}

/// Returns how long the part at the beginning of a text is, and of what sort.
fn next(text: &[u8]) -> (usize, ResultPartSort) {
    let run = |is: fn(u8) -> bool| text.iter().take_while(|byte| is(**byte)).count();
    match text[0] {
        byte if byte.is_ascii_whitespace() => (run(|byte| byte.is_ascii_whitespace()), ResultPartSort::Space),
        byte if byte.is_ascii_digit() => (run(|byte| is_word(byte) || byte == b'.'), ResultPartSort::Number),
        byte if is_word(byte) => (run(is_word), ResultPartSort::Name),
        quote @ (b'"' | b'\'' | b'`') => match quoted(text, quote) {
            Some(length) => (length, ResultPartSort::String),
            None => (1, ResultPartSort::Sign),
        },
        _ => (sign(text), ResultPartSort::Sign),
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Returns how long the string at the beginning is, on one line.
fn quoted(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}
