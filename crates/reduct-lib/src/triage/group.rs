//! Which failures are the same: pure, and the same in whatever order they come.
//!
//! Two failures look the same if they end alike, say the same (the names in both inputs aside), and happen in the same
//! function of the program, whichever function called it. They *are* the same if the same text is left of both, if they happen in one
//! line of the program ([`FailureSite`]), or if an experiment says so ([`CrossTest`]); and if at least half of the
//! tokens are in both, unless an experiment says that they
//! are not, or they happen in two lines of it. A failure that is the same as a member of a group belongs to the group. Each verdict on two
//! has a [`Reason`].

mod collect;
mod compare;
mod failing;

use super::evidence::CrossTest;
use super::place::FailureSite;
use super::tokens::counted;
pub use failing::Failing;
use failing::looks;
use reduct_oracle::Observed;
use reduct_oracle::signature::Signature;
use reduct_report::triage::Reason;
use std::collections::{BTreeMap, HashSet};

/// Those that are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// Its members, by place in the list they came in, the smallest first.
    pub members: Vec<usize>,
    /// What the failure looks like.
    pub signature: String,
}

/// Whether two are the same, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are.
    Same(Reason),
    /// They are not.
    Different(Reason),
}

/// A pair, and why it is one.
type Link = (usize, usize, Reason);

/// Of each, its partners, and why.
type Links = Vec<Vec<(usize, Reason)>>;

/// Failures, and what is known of each.
pub struct Grouping<'a> {
    all: &'a [Failing],
    signatures: Vec<Signature>,
    /// Where each happened.
    places: Vec<FailureSite>,
    tokens: Vec<BTreeMap<String, usize>>,
    /// By size, then text, then name: an order that does not depend on how they came.
    order: Vec<usize>,
    groups: Vec<Group>,
    /// Those that belong together without what only looks so, as members in order.
    sure: Vec<Vec<usize>>,
    /// Pairs that are the same, and why.
    known: Vec<Link>,
    /// Pairs that look the same, and why: an experiment may say otherwise.
    likely: Vec<Link>,
    /// Of each, those it is the same as: all that is known, and what is likely and was not denied.
    links: Links,
    crossings: Vec<CrossTest>,
    /// One of each text and signature; of those, the pairs that fail alike.
    alike: HashSet<(usize, usize)>,
}

impl<'a> Grouping<'a> {
    /// Groups failures by how they look.
    pub fn new(all: &'a [Failing]) -> Grouping<'a> {
        Grouping::crossed(all, &[])
    }

    /// Does so, unless somebody wants it to end: of many failures that takes a while.
    pub fn unless(all: &'a [Failing], ends: &dyn Fn() -> bool) -> Option<Grouping<'a>> {
        let mut grouping = Grouping::apart(all);
        grouping.link(ends)?;
        grouping.collect();
        Some(grouping)
    }

    /// Groups failures by how they look and by what experiments said.
    pub fn crossed(all: &'a [Failing], crossings: &[CrossTest]) -> Grouping<'a> {
        let mut grouping = Grouping::apart(all);
        // Nobody wants it to end.
        let _ = grouping.link(&|| false);
        grouping.crossings = crossings.to_vec();
        grouping.collect();
        grouping
    }

    /// Adds what one more experiment said.
    pub fn add(&mut self, crossing: CrossTest) {
        self.crossings.push(crossing);
        self.collect();
    }

    /// Returns what experiments said.
    pub fn crossings(&self) -> &[CrossTest] {
        &self.crossings
    }

    /// Failures of which nothing is known yet.
    fn apart(all: &'a [Failing]) -> Grouping<'a> {
        let signatures = all.iter().map(|one| looks(&one.observed, &one.says_with(b""))).collect();
        let places = all.iter().map(|one| FailureSite::of(&one.observed, &one.words)).collect();
        let tokens = all.iter().map(|one| counted(&one.text)).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|at| (all[*at].text.len(), &all[*at].text, &all[*at].name));
        let (links, crossings, alike) = (vec![], vec![], HashSet::new());
        let (groups, sure, known, likely) = (vec![], vec![], vec![], vec![]);
        Grouping { all, signatures, places, tokens, order, groups, sure, known, likely, links, crossings, alike }
    }

    /// Returns the groups: the largest first, equally large ones by their smallest member.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns those that are surely the same as one that is the smallest of them, the smallest first.
    pub fn surely(&self, smallest: usize) -> &[usize] {
        self.sure.iter().find(|members| members[0] == smallest).map_or(&[], |members| members)
    }

    /// Returns whether the failures of these two, each the smallest of its group, look the same.
    pub fn fail_alike(&self, one: usize, other: usize) -> bool {
        self.alike.contains(&(one.min(other), one.max(other)))
    }

    /// Returns whether what was seen with this text looks like the failure of one.
    pub fn looks_like(&self, at: usize, seen: &Observed, text: &[u8]) -> bool {
        let one = &self.all[at];
        let words = one.says_with(text);
        looks(&one.observed, &words) == looks(seen, &words)
    }

    /// Returns whether one was reduced.
    pub fn is_reduced(&self, at: usize) -> bool {
        self.all[at].reduced
    }

    /// Returns all of them, the smallest first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns what the failure of one looks like.
    pub fn signature(&self, at: usize) -> &Signature {
        &self.signatures[at]
    }

    /// Returns the smallest of each group of those that are surely the same, smaller ones first: those to be compared
    /// by experiments.
    pub fn smallest(&self) -> impl Iterator<Item = usize> + '_ {
        self.sure.iter().map(|members| members[0])
    }

    /// Returns the pairs that look the same, though nothing shows that they are.
    pub fn likely(&self) -> HashSet<(usize, usize)> {
        self.likely.iter().map(|(one, other, _)| (*one.min(other), *one.max(other))).collect()
    }
}

#[cfg(test)]
mod tests;
