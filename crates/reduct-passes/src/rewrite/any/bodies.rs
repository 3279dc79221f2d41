//! Replaces the body of a function by one that any function may have.
//!
//! ## What it tries
//! For each function with a body: the shortest body that its language takes whatever the function returns, as `{throw null;}` or
//! `{loop{}}`, and the empty one, or none, where it takes that. A constructor goes on to call another one. Then bodies of classes, interfaces and the like,
//! empty. The largest come first. In C and C++, `c-bodies` declares functions instead.
//!
//! ## When it helps
//! Early, where a function has to be there but not what it does: much goes with one test, and what the body used is needed less. Texts of less
//! than 16 KiB are left to `empty-body`.
//!
//! ## Before
//! ```java
//! class A { int f(int[] a) { for (int b : a) { if (b > 1) { return b; } } return -1; } }
//! ```
//! ## After
//! ```java
//! class A { int f(int[] a) {throw null;} }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::{Class, Edit, Role, Subject, Tree};

pub(crate) const PASS: Pass =
    Pass::rewriting("bodies", "replaces the body of a function by one that any function may have", 0.5, propose)
        .largest_first()
        .of_at_least(WORTH_IT);

/// In shorter texts bodies go when most else has gone.
const WORTH_IT: usize = 16 << 10;

/// Bodies that never end or fail, where an empty one would have to return something.
const STUBS: &[(&str, &str)] = &[
    ("java", "{throw null;}"),
    ("csharp", "{throw null;}"),
    ("rust", "{loop{}}"),
    ("go", "{panic(0)}"),
    ("typescript", "{throw 0}"),
    ("tsx", "{throw 0}"),
    ("zig", "{unreachable;}"),
];

/// The languages and kinds of bodies that have no signs around them and need not be there. What is returned then counts as false, so that a loop that
/// asks for it ends.
const BARE: &[(&str, &str)] = &[("lua", "block"), ("ruby", "body_statement")];

/// Languages that have passes of their own for that, or whose functions are not known by their nodes.
const OTHERS: &[&str] = &["c", "cpp", "llvm", "sql", "smt"];

fn propose(subject: &Subject) -> Proposals {
    let trees = || subject.trees().iter().filter(|tree| !OTHERS.contains(&tree.grammar.language));
    let functions = trees().flat_map(|tree| bodies(tree, is_function).filter_map(|at| stub(subject, tree, at)));
    let is_aggregate = |tree: &Tree, at: usize| tree.is(at, Class::AGGREGATE);
    let aggregates = trees().flat_map(|tree| bodies(tree, is_aggregate).filter_map(|at| empty(subject, tree, at)));
    let functions = propose_in_order(subject, largest_first(functions.collect()));
    functions.into_iter().chain(propose_in_order(subject, largest_first(aggregates.collect()))).collect()
}

/// Returns the blocks that are bodies of such nodes.
fn bodies(tree: &Tree, is_wanted: fn(&Tree, usize) -> bool) -> impl Iterator<Item = usize> + '_ {
    let is_body = move |at: &usize| tree.parent(*at).is_some_and(|parent| is_wanted(tree, parent));
    (1..tree.len()).filter(|at| tree.is(*at, Class::BLOCK)).filter(is_body)
}

fn is_function(tree: &Tree, at: usize) -> bool {
    tree.is(at, Class::FUNCTION) || ["function", "arrow", "lambda"].iter().any(|part| tree.kind(at).contains(part))
}

/// Returns the edits that put a body which says nothing of what is returned in the place of an empty one.
pub(super) fn stubs<'a>(subject: &'a Subject, tree: &'a Tree) -> impl Iterator<Item = Edit> + 'a {
    let has_stub = STUBS.iter().any(|(language, _)| *language == tree.grammar.language);
    bodies(tree, is_function).filter(move |_| has_stub).filter_map(|at| stub(subject, tree, at))
}

/// Returns the edit that replaces the body of a function.
fn stub(subject: &Subject, tree: &Tree, body: usize) -> Option<Edit> {
    if BARE.contains(&(tree.grammar.language, tree.kind(body))) {
        return Edit::delete(tree.range(body));
    }
    let Some((_, stub)) = STUBS.iter().find(|(language, _)| *language == tree.grammar.language) else {
        return empty(subject, tree, body);
    };
    let first = tree.children(body).find(|at| tree.is_named(*at))?;
    let constructor = (tree.kind(first) == "explicit_constructor_invocation").then(|| tree.range(first));
    let call = constructor.map_or(&b""[..], |at| subject.text(at));
    let text = [b"{", call, &stub.as_bytes()[1..]].concat();
    let is_new = subject.text(tree.range(body)) != text;
    is_new.then(|| Edit::replace(tree.range(body), &text))?
}

/// Returns a block as its language writes it shortest, or only its first and its last sign; nothing if nothing but
/// these is in it.
pub(super) fn empty(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    tree.children(at).find(|child| tree.is_named(*child))?;
    if let Some(text) = tree.shortest(at).first() {
        return Edit::replace(tree.range(at), text.as_bytes());
    }
    let signs: Vec<usize> = tree.children(at).filter(|child| tree.node(*child).role == Role::Token).collect();
    let (first, last) = (*signs.first()?, *signs.last()?);
    let ends =
        first != last && tree.node(first).start == tree.node(at).start && tree.node(last).end == tree.node(at).end;
    let text = [subject.text(tree.range(first)), subject.text(tree.range(last))].concat();
    ends.then(|| Edit::replace(tree.range(at), &text))?
}
