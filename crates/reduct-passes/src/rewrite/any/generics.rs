//! Removes a parameter of a generic type or function together with the arguments for it.
//!
//! ## What it tries
//! For each type parameter: neither it nor the argument at its position wherever arguments are given, and the shortest type in the
//! place of its uses; in C#, what is asked of it goes as well. In Rust, a parameter of an `impl` that is such an argument goes as well, and
//! each lifetime goes with its arguments and uses, for `'static` where a type has to name one, or without the references there; and in the place of
//! the uses of a parameter it is the first argument for it, too. Where no grammar reads, the parameters of a type go with their arguments, and
//! those of a function. For templates of C++ there is `cpp-parameters`.
//!
//! ## When it helps
//! In languages that count the arguments of types: neither a parameter nor an argument can go alone there.
//!
//! ## Before
//! ```rs
//! struct A<T, U> { a: T, b: U }
//! impl<X, Y> A<X, Y> { fn f(self) -> X { self.a } }
//! fn g(a: A<i32, u8>) { h::<i32, A<u8, u8>>(a) }
//! ```
//! ## After
//! ```rs
//! struct A<T> { a: T, b: () }
//! impl<X> A<X> { fn f(self) -> X { self.a } }
//! fn g(a: A<i32>) { h::<i32, A<u8>>(a) }
//! ```

mod lifetimes;
mod plain;

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::names::{EditDraft, listed};
use reduct_input::{Class, Edit, NamePlace, Names, Part, Subject, Tree};

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting(
        "generics",
        "removes a parameter of a generic type or function together with the arguments for it",
        0.4,
        propose,
    )
};

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let mut edits = vec![];
    for (number, tree) in subject.trees().iter().enumerate() {
        for list in (1..tree.len()).filter(|at| is_generic(tree, *at)) {
            let generic = Generic { subject, names, number, list };
            for position in 0..listed(tree, list).len() {
                edits.extend(generic.without(position, None));
                let argument = generic.argument(position);
                edits.extend(argument.and_then(|argument| generic.without(position, Some(&argument))));
            }
        }
    }
    edits.extend(plain::without(subject));
    edits.extend((0..subject.trees().len()).flat_map(|number| lifetimes::lifetimes(subject, number)));
    propose_in_order(subject, largest_first(edits))
}

/// Returns whether a node is a list of type parameters.
fn is_generic(tree: &Tree, at: usize) -> bool {
    tree.is(at, Class::PARAMETERS) && tree.kind(at).starts_with("type_parameter")
}

/// The type parameters of something.
#[derive(Clone, Copy)]
struct Generic<'a> {
    subject: &'a Subject,
    names: &'a Names,
    /// The number of their tree.
    number: usize,
    list: usize,
}

impl Generic<'_> {
    fn tree(&self) -> &Tree {
        &self.subject.trees()[self.number]
    }

    /// Returns the place of the name of what has the parameters, by index.
    fn named(&self) -> Option<usize> {
        let owner = self.tree().parent(self.list)?;
        let is_it = |at: &usize| {
            let place = &self.names.places()[*at];
            place.tree == self.number && place.part == Part::Defines(owner)
        };
        self.names.within(self.tree().range(owner)).find(is_it)
    }

    /// Returns the first argument for a parameter of Rust that is a type by itself, or one that most values have.
    fn argument(&self, position: usize) -> Option<Vec<u8>> {
        if self.tree().grammar.language != "rust" {
            return None;
        }
        let entity = &self.names.entities()[self.names.entity_of(self.named()?)?];
        let given = entity.uses.iter().filter_map(|at| {
            let place = &self.names.places()[*at];
            let tree = &self.subject.trees()[place.tree];
            let argument = *listed(tree, arguments(tree, place)?).get(position)?;
            let is_parameter = self.passed_on(place.tree, argument).is_some();
            Some(self.subject.text(tree.range(argument))).filter(|text| !is_parameter && *text != b"_")
        });
        let first = given.into_iter().next();
        Some(first.unwrap_or(b"i32").to_vec())
    }

    /// Removes a parameter with its arguments, and does without its uses, or puts a type in their place.
    fn without(&self, position: usize, with: Option<&[u8]>) -> Option<Edit> {
        let entity = &self.names.entities()[self.names.entity_of(self.named()?)?];
        let count = listed(self.tree(), self.list).len();
        let mut change = EditDraft::new(self.subject, self.names);
        self.remove(position, with, &mut change)?;
        for place in entity.uses.iter().map(|at| &self.names.places()[*at]) {
            let tree = &self.subject.trees()[place.tree];
            let Some(given) = arguments(tree, place) else { continue };
            let arguments = listed(tree, given);
            let argument = *arguments.get(position).filter(|_| arguments.len() == count)?;
            if count == 1 {
                change.put(place.at.end..tree.node(given).end, b"");
            } else {
                change.remove(place.tree, argument);
            }
            if let Some((around, position)) = self.passed_on(place.tree, argument) {
                around.remove(position, with, &mut change)?;
            }
        }
        change.edit()
    }

    /// Removes a parameter, and does without its uses, or puts a type in their place.
    fn remove(&self, position: usize, with: Option<&[u8]>, change: &mut EditDraft) -> Option<()> {
        let tree = self.tree();
        let parameters = listed(tree, self.list);
        let parameter = *parameters.get(position)?;
        if parameters.len() == 1 {
            change.put(tree.range(self.list), b"");
        } else {
            change.remove(self.number, parameter);
        }
        let is_defined = |at: &usize| matches!(self.names.places()[*at].part, Part::Defines(_));
        let defined = self.names.within(tree.range(parameter)).find(is_defined)?;
        for used in &self.names.entities()[self.names.entity_of(defined)?].uses {
            let place = &self.names.places()[*used];
            if let Some(with) = with {
                change.put(place.at.clone(), with);
                continue;
            }
            match self.asked(place) {
                Some(clause) => change.remove(place.tree, clause),
                None if is_type(&self.subject.trees()[place.tree], place) => change.put(place.at.clone(), b"int"),
                None => self.names.do_without(self.subject, place, change)?,
            }
        }
        Some(())
    }

    /// Returns the clause of C# that asks something of what is named here: `where T : class`.
    fn asked(&self, place: &NamePlace) -> Option<usize> {
        let tree = &self.subject.trees()[place.tree];
        let clause = tree.parent(place.node).filter(|at| tree.kind(*at) == "type_parameter_constraints_clause")?;
        (tree.children(clause).find(|child| tree.is_named(*child)) == Some(place.node)).then_some(clause)
    }

    /// Returns the parameter of something without a name around an argument that is nothing but this parameter.
    fn passed_on(&self, number: usize, argument: usize) -> Option<(Generic<'_>, usize)> {
        let tree = &self.subject.trees()[number];
        let text = self.subject.text(tree.range(argument));
        let mut around = std::iter::successors(tree.parent(argument), |at| tree.parent(*at));
        around.find_map(|owner| {
            let list = tree.children(owner).find(|at| is_generic(tree, *at))?;
            let generic = Generic { number, list, ..*self };
            let is_it = |at: &usize| {
                let mut places = self.names.within(tree.range(*at)).map(|place| &self.names.places()[place]);
                places.any(|place| self.subject.text(place.at.clone()) == text && place.part != Part::Uses)
            };
            let position = listed(tree, list).iter().position(is_it).filter(|_| generic.named().is_none())?;
            Some((generic, position))
        })
    }
}

/// Returns whether a name of C# stands for a type, which its grammar does not tell from a value.
fn is_type(tree: &Tree, place: &NamePlace) -> bool {
    let is_of_type = |at: usize| tree.kind(at) == "type_argument_list" || tree.kind(at).ends_with("_type");
    tree.grammar.language == "csharp"
        && (matches!(tree.field(place.node), "type" | "returns") || tree.parent(place.node).is_some_and(is_of_type))
}

/// Returns the list of the type arguments that follow a name.
fn arguments(tree: &Tree, place: &NamePlace) -> Option<usize> {
    let above = std::iter::successors(tree.parent(place.node), |at| tree.parent(*at)).take(2);
    let mut lists = above.flat_map(|at| tree.children(at)).filter(|at| tree.kind(*at).starts_with("type_argument"));
    lists.find(|list| place.at.end <= tree.node(*list).start)
}
