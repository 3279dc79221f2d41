//! Parts within parts.

use super::shape::{PartShape, Spans, gone, is_outside, less};
use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::file_order::FileOrder;
use crate::items::{Item, united};
use reduct_core::{Config, Delta, Nesting};
use std::ops::Range;
use std::sync::Arc;

/// Parts within parts. A configuration that lacks a part lacks what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeParts {
    /// The parts, each before those in it.
    pub items: Arc<[Item]>,
    /// How they are nested.
    pub nesting: Arc<Nesting>,
}

impl PartShape for TreeParts {
    fn count(&self, _base: &Artifact) -> usize {
        self.items.len()
    }

    fn addresses(&self, _base: &Artifact, Delta(at): Delta) -> Range<u32> {
        self.items[at as usize].at.clone()
    }

    fn candidate(&self, base: &Arc<Artifact>, config: &Config) -> Option<Candidate> {
        let gone = gone(self.items.len(), config);
        Some(less(base, &Config::from_ranges(self.without(&gone)), config))
    }

    fn outside(self: Arc<Self>, regions: &[Range<u32>]) -> Option<Spans> {
        let items = self.items.iter().filter(|item| is_outside(&item.at, regions)).cloned().collect();
        TreeParts::nested(items).map(Spans::from)
    }

    fn nesting(&self) -> Option<&Arc<Nesting>> {
        Some(&self.nesting)
    }
}

impl TreeParts {
    /// Returns parts as they are nested: those that begin alike are in the longer one. A part that is neither whole
    /// inside of another one nor beside it is left out: white space may be claimed by two.
    pub fn of(items: Vec<Item>) -> Option<TreeParts> {
        TreeParts::placed(items, |at| at.clone())
    }

    /// Returns the same parts, file after file in another order. Each part is in one file.
    pub fn in_order(items: Vec<Item>, order: &FileOrder) -> Option<TreeParts> {
        TreeParts::placed(items, |at| order.place(at))
    }

    /// Returns the same parts, of which those of one name are alike, if they are in parts of one name.
    pub fn named<N: Clone + Ord>(self, name: impl Fn(&Item) -> N) -> TreeParts {
        let own: Vec<N> = self.items.iter().map(name).collect();
        let mut open: Vec<usize> = vec![];
        let names = own.iter().enumerate().map(|(part, name)| {
            while open.last().is_some_and(|outer| self.nesting.after(*outer as u32) as usize <= part) {
                open.pop();
            }
            let outer = open.last().map(|outer| &own[*outer]);
            open.push(part);
            (outer, name)
        });
        let names: Vec<(Option<&N>, &N)> = names.collect();
        let nesting = Arc::new((*self.nesting).clone().named(&names));
        TreeParts { nesting, ..self }
    }

    /// Returns parts in the order of their places.
    fn placed(mut items: Vec<Item>, place: impl Fn(&Range<u32>) -> Range<u32>) -> Option<TreeParts> {
        items.sort_by_cached_key(|item| {
            let place = place(&item.at);
            (place.start, std::cmp::Reverse(place.end))
        });
        let mut ends: Vec<u32> = vec![];
        items.retain(|item| {
            let place = place(&item.at);
            while ends.last().is_some_and(|end| *end <= place.start) {
                ends.pop();
            }
            let fits = ends.last().is_none_or(|end| place.end <= *end);
            if fits {
                ends.push(place.end);
            }
            fits
        });
        TreeParts::nested(items)
    }

    /// Returns parts that stand in their order already, each before those in it.
    fn nested(items: Vec<Item>) -> Option<TreeParts> {
        let mut after = vec![items.len() as u32; items.len()];
        let mut open: Vec<usize> = vec![];
        for (part, item) in items.iter().enumerate() {
            while let Some(&outer) = open.last().filter(|outer| !items[**outer].at.contains(&item.at.start)) {
                after[outer] = part as u32;
                open.pop();
            }
            open.push(part);
        }
        let nesting = Arc::new(Nesting::new(after));
        (!items.is_empty()).then(|| TreeParts { items: items.into(), nesting })
    }

    /// Returns what goes with the parts that a configuration leaves out.
    pub(super) fn without(&self, gone: &Config) -> Vec<Range<u32>> {
        let is_gone = |part: u32| gone.contains(Delta(part));
        let mut removed: Vec<Range<u32>> = vec![];
        for run in gone.ranges() {
            let mut part = run.start;
            while part < run.end {
                removed.push(self.items[part as usize].at.clone());
                let mut head = part;
                if self.items[part as usize].last {
                    while let Some(previous) = self.nesting.previous(head).filter(|previous| is_gone(*previous)) {
                        if self.items[head as usize].first {
                            break;
                        }
                        head = previous;
                    }
                    let head = &self.items[head as usize];
                    if !head.first && !head.before.is_empty() {
                        removed.push(head.before.clone());
                    }
                }
                part = self.nesting.after(part);
            }
        }
        united(removed)
    }
}
