//! Replaces all uses of one name by another, and removes what it stood for.
//!
//! ## What it tries
//! For each variable, function, type and parameter that is used: another one of its sort, of the same type and
//! defined before it if there is one, in the place of each of its uses; its own definition goes. Only when few
//! names are left.
//!
//! ## When it helps
//! When all that can go has gone. Vulcan finds this the most effective of all: a quarter fewer tokens than
//! Perses leaves.
//!
//! ## Before
//! ```c
//! int a;
//! int b;
//! int main() { return a + b; }
//! ```
//! ## After
//! ```c
//! int a;
//! int main() { return a + a; }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::names::EditDraft;
use reduct_input::{Entity, Names, Part, Sort};

pub(crate) const PASS: Pass = Pass::rewriting("unify", "replaces all uses of one name by another", 0.1, propose);

/// With more names there are too many pairs, and most of the names can still go in cheaper ways.
const NAMES: usize = 24;

/// How many other names are tried for one. Those of the same type come first; what is wrong for them is
/// mostly wrong for all.
const OFFERS: usize = 2;

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let entities = names.entities();
    if entities.len() > NAMES {
        return vec![];
    }
    let offers: Vec<Vec<usize>> = (0..entities.len()).map(|at| offers(subject, names, at)).collect();
    // The likeliest of each come first.
    let ranked = (0..OFFERS).flat_map(|rank| {
        offers.iter().enumerate().rev().filter_map(move |(at, offers)| Some((at, *offers.get(rank)?)))
    });
    let edits = ranked.filter_map(|(gone, kept)| unified(subject, names, &entities[gone], &entities[kept]));
    propose_shrinking(subject, edits)
}

/// Returns what may stand for an entity, likeliest first.
fn offers(subject: &Subject, names: &Names, at: usize) -> Vec<usize> {
    let (entities, own) = (names.entities(), &names.entities()[at]);
    if own.uses.is_empty() || own.sort == Sort::Import {
        return vec![];
    }
    let value = |sort| matches!(sort, Sort::Value | Sort::Parameter);
    let alike = |other: &Entity| {
        let sort = own.sort == other.sort || value(own.sort) && value(other.sort);
        let known = other.scope.is_none() || other.scope == own.scope;
        other.name != own.name && sort && known && name_kind(subject, names, own) == name_kind(subject, names, other)
    };
    let mut others: Vec<usize> = (0..entities.len()).filter(|other| *other != at && alike(&entities[*other])).collect();
    let own_type = type_of(subject, names, own);
    others.sort_by_key(|other| {
        let same_type = type_of(subject, names, &entities[*other]) == own_type;
        (!same_type, entities[*other].sort != own.sort, *other > at, other.abs_diff(at))
    });
    others.truncate(OFFERS);
    others
}

fn name_kind<'a>(subject: &'a Subject, names: &Names, entity: &Entity) -> &'a str {
    let place = &names.places()[entity.defines[0]];
    subject.trees()[place.tree].kind(place.node)
}

/// Returns what is written as the type of what is defined, if something is.
fn type_of<'a>(subject: &'a Subject, names: &Names, entity: &Entity) -> Option<&'a [u8]> {
    let place = &names.places()[entity.defines[0]];
    let tree = &subject.trees()[place.tree];
    let Part::Defines(definition) = place.part else { return None };
    let around = [Some(definition), tree.parent(definition)];
    let written = around.into_iter().flatten().find_map(|at| tree.child(at, "type"))?;
    Some(subject.text(tree.range(written)))
}

fn unified(subject: &Subject, names: &Names, gone: &Entity, kept: &Entity) -> Option<Edit> {
    let mut change = EditDraft::new(subject, subject.names());
    if gone.sort == Sort::Parameter {
        let (function, position) = names.function_of(subject, gone)?;
        names.remove_parameter(subject, &names.entities()[function], position, &mut change)?;
    } else {
        for place in gone.defines.iter().map(|at| &names.places()[*at]) {
            change.remove(place.tree, place.item?);
        }
    }
    for place in gone.uses.iter().map(|at| &names.places()[*at]) {
        change.put(place.at.clone(), names.text(subject, kept.name));
    }
    // What takes the other one with it is of no use.
    let stays = |edit: &Edit| {
        let place = &names.places()[kept.defines[0]].at;
        edit.splices().iter().all(|splice| place.end <= splice.at.start || splice.at.end <= place.start)
    };
    change.edit().filter(stays)
}
