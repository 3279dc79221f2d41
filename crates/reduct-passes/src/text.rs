//! What is common to all texts, whatever their language: white space, words, strings, brackets, tags.

use reduct_input::{Class, Item, Role, Subject, Tree, is_binary};
use std::cmp::Reverse;
use std::ops::Range;

/// Returns whether it is white space within a line.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Returns whether it is of a word, so that two words side by side would become one.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Returns whether it is of a letter or a digit.
pub(crate) fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Shorter words of labels do not tell what is meant.
const TELLING: usize = 3;

/// Returns the words of a label that tell what is meant, in small letters.
pub(crate) fn telling(label: &[u8]) -> Vec<Vec<u8>> {
    let words = label.split(|byte| !is_alphanumeric(*byte)).filter(|word| word.len() >= TELLING);
    words.map(<[u8]>::to_ascii_lowercase).collect()
}

/// Returns the strings of a text in quotes, closed on their line, with their quotes.
pub(crate) fn quoted(text: &[u8]) -> Vec<Range<usize>> {
    let (mut strings, mut found, mut at) = (Strings::default(), vec![], 0);
    while at < text.len() {
        let is_quote =
            matches!(text[at], b'"' | b'\'' | b'`') && (at == 0 || text[at] == b'"' || !is_word(text[at - 1]));
        match is_quote.then(|| strings.length(text, at)).flatten() {
            Some(length) => {
                found.push(at..at + length);
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// Returns where the longest text stands that no grammar reads, and the text. `None` if there is none, or it is longer than that.
pub(crate) fn longest_unparsed(subject: &Subject, most: usize) -> Option<(Range<u32>, &[u8])> {
    let mut regions = subject.unparsed();
    let is_in = |region: &Range<u32>, file: &Range<u32>| file.start <= region.start && region.end <= file.end;
    regions.retain(|region| !subject.binaries().iter().any(|file| is_in(region, file)));
    let region = regions.into_iter().max_by_key(|region| (region.len(), Reverse(region.start)))?;
    let text = subject.text(region.clone());
    (text.len() <= most && !is_binary(text)).then_some((region, text))
}

/// Returns the only named child of a node.
pub(crate) fn only_child(tree: &Tree, at: usize) -> Option<usize> {
    let mut named = tree.children(at).filter(|child| tree.is_named(*child));
    named.next().filter(|_| named.next().is_none())
}

/// Returns a part of a text that begins at an address, as an item by itself.
pub(crate) fn item(start: u32, at: &Range<usize>) -> Item {
    Item { at: moved(at.clone(), start), before: 0..0, first: true, last: true }
}

/// Addresses moved by where their text begins.
pub(crate) fn moved(range: Range<usize>, by: u32) -> Range<u32> {
    range.start as u32 + by..range.end as u32 + by
}

/// Returns the addresses of what has a property, or is a string in quotes where no grammar reads.
pub(crate) fn strings(subject: &Subject) -> Vec<Range<u32>> {
    let of_tree = |tree: &Tree| -> Vec<Range<u32>> { outermost(tree, |at| is_string(subject, tree, at)) };
    let mut found: Vec<Range<u32>> = subject.trees().iter().flat_map(of_tree).collect();
    for region in subject.unparsed() {
        found.extend(quoted(subject.text(region.clone())).into_iter().map(|range| moved(range, region.start)));
    }
    found.sort_by_key(|range| (range.start, range.end));
    found
}

/// Returns whether a node is a string. Where a grammar has one kind for all literals, it is one that ends with a quote.
pub(crate) fn is_string(subject: &Subject, tree: &Tree, at: usize) -> bool {
    let ends_with_quote = || matches!(subject.text(tree.range(at)).last(), Some(b'\'' | b'"'));
    tree.is(at, Class::STRING) && (!tree.is(at, Class::NUMBER) || ends_with_quote())
}

/// Returns how far a line is indented, a tab reaching to the next eighth column; `None` if it is blank.
pub(crate) fn indent(line: &[u8]) -> Option<usize> {
    let mut column = 0;
    for &byte in line {
        match byte {
            b'\t' => column = column / 8 * 8 + 8,
            b' ' => column += 1,
            b if b.is_ascii_whitespace() => {}
            _ => return Some(column),
        }
    }
    None
}

/// Returns whether a node is text without quotes that is more than white space.
pub(crate) fn is_text(subject: &Subject, tree: &Tree, at: usize) -> bool {
    tree.is(at, Class::TEXT) && !subject.text(tree.range(at)).trim_ascii().is_empty()
}

/// Returns whether a node is a number. Where a grammar has one kind for all literals, it is one that begins with a digit, or with a sign and a
/// digit.
pub(crate) fn is_number(subject: &Subject, tree: &Tree, at: usize) -> bool {
    let begins_with_digit = || {
        let text = subject.text(tree.range(at));
        text.strip_prefix(b"-").unwrap_or(text).first().is_some_and(u8::is_ascii_digit)
    };
    tree.is(at, Class::NUMBER) && (!tree.is(at, Class::STRING) || begins_with_digit())
}

/// Returns the addresses of the outermost nodes of some sort outside of what could not be parsed.
pub(crate) fn outermost(tree: &Tree, mut is: impl FnMut(usize) -> bool) -> Vec<Range<u32>> {
    let (mut found, mut at) = (vec![], 1);
    while at < tree.len() {
        let is_error = tree.node(at).role == Role::Error;
        let is_found = !is_error && is(at);
        if is_found {
            found.push(tree.range(at));
        }
        at = if is_error || is_found { tree.node(at).after as usize } else { at + 1 };
    }
    found
}

/// Returns where the name begins that stands right before an address, with what it is qualified by: `a::b` before the bracket of `a::b(1)`.
pub(crate) fn name_before(text: &[u8], at: usize) -> Option<usize> {
    let is_of_name = |at: &usize| is_word(text[*at]) || text[*at] == b'.' || is_double_colon(text, *at);
    let start = (0..at).rev().take_while(is_of_name).last()?;
    let first = (start..at).find(|at| is_word(text[*at]))?;
    is_word(text[at - 1]).then_some(first)
}

/// Returns whether a byte is a colon beside another one.
fn is_double_colon(text: &[u8], at: usize) -> bool {
    let is_colon = |at: usize| text.get(at) == Some(&b':');
    is_colon(at) && (is_colon(at + 1) || at > 0 && is_colon(at - 1))
}

/// Returns the pairs of brackets of a text outside of strings, in the order in which they open.
pub(crate) fn pairs(text: &[u8]) -> Vec<(usize, usize)> {
    let strings = quoted(text);
    let mut strings = strings.iter().peekable();
    let (mut open, mut found, mut at): (Vec<usize>, Vec<(usize, usize)>, usize) = (vec![], vec![], 0);
    let partner = |byte| match byte {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    };
    while at < text.len() {
        if let Some(string) = strings.next_if(|string| string.start == at) {
            at = string.end;
            continue;
        }
        match text[at] {
            b'(' | b'[' | b'{' => open.push(at),
            byte @ (b')' | b']' | b'}') if open.last().is_some_and(|last| text[*last] == partner(byte)) => {
                found.extend(open.pop().map(|first| (first, at)));
            }
            // A bracket that closes nothing is one that was meant otherwise.
            _ => {}
        }
        at += 1;
    }
    found.sort_unstable();
    found
}

/// Returns the pairs of tags of a text, as in XML.
pub(crate) fn tags(text: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut open, mut found, mut at): (Vec<Range<usize>>, Vec<_>, usize) = (vec![], vec![], 0);
    while let Some(start) = text[at..].iter().position(|byte| *byte == b'<').map(|offset| at + offset) {
        at = start + 1;
        let Some(end) = text[at..].iter().position(|byte| matches!(byte, b'<' | b'>')).map(|offset| at + offset) else {
            break;
        };
        if text[end] == b'<' {
            continue;
        }
        at = end + 1;
        let closes = text[start + 1] == b'/';
        if !closes && !tag_name(&text[start + 1..end]).is_empty() && text[end - 1] != b'/' {
            open.push(start..end + 1);
        } else if closes {
            // Tags need not be closed: what was opened since stays as it is.
            let wanted = tag_name(&text[start + 2..end]);
            let partner =
                open.iter().rev().take(UNCLOSED).position(|tag| tag_name(&text[tag.start + 1..tag.end]) == wanted);
            if let Some(back) = partner {
                open.truncate(open.len() - back);
                found.extend(open.pop().map(|tag| (tag, start..end + 1)));
            }
        }
    }
    found
}

/// Returns the pairs of `\begin{name}`, with its arguments, and `\end{name}` of a text, as in LaTeX.
pub(crate) fn environments(text: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut open: Vec<(&[u8], Range<usize>)> = vec![];
    let (mut found, mut at) = (vec![], 0);
    while let Some(start) = text[at..].iter().position(|byte| *byte == b'\\').map(|offset| at + offset) {
        at = start + 1;
        let word = &text[at..];
        let (is_begin, rest) = match (word.strip_prefix(b"begin"), word.strip_prefix(b"end")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => continue,
        };
        at += word.len() - rest.len();
        let length = argument(rest);
        let name = &rest[..length];
        if !name.starts_with(b"{") {
            continue;
        }
        at += length;
        if is_begin {
            while let more @ 1.. = argument(&text[at..]) {
                at += more;
            }
            open.push((name, start..at));
        } else if let Some(back) = open.iter().rev().take(UNCLOSED).position(|(of, _)| *of == name) {
            open.truncate(open.len() - back);
            found.extend(open.pop().map(|(_, begin)| (begin, start..at)));
        }
    }
    found
}

/// A longer argument of LaTeX is none.
const LONGEST_ARGUMENT: usize = 256;

/// Returns how long the argument in brackets is with which a text begins, on its line; 0 if there is none.
fn argument(text: &[u8]) -> usize {
    let close = match text.first() {
        Some(b'{') => b'}',
        Some(b'[') => b']',
        _ => return 0,
    };
    let end = text.iter().take(LONGEST_ARGUMENT).position(|byte| *byte == close || *byte == b'\n');
    end.filter(|end| text[*end] == close).map_or(0, |end| end + 1)
}

/// How many tags may be left open within a pair of tags. More is no such text.
const UNCLOSED: usize = 16;

/// Returns the name at the beginning of a tag.
fn tag_name(tag: &[u8]) -> &[u8] {
    let length =
        tag.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'_')).count();
    &tag[..length]
}

/// Finds the ends of quoted strings in one text, from front to back.
#[derive(Default)]
pub(crate) struct Strings {
    /// By quote: up to where it is known that no string is closed. A quote before that was escaped
    /// when it was passed over, so what comes after it was seen as it would see it; that is why each
    /// text is searched once for each quote, and not once for each stray quote.
    open_until: [usize; 3],
}

impl Strings {
    /// Returns how long the string that begins with the quote at `at` is, if it is closed on its line.
    pub(crate) fn length(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let quote = text[at];
        let known = match quote {
            b'"' => &mut self.open_until[0],
            b'\'' => &mut self.open_until[1],
            _ => &mut self.open_until[2],
        };
        if at < *known {
            return None;
        }
        let mut escaped = false;
        for (end, &byte) in text.iter().enumerate().skip(at + 1) {
            match byte {
                b'\n' => {
                    *known = end;
                    return None;
                }
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b if b == quote => return Some(end + 1 - at),
                _ => {}
            }
        }
        *known = text.len();
        None
    }
}
