//! The parts of `nodes` and `brackets` as one tree, for a search that takes needed parts apart from the back
//! before it tries what stands before them. In SMT-LIB, declarations are no parts: they go with the last of what needs them. It has no name for `--by`: it finds what can go, and those two prove
//! that nothing more can.

use super::followers::{Assertions, followers, tree, with_followers};
use super::{brackets, nodes, use_order};
use crate::pass::{Needs, Pass, Proposals, Stage};
use reduct_input::Item;
use reduct_input::Spans;
use reduct_input::Subject;
use reduct_input::names::is_word;
use reduct_input::parts::{Apart, Items, TreeParts};

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Tree,
    must_parse: true,
    needs: Needs::Text,
    ..Pass::deleting("tree", "tree nodes", "nodes and bracket items as one tree, from the back", propose)
};

/// In shorter inputs declarations are parts as any others.
const WORTH_IT: usize = 1 << 10;

/// Of how a part begins, so many signs and so many letters are looked at.
const SIGNS: usize = 8;
const WORD: usize = 32;

/// So far away at most the word is looked for.
const FAR: usize = 64;

/// So many assertions are first decided as wholes.
const MANY: usize = 8;

fn propose(subject: &Subject) -> Proposals {
    let items = items(subject);
    if subject.artifact().bytes().len() < WORTH_IT {
        return tree(items, vec![]).into_iter().collect();
    }
    let (items, followers) = followers(subject, items);
    let assertions = Assertions::of(subject).map(|all| items.iter().filter(|item| all.has(item)).cloned().collect());
    let assertions = assertions.filter(|some: &Vec<Item>| some.len() >= MANY);
    let first = assertions.and_then(|items| tree(items, followers.clone()));
    let order = if followers.is_empty() { use_order::of_files(subject) } else { None };
    let all = match order {
        Some(order) => TreeParts::in_order(items, &order).map(|tree| named(subject, tree).into()),
        None => TreeParts::of(items).map(|tree| with_followers(named(subject, tree), followers)),
    };
    first.into_iter().chain(all).collect()
}

/// Returns the parts with names: those that begin alike, in parts that begin alike, have the same one.
fn named(subject: &Subject, tree: TreeParts) -> TreeParts {
    let text = subject.artifact().bytes();
    let beginning = |item: &Item| beginning(&text[item.at.start as usize..item.at.end as usize]);
    tree.named(beginning)
}

/// Returns how a part begins: its first word, in which all numbers are alike, and the signs before it.
fn beginning(text: &[u8]) -> Vec<u8> {
    let (signs, rest) = text.split_at(text.iter().take(FAR).take_while(|byte| !is_word(**byte)).count());
    let signs = signs.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(SIGNS);
    let word = rest.iter().copied().take(WORD).take_while(|byte| is_word(*byte));
    let mut beginning: Vec<u8> =
        signs.chain(word.map(|byte| if byte.is_ascii_digit() { b'0' } else { byte })).collect();
    beginning.dedup_by(|later, digit| *digit == b'0' && later == digit);
    beginning
}

/// Returns the items of `nodes` and `brackets`, whatever is in what.
pub(super) fn items(subject: &Subject) -> Vec<Item> {
    let items = |spans: Spans| match (spans.get::<Items>(), spans.get::<Apart>()) {
        (Some(Items(items)), _) => items.to_vec(),
        (_, Some(Apart(parts))) => parts.iter().map(alone).collect(),
        _ => vec![],
    };
    let levels = (nodes::PASS.propose)(subject).into_iter().chain((brackets::PASS.propose)(subject));
    levels.flat_map(items).collect()
}

fn alone(at: &std::ops::Range<u32>) -> Item {
    Item { at: at.clone(), before: 0..0, first: true, last: true }
}
