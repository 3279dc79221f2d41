//! What a text in quotes is cut into.

use crate::rewrite::any::strings::joint;
use crate::text::{item, moved};
use reduct_input::Item;
use std::ops::Range;

/// What has fewer lines is one text, however long its lines are.
const LINES: usize = 8;

/// Where nothing tells what belongs together, there are at most so many pieces, of so many bytes at least.
const PIECES: usize = 256;
const BYTES: usize = 16;

/// Returns the parts of a text in quotes that begins at an address: its lines, the items of a list in it, or pieces.
pub(super) fn pieces(text: &[u8], start: u32) -> Vec<Item> {
    let content = content(text);
    let lines = lines(text, content.clone());
    if lines.len() >= LINES {
        return lines.iter().map(|at| item(start, at)).collect();
    }
    let list = list(text, content.clone());
    if list.len() >= LINES {
        return items(start, &list);
    }
    let count = (content.len() / BYTES).min(PIECES);
    let cut = |number: usize| joint(text, content.start + content.len() * number / count, content.end);
    let pieces = (0..count).map(|number| cut(number)..cut(number + 1));
    pieces.filter(|at| !at.is_empty()).map(|at| item(start, &at)).collect()
}

/// Returns what stands between what opens a text and what closes it.
fn content(text: &[u8]) -> Range<usize> {
    let (opening, closing) = (b"<![CDATA[".as_slice(), b"]]>".as_slice());
    if text.starts_with(opening) && text.ends_with(closing) {
        return opening.len()..text.len() - closing.len();
    }
    let after_line = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1);
    match text.first() {
        // What says how a block is indented, or which word ends it.
        Some(b'|' | b'>') => return after_line..text.len(),
        Some(b'<') if text.starts_with(b"<<") => {
            let last_line = text.iter().rposition(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1);
            return after_line..last_line.max(after_line);
        }
        _ => {}
    }
    let (opening, closing) = quotes(text);
    let end = text.len().saturating_sub(closing);
    if opening < end { opening..end } else { 0..0 }
}

/// Returns how long the signs are that open and close a text in quotes, with what stands before them; nothing for a text between tags.
fn quotes(text: &[u8]) -> (usize, usize) {
    let while_in = |from: usize, signs: &[u8]| text.iter().skip(from).take_while(|byte| signs.contains(byte)).count();
    if text.starts_with(b"[") {
        let width = while_in(1, b"=") + 2;
        return if text.get(width - 1) == Some(&b'[') { (width, width) } else { (0, 0) };
    }
    let prefix = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (hashes, others) = (while_in(prefix, b"#"), while_in(prefix, b"@$"));
    let quote = prefix + hashes + others;
    let Some(sign) = text.get(quote).filter(|byte| matches!(byte, b'"' | b'\'' | b'`')) else { return (0, 0) };
    let inner = text[quote..].iter().position(|byte| *byte == b'(');
    match inner.filter(|_| text[..prefix].ends_with(b"R")) {
        // Between the quote and the bracket of a raw string of C++ stands what closes it.
        Some(width) => (quote + width + 1, width + 1),
        None => {
            let width = if while_in(quote, &[*sign]) >= 3 { 3 } else { 1 };
            (quote + width, width + hashes)
        }
    }
}

/// Returns the lines of a text, with their line ends. What has none, as it is closed on its line, is one, if it is more than blanks.
fn lines(text: &[u8], content: Range<usize>) -> Vec<Range<usize>> {
    let mut at = content.start;
    let inner = text[content].split_inclusive(|byte| *byte == b'\n');
    let placed = inner.map(|line| {
        let start = at;
        at += line.len();
        (start..at, line)
    });
    let is_line = |line: &[u8]| line.ends_with(b"\n") || !line.trim_ascii().is_empty();
    placed.filter(|(_, line)| is_line(line)).map(|(at, _)| at).collect()
}

/// Returns the items of the longest list in brackets of a text, without the commas between them.
fn list(text: &[u8], content: Range<usize>) -> Vec<Range<usize>> {
    let (mut open, mut longest, mut is_quoted): (Vec<Vec<usize>>, Vec<usize>, bool) = (vec![], vec![], false);
    for at in content {
        match text[at] {
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'[' | b'{' | b'(' => open.push(vec![at]),
            b',' => open.last_mut().into_iter().for_each(|marks| marks.push(at)),
            b']' | b'}' | b')' => {
                let Some(mut marks) = open.pop() else { continue };
                marks.push(at);
                let length = |marks: &[usize]| marks.last().zip(marks.first()).map_or(0, |(last, first)| last - first);
                let is_longer = marks.len() > LINES && (length(&marks) > length(&longest));
                longest = if is_longer { marks } else { longest };
            }
            _ => {}
        }
    }
    // Behind a comma at the end there is none.
    let is_filled = |at: &Range<usize>| text[at.clone()].iter().any(|byte| !byte.is_ascii_whitespace());
    longest.windows(2).map(|marks| marks[0] + 1..marks[1]).take_while(is_filled).collect()
}

/// Returns the items of one list, each with the comma after it.
fn items(start: u32, list: &[Range<usize>]) -> Vec<Item> {
    let one = |(place, at): (usize, &Range<usize>)| {
        let is_last = place + 1 == list.len();
        let before = if place == 0 { 0..0 } else { moved(at.start - 1..at.start, start) };
        let end = if is_last { at.end } else { at.end + 1 };
        Item { at: moved(at.start..end, start), before, first: place == 0, last: is_last }
    };
    list.iter().enumerate().map(one).collect()
}
