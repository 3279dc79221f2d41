//! The parts of `nodes` and `brackets` as one tree, for a search that takes needed parts apart from the back
//! before it tries what stands before them. It has no name for `--by`: it finds what can go, and those two prove
//! that nothing more can.

use super::{brackets, nodes};
use crate::pass::{Needs, Pass, Proposals, Stage};
use reduct_input::Item;
use reduct_input::Spans;
use reduct_input::Subject;
use reduct_input::parts::{Apart, Items, TreeParts};

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Tree,
    must_parse: true,
    needs: Needs::Text,
    ..Pass::deleting("tree", "tree nodes", "nodes and bracket items as one tree, from the back", propose)
};

fn propose(subject: &Subject) -> Proposals {
    let items = |spans: Spans| match (spans.get::<Items>(), spans.get::<Apart>()) {
        (Some(Items(items)), _) => items.to_vec(),
        (_, Some(Apart(parts))) => parts.iter().map(alone).collect(),
        _ => vec![],
    };
    let levels = (nodes::PASS.propose)(subject).into_iter().chain((brackets::PASS.propose)(subject));
    let tree = TreeParts::of(levels.flat_map(items).collect());
    tree.map(Spans::from).into_iter().collect()
}

fn alone(at: &std::ops::Range<u32>) -> Item {
    Item { at: at.clone(), before: 0..0, first: true, last: true }
}
