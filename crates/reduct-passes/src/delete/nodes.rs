//! What the grammar of its language says can go: statements, declarations, arguments, attributes, elements.
//!
//! The parts of a level are in as many others. A part of a list goes with its separator, and with its
//! lines if it has lines of its own, so that what is indented stays in its column.

use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Item;
use reduct_input::Subject;
use reduct_input::parts::Items;
use reduct_input::siblings::{can_go, items, lists};

pub(crate) const PASS: Pass = Pass {
    must_parse: true,
    needs: Needs::Grammar,
    ..Pass::deleting("nodes", "nodes", "what the grammar of the language says can go", propose)
};

fn propose(subject: &Subject) -> Proposals {
    let mut levels: Vec<Vec<Item>> = vec![];
    for tree in subject.trees() {
        let mut depths = vec![0usize; tree.len()];
        for at in 1..tree.len() {
            let parent = tree.node(at).parent as usize;
            depths[at] = depths[parent] + usize::from(can_go(tree, parent));
        }
        for at in 0..tree.len() {
            lists(tree, at, |list| {
                let depth = depths[list[0]];
                if levels.len() <= depth {
                    levels.resize_with(depth + 1, Vec::new);
                }
                levels[depth].extend(items(subject.artifact().bytes(), tree, list));
            });
        }
    }
    levels.iter_mut().for_each(apart);
    levels.into_iter().filter(|level| !level.is_empty()).map(|level| Items(level.into()).into()).collect()
}

/// Puts parts in order. Where two share white space it goes with the second.
fn apart(level: &mut Vec<Item>) {
    level.sort_by_key(|item| item.at.start);
    let mut apart: Vec<Item> = Vec::with_capacity(level.len());
    for mut item in level.drain(..) {
        if let Some(last) = apart.last_mut() {
            if item.at.end <= last.at.end {
                continue;
            }
            if last.at.start < item.at.start {
                last.at.end = last.at.end.min(item.at.start);
            } else {
                item.at.start = last.at.end;
            }
        }
        apart.push(item);
    }
    *level = apart;
}
