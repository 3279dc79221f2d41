//! Empties a body.
//!
//! ## What it tries
//! For each block of statements or members, the shortest block of the language: `{}`, `pass`.
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

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::{Class, Role, Tree};

pub(crate) const PASS: Pass = Pass::rewriting("empty-body", "empties a body", 0.3, propose);

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let blocks = (1..tree.len()).filter(|at| tree.is(*at, Class::BLOCK));
        blocks.filter_map(move |at| empty(subject, tree, at))
    });
    propose_shrinking(subject, edits)
}

/// Returns a block as its language writes it shortest, or only its first and its last sign; nothing if nothing but
/// these is in it.
fn empty(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    tree.children(at).find(|child| tree.is_named(*child))?;
    if let Some(text) = tree.shortest(at).first() {
        return Edit::replace(tree.range(at), text.as_bytes());
    }
    let signs: Vec<usize> = tree.children(at).filter(|child| tree.node(*child).role == Role::Token).collect();
    let (first, last) = (*signs.first()?, *signs.last()?);
    let ends =
        first != last && tree.node(first).start == tree.node(at).start && tree.node(last).end == tree.node(at).end;
    let text = [subject.text(tree.range(first)), subject.text(tree.range(last))].concat();
    ends.then(|| Edit::replace(tree.range(at), &text))?
}
