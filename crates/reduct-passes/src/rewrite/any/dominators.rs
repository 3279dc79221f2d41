//! Removes a statement with all that is used through it alone.
//!
//! ## What it tries
//! For each statement and member: it goes, with all definitions that nothing else leads to, as all ways from what is run
//! lead through it. (In the theory of graphs, it dominates them.) The same for each thing that is defined, with all that uses it, as `dependents` has it. What would remove most comes first; what `dependents` or the tree
//! remove as well is left to them.
//!
//! ## When it helps
//! In programs of which one use, or a few, keep much of a library: one field that has a container for its type, one call that formats a text.
//!
//! ## Before
//! ```c
//! int digit(int a) { return a % 10; }
//! int sum(int a) { return a ? digit(a) + sum(a / 10) : 0; }
//! int needed() { return 1; }
//! int main() { sum(99); return needed(); }
//! ```
//! ## After
//! ```c
//! int needed() { return 1; }
//! int main() { return needed(); }
//! ```

mod about;
mod graph;
mod tree;

use super::dependents::{Dependents, STEPS, of_used_lists};
use super::orphans::{Node, is_entry, is_specialization};
use crate::pass::{Pass, Proposals};
use graph::{Graph, Reason};
use reduct_input::{NamePlace, Part, Sort, Subject};
use std::collections::{BTreeSet, HashMap};
use tree::Dominators;

pub(crate) const PASS: Pass =
    Pass::rewriting("dominators", "removes a statement with all that is used through it alone", 0.25, propose)
        .of_at_least(WORTH_IT)
        .largest_first()
        .on_call_after_first_turn();

/// Of shorter texts all definitions are soon asked about one by one.
const WORTH_IT: usize = 16 << 10;

/// What leads to less than the text divided by this, beside what goes without it, is left to others.
const LEAST: usize = 1 << 9;

/// What leads to nearly all is needed: to this many of so many parts.
const NEARLY: (usize, usize) = (15, 16);

/// So many sets are asked about at most, with so many parts, before it is seen anew what leads to what.
const SETS: usize = 1 << 8;
const PARTS: usize = 1 << 19;

/// So many parts of sets are looked at at most.
const LOOKED_AT: usize = 1 << 21;

fn propose(subject: &Subject) -> Proposals {
    let Some(through) = Through::new(subject) else { return vec![] };
    let mut candidates = through.statements();
    candidates.extend(through.entities());
    candidates.sort_by(|(one, of_one), (other, of_other)| other.cmp(one).then_with(|| of_one.cmp(of_other)));
    let mut known: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut sets: Vec<(usize, Vec<usize>)> = vec![];
    let (mut parts, mut looked_at) = (0, 0);
    for (_, nodes) in candidates {
        if sets.len() == SETS || parts > PARTS || looked_at > LOOKED_AT {
            break;
        }
        let Some(set) = through.dependents.items_of(&through.all_of(nodes)) else { continue };
        looked_at += set.len();
        let gain: usize = set.iter().map(|item| through.dependents.items[*item].at.len()).sum();
        if through.is_worth_it(gain, 0) && known.insert(set.clone()) {
            parts += set.len();
            sets.push((gain, set));
        }
    }
    // What a search asks about first is at the end.
    sets.sort();
    let sets: Vec<Vec<usize>> = sets.into_iter().map(|(_, set)| set).collect();
    if sets.is_empty() { vec![] } else { vec![of_used_lists(&through.dependents.items, &sets).into()] }
}

/// What is used through what.
struct Through<'a> {
    subject: &'a Subject,
    graph: Graph,
    dominators: Dominators,
    dependents: Dependents<'a>,
    /// By number in the graph, how many bytes it dominates.
    sums: Vec<usize>,
    /// By node, what it defines, but for specializations of templates.
    defines: Vec<Vec<usize>>,
    /// By what is defined, how many nodes define it so, and the nodes that are nothing without it.
    definitions: Vec<usize>,
    rests: Vec<Vec<usize>>,
}

impl<'a> Through<'a> {
    /// Returns what is used through what. `None` if finding it would take too long.
    fn new(subject: &'a Subject) -> Option<Through<'a>> {
        let names = subject.names();
        let graph = Graph::new(subject);
        let dominators = Dominators::new(&graph.edges, graph.root())?;
        let mut own: Vec<usize> = graph.nodes.iter().map(|node| size(subject, *node)).collect();
        for (node, outer) in graph.nodes.iter().zip(&graph.outer) {
            outer.iter().for_each(|outer| own[*outer] -= size(subject, *node).min(own[*outer]));
        }
        let mut defines = vec![vec![]; graph.nodes.len()];
        let mut definitions = vec![0; names.entities().len()];
        let mut rests: Vec<Vec<usize>> = vec![vec![]; names.entities().len()];
        for (at, place) in names.places().iter().enumerate() {
            let (Some(entity), Part::Defines(_)) = (names.entity_of(at), place.part) else { continue };
            let Some(node) = place.item.and_then(|item| graph.numbers.get(&(place.tree, item))) else { continue };
            if is_specialization(&subject.trees()[place.tree], place.node) {
                rests[entity].push(*node);
            } else {
                definitions[entity] += 1;
                defines[*node].push(entity);
            }
        }
        for (node, types) in graph.types.iter().enumerate() {
            types.iter().for_each(|of| rests[*of].push(node));
        }
        let sums = dominators.sums(|at| own.get(at).copied().unwrap_or(0));
        let dependents = Dependents::new(subject, names);
        Some(Through { subject, graph, dominators, dependents, sums, defines, definitions, rests })
    }

    /// Returns whether so many bytes are worth a test, beside so many that go without it.
    fn is_worth_it(&self, gain: usize, besides: usize) -> bool {
        gain > besides + self.least() && gain < self.whole() / NEARLY.1 * NEARLY.0
    }

    /// Returns how many bytes are worth a test.
    fn least(&self) -> usize {
        self.whole() / LEAST
    }

    fn whole(&self) -> usize {
        self.subject.artifact().bytes().len()
    }

    /// Returns statements and members that lead to much, with how much.
    fn statements(&self) -> Vec<(usize, BTreeSet<Node>)> {
        let is_run = self.what_is_run();
        let leads_to_much = |at: &usize| {
            let is_there_for_its_uses = self.graph.reasons[*at] == Reason::Defines;
            !is_there_for_its_uses
                && !is_run.contains(at)
                && self.is_worth_it(self.sums[*at], size(self.subject, self.graph.nodes[*at]))
        };
        let found = (0..self.graph.nodes.len()).filter(leads_to_much);
        found.map(|at| (self.sums[at], BTreeSet::from([self.graph.nodes[at]]))).collect()
    }

    /// Returns what is run from outside, and what that is in.
    fn what_is_run(&self) -> BTreeSet<usize> {
        let names = self.subject.names();
        let is_run = |place: &&NamePlace| place.part != Part::Uses && is_entry(names.text(self.subject, place.name));
        let run = names
            .places()
            .iter()
            .filter(is_run)
            .filter_map(|place| self.graph.numbers.get(&(place.tree, place.item?)).copied());
        run.flat_map(|at| std::iter::successors(Some(at), |at| self.graph.outer[*at])).collect()
    }

    /// Returns things that lead to much, each with all that uses it, and how much.
    fn entities(&self) -> Vec<(usize, BTreeSet<Node>)> {
        let entities = self.subject.names().entities();
        let is_used = |at: &usize| entities[*at].sort != Sort::Parameter && !entities[*at].uses.is_empty();
        let mut steps = STEPS;
        let mut found = vec![];
        for entity in (0..entities.len()).filter(is_used) {
            let Some(nodes) = self.dependents.of(entity, &mut steps) else { continue };
            let besides: usize = nodes.iter().map(|node| size(self.subject, *node)).sum();
            let gain = nodes.iter().filter_map(|node| self.graph.numbers.get(node)).map(|at| self.sums[*at]).sum();
            // What they dominate may overlap, so that the sum says nothing of what is too much.
            if gain > besides + self.least() {
                found.push((gain, nodes));
            }
        }
        found
    }

    /// Returns nodes with all that is used through them alone, and all that is nothing without that.
    fn all_of(&self, mut nodes: BTreeSet<Node>) -> BTreeSet<Node> {
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        let mut left: HashMap<usize, usize> = HashMap::new();
        let mut todo: Vec<usize> = nodes.iter().filter_map(|node| self.graph.numbers.get(node).copied()).collect();
        while let Some(node) = todo.pop() {
            let dominated = if gone.contains(&node) { vec![] } else { self.dominators.dominated(node) };
            for at in dominated.into_iter().filter(|at| *at < self.graph.nodes.len()) {
                if !gone.insert(at) {
                    continue;
                }
                nodes.insert(self.graph.nodes[at]);
                for entity in &self.defines[at] {
                    let left = left.entry(*entity).or_insert(self.definitions[*entity]);
                    *left -= 1;
                    if *left == 0 {
                        todo.extend(&self.rests[*entity]);
                    }
                }
            }
        }
        nodes
    }
}

/// Returns how many bytes a node has.
fn size(subject: &Subject, (tree, node): Node) -> usize {
    subject.trees()[tree].range(node).len()
}
