//! The parts of `nodes` and `brackets` as one tree, for a search that takes needed parts apart from the back
//! before it tries what stands before them.

use super::{Kind, LIKELY, Outline, brackets, nodes};
use crate::circumstances::{Item, Spans, TreeParts};
use crate::subject::Subject;
use reduct_core::Nesting;
use std::sync::Arc;

pub(super) const KIND: Kind = Kind {
    name: "tree",
    unit: "tree nodes",
    about: "nodes and bracket items as one tree, from the back",
    flat: false,
    checked: true,
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
    let mut items: Vec<Item> = levels.flat_map(items).collect();
    // What begins alike is nested, the longer outside.
    items.sort_by_key(|item| (item.at.start, std::cmp::Reverse(item.at.end)));
    let items = nested(items);
    if items.is_empty() {
        return vec![];
    }
    let mut after = vec![0; items.len()];
    let mut open: Vec<usize> = vec![];
    for (part, item) in items.iter().enumerate() {
        while let Some(&outer) = open.last().filter(|outer| items[**outer].at.end <= item.at.start) {
            after[outer] = part as u32;
            open.pop();
        }
        open.push(part);
    }
    open.into_iter().for_each(|part| after[part] = items.len() as u32);
    vec![Spans::Tree(Arc::new(TreeParts { items: items.into(), nesting: Arc::new(Nesting::new(after)) }))]
}

fn alone(at: &std::ops::Range<u32>) -> Item {
    Item { at: at.clone(), before: 0..0, first: true, last: true }
}

/// Only those that are whole inside of another one, or beside all: white space may be claimed by two.
fn nested(items: Vec<Item>) -> Vec<Item> {
    let mut ends: Vec<u32> = vec![];
    let fits = |item: &Item| {
        while ends.last().is_some_and(|end| *end <= item.at.start) {
            ends.pop();
        }
        let fits = ends.last().is_none_or(|end| item.at.end <= *end);
        if fits {
            ends.push(item.at.end);
        }
        fits
    };
    let mut fits = fits;
    items.into_iter().filter(|item| fits(item)).collect()
}
