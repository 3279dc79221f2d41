//! SMT-LIB: puts what is defined in the place of its uses, and removes the definition.
//!
//! ## What it tries
//! For each function, constant and sort that is defined, and not by itself: its definition in the place of its uses, with the
//! arguments for the parameters. Where the text grows by that, it is tried when nothing else helps.
//!
//! ## When it helps
//! Generated problems define each step as a function. In the place of its use, a definition can be reduced to what
//! matters for this use.
//!
//! ## Before
//! ```smt
//! (define-fun f ((a Int) (b Int)) Int (+ a b 1))
//! (assert (> (f (f x 4) y) 0))
//! ```
//! ## After
//! ```smt
//! (assert (> (+ (+ x 4 1) y 1) 0))
//! ```

use super::script::{Script, definition};
use crate::pass::Pass;
use crate::rewrite::{MOST_COPIES, largest_first, propose_growing, propose_in_order};
use reduct_input::names::EditDraft;
use reduct_input::{Edit, Entity, NamePlace, Names, Sort, Subject};
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("smt-functions", "SMT-LIB: puts what is defined in the place of its uses", 0.5, |subject| {
        propose_in_order(subject, edits(subject))
    });

/// The same where it makes the text longer.
pub(crate) const GROWING: Pass = PASS.growing(
    "longer-smt-functions",
    "puts what is defined in the place of its uses, where that is longer",
    |subject| propose_growing(subject, edits(subject)),
);

/// A text in the place of a use is at most so many times as long as the definition and the use: with calls in the arguments of
/// calls, it could be of any length.
const GROWTH: usize = 4;

/// What defines something that is not known to its own definition.
const DEFINING: &[&[u8]] = &[b"define-fun", b"define-const", b"define-sort", b"define-fun-rec"];

fn edits(subject: &Subject) -> Vec<Edit> {
    let names = subject.names();
    let once = |it: &&Entity| {
        it.sort != Sort::Parameter && it.defines.len() == 1 && (1..=MOST_COPIES).contains(&it.uses.len())
    };
    largest_first(names.entities().iter().filter(once).filter_map(|it| replaced(subject, names, it)).collect())
}

fn replaced(subject: &Subject, names: &Names, defined: &Entity) -> Option<Edit> {
    let place = &names.places()[defined.defines[0]];
    let script = Script::of(subject, place)?;
    let from = definition(place)?;
    script.head(from).filter(|head| DEFINING.contains(head))?;
    let parameters = script.listed(from, "bindings").unwrap_or_default();
    let body = *script.members(from).last()?;
    let mut change = EditDraft::new(subject, names);
    change.remove(place.tree, place.item?);
    // Inner uses stand after outer ones: from the last to the first, arguments are ready when they are needed.
    let mut ready: BTreeMap<u32, (u32, Vec<u8>)> = BTreeMap::new();
    for used in defined.uses.iter().rev().map(|at| &names.places()[*at]) {
        let other = Script::of(subject, used).filter(|_| used.tree != place.tree || !is_within(&script, used, from))?;
        let call = if parameters.is_empty() { used.node } else { other.called(used.node)? };
        let arguments = if parameters.is_empty() { vec![] } else { other.members(call).split_off(1) };
        let own_head = parameters.is_empty() && other.called(used.node).is_some();
        if arguments.len() != parameters.len() || own_head {
            return None;
        }
        let texts: Vec<_> = arguments.iter().map(|at| replacing(subject, other.tree.range(*at), &ready)).collect();
        let Range { start, end } = other.tree.range(call);
        let most = GROWTH * (script.tree.range(body).len() + (end - start) as usize);
        let text = substituted(&script, names, place, body, &parameters, &texts, most)?;
        ready.retain(|at, _| !(start..end).contains(at));
        ready.insert(start, (end, text));
    }
    for (start, (end, text)) in &ready {
        change.put(*start..*end, text);
    }
    change.edit()
}

fn is_within(script: &Script, place: &NamePlace, node: usize) -> bool {
    let within = script.tree.range(node);
    within.start <= place.at.start && place.at.end <= within.end
}

/// Returns a text with other texts at some places.
fn replacing(subject: &Subject, at: Range<u32>, with: &BTreeMap<u32, (u32, Vec<u8>)>) -> Vec<u8> {
    let (mut text, mut from) = (vec![], at.start);
    for (start, (end, other)) in with.range(at.clone()) {
        text.extend_from_slice(subject.text(from..*start));
        text.extend_from_slice(other);
        from = *end;
    }
    text.extend_from_slice(subject.text(from..at.end));
    text
}

/// Returns the body of a definition with other texts for its parameters; `None` if it would be longer than `most`.
fn substituted(
    script: &Script,
    names: &Names,
    defined: &NamePlace,
    body: usize,
    parameters: &[usize],
    texts: &[Vec<u8>],
    most: usize,
) -> Option<Vec<u8>> {
    let is_own = |index: usize| {
        let entity = &names.entities()[names.entity_of(index)?];
        let place = &names.places()[*entity.defines.first()?];
        let binding = parameters.iter().position(|binding| Some(*binding) == definition(place))?;
        (place.tree == defined.tree).then_some(binding)
    };
    let (mut with, mut length) = (BTreeMap::new(), script.tree.range(body).len());
    for index in names.within(script.tree.range(body)) {
        if let Some(position) = is_own(index) {
            let at = &names.places()[index].at;
            length += texts[position].len();
            if length > most {
                return None;
            }
            with.insert(at.start, (at.end, texts[position].clone()));
        }
    }
    Some(replacing(script.subject, script.tree.range(body), &with))
}
