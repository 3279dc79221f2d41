//! Replaces an alias of a type by what it stands for, and removes it.
//!
//! ## What it tries
//! For each `typedef`, `using` or `type` that gives a type a name and nothing more: its text in the place of
//! each use. Where that is longer, it is tried when nothing else helps.
//!
//! ## When it helps
//! In programs with the headers of a library in them, which name the same type five times over.
//!
//! ## Before
//! ```c
//! typedef int number;
//! number f(number x) { return x; }
//! ```
//! ## After
//! ```c
//! int f(int x) { return x; }
//! ```

use crate::pass::Pass;
use crate::rewrite::{largest_first, propose_growing, propose_in_order};
use reduct_input::Class;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::names::EditDraft;
use reduct_input::{Entity, Names, Part};

pub(crate) const PASS: Pass =
    Pass::rewriting("aliases", "replaces an alias of a type by what it stands for", 0.5, |subject| {
        propose_in_order(subject, edits(subject))
    });

/// The same where it makes the text longer.
pub(crate) const GROWING: Pass =
    PASS.growing("longer-aliases", "replaces an alias of a type by something longer that it stands for", |subject| {
        propose_growing(subject, edits(subject))
    });

fn edits(subject: &Subject) -> Vec<Edit> {
    let names = subject.names();
    largest_first(names.entities().iter().filter_map(|entity| replaced(subject, names, entity)).collect())
}

fn replaced(subject: &Subject, names: &Names, entity: &Entity) -> Option<Edit> {
    let [place] = entity.defines[..] else { return None };
    let place = &names.places()[place];
    let tree = &subject.trees()[place.tree];
    let Part::Defines(alias) = place.part else { return None };
    // Only what is a name and nothing more is simple: not `typedef int x[3]`.
    let simple = tree.parent(place.node) == Some(alias);
    if !tree.is(alias, Class::ALIAS) || !simple || entity.uses.is_empty() {
        return None;
    }
    let meant = tree.child(alias, "type").or_else(|| tree.child(alias, "value"))?;
    // A type with members can be written once only.
    let with_body = tree.is(meant, Class::AGGREGATE) && tree.descendants(meant).any(|at| tree.is(at, Class::BLOCK));
    if with_body || tree.child(alias, "type_parameters").is_some() {
        return None;
    }
    let meant = subject.text(tree.range(meant));
    let mut change = EditDraft::new(subject, subject.names());
    change.remove(place.tree, place.item?);
    for used in entity.uses.iter().map(|at| &names.places()[*at]) {
        change.put(used.at.clone(), meant);
    }
    change.edit()
}
