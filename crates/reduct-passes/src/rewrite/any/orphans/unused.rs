//! What is not used, as parts: what nothing of it uses, each with what it leads to.

use super::marked::{Marked, Node};
use crate::rewrite::any::dependents::of_used_lists;
use reduct_input::names::items_of_trees;
use reduct_input::parts::{Emptied, ItemSets, Led, Root, Roots, led_to, roots_of};
use reduct_input::{Item, NamePlace, Part, Subject};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Returns what is not used, by what nothing else uses; `None` if there is nothing, or some of it cannot go.
pub(super) fn roots(subject: &Subject, marked: &Marked) -> Option<Roots> {
    let (nodes, mut led) = marked.what_leads_to_what(subject);
    let (items, firsts) = items_of_trees(subject, subject.names());
    let item = |&(tree, node): &Node| Some(firsts[tree] + subject.names().item_at(tree, node)?);
    let own: Vec<usize> = nodes.iter().map(item).collect::<Option<_>>()?;
    let defining = defining(subject, &firsts);
    let always = last_of_blocks(subject, &firsts, (&own, &defining), &mut led);
    let roots = roots_of(&led, &always);
    let names = names(subject, &nodes);
    let root = |node: u32| Root { node, name: names[node as usize].clone() };
    (!roots.is_empty()).then(|| Roots {
        sets: sets(subject, (&items, &firsts), (&own, &defining)),
        nodes: led.into(),
        always: always.into(),
        roots: roots.into_iter().map(root).collect(),
    })
}

/// Returns the items that define something.
fn defining(subject: &Subject, firsts: &[usize]) -> HashSet<usize> {
    let places = subject.names().places().iter().filter(|place| matches!(place.part, Part::Defines(_)));
    let item = |place: &NamePlace| Some(firsts[place.tree] + subject.names().item_at(place.tree, place.item?)?);
    places.filter_map(item).collect()
}

/// Has the last statement of a block stay that must not be empty, as long as what it is in does; and the last part of a list with which something would
/// go that is used. Returns those that stay always.
fn last_of_blocks(
    subject: &Subject,
    firsts: &[usize],
    (own, defining): (&[usize], &HashSet<usize>),
    led: &mut [Led],
) -> Vec<u32> {
    let numbers: HashMap<usize, u32> = own.iter().copied().zip(0..).collect();
    let mut always = vec![];
    for (tree, first) in firsts.iter().enumerate() {
        let is_used = |outer: usize| defining.contains(&(first + outer)) && !numbers.contains_key(&(first + outer));
        let lists = subject.names().lists_that_need_one(subject, tree);
        let lists = lists.into_iter().filter(|(_, outer)| outer.is_some_and(is_used)).map(|(list, _)| list);
        for block in subject.names().blocks_that_need_one(subject, tree).into_iter().chain(lists) {
            let all = block.map(|item| numbers.get(&(first + item)).copied()).collect::<Option<Vec<u32>>>();
            let Some(last) = all.and_then(|all| all.last().copied()) else { continue };
            match led[last as usize].within {
                Some(outer) => led[outer as usize].leads_to.push(last),
                None => always.push(last),
            }
        }
    }
    always
}

/// Returns a set for each of these items, and what goes with the last item of a list that needs one.
fn sets(
    subject: &Subject,
    (items, firsts): (&[Item], &[usize]),
    (own, defining): (&[usize], &HashSet<usize>),
) -> ItemSets {
    let mut sets: Vec<Vec<usize>> = own.iter().map(|item| vec![*item]).collect();
    let mut may_go: HashSet<usize> = own.iter().copied().collect();
    for (tree, first) in firsts.iter().enumerate() {
        // What is in another list comes behind it.
        for (list, outer) in subject.names().lists_that_need_one(subject, tree).into_iter().rev() {
            let list: Vec<usize> = list.map(|item| first + item).collect();
            let can_go = |outer: &usize| may_go.contains(&(first + outer)) || !defining.contains(&(first + outer));
            let all_can_go = list.iter().all(|item| may_go.contains(item));
            let Some(outer) = outer.filter(|outer| all_can_go && can_go(outer)) else { continue };
            may_go.insert(first + outer);
            sets.extend([list, vec![first + outer]]);
        }
    }
    let mut of_lists = of_used_lists(items, &sets);
    let lists = (own.len()..sets.len()).step_by(2);
    let emptied = lists.map(|list| Emptied { parts: of_lists.sets[list].clone(), set: list as u32 + 1 });
    of_lists.emptied = emptied.collect();
    of_lists
}

/// Returns, by node, the addresses of a name that it defines.
fn names(subject: &Subject, nodes: &[Node]) -> Vec<Range<u32>> {
    let mut names: Vec<Range<u32>> = nodes.iter().map(|(tree, node)| subject.trees()[*tree].range(*node)).collect();
    for place in subject.names().places().iter().rev().filter(|place| place.part != Part::Uses) {
        let node = place.item.and_then(|item| nodes.binary_search(&(place.tree, item)).ok());
        node.into_iter().for_each(|node| names[node] = place.at.clone());
    }
    names
}

/// Returns the same with what is a root in `first` as well, and what that leads to, staying; `None` if nothing else is unused.
pub(super) fn beyond(first: &Roots, then: Roots) -> Option<Roots> {
    let known: HashSet<u32> = first.roots.iter().map(|root| root.name.start).collect();
    let stays = then.roots.iter().filter(|root| known.contains(&root.name.start)).map(|root| root.node);
    let always: Vec<u32> = then.always.iter().copied().chain(stays).collect();
    let stays = led_to(&then.nodes, &always);
    let roots: Vec<Root> = then.roots.iter().filter(|root| !stays[root.node as usize]).cloned().collect();
    (!roots.is_empty()).then(|| Roots { always: always.into(), roots: roots.into(), ..then })
}
