//! Pairs that are the same, and the groups that come of them.

use super::super::evidence::Says;
use super::{Comparison, Group, Grouping, Link, Links};
use reduct_report::triage::Reason;
use std::collections::{BTreeSet, HashSet};

impl Grouping<'_> {
    /// Compares one of each text and signature with all others, and the rest with that one. `None` if it was to end.
    pub(super) fn link(&mut self, ends: &dyn Fn() -> bool) -> Option<()> {
        let mut kinds: Vec<usize> = vec![];
        for at in self.order.clone() {
            if ends() {
                return None;
            }
            let same = |kind: &&usize| {
                let kind = **kind;
                self.all[kind].text == self.all[at].text && self.signatures[kind] == self.signatures[at]
            };
            let known = kinds.iter().find(same).copied();
            let partners = known.map_or_else(|| kinds.clone(), |kind| vec![kind]);
            if known.is_none() {
                kinds.push(at);
            }
            for partner in partners {
                if self.surely_different(partner, at) {
                    continue;
                }
                let verdict = match self.look_different(partner, at) {
                    None => {
                        self.alike.insert((at.min(partner), at.max(partner)));
                        self.compare_alike(partner, at)
                    }
                    Some(looks) if self.differ_in_place(partner, at, &looks) => {
                        (Comparison::Same(Reason::SameButForNumbers), true)
                    }
                    Some(looks) if self.share_a_place(partner, at, &looks) => {
                        (Comparison::Same(self.one_place(partner)), true)
                    }
                    Some(_) => continue,
                };
                match verdict {
                    (Comparison::Same(why), true) => self.known.push((partner, at, why)),
                    (Comparison::Same(why), false) => self.likely.push((partner, at, why)),
                    (Comparison::Different(_), _) => {}
                }
            }
        }
        Some(())
    }

    /// Makes the groups from what is known, and from what is likely unless an experiment denies it.
    pub(super) fn collect(&mut self) {
        let mut links: Links = vec![vec![]; self.all.len()];
        self.known.iter().for_each(|link| join(&mut links, link));
        for crossing in self.crossings.iter().filter(|crossing| crossing.says == Says::Same) {
            join(&mut links, &(crossing.small, crossing.large, Reason::Tried(self.told(crossing))));
        }
        self.sure = together(&self.order, &links);
        let mut of = vec![0; self.all.len()];
        self.sure.iter().enumerate().for_each(|(at, members)| members.iter().for_each(|member| of[*member] = at));
        let pair = |one: usize, other: usize| (of[one].min(of[other]), of[one].max(of[other]));
        let denied = self.crossings.iter().filter(|crossing| crossing.says == Says::Different);
        let denied: HashSet<(usize, usize)> = denied.map(|crossing| pair(crossing.small, crossing.large)).collect();
        let likely = self.likely.iter().filter(|(one, other, _)| !denied.contains(&pair(*one, *other)));
        likely.for_each(|link| join(&mut links, link));
        let named = |members: Vec<usize>| Group { signature: self.signatures[members[0]].to_string(), members };
        self.groups = together(&self.order, &links).into_iter().map(named).collect();
        // Stable: equally large ones stay in the order of their smallest members.
        self.groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
        self.links = links;
    }
}

fn join(links: &mut Links, (one, other, why): &Link) {
    links[*one].push((*other, why.clone()));
    links[*other].push((*one, why.clone()));
}

/// Returns those that are linked, in this order; the smallest of each first.
fn together(order: &[usize], links: &Links) -> Vec<Vec<usize>> {
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, at)| rank[*at] = place);
    let (mut seen, mut all) = (BTreeSet::new(), vec![]);
    for &first in order {
        if !seen.insert(first) {
            continue;
        }
        let mut members = vec![first];
        let mut at = 0;
        while let Some(&member) = members.get(at) {
            members.extend(links[member].iter().map(|(other, _)| *other).filter(|other| seen.insert(*other)));
            at += 1;
        }
        members.sort_by_key(|member| rank[*member]);
        all.push(members);
    }
    all
}
