//! Removes comments.
//!
//! ## What it tries
//! Every comment, with its lines if it has lines of its own. Where no grammar reads the text, what looks like one in
//! many languages: `/* */`, `//`, `<!-- -->`, and lines that begin with `# `, `-- ` or `;;`. In Python, strings that are statements go
//! with them, as docstrings are.
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

mod docstrings;

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
    let files: Vec<Range<u32>> = subject.artifact().files().map(|(_, addresses, _)| addresses).collect();
    for region in subject.unparsed() {
        let file = &files[files.partition_point(|file| file.end < region.end)];
        let is_whole = |range: &Range<u32>| is_whole(subject, file, range);
        let all = comments(subject.text(region.clone())).into_iter().map(|range| moved(range, region.start));
        found.extend(all.filter(is_whole));
    }
    let edits = found.into_iter().filter_map(|range| {
        let file = &files[files.partition_point(|file| file.end < range.end)];
        let within = range.start - file.start..range.end - file.start;
        let lines = whole(subject.text(file.clone()), within);
        Edit::delete(lines.start + file.start..lines.end + file.start)
    });
    let docstrings = subject.trees().iter().flat_map(|tree| docstrings::docstrings(subject, tree));
    propose_shrinking(subject, edits.chain(docstrings))
}

/// The languages in which a line that begins with `#` is for a preprocessor, as the line markers in what it has written.
const DIRECTIVES: &[&str] = &["c", "cpp", "csharp", "glsl"];

/// Returns whether what looks like a comment in a region that no grammar reads can be one in its file: one to the end of its line begins where a line may begin
/// with it, and the region does not end before the line.
fn is_whole(subject: &Subject, file: &Range<u32>, comment: &Range<u32>) -> bool {
    let (before, after) = (subject.text(file.start..comment.start), subject.text(comment.end..file.end));
    let text = subject.text(comment.clone());
    if text.starts_with(b"/*") || text.starts_with(b"<!") {
        return true;
    }
    let begins_line = || before.iter().rev().find(|byte| !is_blank(**byte)).is_none_or(|byte| *byte == b'\n');
    let is_directive = || {
        let trees = subject.trees();
        let tree = trees.get(trees.partition_point(|tree| tree.range(0).start < file.start));
        let tree = tree.filter(|tree| tree.range(0).start < file.end);
        text[0] == b'#' && tree.is_some_and(|tree| DIRECTIVES.contains(&tree.grammar.language))
    };
    let ends_line = after.first().is_none_or(|byte| matches!(byte, b'\r' | b'\n'));
    ends_line && (text[0] == b'/' || begins_line()) && !is_directive()
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
