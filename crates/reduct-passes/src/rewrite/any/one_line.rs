//! Python: puts the statements of a body on the line of its head; make: the first command of a rule.
//!
//! ## What it tries
//! For each body that holds nothing but simple statements: all of them on the line that the body belongs to, with `;` between
//! them. For each rule of a makefile, its first command on its line, after `;`.
//!
//! ## When it helps
//! Always, but only the size: a line end and its indentation go.
//!
//! ## Before
//! ```py
//! def f(a):
//!     if a:
//!         g(a)
//!         return 1
//! ```
//! ## After
//! ```py
//! def f(a):
//!     if a:g(a);return 1
//! ```

mod rules;

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::is_blank;
use reduct_input::{Class, Edit, Splice, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting(
        "one-line",
        "puts the statements of a body on the line of its head, in Python, and the command of a rule of make",
        0.9,
        propose,
    )
};

fn propose(subject: &Subject) -> Proposals {
    let trees = subject.trees().iter().filter(|tree| tree.grammar.language == "python");
    let edits = trees.flat_map(|tree| {
        let blocks = (1..tree.len()).filter(|at| tree.is(*at, Class::BLOCK));
        blocks.filter_map(move |at| on_one_line(subject, tree, at))
    });
    propose_shrinking(subject, edits.chain(rules::commands(subject)))
}

/// Returns the changes that put a body on the line of its head.
fn on_one_line(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let parts: Vec<usize> = tree.children(at).filter(|child| tree.is_named(*child)).collect();
    let is_simple = |part: &usize| !tree.kind(*part).ends_with("_definition") && !tree.is(*part, Class::CONTROL);
    if !parts.iter().all(|part| is_simple(part) && !tree.is(*part, Class::COMMENT)) {
        return None;
    }
    let mut splices = vec![];
    let mut before = head_end(subject, tree, *parts.first()?)?;
    for (number, part) in parts.iter().enumerate() {
        let gap = before..tree.node(*part).start;
        let text = subject.text(gap.clone());
        // What stands on one line already has its sign there.
        if text.contains(&b'\n') {
            let is_free = text.iter().all(|byte| is_blank(*byte) || *byte == b'\n');
            let with: &[u8] = if number == 0 { b"" } else { b";" };
            is_free.then(|| splices.push(Splice { at: gap, with: with.into() }))?;
        }
        before = tree.node(*part).end;
    }
    Edit::new(splices)
}

/// Returns where the head of a body ends, whose first statement this is.
fn head_end(subject: &Subject, tree: &Tree, first: usize) -> Option<u32> {
    let start = tree.node(first).start;
    let space: Range<u32> = tree.node(0).start..start;
    let blank = subject.text(space).iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count() as u32;
    let end = start - blank;
    (end > tree.node(0).start && subject.text(end - 1..end) == b":").then_some(end)
}
