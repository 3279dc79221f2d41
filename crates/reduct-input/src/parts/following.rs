//! Parts within parts, and what goes by itself once nothing is left that needs it.

use super::shape::{PartShape, Spans, gone, is_outside, less};
use super::tree::TreeParts;
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::items::united;
use reduct_core::{Config, Delta, Nesting};
use std::ops::Range;
use std::sync::Arc;

/// Parts within parts, with *followers*: texts that are no parts, and go once nothing is left that needs them. As long as no
/// part goes, none of them does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Following {
    tree: TreeParts,
    /// In the order of the text.
    followers: Arc<[Follower]>,
}

/// What goes once nothing is left that needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Follower {
    at: Range<u32>,
    /// Where something stands that needs it, and the follower in which that is.
    needed: Box<[(u32, Option<u32>)]>,
}

impl Following {
    /// Returns these parts, with followers at these addresses, each with the addresses of what needs it. What stands in a
    /// follower itself does not count for it.
    pub fn new(tree: TreeParts, mut followers: Vec<(Range<u32>, Vec<u32>)>) -> Following {
        followers.sort_by_key(|(at, _)| at.start);
        let holder = |place: u32| {
            let before = followers.partition_point(|(at, _)| at.start <= place).checked_sub(1)?;
            (place < followers[before].0.end).then_some(before as u32)
        };
        let follower = |(own, (at, places)): (usize, &(Range<u32>, Vec<u32>))| {
            let places = places.iter().map(|place| (*place, holder(*place)));
            Follower { at: at.clone(), needed: places.filter(|(_, holder)| *holder != Some(own as u32)).collect() }
        };
        let followers = followers.iter().enumerate().map(follower).collect();
        Following { tree, followers }
    }

    /// Returns which followers go with these addresses. Those that need each other in a circle stay, and those that nothing
    /// else needs.
    fn follow(&self, removed: &Config) -> Vec<Range<u32>> {
        let mut goes = vec![false; self.followers.len()];
        let mut found = vec![];
        // What needs something mostly stands behind it.
        for (at, follower) in self.followers.iter().enumerate().rev() {
            let is_left = |(place, holder): &(u32, Option<u32>)| {
                !removed.contains(Delta(*place)) && !holder.is_some_and(|holder| goes[holder as usize])
            };
            if !follower.needed.is_empty() && !follower.needed.iter().any(is_left) {
                goes[at] = true;
                found.push(follower.at.clone());
            }
        }
        found
    }
}

impl PartShape for Following {
    fn count(&self, base: &Artifact) -> usize {
        self.tree.count(base)
    }

    fn addresses(&self, base: &Artifact, part: Delta) -> Range<u32> {
        self.tree.addresses(base, part)
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.tree.items.len(), config);
        let removed = self.tree.without(&gone);
        if removed.is_empty() {
            return Some(less(base, &Config::empty(), config));
        }
        let followers = self.follow(&Config::from_ranges(removed.clone()));
        Some(less(base, &Config::from_ranges(united([removed, followers].concat())), config))
    }

    fn outside(self: Arc<Self>, regions: &[Range<u32>]) -> Option<Spans> {
        let items = self.tree.items.iter().filter(|item| is_outside(&item.at, regions)).cloned().collect();
        let tree = TreeParts::of(items)?;
        let stays = |follower: &&Follower| is_outside(&follower.at, regions);
        let followers = self.followers.iter().filter(stays);
        let places = |follower: &Follower| follower.needed.iter().map(|(place, _)| *place).collect();
        Some(Following::new(tree, followers.map(|it| (it.at.clone(), places(it))).collect()).into())
    }

    fn nesting(&self) -> Option<&Arc<Nesting>> {
        self.tree.nesting()
    }
}
