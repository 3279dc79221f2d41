//! Replaces a node by another short text, or by a value of another sort.
//!
//! ## What it tries
//! For each node that `shortest` replaces, the second shortest text of its kind. Then, in languages whose variables have any type,
//! for each expression that is longer: `1`, an empty string, list or table, and the value that is nothing, as far as these are not
//! its shortest texts, and only where few expressions are left. All of that is tried when other passes find nothing more. Where the
//! value that is nothing is no shorter, it is tried for the last two expressions, when nothing else helps.
//!
//! ## When it helps
//! Where a failure needs a value of a certain sort, but not the one that is computed.
//!
//! ## Before
//! ```php
//! <?php
//! f($a->b(), $c->d());
//! ```
//! ## After
//! ```php
//! <?php
//! f(null, null);
//! ```

use super::shortest::{TEXTS, edits, takes_values};
use crate::pass::{Pass, Proposals};
use crate::rewrite::{propose_growing, propose_shrinking};
use reduct_input::{Class, Edit, Subject, Tree};

pub(crate) const PASS: Pass = Pass::rewriting("values", "replaces a node by another short text or value", 0.1, propose);

/// The value that is nothing, where it is longer than what is computed.
pub(crate) const GROWING: Pass =
    PASS.growing("longer-values", "replaces a short expression by the value that is nothing", |subject| {
        propose_growing(subject, longer(subject))
    });

/// The values of a language, likeliest first.
const VALUES: &[(&str, &[&str])] = &[
    ("javascript", &["null", "[]", "{}", "1"]),
    ("typescript", &["null", "[]", "{}", "1"]),
    ("tsx", &["null", "[]", "{}", "1"]),
    ("python", &["None", "[]", "{}", "1"]),
    ("ruby", &["nil", "[]", "''", "{}", "1"]),
    ("php", &["null", "[]", "1"]),
    ("lua", &["nil", "{}", "''", "1"]),
];

/// Where more expressions are left, they are computed for a reason.
const MOST: usize = 48;

/// So many expressions become longer at most.
const FEW: usize = 2;

fn propose(subject: &Subject) -> Proposals {
    let mut proposals = propose_shrinking(subject, edits(subject, 1..TEXTS));
    proposals.extend(propose_shrinking(subject, of_other_sorts(subject)));
    proposals
}

/// Returns the edits that put values of other sorts in the place of expressions.
fn of_other_sorts(subject: &Subject) -> Vec<Edit> {
    let trees = || subject.trees().iter();
    if are_many(subject) {
        return vec![];
    }
    let most = VALUES.iter().map(|(_, values)| values.len()).max().unwrap_or_default();
    let values = (0..most).flat_map(|number| {
        trees().flat_map(move |tree| {
            let value = values_of(tree).get(number);
            (1..tree.len()).filter_map(move |at| edit(subject, tree, at, value?))
        })
    });
    values.collect()
}

/// Returns the edits that put what is nothing in the place of the last short expressions.
fn longer(subject: &Subject) -> Vec<Edit> {
    if are_many(subject) {
        return vec![];
    }
    let edits = subject.trees().iter().flat_map(|tree| {
        let value = values_of(tree).first();
        let short = move |at: &usize| value.is_some_and(|value| tree.range(*at).len() <= value.len());
        let computed = (1..tree.len()).filter(move |at| is_computed(tree, *at) && is_used(tree, *at) && short(at));
        computed.filter_map(move |at| Edit::replace(tree.range(at), value?.as_bytes()))
    });
    let mut edits: Vec<Edit> = edits.collect();
    edits.drain(..edits.len().saturating_sub(FEW));
    edits
}

fn are_many(subject: &Subject) -> bool {
    let computed = |tree: &Tree| (1..tree.len()).filter(|at| is_computed(tree, *at)).count();
    subject.trees().iter().map(computed).sum::<usize>() > MOST
}

fn values_of(tree: &Tree) -> &'static [&'static str] {
    VALUES.iter().find(|(language, _)| is_of(tree, language)).map_or(&[], |(_, values)| *values)
}

fn is_of(tree: &Tree, language: &str) -> bool {
    tree.grammar.language == language
}

/// Returns whether a node is an expression with others in it.
fn is_computed(tree: &Tree, at: usize) -> bool {
    tree.is(at, Class::EXPRESSION) && tree.children(at).any(|child| tree.is_named(child))
}

fn edit(subject: &Subject, tree: &Tree, at: usize, value: &str) -> Option<Edit> {
    let is_tried = tree.shortest(at).iter().take(TEXTS).any(|text| text == value);
    let shorter = value.len() < subject.text(tree.range(at)).len();
    (is_used(tree, at) && shorter && !is_tried).then(|| Edit::replace(tree.range(at), value.as_bytes()))?
}

/// Returns whether a node is an expression whose value is used, and which may be any other. A statement that does nothing can go.
fn is_used(tree: &Tree, at: usize) -> bool {
    let Some(parent) = tree.parent(at) else { return false };
    let is_statement = tree.is(parent, Class::STATEMENT) && !tree.is(parent, Class::DEFINITION)
        || tree.is(parent, Class::BLOCK)
        || parent == 0;
    tree.is(at, Class::EXPRESSION) && !tree.is(at, Class::NUMBER) && takes_values(tree, at) && !is_statement
}
