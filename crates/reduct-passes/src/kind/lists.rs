//! The same parts as `nodes`, but each list of siblings by itself, the largest first, as Perses takes them
//! from its queue.

use super::{Kind, LIKELY, Needs, Outline};
use reduct_input::Item;
use reduct_input::Spans;
use reduct_input::Subject;
use reduct_input::siblings;

pub(super) const KIND: Kind = Kind {
    name: "lists",
    unit: "list items",
    about: "what the grammar says can go, a list of siblings at a time, the largest first",
    flat: false,
    checked: true,
    needs: Needs::Grammar,
    likely: LIKELY,
    outline,
};

fn outline(subject: &Subject) -> Outline {
    let mut found: Vec<Vec<Item>> = vec![];
    for tree in subject.trees() {
        for at in 0..tree.len() {
            siblings::lists(tree, at, |list| found.push(siblings::items(subject.artifact().bytes(), tree, list)));
        }
    }
    let size = |list: &Vec<Item>| list.iter().map(|item| item.at.len()).sum::<usize>();
    found.sort_by_key(|list| std::cmp::Reverse(size(list)));
    found.into_iter().map(|list| Spans::Items(list.into())).collect()
}
