//! Replaces types by the shortest one of the language.
//!
//! ## What it tries
//! For each type that is defined: its definition goes, and each use of it becomes the shortest type, as `int`.
//! Then, for each type that is written in several places, all of them as the shortest type at once.
//!
//! ## When it helps
//! Where the type of something does not matter, but that it has the same type everywhere does.
//!
//! ## Before
//! ```c
//! struct S { int a; };
//! struct S x;
//! struct S f(struct S y);
//! ```
//! ## After
//! ```c
//! int x;
//! int f(int y);
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::Subject;
use reduct_input::names::EditDraft;
use reduct_input::{Class, Tree};
use reduct_input::{Edit, Splice};
use reduct_input::{Entity, Names, Sort};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("types", "replaces types by the shortest one of the language", 0.3, propose);

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let defined = names.entities().iter().filter(|entity| entity.sort == Sort::Type && !entity.uses.is_empty());
    let eliminated = defined.filter_map(|entity| eliminated(subject, names, entity)).collect();
    let written = subject.trees().iter().flat_map(|tree| written(subject, tree)).collect();
    propose_in_order(subject, largest_first(eliminated).into_iter().chain(largest_first(written)))
}

fn eliminated(subject: &Subject, names: &Names, entity: &Entity) -> Option<Edit> {
    let mut change = EditDraft::new(subject, subject.names());
    for place in entity.defines.iter().map(|at| &names.places()[*at]) {
        change.remove(place.tree, place.item?);
    }
    for place in entity.uses.iter().map(|at| &names.places()[*at]) {
        names.do_without(subject, place, &mut change)?;
    }
    change.edit()
}

/// Returns, for each text of a type that stands in several places, an edit of all of them.
fn written(subject: &Subject, tree: &Tree) -> Vec<Edit> {
    let mut places: BTreeMap<(&[u8], &str), Vec<usize>> = BTreeMap::new();
    let mut at = 1;
    while at < tree.len() {
        let defines = tree.is(at, Class::DEFINITION) || tree.parent(at).is_some_and(|up| is_named_by(tree, up, at));
        let text = subject.text(tree.range(at));
        match tree.shortest(at).first() {
            Some(shortest) if tree.is(at, Class::TYPE) && !defines && shortest.len() < text.len() => {
                places.entry((text, shortest)).or_default().push(at);
                at = tree.node(at).after as usize;
            }
            _ => at += 1,
        }
    }
    let several = places.into_iter().filter(|(_, places)| places.len() > 1);
    let edit = |((_, shortest), places): ((&[u8], &str), Vec<usize>)| {
        let splice = |at| Splice { at: tree.range(at), with: shortest.as_bytes().into() };
        Edit::new(places.into_iter().map(splice).collect())
    };
    several.filter_map(edit).collect()
}

/// Returns whether this is the name of what its parent defines.
fn is_named_by(tree: &Tree, parent: usize, at: usize) -> bool {
    tree.is(parent, Class::DEFINITION) && ["name", "declarator"].contains(&tree.field(at))
}
