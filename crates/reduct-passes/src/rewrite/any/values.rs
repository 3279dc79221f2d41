//! Replaces a node by another short text, or by a value of another sort.
//!
//! ## What it tries
//! For each node that `shortest` replaces, the second shortest text of its kind. Then, in languages whose variables have any type,
//! for each expression that is longer: `1`, an empty string, list or table, and the value that is nothing, as far as these are not
//! its shortest texts, and only where few expressions are left. All of that is tried when other passes find nothing more.
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
use crate::rewrite::propose_shrinking;
use reduct_input::{Class, Edit, Subject, Tree};

pub(crate) const PASS: Pass = Pass::rewriting("values", "replaces a node by another short text or value", 0.1, propose);

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

fn propose(subject: &Subject) -> Proposals {
    let mut proposals = propose_shrinking(subject, edits(subject, 1..TEXTS));
    proposals.extend(propose_shrinking(subject, of_other_sorts(subject)));
    proposals
}

/// Returns the edits that put values of other sorts in the place of expressions.
fn of_other_sorts(subject: &Subject) -> Vec<Edit> {
    let trees = || subject.trees().iter();
    let count: usize = trees().map(|tree| (1..tree.len()).filter(|at| is_computed(tree, *at)).count()).sum();
    if count > MOST {
        return vec![];
    }
    let of_tree = |tree| VALUES.iter().find(|(language, _)| is_of(tree, language)).map_or([].as_slice(), |(_, it)| *it);
    let most = VALUES.iter().map(|(_, values)| values.len()).max().unwrap_or_default();
    let values = (0..most).flat_map(|number| {
        trees().flat_map(move |tree| {
            let value = of_tree(tree).get(number);
            (1..tree.len()).filter_map(move |at| edit(subject, tree, at, value?))
        })
    });
    values.collect()
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
    let parent = tree.parent(at)?;
    // A statement that does nothing can go.
    let is_statement = tree.is(parent, Class::STATEMENT) && !tree.is(parent, Class::DEFINITION)
        || tree.is(parent, Class::BLOCK)
        || parent == 0;
    let wanted = tree.is(at, Class::EXPRESSION) && !tree.is(at, Class::NUMBER) && takes_values(tree, at);
    let shorter = value.len() < subject.text(tree.range(at)).len();
    (wanted && shorter && !is_tried && !is_statement).then(|| Edit::replace(tree.range(at), value.as_bytes()))?
}
