//! Replaces a node by the shortest text that may stand for it.
//!
//! ## What it tries
//! For each node of a kind that has a shortest text, that text: an expression by `0`, a type by `int`, arguments by
//! `()`. First the outermost nodes, then what is in them, and for a condition at last what is true: `1`, `true`, or `1>0`. (The second
//! shortest text is for `values`.)
//! Statements of a list and what is all of one are left out, as they were tried to be removed, and blocks, which `empty-body` has.
//!
//! ## When it helps
//! Where something must stand but does not matter: operands, initial values, conditions, types. What it named is then
//! needed less, and can go.
//!
//! ## Before
//! ```c
//! long f(long a) { return g(a, a + 1) * 5; }
//! ```
//! ## After
//! ```c
//! int f() { return 0; }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::{Class, Role, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("shortest", "replaces a node by the shortest text of its kind", 0.3, propose);

/// How many texts are tried for a node. T-Rec found that more than two hardly ever help.
pub(super) const TEXTS: usize = 2;

fn propose(subject: &Subject) -> Proposals {
    let trees = subject.trees().iter();
    let truths = trees.flat_map(|tree| (1..tree.len()).filter_map(move |at| truth(subject, tree, at)));
    propose_shrinking(subject, edits(subject, 0..1).chain(truths))
}

/// Returns the edits that put those of the shortest texts in the place of a node which have these numbers.
pub(super) fn edits(subject: &Subject, numbers: Range<usize>) -> impl Iterator<Item = Edit> {
    numbers.flat_map(move |number| {
        // Terms of SMT-LIB have sorts, and a pass of their own.
        let trees = subject.trees().iter().filter(|tree| tree.grammar.language != "smt");
        trees.flat_map(move |tree| (1..tree.len()).filter_map(move |at| edit(subject, tree, at, number)))
    })
}

fn edit(subject: &Subject, tree: &Tree, at: usize, number: usize) -> Option<Edit> {
    let text = tree.shortest(at).get(number)?.as_bytes();
    let now = subject.text(tree.range(at));
    // Where a name of the same length stood, its definition may go. If it does not matter what stands there, the first text shows it.
    let as_long = number == 0 && tree.is(at, Class::NAME) && text.len() == now.len();
    let worth_it = text.len() < now.len() || as_long;
    // What is one of the texts already need not become another.
    let is_short = tree.shortest(at).iter().take(TEXTS).any(|text| text.as_bytes() == now);
    (worth_it && !is_short && is_wanted(tree, at)).then(|| Edit::replace(tree.range(at), text))?
}

/// What is true, by language, where neither of the first texts of an expression is.
const TRUE: &[(&str, &str)] = &[
    ("javascript", "1"),
    ("typescript", "1"),
    ("tsx", "1"),
    ("python", "1"),
    ("php", "1"),
    ("java", "true"),
    ("csharp", "true"),
    ("go", "true"),
    ("rust", "1>0"),
    ("zig", "true"),
    ("solidity", "true"),
    ("glsl", "true"),
];

/// Returns what is true in the place of a condition.
fn truth(subject: &Subject, tree: &Tree, at: usize) -> Option<Edit> {
    let (_, text) = TRUE.iter().find(|(language, _)| *language == tree.grammar.language)?;
    let now = subject.text(tree.range(at));
    let parent = tree.parent(at)?;
    // Parentheses around it are the statement's.
    let is_inner = tree.is(at, Class::EXPRESSION) && subject.text(tree.range(parent)).starts_with(b"(");
    let outer = if is_inner { parent } else { at };
    let is_condition = tree.field(outer) == "condition" && !now.starts_with(b"(");
    (is_condition && text.len() < now.len()).then(|| Edit::replace(tree.range(at), text.as_bytes()))?
}

fn is_wanted(tree: &Tree, at: usize) -> bool {
    let can_go = matches!(tree.node(at).role, Role::Item | Role::ItemOfMany | Role::Optional);
    let is_value = tree.is(at, Class::EXPRESSION) || tree.is(at, Class::TYPE);
    // A node that is all of its parent, and may be replaced by the same, says the same twice.
    let parent = tree.parent(at).filter(|parent| *parent != 0 && tree.range(*parent) == tree.range(at));
    let said = parent.is_some_and(|parent| tree.shortest(parent) == tree.shortest(at));
    let plausible = !tree.is(at, Class::EXPRESSION) || takes_values(tree, at) && !is_whole_statement(tree, at);
    tree.node(at).role != Role::Error && !tree.is(at, Class::BLOCK) && (!can_go || is_value) && !said && plausible
}

/// Returns whether a node is all of a statement that can go: with a value in its place, that would do nothing.
fn is_whole_statement(tree: &Tree, at: usize) -> bool {
    let is_all_of = |parent: usize| {
        let is_statement = tree.is(parent, Class::STATEMENT) && !tree.is(parent, Class::DEFINITION);
        let can_go = tree.node(parent).role == Role::Item;
        // A word before it, as `return`, does something with its value.
        let is_first = tree.range(parent).start == tree.range(at).start;
        is_statement && can_go && is_first && tree.children(parent).filter(|child| tree.is_named(*child)).count() == 1
    };
    tree.parent(at).is_some_and(is_all_of)
}

/// Returns whether any value may stand there: not where only a name can be declared, and not where what is called is
/// named.
pub(super) fn takes_values(tree: &Tree, at: usize) -> bool {
    let Some(parent) = tree.parent(at) else { return false };
    let is_callee = tree.is(parent, Class::CALL) && tree.children(parent).next() == Some(at);
    let is_literal = |kind: &u16| {
        let class = tree.grammar.kinds[*kind as usize].class;
        class.has(Class::NUMBER) || class.has(Class::STRING)
    };
    let slot = tree.grammar.slot(tree.node(parent).kind, tree.node(at).field);
    !is_callee && slot.is_none_or(|slot| slot.types.iter().any(is_literal))
}
