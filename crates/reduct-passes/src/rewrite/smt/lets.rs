//! SMT-LIB: puts what a `let` binds in the place of its uses.
//!
//! ## What it tries
//! For each name that a `let` binds: what it stands for in the place of its uses, and no binding; no `let` either if it
//! was the last one. Where the text grows by that, it is tried when nothing else helps.
//!
//! ## When it helps
//! Solvers print their problems as chains of `let`, and each hides from other passes what is used where.
//!
//! ## Before
//! ```smt
//! (assert (let ((x (f y)) (z y)) (let ((w (g x))) (= w w z))))
//! ```
//! ## After
//! ```smt
//! (assert (let ((z y)) (let ((w (g (f y)))) (= w w z))))
//! ```

use super::script::{Script, definition};
use crate::pass::Pass;
use crate::rewrite::{MOST_COPIES, largest_first, propose_growing, propose_in_order};
use reduct_input::names::EditDraft;
use reduct_input::{Edit, Entity, Names, Sort, Subject};

pub(crate) const PASS: Pass =
    Pass::rewriting("smt-lets", "SMT-LIB: puts what a let binds in the place of its uses", 0.7, |subject| {
        propose_in_order(subject, edits(subject))
    });

/// The same where it makes the text longer.
pub(crate) const GROWING: Pass = PASS.growing(
    "longer-smt-lets",
    "puts what a let binds in the place of its uses, where that is longer",
    |subject| propose_growing(subject, edits(subject)),
);

fn edits(subject: &Subject) -> Vec<Edit> {
    let names = subject.names();
    let bound = names.entities().iter().filter(|it| it.sort == Sort::Parameter && it.defines.len() == 1);
    largest_first(
        bound.filter(|it| it.uses.len() <= MOST_COPIES).filter_map(|it| replaced(subject, names, it)).collect(),
    )
}

fn replaced(subject: &Subject, names: &Names, bound: &Entity) -> Option<Edit> {
    let place = &names.places()[bound.defines[0]];
    let script = Script::of(subject, place)?;
    let tree = script.tree;
    let (binding, whole) = (definition(place)?, bound.scope?.1);
    let value = *script.members(binding).get(1).filter(|_| script.head(whole) == Some(b"let"))?;
    let body = *script.members(whole).get(2)?;
    let mut change = EditDraft::new(subject, names);
    if script.listed(whole, "bindings")?.len() == 1 {
        change.put(tree.node(whole).start..tree.node(body).start, b"");
        change.put(tree.node(body).end..tree.node(whole).end, b"");
    } else {
        change.remove(place.tree, binding);
    }
    for used in bound.uses.iter().map(|at| &names.places()[*at]) {
        // What a `let` binds is not known where it binds.
        let is_inside = used.at.start >= tree.node(body).start;
        change.put(Some(used.at.clone()).filter(|_| is_inside)?, script.text(value));
    }
    change.edit()
}
