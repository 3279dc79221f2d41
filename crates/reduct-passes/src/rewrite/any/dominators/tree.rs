//! What dominates what in a graph, as a tree.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::DiGraph;
use petgraph::visit::DfsPostOrder;

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
    /// Finds the dominators of what ways from `root` lead to.
    pub(super) fn new(edges: &Edges, root: usize) -> Dominators {
        let found = simple_fast(edges, (root as u32).into());
        let order = reached(edges, root);
        let mut below = vec![vec![]; edges.node_count()];
        for node in &order {
            let above = found.immediate_dominator((*node as u32).into());
            above.into_iter().for_each(|above| below[above.index()].push(*node));
        }
        Dominators { below, order }
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

/// Returns what ways from the root lead to, each after what it leads to, but for circles.
pub(super) fn reached(edges: &Edges, root: usize) -> Vec<usize> {
    let mut search = DfsPostOrder::new(edges, (root as u32).into());
    std::iter::from_fn(|| search.next(edges)).map(|node| node.index()).collect()
}
