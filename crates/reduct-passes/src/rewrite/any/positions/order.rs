//! In which parts of lists numbers stand, and so which lists come before others.

use super::found::{Found, Link};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Of more lists it is not asked what stands in which.
const MOST: usize = 64;

/// Lists with fewer parts are asked about after all others.
const FEW: usize = 8;

/// The lists to which something refers.
pub(super) struct Inside {
    lists: Vec<usize>,
}

impl Inside {
    pub(super) fn new(found: &Found, links: &[Link]) -> Inside {
        let mut lists: Vec<usize> = links.iter().map(|link| link.list).collect::<BTreeSet<_>>().into_iter().collect();
        lists.sort_by_key(|list| found.lists[*list].starts.first().copied());
        Inside { lists }
    }

    /// Returns the smallest part in which these addresses are, as a list and the number of a part; `None` too if there are too many lists.
    pub(super) fn part(&self, found: &Found, at: &Range<u32>) -> Option<(usize, usize)> {
        let lists = self.lists.iter().filter(|_| self.lists.len() <= MOST);
        let parts = lists.filter_map(|list| {
            let part = found.lists[*list].starts.partition_point(|start| *start <= at.start).checked_sub(1)?;
            Some((*list, part))
        });
        let range = |(list, part): (usize, usize)| found.lists[list].items[part].at.clone();
        parts.filter(|part| at.end <= range(*part).end).min_by_key(|part| range(*part).len())
    }

    /// Returns the lists, such that what refers comes behind that to which it refers, as far as that can be. The last ones are asked about first: without them,
    /// nothing needs the others any more.
    pub(super) fn referring_last(&self, found: &Found, links: &[Link]) -> Vec<usize> {
        let mut referring: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
        for link in links {
            let from = self.part(found, &found.numbers[link.number].at);
            if let Some((from, _)) = from.filter(|(from, _)| *from != link.list) {
                *referring.entry(link.list).or_default().entry(from).or_default() += 1;
            }
        }
        let (mut left, mut ordered) = (self.lists.clone(), vec![]);
        while self.lists.len() <= MOST && !left.is_empty() {
            let referred = |list: &usize| {
                let from = referring.get(list).into_iter().flatten();
                from.filter(|(from, _)| left.contains(from)).map(|(_, count)| count).sum::<usize>()
            };
            let first = (0..left.len()).min_by_key(|at| referred(&left[*at])).unwrap_or(0);
            ordered.push(left.remove(first));
        }
        ordered.extend(left);
        ordered.reverse();
        // Of a list of few parts all would go together.
        ordered.sort_by_key(|list| found.lists[*list].items.len() >= FEW);
        ordered
    }
}
