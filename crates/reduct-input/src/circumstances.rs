//! Circumstances: deltas, and how a configuration of them becomes a candidate.

use crate::artifact::Artifact;
use crate::candidate::Candidate;
use crate::edit::{Edit, together};
use crate::items::{Item, united, without};
use crate::mend::{Mend, mended};
use crate::record::Record;
use reduct_core::{Config, Delta, Joints, Nesting};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// What can vary in one subject.
pub trait Circumstances {
    /// How many deltas there are.
    fn len(&self) -> usize;

    /// Whether nothing can vary.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The candidate of a configuration: what is left with the other deltas gone. `None` if there is
    /// none (a hunk without the one it needs), which is [`reduct_core::Outcome::Unresolved`] without a run.
    fn candidate(&self, config: &Config) -> Option<Candidate>;

    /// The deltas without which this one cannot be.
    fn needs(&self, _delta: Delta) -> &[Delta] {
        &[]
    }
}

/// Disjoint parts of an artifact, each of which can be there or not.
#[derive(Clone, Debug)]
pub struct Parts {
    base: Arc<Artifact>,
    spans: Spans,
}

/// Where the parts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spans {
    /// Every byte is a part. Takes no memory, whatever the size.
    Bytes,
    /// Part `i` is the addresses `cuts[i]..cuts[i + 1]`: no gaps, four bytes a part.
    Cuts(Arc<[u32]>),
    /// Part `i` is these addresses; what lies between stays.
    Apart(Arc<[Range<u32>]>),
    /// Part `i` is these entries, with their contents.
    Entries(Arc<[Range<u32>]>),
    /// Parts of lists, whose separators go with them; what lies between stays.
    Items(Arc<[Item]>),
    /// Parts within parts. A configuration that lacks a part lacks what is in it.
    Tree(Arc<TreeParts>),
    /// Part `i` is there as long as edit `i` is not made.
    Edits(Arc<[Edit]>),
    /// Part `i` is these addresses; what lies between stays, with the fields in it that depend on the parts
    /// mended.
    Chunks {
        /// The addresses of the parts.
        parts: Arc<[Range<u32>]>,
        /// The fields, in the order of their addresses and disjoint.
        mends: Arc<[Mend]>,
    },
    /// Part `i` is an event of a record. A configuration that lacks what an event needs lacks the event.
    Record(Arc<Record>),
}

impl Spans {
    /// Only what is outside of these regions, which ascend; `None` if nothing is.
    pub fn outside(self, regions: &[Range<u32>]) -> Option<Spans> {
        let is_outside = |part: &Range<u32>| {
            let before = regions.partition_point(|region| region.start < part.end).checked_sub(1);
            before.is_none_or(|at| regions[at].end <= part.start)
        };
        match self {
            Spans::Cuts(cuts) => {
                let parts: Vec<_> = cuts.windows(2).map(|pair| pair[0]..pair[1]).filter(is_outside).collect();
                (!parts.is_empty()).then(|| Spans::Apart(parts.into()))
            }
            Spans::Apart(parts) => {
                let parts: Vec<_> = parts.iter().filter(|part| is_outside(part)).cloned().collect();
                (!parts.is_empty()).then(|| Spans::Apart(parts.into()))
            }
            Spans::Tree(tree) => {
                let items = tree.items.iter().filter(|item| is_outside(&item.at)).cloned().collect();
                TreeParts::of(items).map(|tree| Spans::Tree(Arc::new(tree)))
            }
            Spans::Edits(edits) => {
                let stays = |edit: &&Edit| edit.splices().iter().all(|splice| is_outside(&splice.at));
                let edits: Vec<_> = edits.iter().filter(stays).cloned().collect();
                (!edits.is_empty()).then(|| Spans::Edits(edits.into()))
            }
            other => Some(other),
        }
    }
}

/// Parts within parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeParts {
    /// The parts, each before those in it.
    pub items: Arc<[Item]>,
    /// How they are nested.
    pub nesting: Arc<Nesting>,
}

impl TreeParts {
    /// Parts as they are nested: those that begin alike are in the longer one. A part that is neither whole
    /// inside of another one nor beside it is left out: white space may be claimed by two.
    pub fn of(mut items: Vec<Item>) -> Option<TreeParts> {
        items.sort_by_key(|item| (item.at.start, std::cmp::Reverse(item.at.end)));
        let mut ends: Vec<u32> = vec![];
        items.retain(|item| {
            while ends.last().is_some_and(|end| *end <= item.at.start) {
                ends.pop();
            }
            let fits = ends.last().is_none_or(|end| item.at.end <= *end);
            if fits {
                ends.push(item.at.end);
            }
            fits
        });
        let mut after = vec![items.len() as u32; items.len()];
        let mut open: Vec<usize> = vec![];
        for (part, item) in items.iter().enumerate() {
            while let Some(&outer) = open.last().filter(|outer| items[**outer].at.end <= item.at.start) {
                after[outer] = part as u32;
                open.pop();
            }
            open.push(part);
        }
        let nesting = Arc::new(Nesting::new(after));
        (!items.is_empty()).then(|| TreeParts { items: items.into(), nesting })
    }

    /// What goes with the parts that a configuration leaves out.
    fn without(&self, gone: &Config) -> Vec<Range<u32>> {
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

impl Parts {
    /// The given parts of `base`.
    pub fn new(base: Arc<Artifact>, spans: Spans) -> Parts {
        Parts { base, spans }
    }

    /// What they are parts of.
    pub fn base(&self) -> &Arc<Artifact> {
        &self.base
    }

    /// How its parts are nested, if they are.
    pub fn nesting(&self) -> Option<&Arc<Nesting>> {
        match &self.spans {
            Spans::Tree(tree) => Some(&tree.nesting),
            _ => None,
        }
    }

    /// Whether its parts are edits.
    pub fn are_edits(&self) -> bool {
        matches!(self.spans, Spans::Edits(_))
    }

    /// Whether its parts are events.
    pub fn are_events(&self) -> bool {
        matches!(self.spans, Spans::Record(_))
    }

    /// Whether two configurations are the same candidate because of what parts need.
    pub fn are_alike(&self, one: &Config, other: impl FnOnce() -> Config) -> bool {
        matches!(&self.spans, Spans::Record(record) if record.closed(one) == record.closed(&other()))
    }

    /// The addresses of a part; of a part that is made of entries, those of their contents.
    pub fn addresses(&self, Delta(delta): Delta) -> Range<u32> {
        let at = delta as usize;
        match &self.spans {
            Spans::Bytes => delta..delta + 1,
            Spans::Cuts(cuts) => cuts[at]..cuts[at + 1],
            Spans::Apart(spans) | Spans::Chunks { parts: spans, .. } => spans[at].clone(),
            Spans::Entries(spans) => contents(&self.base, spans[at].clone()),
            Spans::Items(items) => items[at].at.clone(),
            Spans::Tree(tree) => tree.items[at].at.clone(),
            Spans::Record(record) => record.parts()[at].clone(),
            Spans::Edits(edits) => {
                let splices = edits[at].splices();
                splices[0].at.start..splices[splices.len() - 1].at.end
            }
        }
    }

    /// How much goes with these parts: bytes or, if that is more, entries.
    pub fn size(&self, parts: &Config) -> usize {
        let bytes = |range: Range<u32>| range.len();
        match &self.spans {
            Spans::Bytes => parts.len(),
            Spans::Cuts(cuts) => {
                parts.ranges().map(|run| bytes(cuts[run.start as usize]..cuts[run.end as usize])).sum()
            }
            Spans::Edits(edits) => parts.iter().map(|Delta(at)| edits[at as usize].gain().max(0) as usize).sum(),
            Spans::Apart(_) | Spans::Items(_) | Spans::Tree(_) | Spans::Chunks { .. } | Spans::Record(_) => {
                parts.iter().map(|delta| bytes(self.addresses(delta))).sum()
            }
            // A file without contents is worth removing too.
            Spans::Entries(spans) => {
                let entries = parts.iter().map(|Delta(delta)| spans[delta as usize].len()).sum();
                parts.iter().map(|delta| bytes(self.addresses(delta))).sum::<usize>().max(entries)
            }
        }
    }

    /// How much goes with each part, in bytes.
    pub fn sizes(&self) -> Arc<[u32]> {
        let size = |at: u32| self.size(&Config::from_deltas([Delta(at)])).try_into().unwrap_or(u32::MAX);
        (0..self.len() as u32).map(size).collect()
    }

    /// In how many places edits change something.
    pub fn places(&self, parts: &Config) -> usize {
        let Spans::Edits(edits) = &self.spans else { return parts.len() };
        let splices = parts.iter().flat_map(|Delta(at)| edits[at as usize].splices());
        splices.map(|splice| splice.at.start).collect::<BTreeSet<_>>().len()
    }

    /// How strongly each part is joined to the one before it, for a split that keeps paragraphs,
    /// lines and words together: 3 at the start of a paragraph, 2 of a line, 1 of a word, else 0.
    pub fn joints(&self) -> Joints {
        let text = self.base.bytes();
        let strength = |delta| {
            let before = &text[..self.addresses(Delta(delta as u32)).start as usize];
            match before {
                [] | [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => 3,
                [.., b'\n'] => 2,
                [.., last] if last.is_ascii_whitespace() => 1,
                _ => 0,
            }
        };
        Joints::new((0..self.len()).map(strength).collect::<Vec<u8>>())
    }

    /// The addresses that go with the deltas that `config` leaves out.
    fn kept(&self, config: &Config) -> Config {
        let gone = Config::full(self.len()).minus(config);
        let all = Config::full(self.base.bytes().len());
        let removed = match &self.spans {
            Spans::Bytes => return config.clone(),
            Spans::Cuts(cuts) => {
                Config::from_ranges(gone.ranges().map(|run| cuts[run.start as usize]..cuts[run.end as usize]))
            }
            Spans::Apart(spans) => Config::from_ranges(gone.iter().map(|Delta(d)| spans[d as usize].clone())),
            Spans::Entries(_) => Config::from_ranges(gone.iter().map(|delta| self.addresses(delta))),
            Spans::Items(items) => Config::from_ranges(without(items, &gone)),
            Spans::Tree(tree) => Config::from_ranges(tree.without(&gone)),
            // Events do not stand in the order in which they are searched.
            Spans::Record(_) => Config::from_ranges(united(gone.iter().map(|delta| self.addresses(delta)).collect())),
            // What is changed is more than what is kept.
            Spans::Edits(_) | Spans::Chunks { .. } => return all,
        };
        all.minus(&removed)
    }
}

impl Circumstances for Parts {
    fn len(&self) -> usize {
        match &self.spans {
            Spans::Bytes => self.base.bytes().len(),
            Spans::Cuts(cuts) => cuts.len().saturating_sub(1),
            Spans::Apart(spans) | Spans::Entries(spans) | Spans::Chunks { parts: spans, .. } => spans.len(),
            Spans::Items(items) => items.len(),
            Spans::Tree(tree) => tree.items.len(),
            Spans::Edits(edits) => edits.len(),
            Spans::Record(record) => record.parts().len(),
        }
    }

    fn candidate(&self, config: &Config) -> Option<Candidate> {
        if let Spans::Edits(edits) = &self.spans {
            let made = Config::full(edits.len()).minus(config);
            let splices = together(made.iter().map(|Delta(at)| &edits[at as usize]))?;
            return Some(Candidate::spliced(self.base.clone(), splices, config.len()));
        }
        if let Spans::Chunks { parts, mends } = &self.spans {
            let gone = Config::full(parts.len()).minus(config);
            let gone: Vec<Range<u32>> = gone.iter().map(|Delta(at)| parts[at as usize].clone()).collect();
            return Some(Candidate::spliced(self.base.clone(), mended(&self.base, &gone, mends), config.len()));
        }
        if let Spans::Record(record) = &self.spans {
            let config = record.closed(config);
            let entries = Config::full(self.base.entries().len());
            return Some(Candidate::new(self.base.clone(), entries, self.kept(&config), config.len()));
        }
        let all = Config::full(self.base.entries().len());
        let entries = match &self.spans {
            Spans::Entries(spans) => {
                let gone = Config::full(spans.len()).minus(config);
                all.minus(&Config::from_ranges(gone.iter().map(|Delta(d)| spans[d as usize].clone())))
            }
            _ => all,
        };
        Some(Candidate::new(self.base.clone(), entries, self.kept(config), config.len()))
    }
}

/// The addresses of the contents of these entries, which follow each other.
fn contents(base: &Artifact, entries: Range<u32>) -> Range<u32> {
    use crate::artifact::What;
    let mut files = base.entries()[entries.start as usize..entries.end as usize].iter().filter_map(|e| match &e.what {
        What::File { bytes, .. } => Some(bytes),
        _ => None,
    });
    match files.next() {
        Some(first) => first.start..files.next_back().unwrap_or(first).end,
        None => 0..0,
    }
}
