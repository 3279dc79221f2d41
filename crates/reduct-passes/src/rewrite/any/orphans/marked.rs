//! Which items of a program are used: marked from what cannot go on, like memory by a collector.

use super::cpp::{is_class, is_friend};
use reduct_input::names::Entity;
use reduct_input::parts::Led;
use reduct_input::{NamePlace, Names, Part, Role, Sort, Subject, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is used from outside, without being named in the text.
const ENTRIES: &[&[u8]] = &[b"main", b"_start", b"Main", b"WinMain", b"DllMain", b"LLVMFuzzerTestOneInput"];

/// More items that define one entity do not all lead to each other.
const MANY: usize = 8;

/// What can go as a whole, by its tree and its number there: what defines something, or a statement.
pub(in crate::rewrite::any) type Node = (usize, usize);

/// Items, and which of them are used.
pub(super) struct Marked {
    /// What may go, in the order of the text.
    items: Vec<Node>,
    /// By item, the one it is in.
    outer: Vec<Option<usize>>,
    /// By item, whether it is used only if the one it is in is: a member of a class, but no friend.
    is_member: Vec<bool>,
    used: Vec<bool>,
    /// By item, the places in it and in no item in it.
    inside: Vec<Vec<usize>>,
    /// By item, the members of it that are used if it is.
    waiting: Vec<Vec<usize>>,
    /// By entity, the items that define it.
    defining: Vec<Vec<usize>>,
    /// By item, one entity that it defines.
    defined: Vec<Option<usize>>,
    /// By entity, whether all that defines it is used, or waits.
    marked: Vec<bool>,
    /// Places that are used.
    todo: Vec<usize>,
}

impl Marked {
    /// Marks what is used, where only what `may_go` returns true for, by its tree and node, may go.
    pub(super) fn new(subject: &Subject, may_go: impl Fn(&Tree, usize) -> bool) -> Marked {
        let names = subject.names();
        let is_root = root(subject);
        let numbers = numbers(subject, |entity| !is_root(entity.name), may_go);
        let holders: Vec<_> = (0..subject.trees().len()).map(|tree| holders(subject, tree, &numbers)).collect();
        let mut marked = Marked::unmarked(subject, &numbers, &holders);
        let mut run = vec![];
        for (at, place) in names.places().iter().enumerate() {
            let is_entry = place.part != Part::Uses && is_root(place.name);
            let holder = holders[place.tree][place.node];
            // A class with what is run in it is used, even if nothing names it.
            if is_entry && self::is_entry(names.text(subject, place.name)) {
                run.extend(holder.and_then(|item| marked.defined[item as usize]));
            }
            match holder {
                Some(item) if !is_entry => marked.inside[item as usize].push(at),
                _ => marked.todo.push(at),
            }
        }
        run.into_iter().for_each(|entity| marked.mark(entity));
        let known_everywhere = known_everywhere(names);
        while let Some(at) = marked.todo.pop() {
            let place = &names.places()[at];
            let used = match place.part {
                Part::Uses => names.entity_of(at),
                // In C++, and between files, what is imported is defined here.
                Part::Imports(_) => known_everywhere[place.name],
                Part::Defines(_) => None,
            };
            used.into_iter().for_each(|entity| marked.mark(entity));
        }
        marked
    }

    fn unmarked(subject: &Subject, numbers: &BTreeMap<Node, usize>, holders: &[Vec<Option<u32>>]) -> Marked {
        let names = subject.names();
        let items: Vec<Node> = numbers.keys().copied().collect();
        let outer_of = |&(tree, node): &Node| {
            let parent = subject.trees()[tree].parent(node)?;
            holders[tree][parent].map(|item| item as usize)
        };
        let outer: Vec<_> = items.iter().map(outer_of).collect();
        let is_member = |(&(tree, node), outer): (&Node, &Option<usize>)| {
            let is_class = |outer: usize| is_class(&subject.trees()[items[outer].0], items[outer].1);
            outer.is_some_and(is_class) && !is_friend(subject, &subject.trees()[tree], node)
        };
        let defining: Vec<Vec<usize>> = names
            .entities()
            .iter()
            .map(|entity| items_of(names, entity).filter_map(|item| numbers.get(&item).copied()).collect())
            .collect();
        let mut defined = vec![None; items.len()];
        for (entity, items) in defining.iter().enumerate() {
            items.iter().for_each(|item| defined[*item] = Some(entity));
        }
        Marked {
            is_member: items.iter().zip(&outer).map(is_member).collect(),
            used: vec![false; items.len()],
            inside: vec![vec![]; items.len()],
            waiting: vec![vec![]; items.len()],
            marked: vec![false; defining.len()],
            todo: vec![],
            items,
            outer,
            defining,
            defined,
        }
    }

    /// Returns the outermost items that are not used, in order.
    pub(super) fn unused(&self) -> Vec<Node> {
        let unused = |item: &usize| !self.used[*item] && self.outer[*item].is_none_or(|outer| self.used[outer]);
        (0..self.items.len()).filter(unused).map(|item| self.items[item]).collect()
    }

    /// Returns what is not used, in the order of the text, and what of it leads to what.
    pub(super) fn what_leads_to_what(&self, subject: &Subject) -> (Vec<Node>, Vec<Led>) {
        let names = subject.names();
        let known_everywhere = known_everywhere(names);
        let unused: Vec<usize> = (0..self.items.len()).filter(|item| !self.used[*item]).collect();
        let number = |item: usize| unused.binary_search(&item).ok().map(|at| at as u32);
        let led = |item: &usize| {
            let used = self.inside[*item].iter().filter_map(|at| match names.places()[*at].part {
                Part::Uses => names.entity_of(*at),
                Part::Imports(_) => known_everywhere[names.places()[*at].name],
                Part::Defines(_) => None,
            });
            let entities: BTreeSet<usize> = used.chain(self.defined[*item]).collect();
            let items = entities.into_iter().flat_map(|entity| self.first_defining(entity, *item));
            Led {
                leads_to: items.filter(|other| *other != item).filter_map(|item| number(*item)).collect(),
                within: self.outer[*item].and_then(number),
                waits: self.is_member[*item],
            }
        };
        let led = unused.iter().map(led).collect();
        (unused.iter().map(|item| self.items[*item]).collect(), led)
    }

    /// Returns what an item leads to that leads to an entity: all that defines it, or of much one of it, which leads to the others.
    fn first_defining(&self, entity: usize, item: usize) -> &[usize] {
        let all = &self.defining[entity];
        let leads_on = |item: &usize| !self.is_member[*item] && self.defined[*item] == Some(entity);
        let first = if all.len() > MANY { all.iter().position(leads_on) } else { None };
        first.filter(|at| all[*at] != item).map_or(&all[..], |at| &all[at..=at])
    }

    /// Marks what defines an entity, what that is in, and what defines the same as that.
    fn mark(&mut self, entity: usize) {
        let mut marks = vec![];
        self.add(entity, &mut marks);
        while let Some(item) = marks.pop() {
            if self.used[item] {
                continue;
            }
            match self.outer[item] {
                Some(outer) if !self.used[outer] && self.is_member[item] => {
                    self.waiting[outer].push(item);
                    continue;
                }
                outer => marks.extend(outer),
            }
            self.used[item] = true;
            self.todo.append(&mut self.inside[item]);
            marks.append(&mut self.waiting[item]);
            self.defined[item].into_iter().for_each(|entity| self.add(entity, &mut marks));
        }
    }

    /// Adds the items that define an entity, once.
    fn add(&mut self, entity: usize, marks: &mut Vec<usize>) {
        if !std::mem::replace(&mut self.marked[entity], true) {
            marks.extend(&self.defining[entity]);
        }
    }
}

/// Returns whether a name is that of what is run from outside, as `main`.
pub(in crate::rewrite::any) fn is_entry(name: &[u8]) -> bool {
    ENTRIES.contains(&name)
}

/// Returns what tells whether a name is used from outside.
pub(in crate::rewrite::any) fn root(subject: &Subject) -> impl Fn(usize) -> bool {
    // The headers of C's libraries name all of their own so.
    let is_c = subject.trees().iter().all(|tree| matches!(tree.grammar.language, "c" | "cpp"));
    move |name| {
        let text = subject.names().text(subject, name);
        is_entry(text) || text.starts_with(b"__") && (text.ends_with(b"__") || !is_c)
    }
}

/// Returns where what a text is about is likely to be if it defines nothing that is run from outside: the largest node around its last definition that is
/// at most an eighth of it, or that definition.
pub(in crate::rewrite::any) fn what_stands_last(subject: &Subject) -> Option<Range<u32>> {
    let names = subject.names();
    let defines = |place: &&NamePlace| matches!(place.part, Part::Defines(_));
    let is_run = |place: &NamePlace| is_entry(names.text(subject, place.name));
    if names.places().iter().filter(defines).any(is_run) {
        return None;
    }
    let last = names.places().iter().rev().find(|place| defines(place) && place.item.is_some())?;
    let tree = &subject.trees()[last.tree];
    let most = subject.artifact().bytes().len() / 8;
    let around = || std::iter::successors(last.item, |at| tree.parent(*at)).map(|at| tree.range(at));
    around().take_while(|at| at.len() <= most).last().or_else(|| around().next())
}

/// Returns the items that define an entity.
pub(in crate::rewrite::any) fn items_of<'n>(names: &'n Names, entity: &'n Entity) -> impl Iterator<Item = Node> {
    let places = entity.defines.iter().map(|at| &names.places()[*at]);
    places.filter_map(|place| Some((place.tree, place.item?)))
}

/// Returns the items that may go, with their numbers. What has several, of which one cannot go, stays.
fn numbers(
    subject: &Subject,
    is_inner: impl Fn(&Entity) -> bool,
    may_go: impl Fn(&Tree, usize) -> bool,
) -> BTreeMap<Node, usize> {
    let names = subject.names();
    let can_go = |(tree, item): Node| {
        let tree = &subject.trees()[tree];
        is_read(tree, item) && may_go(tree, item)
    };
    let is_wanted =
        |entity: &&Entity| entity.sort != Sort::Parameter && is_inner(entity) && items_of(names, entity).all(can_go);
    let wanted = names.entities().iter().filter(is_wanted);
    let mut numbers: BTreeMap<Node, usize> =
        wanted.flat_map(|entity| items_of(names, entity)).map(|item| (item, 0)).collect();
    numbers.values_mut().enumerate().for_each(|(at, number)| *number = at);
    numbers
}

/// Returns, by name, what is defined outside of all functions.
pub(in crate::rewrite::any) fn known_everywhere(names: &Names) -> Vec<Option<usize>> {
    let mut known = vec![None; names.all().len()];
    for (at, entity) in names.entities().iter().enumerate().filter(|(_, entity)| entity.scope.is_none()) {
        known[entity.name] = Some(at);
    }
    known
}

/// Returns whether what is defined was read to its end: nothing is missing there.
pub(in crate::rewrite::any) fn is_read(tree: &Tree, item: usize) -> bool {
    tree.node(tree.node(item).after as usize - 1).role != Role::Error
}

/// Returns, by node of a tree, the innermost item that it is in, or is.
pub(in crate::rewrite::any) fn holders(
    subject: &Subject,
    number: usize,
    numbers: &BTreeMap<Node, usize>,
) -> Vec<Option<u32>> {
    let tree = &subject.trees()[number];
    let mut holders: Vec<Option<u32>> = vec![None; tree.len()];
    for ((_, node), item) in numbers.range((number, 0)..(number + 1, 0)) {
        holders[*node] = Some(*item as u32);
    }
    for node in 1..tree.len() {
        holders[node] = holders[node].or(holders[tree.node(node).parent as usize]);
    }
    holders
}
