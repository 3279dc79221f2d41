//! Removes conditions and loops with all that they guard.
//!
//! ## What it tries
//! For each condition, loop, switch or the like: the statement goes; where one has to stand there, the shortest one takes its place.
//! Then each branch of a condition or switch that has several. The largest come first, and those in others after these.
//!
//! ## When it helps
//! In a large program of which much is needed: most of what it could do it does not do when it fails, and what is not executed can all go
//! together. Texts of less than 12 KiB are left to the passes that go through all statements.
//!
//! ## Before
//! ```c
//! int f(int a) { if (a < 0) { return g(a, 1); } h(a); while (a > 9) { a = k(a); } return a; }
//! ```
//! ## After
//! ```c
//! int f(int a) {  h(a);  return a; }
//! ```

use super::bodies::empty;
use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use crate::text::is_word;
use reduct_input::{Class, Edit, Role, Subject, Tree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("branches", "removes conditions and loops with all that they guard", 0.5, propose)
        .largest_first()
        .of_at_least(WORTH_IT);

/// In shorter texts all statements are soon gone through.
const WORTH_IT: usize = 12 << 10;

/// Languages that take no list without statements, although their grammar does.
const NEEDS_ONE: &[&str] = &["bash", "python"];

/// A deeper nest is taken off by `nests`.
const MOST_LEVELS: usize = 24;

/// How the kinds begin that decide between branches, one of which may go.
const DECIDING: &[&str] = &["if", "unless", "switch", "expression_switch", "type_switch", "select", "case", "match"];

/// How the kinds begin that hold the word with which they begin.
const OTHERWISE: &[&str] = &["else", "elsif", "elif"];

fn propose(subject: &Subject) -> Proposals {
    let edits = subject.trees().iter().flat_map(|tree| {
        let stay = which_stay(tree);
        let of = move |at| whole(subject, tree, at, &stay).into_iter().chain(branches(subject, tree, at));
        controls(tree).into_iter().flat_map(of).collect::<Vec<_>>()
    });
    propose_in_order(subject, largest_first(edits.collect()))
}

/// Returns the conditions and loops; of those in a deep nest, only the outermost one.
fn controls(tree: &Tree) -> Vec<usize> {
    // Of those around a node: where each ends, the outermost one, and its level.
    let mut open: Vec<(usize, usize, usize)> = vec![];
    let mut found: Vec<(usize, usize)> = vec![];
    let mut levels: HashMap<usize, usize> = HashMap::new();
    for at in (1..tree.len()).filter(|at| tree.is(*at, Class::CONTROL)) {
        while open.last().is_some_and(|(end, ..)| *end <= at) {
            open.pop();
        }
        let (outermost, level) = open.last().map_or((at, 1), |(_, first, level)| (*first, level + 1));
        let deepest = levels.entry(outermost).or_default();
        *deepest = level.max(*deepest);
        open.push((tree.node(at).after as usize, outermost, level));
        found.push((at, outermost));
    }
    found.retain(|(at, outermost)| at == outermost || levels[outermost] <= MOST_LEVELS);
    found.into_iter().map(|(at, _)| at).collect()
}

/// Removes a statement, or puts the shortest one in its place where one has to stand there.
fn whole(subject: &Subject, tree: &Tree, control: usize, stay: &HashSet<usize>) -> Option<Edit> {
    let at = statement(tree, control);
    if !stay.contains(&at)
        && let Some(gone) = removed(subject, tree, at)
    {
        return Edit::delete(gone);
    }
    let shortest = tree.shortest(at).first()?;
    let is_statement = stay.contains(&at) || shortest.ends_with([';', '}']);
    is_statement.then(|| Edit::replace(tree.range(at), shortest.as_bytes()))?
}

/// Returns the statement that is nothing but this node and a sign at its end, or the node.
pub(super) fn statement(tree: &Tree, node: usize) -> usize {
    let is_alone = |parent: usize| tree.children(parent).filter(|child| tree.is_named(*child)).eq([node]);
    let parent = tree.parent(node).filter(|parent| tree.range(*parent).start == tree.range(node).start);
    parent.filter(|parent| is_of_list(tree, *parent) && !is_of_list(tree, node) && is_alone(*parent)).unwrap_or(node)
}

/// Returns whether a node is one of a list, which the last one of a block is too where nothing has to end it.
pub(super) fn is_of_list(tree: &Tree, at: usize) -> bool {
    let is_in_block = |parent| parent == 0 || tree.is(parent, Class::BLOCK);
    match tree.node(at).role {
        Role::Item | Role::ItemOfMany => true,
        Role::Optional => tree.parent(at).is_some_and(is_in_block),
        _ => false,
    }
}

/// Returns what goes with a node that may go: before what a condition does otherwise, the word that says so.
fn removed(subject: &Subject, tree: &Tree, at: usize) -> Option<Range<u32>> {
    let range = tree.range(at);
    if is_of_list(tree, at) {
        return Some(range);
    }
    let is_optional = tree.node(at).role == Role::Optional;
    let parent = tree.parent(at).filter(|parent| is_optional && tree.is(*parent, Class::CONTROL))?;
    let word = tree.children(parent).take_while(|child| *child < at).last()?;
    let is_own = OTHERWISE.iter().any(|begin| tree.kind(at).starts_with(begin));
    match tree.node(word).role == Role::Token && is_word(subject.text(tree.range(word))[0]) {
        true => Some(tree.range(word).start..range.end),
        false => is_own.then_some(range),
    }
}

/// Returns the last statement of each list that needs one and of which all statements may go.
fn which_stay(tree: &Tree) -> HashSet<usize> {
    let must_hold = NEEDS_ONE.contains(&tree.grammar.language);
    let needs_one = |role: Role| role == Role::ItemOfMany || role == Role::Item && must_hold;
    let goes = |item: usize| {
        tree.is(item, Class::CONTROL)
            || tree.children(item).any(|child| tree.is(child, Class::CONTROL) && statement(tree, child) == item)
    };
    let last = |list: usize| {
        let mut items =
            tree.children(list).filter(|child| needs_one(tree.node(*child).role) && !tree.is(*child, Class::COMMENT));
        items.try_fold(None, |_, item| goes(item).then_some(Some(item)))?
    };
    (1..tree.len()).filter_map(last).collect()
}

/// Removes, or empties, each branch of a node that decides between several.
fn branches<'a>(subject: &'a Subject, tree: &'a Tree, at: usize) -> impl Iterator<Item = Edit> + 'a {
    let decides = DECIDING.iter().any(|begin| tree.kind(at).starts_with(begin)) && tree.grammar.language != "bash";
    let is_branch = |part: &usize| {
        let (is_expression, is_branched) = (tree.is(*part, Class::EXPRESSION), tree.is(*part, Class::CONTROL));
        let is_leaf = tree.children(*part).next().is_none();
        tree.is_named(*part) && !is_expression && !is_leaf && subject.text(tree.range(*part))[0] != b'(' || is_branched
    };
    let all: Vec<usize> = tree.children(at).filter(|part| decides && is_branch(part)).collect();
    let has_several = all.len() > 1;
    // What is a condition itself goes as a whole.
    let own = all.into_iter().filter(move |part| has_several && !tree.is(*part, Class::CONTROL));
    own.filter_map(|part| removed(subject, tree, part).map_or_else(|| empty(subject, tree, part), Edit::delete))
}
