//! The parts of `nodes` and `brackets` as one tree, for a search that takes needed parts apart from the back
//! before it tries what stands before them.

use super::{Kind, LIKELY, Needs, Outline, brackets, nodes};
use reduct_input::Item;
use reduct_input::Subject;
use reduct_input::{Spans, TreeParts};
use std::sync::Arc;

pub(super) const KIND: Kind = Kind {
    name: "tree",
    unit: "tree nodes",
    about: "nodes and bracket items as one tree, from the back",
    flat: false,
    checked: true,
    needs: Needs::Text,
    likely: LIKELY,
    outline,
};

fn outline(subject: &Subject) -> Outline {
    let items = |spans| match spans {
        Spans::Items(items) => items.to_vec(),
        Spans::Apart(parts) => parts.iter().map(alone).collect(),
        _ => vec![],
    };
    let levels = (nodes::KIND.outline)(subject).into_iter().chain((brackets::KIND.outline)(subject));
    let tree = TreeParts::of(levels.flat_map(items).collect());
    tree.map(|tree| Spans::Tree(Arc::new(tree))).into_iter().collect()
}

fn alone(at: &std::ops::Range<u32>) -> Item {
    Item { at: at.clone(), before: 0..0, first: true, last: true }
}
