//! Circumstances: deltas, and how a configuration of them becomes a candidate.

use crate::artifact::{Artifact, Candidate};
use reduct_core::{Config, Delta, Joints};
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
}

impl Parts {
    /// The given parts of `base`.
    pub fn new(base: Arc<Artifact>, spans: Spans) -> Parts {
        Parts { base, spans }
    }

    /// The addresses of a part; of a part that is made of entries, those of their contents.
    pub fn addresses(&self, Delta(delta): Delta) -> Range<u32> {
        let at = delta as usize;
        match &self.spans {
            Spans::Bytes => delta..delta + 1,
            Spans::Cuts(cuts) => cuts[at]..cuts[at + 1],
            Spans::Apart(spans) => spans[at].clone(),
            Spans::Entries(spans) => contents(&self.base, spans[at].clone()),
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
            Spans::Apart(_) => parts.iter().map(|delta| bytes(self.addresses(delta))).sum(),
            // A file without contents is worth removing too.
            Spans::Entries(spans) => {
                let entries = parts.iter().map(|Delta(delta)| spans[delta as usize].len()).sum();
                parts.iter().map(|delta| bytes(self.addresses(delta))).sum::<usize>().max(entries)
            }
        }
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
        };
        all.minus(&removed)
    }
}

impl Circumstances for Parts {
    fn len(&self) -> usize {
        match &self.spans {
            Spans::Bytes => self.base.bytes().len(),
            Spans::Cuts(cuts) => cuts.len().saturating_sub(1),
            Spans::Apart(spans) | Spans::Entries(spans) => spans.len(),
        }
    }

    fn candidate(&self, config: &Config) -> Option<Candidate> {
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
