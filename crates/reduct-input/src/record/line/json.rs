//! Events as objects of JSON, one on a line.
//!
//! Only members of the outermost object are looked at. What is no JSON has none.

use super::{EventLine, Pause};
use std::ops::Range;

/// Members that say how long after the event before an event was.
const AFTER: [&[u8]; 6] = [b"after_ms", b"after", b"delay_ms", b"delay", b"wait_ms", b"wait"];
/// Members that say when an event was.
const WHEN: [&[u8]; 4] = [b"t", b"time", b"ts", b"timestamp"];

pub(super) fn said(line: &[u8]) -> EventLine {
    let mut said = EventLine::default();
    for (name, value) in members(line) {
        let names = match &line[name] {
            b"makes" => &mut said.makes,
            b"needs" => &mut said.needs,
            b"ends" => &mut said.ends,
            _ => continue,
        };
        names.extend(handles(&line[value]));
    }
    said
}

pub(super) fn pause(line: &[u8]) -> Option<Pause> {
    let is_number = |range: &Range<usize>| {
        let digits = &line[range.clone()];
        digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
            && digits.first().is_some_and(u8::is_ascii_digit)
    };
    let found = members(line).into_iter().filter(|(_, value)| is_number(value));
    let mut pauses = found.filter_map(|(name, value)| match &line[name] {
        name if AFTER.contains(&name) => Some(Pause::After(value)),
        name if WHEN.contains(&name) => Some(Pause::When(value)),
        _ => None,
    });
    pauses.next()
}

/// Returns one handle, or a list of them: strings without their quotes, or anything else without spaces.
fn handles(value: &[u8]) -> Vec<Vec<u8>> {
    let inner = value.strip_prefix(b"[").and_then(|inner| inner.strip_suffix(b"]"));
    let (mut found, mut start, mut at) = (vec![], 0, 0);
    let text = inner.unwrap_or(value);
    let mut take = |range: Range<usize>| {
        let one = text[range].trim_ascii();
        let plain = one.strip_prefix(b"\"").and_then(|one| one.strip_suffix(b"\"")).unwrap_or(one);
        if !plain.is_empty() && plain != b"null" {
            found.push(plain.to_vec());
        }
    };
    while at < text.len() {
        match text[at] {
            b'"' => at = after_string(text, at),
            b',' => {
                take(start..at);
                at += 1;
                start = at;
            }
            _ => at += 1,
        }
    }
    take(start..text.len());
    found
}

/// Returns the members of the outermost object: the name without its quotes, and the value.
fn members(line: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found = vec![];
    let (mut depth, mut at) = (0usize, 0);
    let mut name: Option<Range<usize>> = None;
    let mut value: Option<usize> = None;
    while at < line.len() {
        let byte = line[at];
        let is_end = depth == 1 && matches!(byte, b',' | b'}');
        if let (true, Some(name), Some(start)) = (is_end, name.clone(), value) {
            found.push((name, trimmed(line, start..at)));
        }
        if is_end {
            (name, value) = (None, None);
        }
        let next = if byte == b'"' { after_string(line, at) } else { at + 1 };
        match byte {
            b'"' if depth == 1 && value.is_none() => name = Some(at + 1..(next - 1).max(at + 1)),
            b':' if depth == 1 && value.is_none() => value = Some(at + 1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = next;
    }
    found
}

fn trimmed(line: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &line[range.clone()];
    let start = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let length = text.trim_ascii().len();
    range.start + start..range.start + start + length
}

/// Returns the place behind the string that begins here, or at the end of the text.
fn after_string(text: &[u8], at: usize) -> usize {
    let mut next = at + 1;
    while next < text.len() && text[next] != b'"' {
        next += if text[next] == b'\\' { 2 } else { 1 };
    }
    (next + 1).min(text.len())
}
