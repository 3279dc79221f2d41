//! Replaces an `#if` with all up to its `#endif` by one of its branches.
//!
//! ## What it tries
//! For each `#if`, `#ifdef` and `#ifndef`: what stands between it and its `#endif`, without the directives if
//! there is one branch, else one of the branches, the first ones first.
//!
//! ## When it helps
//! With inputs that are not preprocessed: one branch of each is all that a compiler ever sees. C-Reduce runs
//! `unifdef` for it, which has to be told what is defined.
//!
//! ## Before
//! ```c
//! #ifdef A
//! int a;
//! #else
//! int b;
//! #endif
//! #if B
//! int c;
//! #endif
//! ```
//! ## After
//! ```c
//! int a;
//! int c;
//! ```

use super::code::{Code, propose};
use super::directives::directives;
use crate::pass::Pass;
use reduct_input::Edit;
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-conditionals", "C: replaces `#if` to `#endif` by one of the branches", 0.5, |subject| {
        propose(subject, edits)
    });

/// How many branches of one `#if` are tried. Longer chains pick one of many systems, of which the first ones
/// are as good as the others.
const BRANCHES: usize = 4;

fn edits(code: &Code) -> Vec<Edit> {
    let mut open: Vec<Vec<Range<u32>>> = vec![];
    let mut closed: Vec<Vec<Range<u32>>> = vec![];
    for found in directives(code) {
        match found.word {
            b"if" | b"ifdef" | b"ifndef" => open.push(vec![found.lines]),
            b"else" | b"elif" | b"elifdef" | b"elifndef" => open.last_mut().into_iter().for_each(|lines| {
                lines.push(found.lines.clone());
            }),
            b"endif" => closed.extend(open.pop().map(|mut lines| {
                lines.push(found.lines);
                lines
            })),
            _ => {}
        }
    }
    // The outer ones first: with a branch of theirs all in the others goes.
    closed.sort_by_key(|lines| lines[0].start);
    let branch = |lines: &[Range<u32>], which: usize| {
        let (first, last) = (lines.first()?.start, lines.last()?.end);
        let kept = lines[which].end..lines[which + 1].start;
        let gone = [first..kept.start, kept.end..last];
        Edit::new(gone.map(|at| code.erase(at)).into())
    };
    let mut found = vec![];
    for which in 0..BRANCHES {
        found.extend(closed.iter().filter(|lines| which + 1 < lines.len()).filter_map(|lines| branch(lines, which)));
    }
    found
}
