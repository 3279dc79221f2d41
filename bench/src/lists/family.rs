//! Lists and trees whose smallest failing configuration is known.

use reduct_core::laws::Chance;
use reduct_core::{Config, Delta, Outcome};
use std::collections::BTreeSet;

/// A list that fails if and only if all targets are there; with a delta that lacks what it needs the
/// test is unresolved, as that of a program that does not build, or passes, if it does not tell.
pub(super) struct List {
    targets: Config,
    needs: Option<Vec<Option<u32>>>,
    lacking: Outcome,
    count: usize,
}

impl List {
    /// Returns a list of which any `size` of `count` are needed, all sets equally likely.
    pub(super) fn uniform(chance: &mut Chance, count: usize, size: usize) -> List {
        let mut chosen = BTreeSet::new();
        while chosen.len() < size {
            chosen.insert(Delta(chance.below(count) as u32));
        }
        List { targets: chosen.into_iter().collect(), needs: None, lacking: Outcome::Unresolved, count }
    }

    /// Returns a list of which `size` of `count` are needed, in runs of some five neighbours.
    pub(super) fn clustered(chance: &mut Chance, count: usize, size: usize) -> List {
        let mut chosen = BTreeSet::new();
        while chosen.len() < size {
            let start = chance.below(count);
            let run = start..count.min(start + 1 + chance.below(9));
            chosen.extend(run.map(|at| Delta(at as u32)).take(size - chosen.len()));
        }
        List { targets: chosen.into_iter().collect(), needs: None, lacking: Outcome::Unresolved, count }
    }

    /// Returns a list of regions, one after the other, each with so many deltas of which so many are needed.
    pub(super) fn regions<const N: usize>(chance: &mut Chance, regions: [(usize, usize); N]) -> List {
        let (mut targets, mut count) = (vec![], 0);
        for (long, needed) in regions {
            let region = List::uniform(chance, long, needed);
            targets.extend(region.targets.iter().map(|Delta(at)| Delta(at + count as u32)));
            count += long;
        }
        List { targets: targets.into_iter().collect(), needs: None, lacking: Outcome::Unresolved, count }
    }

    /// Returns a list in which, with probability 0.7, a delta needs one of the 200 before it; `size` targets, any set as likely.
    pub(super) fn uses(chance: &mut Chance, count: usize, size: usize) -> List {
        let need = |at: usize, chance: &mut Chance| {
            (at > 0 && chance.below(10) < 7).then(|| (at - 1 - chance.below(at.min(200))) as u32)
        };
        let needs = (0..count).map(|at| need(at, chance)).collect();
        List { needs: Some(needs), ..List::uniform(chance, count, size) }
    }

    /// Returns the same list, whose test passes where a delta lacks what it needs.
    pub(super) fn untold(self) -> List {
        List { lacking: Outcome::Pass, ..self }
    }

    pub(super) fn all(&self) -> Config {
        Config::full(self.count)
    }

    /// Returns the targets and all that they need: what every search must end at.
    pub(super) fn needed(&self) -> Config {
        let Some(needs) = &self.needs else { return self.targets.clone() };
        let mut kept = vec![false; self.count];
        for Delta(target) in self.targets.iter() {
            let mut next = Some(target);
            while let Some(at) = next.filter(|&at| !std::mem::replace(&mut kept[at as usize], true)) {
                next = needs[at as usize];
            }
        }
        (0..self.count as u32).filter(|&at| kept[at as usize]).map(Delta).collect()
    }

    pub(super) fn test(&self, config: &Config) -> Outcome {
        if let Some(needs) = &self.needs {
            let mut there = vec![false; self.count];
            config.iter().for_each(|Delta(at)| there[at as usize] = true);
            let dangles = |Delta(at)| needs[at as usize].is_some_and(|need| !there[need as usize]);
            if config.iter().any(dangles) {
                return self.lacking;
            }
        }
        if self.targets.is_subset(config) { Outcome::Fail } else { Outcome::Pass }
    }
}

/// A tree in which some leaves are needed, and so are all nodes above them. A level is the list of the
/// nodes whose parents stay.
pub(super) struct Tree {
    pub(super) levels: Vec<List>,
    /// For each node that stays, how many children it has and how many of them stay.
    pub(super) children: Vec<(usize, usize)>,
}

impl Tree {
    /// Returns a tree in which each node of level `d` has `branches[d]` children; `leaves` of the leaves are needed.
    pub(super) fn new(chance: &mut Chance, branches: &[usize], leaves: usize) -> Tree {
        let count: usize = branches.iter().product();
        let needed = List::uniform(chance, count, leaves).targets;
        let mut tree = Tree { levels: vec![], children: vec![] };
        // The leaves below one node, and the nodes that stay, counted over the whole level.
        let (mut below, mut above) = (count, vec![0]);
        for &branch in branches {
            below /= branch;
            let stay: BTreeSet<usize> = needed.iter().map(|Delta(leaf)| leaf as usize / below).collect();
            let list: Vec<usize> = above.iter().flat_map(|node| node * branch..(node + 1) * branch).collect();
            let at = |(at, node): (usize, &usize)| stay.contains(node).then_some(Delta(at as u32));
            let targets = list.iter().enumerate().filter_map(at).collect();
            tree.children
                .extend(above.iter().map(|node| (branch, stay.range(node * branch..(node + 1) * branch).count())));
            tree.levels.push(List { targets, needs: None, lacking: Outcome::Unresolved, count: list.len() });
            above = stay.into_iter().collect();
        }
        tree
    }
}
