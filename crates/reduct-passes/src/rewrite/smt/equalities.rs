//! SMT-LIB: puts what a constant is equal to in the place of the constant.
//!
//! ## What it tries
//! For each constant that is declared, and each equality with it, asserted or not: the other side of the equality in all places of the
//! constant, without the equality and the declaration, if it has at most 4 KiB. Where the text grows by that, it is tried when nothing else helps.
//!
//! ## When it helps
//! Generated problems name each step and say what it is by an equality. Without the name, the term can be reduced to
//! what matters where it is used.
//!
//! ## Before
//! ```smt
//! (declare-const x Int)
//! (declare-const y Int)
//! (assert (= x (+ y 1)))
//! (assert (> (* x x) y))
//! ```
//! ## After
//! ```smt
//! (declare-const y Int)
//! (assert (> (* (+ y 1) (+ y 1)) y))
//! ```

use super::script::{Script, definition};
use crate::pass::Pass;
use crate::rewrite::{MOST_COPIES, largest_first, propose_growing, propose_in_order};
use reduct_input::names::EditDraft;
use reduct_input::{Edit, Entity, NamePlace, Names, Sort, Subject};

pub(crate) const PASS: Pass = Pass::rewriting(
    "smt-equalities",
    "SMT-LIB: puts what a constant is equal to in the place of the constant",
    0.4,
    |subject| propose_in_order(subject, edits(subject)),
);

/// The same where it makes the text longer.
pub(crate) const GROWING: Pass = PASS.growing(
    "longer-smt-equalities",
    "puts what a constant is equal to in the place of the constant, where that is longer",
    |subject| propose_growing(subject, edits(subject)),
);

/// A longer text is not put in the place of a constant: of terms in each other, all these copies are as long as the square of their depth.
const LONGEST: usize = 4 << 10;

fn edits(subject: &Subject) -> Vec<Edit> {
    let names = subject.names();
    let constants = names.entities().iter().filter(|it| is_constant(subject, names, it));
    let of_each = |it| equalities(subject, names, it).filter_map(move |equality| without(subject, names, it, equality));
    largest_first(constants.flat_map(of_each).collect())
}

/// Returns whether it is a constant that is declared, and used so seldom that it is worth it.
fn is_constant(subject: &Subject, names: &Names, entity: &Entity) -> bool {
    let [defined] = entity.defines[..] else { return false };
    let place = &names.places()[defined];
    let declares = |script: Script, at: usize| match script.head(at) {
        Some(b"declare-const") => true,
        Some(b"declare-fun") => script.listed(at, "sorts").is_some_and(|sorts| sorts.is_empty()),
        _ => false,
    };
    let is_declared =
        Script::of(subject, place).zip(definition(place)).is_some_and(|(script, at)| declares(script, at));
    is_declared && entity.sort != Sort::Parameter && (2..=MOST_COPIES).contains(&entity.uses.len())
}

/// One place of a constant in an equality, and another side of that.
#[derive(Clone, Copy)]
struct Equality<'a> {
    place: &'a NamePlace,
    script: Script<'a>,
    whole: usize,
    sides: usize,
    other: usize,
}

/// Returns the equalities that a constant is a side of.
fn equalities<'a>(subject: &'a Subject, names: &'a Names, of: &'a Entity) -> impl Iterator<Item = Equality<'a>> {
    of.uses.iter().map(|at| &names.places()[*at]).filter_map(move |place| {
        let script = Script::of(subject, place)?;
        let whole = script.tree.parent(place.node).filter(|parent| script.head(*parent) == Some(b"="))?;
        let sides = script.members(whole).split_off(1);
        let other = sides.iter().copied().find(|side| *side != place.node)?;
        if script.text(other).len() > LONGEST {
            return None;
        }
        let is_known_everywhere = |at: usize| {
            let entity = names.entity_of(at).map(|entity| &names.entities()[entity]);
            entity.is_none_or(|entity| entity.sort != Sort::Parameter && !std::ptr::eq(entity, of))
        };
        let is_plain = names.within(script.tree.range(other)).all(is_known_everywhere);
        let sides = sides.len();
        (is_plain && sides > 1).then_some(Equality { place, script, whole, sides, other })
    })
}

fn without(subject: &Subject, names: &Names, constant: &Entity, equality: Equality) -> Option<Edit> {
    let Equality { place, script, whole, sides, other } = equality;
    let defined = &names.places()[constant.defines[0]];
    let gone = match sides {
        2 => names.enclosing(place.tree, whole)?,
        _ => place.node,
    };
    let mut change = EditDraft::new(subject, names);
    change.remove(defined.tree, defined.item?);
    change.remove(place.tree, gone);
    let removed = script.tree.range(gone);
    let is_gone = |used: &NamePlace| removed.start <= used.at.start && used.at.end <= removed.end;
    for used in constant.uses.iter().map(|at| &names.places()[*at]).filter(|used| !is_gone(used)) {
        change.put(used.at.clone(), script.text(other));
    }
    change.edit()
}
