//! Removes comments.
//!
//! ## What it tries
//! Every comment, with its lines if it has lines of its own. Where no grammar reads the text, what looks like one in
//! many languages: `/* */`, `//`, `<!-- -->`, and lines that begin with `# `, `-- ` or `;;`.
//!
//! ## When it helps
//! Nearly always: one test removes all of them.
//!
//! ## Before
//! ```c
//! /* What f is for. */
//! int f(int a /* unused */) { // as ever
//!   return 0;
//! }
//! ```
//! ## After
//! ```c
//! int f(int a) {
//!   return 0;
//! }
//! ```

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::{is_blank, moved, outermost, quoted};
use reduct_input::Class;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::siblings::lines_of;
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass { must_parse: false, needs: Needs::Text, ..Pass::rewriting("comments", "removes comments", 0.95, propose) };

fn propose(subject: &Subject) -> Proposals {
    let mut found: Vec<Range<u32>> =
        subject.trees().iter().flat_map(|tree| outermost(tree, |at| tree.is(at, Class::COMMENT))).collect();
    for region in subject.unparsed() {
        found.extend(comments(subject.text(region.clone())).into_iter().map(|range| moved(range, region.start)));
    }
    let files: Vec<Range<u32>> = subject.artifact().files().map(|(_, addresses, _)| addresses).collect();
    let edits = found.into_iter().filter_map(|range| {
        let file = &files[files.partition_point(|file| file.end < range.end)];
        let within = range.start - file.start..range.end - file.start;
        let lines = whole(subject.text(file.clone()), within);
        Edit::delete(lines.start + file.start..lines.end + file.start)
    });
    propose_shrinking(subject, edits)
}

/// Returns a comment with its lines; if something else stands before it on its line, with the blanks between the two.
fn whole(text: &[u8], comment: Range<u32>) -> Range<u32> {
    let lines = lines_of(text, &(0..text.len() as u32), comment.clone());
    let whole_lines = text[..lines.end as usize].last() == Some(&b'\n');
    let ends_line = !whole_lines && text.get(lines.end as usize).is_none_or(|byte| *byte == b'\n');
    let blanks = text[..comment.start as usize].iter().rev().take_while(|byte| is_blank(**byte)).count();
    if lines.start == comment.start && ends_line { comment.start - blanks as u32..comment.end } else { lines }
}

/// Returns what looks like a comment.
fn comments(text: &[u8]) -> Vec<Range<usize>> {
    let strings = quoted(text);
    let mut strings = strings.iter().peekable();
    let (mut found, mut at, mut begins_line) = (vec![], 0, true);
    // A comment that is opened and never closed is searched for once.
    let mut open = [false; 2];
    while at < text.len() {
        if let Some(string) = strings.next_if(|string| string.start <= at) {
            (at, begins_line) = (string.end.max(at), false);
            continue;
        }
        let rest = &text[at..];
        let closed = |by: &[u8], open: &mut bool| {
            let end = if *open { None } else { rest.windows(by.len()).skip(2).position(|window| window == by) };
            *open |= end.is_none();
            end.map(|end| end + 2 + by.len())
        };
        let to_line_end = || Some(rest.iter().take_while(|byte| **byte != b'\n').count());
        let length = match rest {
            [b'/', b'*', ..] => closed(b"*/", &mut open[0]),
            [b'<', b'!', b'-', b'-', ..] => closed(b"-->", &mut open[1]),
            [b'/', b'/', ..] if at == 0 || text[at - 1] != b':' => to_line_end(),
            [b'#', b' ' | b'#', ..] | [b'-', b'-', b' ', ..] | [b';', b';', ..] if begins_line => to_line_end(),
            _ => None,
        };
        if let Some(length) = length {
            found.push(at..at + length);
        } else {
            begins_line = rest[0] == b'\n' || begins_line && is_blank(rest[0]);
        }
        at += length.unwrap_or(1);
        while strings.next_if(|string| string.start < at).is_some() {}
    }
    found
}
