//! SMT-LIB: removes a parameter of a function together with the arguments for it.
//!
//! ## What it tries
//! For each function that is declared or defined, and each of its parameters: neither the parameter, nor the argument at its
//! position in any use; a use without arguments loses its parentheses. Where a body uses the parameter, the shortest value of
//! its sort comes in its place.
//!
//! ## When it helps
//! Where a function is needed that depends on less than what it is given.
//!
//! ## Before
//! ```smt
//! (declare-fun f (Int Int) Int)
//! (define-fun g ((a Int)) Int (+ a 1))
//! (assert (> (f x (g y)) 0))
//! ```
//! ## After
//! ```smt
//! (declare-fun f (Int) Int)
//! (define-fun g () Int (+ 0 1))
//! (assert (> (f g) 0))
//! ```

use super::script::{Script, definition, merged};
use super::sort;
use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::{Edit, Entity, Names, Sort, Splice, Subject};
use std::collections::HashMap;

pub(crate) const PASS: Pass = Pass::rewriting(
    "smt-parameters",
    "SMT-LIB: removes a parameter of a function together with the arguments for it",
    0.4,
    propose,
);

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let defined = &Defined::new(subject, names);
    let functions = names.entities().iter().filter(|it| it.sort != Sort::Parameter && it.defines.len() == 1);
    let edits = functions.flat_map(|function| {
        let count = parameters(subject, names, function).map_or(0, |(_, parameters)| parameters.len());
        (0..count).filter_map(move |position| without(subject, defined, function, position))
    });
    propose_in_order(subject, largest_first(edits.collect()))
}

/// What the nodes of the texts define.
struct Defined<'a> {
    names: &'a Names,
    /// By tree and node.
    entities: HashMap<(usize, usize), &'a Entity>,
}

impl<'a> Defined<'a> {
    fn new(subject: &Subject, names: &'a Names) -> Self {
        let mut entities = HashMap::new();
        for entity in names.entities() {
            for place in entity.defines.iter().map(|at| &names.places()[*at]) {
                if let Some(node) = definition(place).filter(|_| Script::of(subject, place).is_some()) {
                    entities.entry((place.tree, node)).or_insert(entity);
                }
            }
        }
        Defined { names, entities }
    }
}

/// Returns the text with the definition of a function, and its parameters.
fn parameters<'a>(subject: &'a Subject, names: &Names, function: &Entity) -> Option<(Script<'a>, Vec<usize>)> {
    let place = &names.places()[function.defines[0]];
    let script = Script::of(subject, place)?;
    let defined = definition(place)?;
    let list = if script.head(defined)?.starts_with(b"declare-") { "sorts" } else { "bindings" };
    Some((script, script.listed(defined, list)?))
}

fn without(subject: &Subject, defined: &Defined, function: &Entity, position: usize) -> Option<Edit> {
    let names = defined.names;
    let (script, parameters) = parameters(subject, names, function)?;
    let cut = |at| Splice { at, with: [].into() };
    let is_first = position == 0;
    let mut splices = vec![cut(match parameters.get(1).filter(|_| is_first) {
        Some(next) => script.tree.node(parameters[0]).start..script.tree.node(*next).start,
        None => script.with_space(parameters[position]),
    })];
    if script.tree.kind(parameters[position]) == "binding" {
        splices.extend(valued(script, defined, function, parameters[position])?);
    }
    for used in function.uses.iter().map(|at| &names.places()[*at]) {
        let other = Script::of(subject, used)?;
        let call = other.called(used.node)?;
        let arguments = other.members(call).split_off(1);
        let gone = *arguments.get(position).filter(|_| arguments.len() == parameters.len())?;
        if arguments.len() == 1 {
            let (whole, head) = (other.tree.range(call), other.tree.range(used.node));
            splices.extend([cut(whole.start..head.start), cut(head.end..whole.end)]);
        } else {
            splices.push(cut(other.with_space(gone)));
        }
    }
    merged(&script, splices)
}

/// Returns the uses of a parameter as the shortest value of its sort.
fn valued(script: Script, defined: &Defined, function: &Entity, parameter: usize) -> Option<Vec<Splice>> {
    let places = defined.names.places();
    let tree = function.defines.first().map(|at| places[*at].tree)?;
    let of_sort = script.tree.child(parameter, "type")?;
    let uses = defined.entities.get(&(tree, parameter)).map_or(&[][..], |entity| &entity.uses[..]);
    if uses.is_empty() {
        return Some(vec![]);
    }
    let value = sort::sort(&script, of_sort).constants().into_iter().next()?;
    Some(uses.iter().map(|at| Splice { at: places[*at].at.clone(), with: value.clone().into() }).collect())
}
