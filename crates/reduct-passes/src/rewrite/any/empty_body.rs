//! Empties a body.
//!
//! ## What it tries
//! For each block of statements or members, the shortest block of the language: `{}`, `pass`. Then, for each body of a function in a language
//! in which it has to return something, one that never does: `{throw null;}`, `{loop{}}`.
//!
//! ## When it helps
//! Where the statements of a function need each other, so that no single one can go.
//!
//! ## Before
//! ```c
//! int f(int a) { int b = a; b++; return b; }
//! ```
//! ## After
//! ```c
//! int f(int a) {}
//! ```

use super::bodies::{empty, stubs};
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Class;
use reduct_input::Subject;

pub(crate) const PASS: Pass = Pass::rewriting("empty-body", "empties a body", 0.3, propose);

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let blocks = (1..tree.len()).filter(|at| tree.is(*at, Class::BLOCK));
        blocks.filter_map(move |at| empty(subject, tree, at))
    });
    // What has to return something is not empty.
    let stubs = subject.trees().iter().flat_map(|tree| stubs(subject, tree));
    propose_shrinking(subject, edits.chain(stubs))
}
