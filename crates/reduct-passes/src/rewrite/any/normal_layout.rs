//! Brings white space into one form.
//!
//! ## What it tries
//! No blanks at the ends of lines, no empty lines, one blank where there are several, and no indentation
//! where it has no meaning. For comparing results, not for making them smaller.
//!
//! ## When it helps
//! When two reductions may have found the same.
//!
//! ## Before
//! ```c
//! int  x;
//!
//!   int main() { return   x; }
//! ```
//! ## After
//! ```c
//! int x;
//! int main() { return x; }
//! ```

use crate::pass::{Pass, Proposals, Stage};
use crate::rewrite::propose_normal;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::{Class, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Normalise,
    ..Pass::rewriting("normal-layout", "brings white space into one form", 0.95, propose)
};

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let indented = has_indentation(subject, tree);
        gaps(tree).filter_map(move |gap| {
            let text = subject.text(gap.clone());
            let blank = !text.is_empty() && text.iter().all(u8::is_ascii_whitespace);
            let begins = gap.start == tree.range(0).start || subject.text(gap.start - 1..gap.start) == b"\n";
            let normal = normal(text, begins, indented);
            Edit::replace(gap, &normal).filter(|_| blank && normal != text)
        })
    });
    let edits: Vec<_> = edits.collect();
    propose_normal(edits)
}

/// Returns whether blocks are made by indentation: one begins with no sign.
fn has_indentation(subject: &Subject, tree: &Tree) -> bool {
    let blocks = (0..tree.len()).filter(|at| tree.is(*at, Class::BLOCK));
    blocks.into_iter().any(|at| subject.text(tree.range(at)).first().is_some_and(|first| !b"{([<".contains(first)))
}

/// Returns what lies between the words of a text, within which everything stays.
fn gaps(tree: &Tree) -> impl Iterator<Item = Range<u32>> + '_ {
    let whole = |at: &usize| tree.node(*at).after as usize == at + 1;
    let mut end = tree.range(0).start;
    let leaves = (1..tree.len()).filter(whole).filter_map(move |at| {
        // A string stays as it is, blanks between its parts included.
        let gap = end..tree.node(at).start.max(end);
        end = end.max(tree.node(at).end);
        let parent = tree.parent(at)?;
        let first = tree.range(parent).start == tree.node(at).start;
        (first || !tree.is(parent, Class::STRING)).then_some(gap)
    });
    leaves.filter(|gap| !gap.is_empty())
}

/// Returns white space between two words in its normal form.
fn normal(text: &[u8], begins: bool, indented: bool) -> Vec<u8> {
    let line = text.iter().rposition(|byte| *byte == b'\n');
    let indentation = &text[line.map_or(0, |at| at + 1)..];
    let kept = if indented { indentation } else { b"" };
    match line {
        _ if begins => kept.to_vec(),
        Some(_) => [b"\n", kept].concat(),
        None => b" ".to_vec(),
    }
}
