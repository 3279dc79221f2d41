//! Removes a parameter of a function together with the arguments for it.
//!
//! ## What it tries
//! For each function: all parameters, then each alone, from its definition, its declarations and, at the same
//! position, from all calls. Where the body uses a parameter, the shortest text that may stand there comes in
//! its place.
//!
//! ## When it helps
//! In languages that count arguments: neither a parameter nor an argument can go alone there.
//!
//! ## Before
//! ```c
//! int f(int a, int b);
//! int f(int a, int b) { return a + b; }
//! int main() { return f(1, 2); }
//! ```
//! ## After
//! ```c
//! int f(int b);
//! int f(int b) { return 0 + b; }
//! int main() { return f(2); }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::names::EditDraft;
use reduct_input::{Entity, Names, Sort};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("parameters", "removes a parameter of a function together with the arguments for it", 0.4, propose);

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let functions = || names.entities().iter().filter(|entity| entity.sort == Sort::Function);
    let (mut all, mut single) = (vec![], vec![]);
    for function in functions() {
        let arity = names.arity(subject, function);
        if arity > 1 {
            all.extend(without(subject, names, function, 0..arity));
        }
        single.extend((0..arity).filter_map(|at| without(subject, names, function, at..at + 1)));
    }
    let edits = largest_first(all).into_iter().chain(largest_first(single));
    propose_in_order(subject, edits)
}

/// Returns a function without the parameters at these positions. What concerns one place alone is left to the nodes.
fn without(subject: &Subject, names: &Names, function: &Entity, positions: Range<usize>) -> Option<Edit> {
    let mut change = EditDraft::new(subject, subject.names());
    for position in positions {
        let parameters = match names.remove_parameter(subject, function, position, &mut change) {
            Some(parameters) => parameters,
            // The object that a method belongs to stays.
            None if position == 0 => continue,
            None => return None,
        };
        for used in parameters.iter().flat_map(|entity| &names.entities()[*entity].uses) {
            names.do_without(subject, &names.places()[*used], &mut change)?;
        }
    }
    change.edit().filter(|edit| edit.splices().len() > 1)
}
