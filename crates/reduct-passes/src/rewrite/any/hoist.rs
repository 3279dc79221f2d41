//! Replaces a node by one of the nodes in it that may stand in its place.
//!
//! ## What it tries
//! For each node that stands where something must, the nearest nodes in it that the grammar allows there:
//! `f(x + 1)` by `x + 1`, an `if` by what it guards. In SMT-LIB, only terms of the same sort, as far as it is known. In a text of
//! an unknown language, each call by one of its arguments, and each pair of brackets by one like it in it.
//!
//! ## When it helps
//! Where something is needed that is wrapped in what is not: arguments of calls, operands, inner blocks.
//! Perses and Picireny report up to four fifths smaller results with it.
//!
//! ## Before
//! ```c
//! int x = f(a, g(1));
//! ```
//! ## After
//! ```c
//! int x = a;
//! ```

mod plain;

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::smt::script::Script;
use crate::rewrite::smt::sort::{may_be_same, sorts};
use crate::rewrite::{largest_first, propose_in_order, unwrapping_apart};
use reduct_input::Subject;
use reduct_input::{Role, Tree};

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("hoist", "replaces a node by one in it that may stand there", 0.2, propose)
};

/// How many nodes in a node are offered for it: those nearest to it, the first on each way down.
const OFFERS: usize = 4;

/// How far down they may be. Perses goes four levels.
const DEPTH: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let hoists = subject.trees().iter().flat_map(|tree| {
        // Solvers refuse a term of another sort.
        let script = Script::new(subject, tree).map(|script| (script, sorts(&script)));
        let fits = |at: usize, inner: usize| {
            let is_of_sort = |(script, sorts): &(Script, Vec<_>)| may_be_same(script, sorts[at], sorts[inner]);
            tree.fits(at, tree.node(inner).kind) && script.as_ref().is_none_or(is_of_sort)
        };
        let outer = (1..tree.len()).filter(|at| tree.is_named(*at) && tree.node(*at).role != Role::Error);
        let hoisted = |at: usize| {
            let offers = offers(tree, at, fits).into_iter();
            offers
                .filter_map(|inner| unwrapping_apart(subject, tree, &tree.replaced_by(at, inner), &tree.range(inner)))
                .collect::<Vec<_>>()
        };
        outer.flat_map(hoisted).collect::<Vec<_>>()
    });
    propose_in_order(subject, largest_first(hoists.chain(plain::hoists(subject)).collect()))
}

/// Returns the nodes in `at` that may stand in its place.
fn offers(tree: &Tree, at: usize, fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut found = vec![];
    let mut ways = vec![(at, 0)];
    let mut next = 0;
    while let Some(&(from, depth)) = ways.get(next) {
        next += 1;
        for child in tree.children(from).filter(|child| tree.is_named(*child)) {
            if found.len() == OFFERS {
                return found;
            }
            // What is all of its text changes nothing.
            if fits(at, child) && tree.range(child) != tree.range(at) {
                found.push(child);
            } else if depth + 1 < DEPTH {
                ways.push((child, depth + 1));
            }
        }
    }
    found
}
