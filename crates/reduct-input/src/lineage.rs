//! Where the bytes of an artifact stood in the artifact that a search began with.
//!
//! A search makes an artifact of a candidate and goes on from it as a new base, again and again: addresses of one base
//! say nothing in the next one. [`FirstPlaces`] say where what stands in a base came from, a [`Lineage`] keeps those
//! of the bases of one search. ([`Origin`](crate::Origin) follows a search whose best is known step by step, as in a replay.)

use crate::artifact::{Artifact, What};
use crate::candidate::Candidate;
use crate::certainty::Certainty;
use reduct_core::{Config, Delta, Key, Question};
use std::ops::Range;
use std::sync::Arc;

/// Where the bytes and the entries of an artifact stood at first. What an edit has put in stood nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstPlaces {
    /// Runs of bytes: where one stands now, and where it began at first. In the order of now.
    bytes: Vec<(Range<u32>, u32)>,
    /// Of each entry, which one it was at first.
    entries: Vec<u32>,
}

impl FirstPlaces {
    /// Returns the first places of what is the first one.
    pub fn first(artifact: &Artifact) -> FirstPlaces {
        let length = artifact.bytes().len() as u32;
        let all = if length == 0 { vec![] } else { vec![(0..length, 0)] };
        FirstPlaces { bytes: all, entries: (0..artifact.entries().len() as u32).collect() }
    }

    /// Returns the first places of [`Candidate::artifact`] of a candidate whose base has these.
    pub fn through(&self, candidate: &Candidate) -> FirstPlaces {
        let mut bytes: Vec<(Range<u32>, u32)> = vec![];
        let (mut at, mut entries) = (0, vec![]);
        for Delta(number) in candidate.kept_entries().iter() {
            entries.push(self.entries[number as usize]);
            let What::File { bytes: addresses, .. } = &candidate.base().entries()[number as usize].what else {
                continue;
            };
            for (kept, piece) in candidate.layout(addresses.clone()) {
                if let Some(kept) = kept {
                    for (here, first) in self.within(kept.clone()) {
                        let begin = at + here.start - kept.start;
                        push(&mut bytes, (begin..begin + here.len() as u32, first));
                    }
                }
                at += piece.len() as u32;
            }
        }
        FirstPlaces { bytes, entries }
    }

    /// Returns the runs among these bytes.
    fn within(&self, bounds: Range<u32>) -> impl Iterator<Item = (Range<u32>, u32)> + '_ {
        let begin = self.bytes.partition_point(|(now, _)| now.end <= bounds.start);
        let inside = self.bytes[begin..].iter().take_while({
            let end = bounds.end;
            move |(now, _)| now.start < end
        });
        inside.map(move |(now, first)| {
            let begin = now.start.max(bounds.start);
            (begin..now.end.min(bounds.end), first + begin - now.start)
        })
    }

    /// Returns where the bytes and the entries that are left stood at first.
    pub fn left(&self) -> Extract {
        Extract {
            bytes: Config::from_ranges(self.bytes.iter().map(|(now, first)| *first..first + now.len() as u32)),
            entries: Config::from_deltas(self.entries.iter().map(|entry| Delta(*entry))),
        }
    }

    /// Returns where an extract of the first artifact stands now, as far as it is left.
    pub fn now(&self, extract: &Extract) -> Extract {
        let bytes = self.bytes.iter().flat_map(|(now, first)| {
            let runs = extract.bytes.within(*first..first + now.len() as u32);
            runs.map(move |run| now.start + run.start - first..now.start + run.end - first)
        });
        let entries = self.entries.iter().enumerate();
        let entries = entries.filter(|(_, entry)| extract.entries.contains(Delta(**entry)));
        Extract {
            bytes: Config::from_ranges(bytes),
            entries: Config::from_deltas(entries.map(|(at, _)| Delta(at as u32))),
        }
    }
}

/// Adds a run; one that goes on where the last one ends becomes part of it.
fn push(runs: &mut Vec<(Range<u32>, u32)>, (now, first): (Range<u32>, u32)) {
    match runs.last_mut() {
        Some((last, begin)) if last.end == now.start && *begin + last.len() as u32 == first => last.end = now.end,
        _ => runs.push((now, first)),
    }
}

/// Some bytes and some entries of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extract {
    /// The addresses of the bytes.
    pub bytes: Config,
    /// The numbers of the entries.
    pub entries: Config,
}

impl Extract {
    /// Returns an extract with nothing in it.
    pub fn nothing() -> Extract {
        Extract { bytes: Config::empty(), entries: Config::empty() }
    }

    /// Returns whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.entries.is_empty()
    }

    /// Returns what is in it and not in another one.
    pub fn minus(&self, other: &Extract) -> Extract {
        Extract { bytes: self.bytes.minus(&other.bytes), entries: self.entries.minus(&other.entries) }
    }

    /// Returns what is in either one.
    pub fn union(&self, other: &Extract) -> Extract {
        Extract { bytes: self.bytes.union(&other.bytes), entries: self.entries.union(&other.entries) }
    }

    /// Returns whether a candidate keeps all of it; the addresses are those of its base.
    pub fn is_kept_by(&self, candidate: &Candidate) -> bool {
        self.bytes.is_subset(candidate.kept()) && self.entries.is_subset(candidate.kept_entries())
    }
}

/// The origins of the bases on which a search stands.
#[derive(Clone, Debug)]
pub struct Lineage {
    /// The last bases, and where what is in them stood at first.
    known: Vec<(Arc<Artifact>, Arc<FirstPlaces>)>,
    /// The last candidates that may become a base, by their digests, and the origins of theirs.
    parents: Vec<(Key, Candidate, Arc<FirstPlaces>)>,
}

/// So many bases and candidates are remembered. A search goes back at most to where it tried to grow.
const REMEMBERED: usize = 32;

impl Lineage {
    /// Returns the lineage of a search that begins with all of `artifact`.
    pub fn new(artifact: Arc<Artifact>, origin: FirstPlaces) -> Lineage {
        let (origin, whole) = (Arc::new(origin), Candidate::whole(artifact.clone()));
        Lineage { known: vec![(artifact, origin.clone())], parents: vec![(whole.key(), whole, origin)] }
    }

    /// Returns the first places of the base of a candidate; `None` if it comes from nothing that was noted.
    pub fn of(&mut self, candidate: &Candidate) -> Option<Arc<FirstPlaces>> {
        let base = candidate.base();
        // The one that was used last is the last one to be forgotten.
        if let Some(at) = self.known.iter().position(|(known, _)| Arc::ptr_eq(known, base)) {
            self.known[at..].rotate_left(1);
            return self.known.last().map(|(_, origin)| origin.clone());
        }
        let key = Candidate::whole(base.clone()).key();
        let at = self.parents.iter().rposition(|(known, ..)| *known == key)?;
        self.parents[at..].rotate_left(1);
        let (_, parent, origin) = self.parents.last()?;
        let origin = Arc::new(origin.through(parent));
        if self.known.len() == REMEMBERED {
            self.known.remove(0);
        }
        self.known.push((base.clone(), origin.clone()));
        Some(origin)
    }

    /// Notes a candidate from which the search may go on.
    pub fn note(&mut self, candidate: &Candidate) {
        let key = candidate.clone().asked(Certainty::Usual).key();
        if let Some(at) = self.parents.iter().position(|(known, ..)| *known == key) {
            self.parents[at..].rotate_left(1);
            return;
        }
        let Some(origin) = self.of(candidate) else { return };
        if self.parents.len() == REMEMBERED {
            self.parents.remove(0);
        }
        self.parents.push((key, candidate.clone(), origin));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(text: &str) -> Arc<Artifact> {
        Arc::new(Artifact::of_file("x", text.as_bytes()).expect("it is small"))
    }

    fn keeping(base: &Arc<Artifact>, ranges: impl IntoIterator<Item = Range<u32>>) -> Candidate {
        Candidate::new(base.clone(), Config::full(1), Config::from_ranges(ranges), 0)
    }

    #[test]
    fn what_is_left_after_two_bases_is_found_in_the_first_one() {
        let first = artifact("abcdefgh");
        let mut lineage = Lineage::new(first.clone(), FirstPlaces::first(&first));
        let less = keeping(&first, [0..2, 4..8]); // abefgh
        lineage.note(&less);
        let second = Arc::new(less.artifact());
        let least = keeping(&second, [1..3, 5..6]); // beh
        let origin = lineage.of(&least).expect("its base was noted").through(&least);
        assert_eq!(origin.left().bytes, Config::from_deltas([1, 4, 7].map(Delta)));
        let extract = Extract { bytes: Config::from_deltas([4, 5].map(Delta)), entries: Config::empty() };
        assert_eq!(origin.now(&extract).bytes, Config::from_deltas([Delta(1)]));
    }

    #[test]
    fn what_an_edit_has_put_in_comes_from_nowhere() {
        let first = artifact("while(1){x}");
        let splice = crate::Splice { at: 0..9, with: (*b"if").into() };
        let edited = Candidate::spliced(first.clone(), vec![splice], 0); // ifx}
        let origin = FirstPlaces::first(&first).through(&edited);
        assert_eq!(edited.artifact().bytes(), b"ifx}");
        assert_eq!(origin.bytes, vec![(2..4, 9)]);
    }

    #[test]
    fn a_base_that_comes_from_nothing_known_has_no_origin() {
        let first = artifact("abc");
        let mut lineage = Lineage::new(first.clone(), FirstPlaces::first(&first));
        assert!(lineage.of(&Candidate::whole(artifact("xyz"))).is_none());
        assert!(lineage.of(&Candidate::whole(artifact("abc"))).is_some());
    }

    #[test]
    fn an_extract_is_kept_only_as_a_whole() {
        let first = artifact("abcdef");
        let extract = Extract { bytes: Config::from_ranges(Some(1..3)), entries: Config::empty() };
        assert!(extract.is_kept_by(&keeping(&first, Some(0..4))));
        assert!(!extract.is_kept_by(&keeping(&first, Some(0..2))));
    }
}
