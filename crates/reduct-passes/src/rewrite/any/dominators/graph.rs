//! What leads to what in a program: a statement to what it uses, what is defined to its definitions, a definition to what is in it.

use super::about;
use super::tree::{Edges, reached};
use crate::rewrite::any::orphans::{Node, acts_unnamed, holders, is_class, is_friend, is_read};
use crate::rewrite::any::orphans::{items_of, known_everywhere, root, what_stands_last};
use reduct_input::{Names, Part, Sort, Subject};
use std::collections::{BTreeMap, BTreeSet};

/// So often at most it is looked at what is there for nothing, and may be there for something else.
const ROUNDS: usize = 4;

/// What leads to what. In `edges` the nodes come first, then what is defined, at last the root.
pub(super) struct Graph {
    /// What can go, in the order of the text.
    pub(super) nodes: Vec<Node>,
    pub(super) numbers: BTreeMap<Node, usize>,
    /// By node, the one it is in.
    pub(super) outer: Vec<Option<usize>>,
    /// By node, the types it is about.
    pub(super) types: Vec<Vec<usize>>,
    /// By node, what it is there for.
    pub(super) reasons: Vec<Reason>,
    /// By node, what it may be there for if nothing else leads to it.
    others: Vec<Option<Reason>>,
    /// By node, what it defines that can go with all its uses.
    defined: Vec<Vec<usize>>,
    pub(super) edges: Edges,
}

/// What a node is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// What is around it.
    Around,
    /// What uses one of the things that it defines.
    Defines,
    /// This type, which it is about.
    About(usize),
}

impl Graph {
    pub(super) fn new(subject: &Subject) -> Graph {
        let names = subject.names();
        let mut nodes: BTreeSet<Node> = BTreeSet::new();
        for (at, place) in names.places().iter().enumerate() {
            let is_parameter = names.entity_of(at).is_some_and(|of| names.entities()[of].sort == Sort::Parameter);
            nodes.extend(place.item.filter(|_| !is_parameter).map(|item| (place.tree, item)));
            nodes.extend(names.statement(place).map(|item| (place.tree, item)));
        }
        let numbers: BTreeMap<Node, usize> = nodes.iter().enumerate().map(|(at, node)| (*node, at)).collect();
        let nodes: Vec<Node> = nodes.into_iter().collect();
        let holders: Vec<Vec<Option<u32>>> =
            (0..subject.trees().len()).map(|tree| holders(subject, tree, &numbers)).collect();
        let outer_of = |&(tree, node): &Node| holders[tree][subject.trees()[tree].parent(node)?].map(|at| at as usize);
        let count = nodes.len() + names.entities().len() + 1;
        let mut edges = Edges::with_capacity(count, names.places().len());
        (0..count).for_each(|_| _ = edges.add_node(()));
        let mut graph = Graph {
            outer: nodes.iter().map(outer_of).collect(),
            reasons: vec![Reason::Around; nodes.len()],
            others: vec![None; nodes.len()],
            defined: vec![vec![]; nodes.len()],
            types: about::types(subject, names, &holders, &nodes),
            edges,
            nodes,
            numbers,
        };
        graph.add_uses(names, &holders);
        graph.add_last(subject);
        graph.find_reasons(subject, names);
        graph.add_reasons();
        graph
    }

    pub(super) fn root(&self) -> usize {
        self.edges.node_count() - 1
    }

    /// Returns the number of what is defined.
    fn entity(&self, entity: usize) -> usize {
        self.nodes.len() + entity
    }

    fn lead(&mut self, from: usize, to: usize) {
        if from != to {
            self.edges.add_edge((from as u32).into(), (to as u32).into(), ());
        }
    }

    /// Has statements lead to what they use.
    fn add_uses(&mut self, names: &Names, holders: &[Vec<Option<u32>>]) {
        let known = known_everywhere(names);
        for (at, place) in names.places().iter().enumerate() {
            let used = match place.part {
                Part::Uses => names.entity_of(at),
                // What is imported is defined here, or in another file.
                Part::Imports(_) => known[place.name],
                Part::Defines(_) => None,
            };
            let from = holders[place.tree][place.node].map_or(self.root(), |at| at as usize);
            used.into_iter().for_each(|entity| self.lead(from, self.entity(entity)));
        }
    }

    /// Has the root lead to what stands last, if nothing is run from outside.
    fn add_last(&mut self, subject: &Subject) {
        let Some(last) = what_stands_last(subject) else { return };
        for at in 0..self.nodes.len() {
            let (tree, node) = self.nodes[at];
            let range = subject.trees()[tree].range(node);
            if last.start <= range.start && range.end <= last.end {
                self.lead(self.root(), at);
            }
        }
    }

    /// Finds what each node is there for.
    fn find_reasons(&mut self, subject: &Subject, names: &Names) {
        let entities = names.entities();
        let latest_of = |types: &Vec<usize>| types.iter().copied().max_by_key(|of| entities[*of].defines[0]);
        let latest: Vec<Option<usize>> = self.types.iter().map(latest_of).collect();
        let is_root = root(subject);
        let can_go = |&(tree, node): &Node| {
            let tree = &subject.trees()[tree];
            is_read(tree, node) && !acts_unnamed(tree, node)
        };
        let mut defines = vec![false; self.nodes.len()];
        for (number, entity) in entities.iter().enumerate().filter(|(_, entity)| entity.sort != Sort::Parameter) {
            let items: Vec<Node> = items_of(names, entity).collect();
            let items_are_free = !is_root(entity.name) && !entity.uses.is_empty() && items.iter().all(can_go);
            let items: Vec<usize> = items.iter().map(|item| self.numbers[item]).collect();
            items.iter().for_each(|at| defines[*at] = true);
            let classes: BTreeSet<usize> = items.iter().filter_map(|at| self.class_of(subject, *at)).collect();
            let is_overloaded = items.iter().any(|at| self.types[*at] != self.types[items[0]]);
            for at in items.into_iter().filter(|_| items_are_free) {
                let is_member = self.class_of(subject, at).is_some();
                // Which class a member of this name belongs to is not known where it is used.
                if is_member && classes.len() > 1 {
                    continue;
                }
                self.defined[at].push(number);
                (self.reasons[at], self.others[at]) = match latest[at] {
                    Some(of) if is_overloaded && !is_member => (Reason::About(of), Some(Reason::Defines)),
                    of => (Reason::Defines, of.map(Reason::About)),
                };
            }
        }
        for at in (0..self.nodes.len()).filter(|at| !defines[*at]) {
            let outer = self.outer[at].map(|outer| self.nodes[outer]);
            if about::acts_for_its_types(subject, self.nodes[at], outer) {
                self.reasons[at] = latest[at].map_or(Reason::Around, Reason::About);
            }
        }
    }

    /// Returns the class that a node is a member of.
    fn class_of(&self, subject: &Subject, at: usize) -> Option<usize> {
        let outer = self.outer[at]?;
        let (tree, node) = self.nodes[outer];
        let tree = &subject.trees()[tree];
        (is_class(tree, node) && !is_friend(subject, tree, self.nodes[at].1)).then_some(outer)
    }

    /// Has what nodes are there for lead to them. What nothing leads to then may be there for something else, or else for what
    /// is around it.
    fn add_reasons(&mut self) {
        let uses = self.edges.clone();
        for round in 1.. {
            for at in 0..self.nodes.len() {
                let from = match self.reasons[at] {
                    Reason::Around => vec![self.outer[at].unwrap_or(self.root())],
                    Reason::Defines => self.defined[at].iter().map(|of| self.entity(*of)).collect(),
                    Reason::About(of) => vec![self.entity(of)],
                };
                from.into_iter().for_each(|from| self.lead(from, at));
                let outer = self.outer[at].filter(|_| self.reasons[at] != Reason::Around);
                outer.into_iter().for_each(|outer| self.lead(at, outer));
            }
            let mut seen = vec![false; self.edges.node_count()];
            reached(&self.edges, self.root()).into_iter().for_each(|at| seen[at] = true);
            let mut has_changed = false;
            for at in (0..self.nodes.len()).filter(|at| !seen[*at] && round < ROUNDS) {
                if let Some(other) = self.others[at].take() {
                    self.reasons[at] = other;
                    has_changed = true;
                }
            }
            if !has_changed {
                let rest: Vec<usize> = (0..self.nodes.len()).filter(|at| !seen[*at]).collect();
                rest.into_iter().for_each(|at| self.lead(self.outer[at].unwrap_or(self.root()), at));
                return;
            }
            self.edges.clone_from(&uses);
        }
    }
}
