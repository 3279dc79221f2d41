//! Passes for the intermediate language of LLVM.

pub(crate) mod blocks;
pub(crate) mod bodies;
pub(crate) mod branches;
pub(crate) mod fields;
pub(crate) mod metadata;
pub(crate) mod names;
pub(crate) mod nodes;
pub(crate) mod unused;
pub(crate) mod values;

use reduct_input::{Subject, Tree};
use std::ops::Range;

/// Returns the modules of a subject.
fn modules(subject: &Subject) -> impl Iterator<Item = &Tree> {
    subject.trees().iter().filter(|tree| tree.grammar.language == "llvm")
}

/// Returns the definitions of functions in a module.
fn definitions(tree: &Tree) -> impl Iterator<Item = usize> {
    (1..tree.len()).filter(|at| tree.kind(*at) == "fn_define")
}

/// Returns addresses with the blanks before them.
fn with_blanks_before(subject: &Subject, at: Range<u32>) -> Range<u32> {
    let before = subject.artifact().bytes()[..at.start as usize].iter().rev();
    at.start - before.take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32..at.end
}
