//! What dominates what in a graph, as a tree.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::DiGraph;
use petgraph::visit::DfsPostOrder;

/// So many edges and dominators are looked at at most, about.
const MOST: usize = 1 << 32;

/// What leads to what, by numbers.
pub(super) type Edges = DiGraph<(), (), u32>;

/// What dominates what: a node dominates another if all ways from the root to that lead through it.
pub(super) struct Dominators {
    /// By node, those whose nearest dominator it is.
    below: Vec<Vec<usize>>,
    /// What ways from the root lead to, each after what it dominates.
    order: Vec<usize>,
}

impl Dominators {
    /// Finds the dominators of what ways from `root` lead to. `None` if that would take too long: a node has at most as many dominators as steps lead
    /// to it, and may be looked at with all of these for each of its edges.
    pub(super) fn new(edges: &Edges, root: usize) -> Option<Dominators> {
        if most_steps(edges, root).saturating_mul(edges.edge_count()) > MOST {
            return None;
        }
        let found = simple_fast(edges, (root as u32).into());
        let order = reached(edges, root);
        let mut below = vec![vec![]; edges.node_count()];
        for node in &order {
            let above = found.immediate_dominator((*node as u32).into());
            above.into_iter().for_each(|above| below[above.index()].push(*node));
        }
        Some(Dominators { below, order })
    }

    /// Returns a node and all that it dominates.
    pub(super) fn dominated(&self, node: usize) -> Vec<usize> {
        let mut all = vec![node];
        let mut at = 0;
        while let Some(node) = all.get(at) {
            all.extend(&self.below[*node]);
            at += 1;
        }
        all
    }

    /// Returns, by node, the sum of the sizes of what it dominates, with its own.
    pub(super) fn sums(&self, size: impl Fn(usize) -> usize) -> Vec<usize> {
        let mut sums = vec![0; self.below.len()];
        for node in &self.order {
            sums[*node] = size(*node) + self.below[*node].iter().map(|below| sums[*below]).sum::<usize>();
        }
        sums
    }
}

/// Returns how many steps the shortest way from the root takes to what is farthest away.
fn most_steps(edges: &Edges, root: usize) -> usize {
    let mut seen = vec![false; edges.node_count()];
    seen[root] = true;
    let mut reached = vec![root];
    for steps in 0.. {
        let mut next = vec![];
        for node in reached {
            let others = edges.neighbors((node as u32).into()).map(|other| other.index());
            next.extend(others.filter(|other| !std::mem::replace(&mut seen[*other], true)));
        }
        if next.is_empty() {
            return steps;
        }
        reached = next;
    }
    0
}

/// Returns what ways from the root lead to, each after what it leads to, but for circles.
pub(super) fn reached(edges: &Edges, root: usize) -> Vec<usize> {
    let mut search = DfsPostOrder::new(edges, (root as u32).into());
    std::iter::from_fn(|| search.next(edges)).map(|node| node.index()).collect()
}
