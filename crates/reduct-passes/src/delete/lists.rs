//! The same parts as `nodes`, but each list of siblings by itself, the largest first, as Perses takes them
//! from its queue.

use crate::pass::{Needs, Pass, Proposals};
use reduct_input::Item;
use reduct_input::Subject;
use reduct_input::parts::Items;
use reduct_input::siblings;

pub(crate) const PASS: Pass = Pass {
    must_parse: true,
    needs: Needs::Grammar,
    ..Pass::deleting(
        "lists",
        "list items",
        "what the grammar says can go, a list of siblings at a time, the largest first",
        propose,
    )
};

fn propose(subject: &Subject) -> Proposals {
    let mut found: Vec<Vec<Item>> = vec![];
    for tree in subject.trees() {
        for at in 0..tree.len() {
            siblings::lists(tree, at, |list| found.push(siblings::items(subject.artifact().bytes(), tree, list)));
        }
    }
    let size = |list: &Vec<Item>| list.iter().map(|item| item.at.len()).sum::<usize>();
    found.sort_by_key(|list| std::cmp::Reverse(size(list)));
    found.into_iter().map(|list| Items(list.into()).into()).collect()
}
