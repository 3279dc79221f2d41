//! Replaces a part of a list by the parts of a list that is in it.
//!
//! ## What it tries
//! For each statement, member, element or value that stands in a list, the nearest lists in it whose parts may
//! stand there too: from the first of them to the last they take its place. A block by what is in it, an `if` or a
//! loop by the statements it guards, a namespace by its members, an element by its children, an array in an array by
//! its values. A statement by what is in the body of a function that stands in its arguments.
//!
//! ## When it helps
//! Where what is needed is wrapped in something that is not, and there are several of it: hoisting keeps only one.
//!
//! ## Before
//! ```c
//! int f(int a) {
//!   if (a) {
//!     g(a);
//!     h(a);
//!   }
//!   return a;
//! }
//! ```
//! ## After
//! ```c
//! int f(int a) {
//!   g(a);
//!     h(a);
//!   return a;
//! }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order, unwrapping_apart};
use reduct_input::Subject;
use reduct_input::{Class, Role, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("splice", "replaces a part of a list by the parts of a list in it", 0.3, propose);

/// How many lists in a part are offered for it: both branches of an `if`, and a third.
const OFFERS: usize = 3;

/// How far down they may be: an `else` has a clause and a block before its list begins.
const DEPTH: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let splices = subject.trees().iter().flat_map(|tree| {
        let offered = (1..tree.len())
            .filter(|at| is_item(tree, *at))
            .flat_map(|at| offers(tree, at).into_iter().map(move |inner| (at, inner)));
        let all = offered.chain((1..tree.len()).filter_map(|block| passed_body(tree, block)));
        all.filter_map(|(at, inner)| unwrapping_apart(subject, tree, &tree.range(at), &inner)).collect::<Vec<_>>()
    });
    propose_in_order(subject, largest_first(splices.collect()))
}

/// How far up from a body the statement may be that the function is passed in.
const FAR: usize = 16;

/// Returns the statements of a body of a function that is passed as an argument, with the statement in which it is.
fn passed_body(tree: &Tree, block: usize) -> Option<(usize, Range<u32>)> {
    let is_body = tree.is(block, Class::BLOCK) && tree.field(block) == "body";
    let mut ways = std::iter::successors(Some(block).filter(|_| is_body), |at| tree.parent(*at)).skip(1).take(FAR);
    let (mut is_passed, mut depth) = (false, 1);
    let at = ways.find(|at| {
        is_passed |= tree.is(*at, Class::ARGUMENTS);
        depth += 1;
        tree.is(*at, Class::STATEMENT)
    })?;
    // What is nearer is offered anyway.
    let inner =
        lists(tree, at, block).into_iter().next().filter(|_| is_passed && is_item(tree, at) && depth > DEPTH)?;
    Some((at, inner))
}

fn is_item(tree: &Tree, at: usize) -> bool {
    tree.is_named(at) && matches!(tree.node(at).role, Role::Item | Role::ItemOfMany)
}

/// Returns the texts of the nearest lists in `at` whose parts may stand in its place.
fn offers(tree: &Tree, at: usize) -> Vec<Range<u32>> {
    let mut found = vec![];
    let mut ways = vec![(at, 0)];
    let mut next = 0;
    while let Some(&(from, depth)) = ways.get(next) {
        next += 1;
        let lists = lists(tree, at, from);
        // What is all of its text changes nothing, and a list in a list comes when that is spliced.
        let useful = lists.into_iter().filter(|list| *list != tree.range(at));
        let before = found.len();
        found.extend(useful.take(OFFERS - before));
        if found.len() == OFFERS {
            break;
        }
        if found.len() == before && depth + 1 < DEPTH {
            ways.extend(tree.children(from).filter(|child| tree.is_named(*child)).map(|child| (child, depth + 1)));
        }
    }
    found
}

/// Returns the texts of the lists among the children of `from` whose parts may all stand where `at` stands.
fn lists(tree: &Tree, at: usize, from: usize) -> Vec<Range<u32>> {
    let mut found: Vec<Range<u32>> = vec![];
    let mut goes_on = false;
    for child in tree.children(from).filter(|child| tree.node(*child).role != Role::Token) {
        let is_comment = tree.is(child, Class::COMMENT);
        let fits = is_item(tree, child) && (is_comment || tree.fits(at, tree.node(child).kind));
        match found.last_mut() {
            Some(last) if fits && goes_on => last.end = tree.node(child).end,
            // A comment alone is no list.
            _ if fits && !is_comment => found.push(tree.range(child)),
            _ => {}
        }
        goes_on = fits && (goes_on || !is_comment);
    }
    found
}
