//! Parts that lead to others, which go once no part that is left leads to them.

use super::item_sets::ItemSets;
use super::shape::{PartShape, Spans};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::edit::Splice;
use reduct_core::{Config, Delta};
use std::ops::Range;
use std::sync::Arc;

/// Roots: each leads to some nodes, those to others. A node goes once no root that is left leads to it, as memory does in a collector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roots {
    /// What goes with each node. Sets beyond those of the nodes go only as some are emptied.
    pub sets: ItemSets,
    /// The nodes, by number.
    pub nodes: Arc<[Led]>,
    /// Nodes that stay whatever goes.
    pub always: Arc<[u32]>,
    /// The roots, which together with those lead to all nodes.
    pub roots: Arc<[Root]>,
}

/// What may be led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Led {
    /// The nodes that it leads to.
    pub leads_to: Vec<u32>,
    /// The node that it is in.
    pub within: Option<u32>,
    /// Whether it stays only if the node that it is in does. Otherwise it leads to that.
    pub waits: bool,
}

/// A node that stays as long as it is one of the parts that are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Its number.
    pub node: u32,
    /// The addresses by which it is known: of its name.
    pub name: Range<u32>,
}

/// What is led to, as far as it is known.
struct Reached<'a> {
    nodes: &'a [Led],
    stays: Vec<bool>,
    /// By node, those in it that stay if it does.
    waiting: Vec<Vec<u32>>,
}

impl Reached<'_> {
    fn new(nodes: &[Led]) -> Reached<'_> {
        Reached { nodes, stays: vec![false; nodes.len()], waiting: vec![vec![]; nodes.len()] }
    }

    /// Has a node stay, and all that it leads to.
    fn begin_at(&mut self, node: u32) {
        let mut todo = vec![node];
        while let Some(at) = todo.pop() {
            let node = &self.nodes[at as usize];
            if self.stays[at as usize] {
                continue;
            }
            if let Some(outer) = node.within.filter(|outer| !self.stays[*outer as usize]) {
                if node.waits {
                    self.waiting[outer as usize].push(at);
                    continue;
                }
                todo.push(outer);
            }
            self.stays[at as usize] = true;
            todo.extend(&node.leads_to);
            todo.append(&mut self.waiting[at as usize]);
        }
    }
}

/// Returns, by node, whether these lead to it.
pub fn led_to(nodes: &[Led], from: &[u32]) -> Vec<bool> {
    let mut reached = Reached::new(nodes);
    from.iter().for_each(|at| reached.begin_at(*at));
    reached.stays
}

/// Returns nodes that no others lead to, and of what only leads to each other in a circle the first one: together they lead to all nodes
/// to which those that `always` stay do not. What a node is in comes before it.
pub fn roots_of(nodes: &[Led], always: &[u32]) -> Vec<u32> {
    let mut is_led_to = vec![false; nodes.len()];
    for (at, node) in (0..).zip(nodes) {
        let outer = node.within.filter(|_| !node.waits);
        let others = node.leads_to.iter().copied().chain(outer).filter(|to| *to != at);
        others.for_each(|to| is_led_to[to as usize] = true);
    }
    let mut reached = Reached::new(nodes);
    always.iter().for_each(|at| reached.begin_at(*at));
    let is_root = |at: &u32| !is_led_to[*at as usize] && !reached.stays[*at as usize];
    let mut roots: Vec<u32> = (0..nodes.len() as u32).filter(is_root).collect();
    roots.iter().for_each(|root| reached.begin_at(*root));
    for at in 0..nodes.len() as u32 {
        if !reached.stays[at as usize] {
            roots.push(at);
            reached.begin_at(at);
        }
    }
    roots.sort_unstable();
    roots.dedup();
    roots
}

impl Roots {
    /// Returns which nodes these roots do not lead to. Takes time in proportion to what leads to what.
    fn not_led_to(&self, roots: &Config) -> Config {
        let mut reached = Reached::new(&self.nodes);
        self.always.iter().for_each(|at| reached.begin_at(*at));
        roots.iter().for_each(|Delta(root)| reached.begin_at(self.roots[root as usize].node));
        let goes = |at: &u32| !reached.stays[*at as usize];
        Config::from_deltas((0..self.nodes.len() as u32).filter(goes).map(Delta))
    }

    /// Returns the changes that leave out these roots, and what only they lead to.
    pub fn leaving_out(&self, base: &Artifact, roots: &Config) -> Vec<Splice> {
        self.sets.leaving_out(base, &self.not_led_to(&Config::full(self.roots.len()).minus(roots)))
    }

    /// Returns what is left of the sets with these roots left.
    fn left(&self, roots: &Config) -> Config {
        Config::full(self.sets.sets.len()).minus(&self.not_led_to(roots))
    }
}

impl PartShape for Roots {
    fn count(&self, _base: &Artifact) -> usize {
        self.roots.len()
    }

    fn addresses(&self, base: &Artifact, Delta(root): Delta) -> Range<u32> {
        self.sets.addresses(base, Delta(self.roots[root as usize].node))
    }

    /// Returns a change of its name alone: it is the same one whatever has gone of the rest.
    fn changes(&self, _base: &Artifact, Delta(root): Delta) -> Vec<Splice> {
        vec![Splice { at: self.roots[root as usize].name.clone(), with: Arc::new([]) }]
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        Some(self.sets.candidate(base, &self.left(config))?.counted(config.len()))
    }

    fn outside(self: Arc<Self>, regions: &[Range<u32>]) -> Option<Spans> {
        self.sets.are_outside(regions).then(|| self.into())
    }

    fn are_alike(&self, one: &Config, other: &dyn Fn() -> Config) -> bool {
        self.not_led_to(one) == self.not_led_to(&other())
    }

    /// Returns how much goes if these go and all others stay.
    fn size(&self, base: &Artifact, parts: &Config) -> usize {
        self.sets.size(base, &self.not_led_to(&Config::full(self.roots.len()).minus(parts)))
    }
}
