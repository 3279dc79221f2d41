//! A candidate: what a configuration makes of an artifact.

use crate::artifact::{Artifact, Entry, Packing, What, WholeKey};
use crate::certainty::Certainty;
use crate::digest::Digester;
use crate::edit::{NewName, Splice};
use reduct_core::{Config, Delta, Key, Keyed, Question};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Something a test can be run on: an [`Artifact`], less what a configuration leaves out, and with what
/// its edits put in.
#[derive(Clone, Debug)]
pub struct Candidate {
    base: Arc<Artifact>,
    entries: Config,
    bytes: Config,
    /// What stands before the bytes from these addresses on, in their order.
    inserted: Arc<[(u32, Arc<[u8]>)]>,
    /// The entries of the base where some have other names.
    renamed: Option<Arc<[Entry]>>,
    deltas: usize,
    sure: Certainty,
    key: Key,
}

/// A piece of what a candidate consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment<'a> {
    /// These addresses of its base.
    Kept(Range<u32>),
    /// What edits put in.
    Put(&'a [u8]),
}

impl Candidate {
    /// Returns all of `base`.
    pub fn whole(base: Arc<Artifact>) -> Candidate {
        let entries = Config::full(base.entries.len());
        let bytes = Config::full(base.bytes.len());
        Candidate::new(base, entries, bytes, 0)
    }

    /// Returns the emptiest thing that can be made of `base`: its files without contents if there is but one entry,
    /// else nothing at all.
    pub fn nothing(base: Arc<Artifact>) -> Candidate {
        let entries = if base.entries.len() == 1 { Config::full(1) } else { Config::empty() };
        Candidate::new(base, entries, Config::empty(), 0)
    }

    /// Returns the given entries and addresses of `base`; `deltas` is the size of the configuration it is made from, in
    /// its own unit.
    pub fn new(base: Arc<Artifact>, entries: Config, bytes: Config, deltas: usize) -> Candidate {
        Candidate {
            base,
            entries,
            bytes,
            inserted: Arc::new([]),
            renamed: None,
            deltas,
            sure: Certainty::Usual,
            key: Key(0),
        }
        .digested()
    }

    /// Returns all of `base`, changed by these splices, which are in the order of the addresses and disjoint.
    pub fn spliced(base: Arc<Artifact>, splices: Vec<Splice>, deltas: usize) -> Candidate {
        let entries = Config::full(base.entries.len());
        let gone = Config::from_ranges(splices.iter().map(|splice| splice.at.clone()));
        let bytes = Config::full(base.bytes.len()).minus(&gone);
        let inserted = splices.into_iter().filter(|splice| !splice.with.is_empty());
        let inserted = inserted.map(|splice| (splice.at.start, splice.with)).collect();
        let (sure, key, renamed) = (Certainty::Usual, Key(0), None);
        Candidate { base, entries, bytes, inserted, renamed, deltas, sure, key }.digested()
    }

    fn digested(mut self) -> Candidate {
        self.key = if self.is_whole() { self.base.whole.get_or_make(|| self.digest()) } else { self.digest() };
        self
    }

    /// Returns whether it is all of its base, and nothing more.
    fn is_whole(&self) -> bool {
        let lengths = (self.entries.len(), self.bytes.len());
        lengths == (self.base.entries.len(), self.base.bytes.len()) && self.inserted.is_empty() && !self.is_renamed()
    }

    /// Returns the same with other names for some of its entries. `None` if two would stand in the same place.
    pub(crate) fn named(self, names: &[&NewName]) -> Option<Candidate> {
        if names.is_empty() {
            return Some(self);
        }
        let mut entries = self.base.entries.clone();
        for NewName { entry, name } in names {
            let old = &self.base.entries[*entry as usize].path;
            let depth = old.components().count() - 1;
            let below = entries.iter_mut().zip(&self.base.entries).filter(|(_, before)| before.path.starts_with(old));
            for (entry, _) in below {
                let parts = entry.path.iter().enumerate();
                entry.path = parts.map(|(at, part)| if at == depth { name.as_os_str() } else { part }).collect();
            }
        }
        let is_apart = entries.iter().map(|entry| &entry.path).collect::<BTreeSet<_>>().len() == entries.len();
        is_apart.then(|| Candidate { renamed: Some(entries.into()), ..self }.digested())
    }

    /// Returns whether entries have other names than in its base.
    pub fn is_renamed(&self) -> bool {
        self.renamed.is_some()
    }

    /// Returns one of the entries of its base, by the name that it has here.
    fn entry(&self, at: u32) -> &Entry {
        &self.renamed.as_deref().unwrap_or(&self.base.entries)[at as usize]
    }

    /// Returns how many deltas its configuration has, in the unit of the circumstances it was made from.
    pub fn deltas(&self) -> usize {
        self.deltas
    }

    /// Returns the same candidate, counted in another unit.
    pub fn counted(self, deltas: usize) -> Candidate {
        Candidate { deltas, ..self }
    }

    /// Returns the same without the other entries.
    pub(crate) fn only(&self, is: impl Fn(&Entry) -> bool) -> Candidate {
        let entries = self.entries.iter().filter(|Delta(at)| is(self.entry(*at)));
        Candidate { entries: Config::from_deltas(entries), ..self.clone() }.digested()
    }

    /// Returns the same candidate, of which it is to be as sure what it is. That is another question: a less sure answer is
    /// none to it.
    pub fn asked(self, sure: Certainty) -> Candidate {
        Candidate { sure, ..self }
    }

    /// Returns how sure its outcome has to be, see [`Candidate::asked`].
    pub fn certainty(&self) -> Certainty {
        self.sure
    }

    /// Returns the size of its contents in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len() + self.inserted.iter().map(|(_, text)| text.len()).sum::<usize>()
    }

    /// Returns whether it has no contents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many files, links and folders it has.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Returns what it is made from.
    pub fn base(&self) -> &Arc<Artifact> {
        &self.base
    }

    /// Returns the addresses in [`Candidate::base`] that it keeps.
    pub fn kept(&self) -> &Config {
        &self.bytes
    }

    /// Returns where edits put something in, ascending, and how many bytes they have put in up to there.
    pub fn put_in(&self) -> Vec<(u32, usize)> {
        let mut sum = 0;
        let up_to = |(at, text): &(u32, Arc<[u8]>)| {
            sum += text.len();
            (*at, sum)
        };
        self.inserted.iter().map(up_to).collect()
    }

    /// Returns the entries of [`Candidate::base`] that it keeps.
    pub fn kept_entries(&self) -> &Config {
        &self.entries
    }

    /// Returns its entries as they stand in its base, in the order of [`Candidate::pieces`].
    pub(crate) fn base_entries(&self) -> impl Iterator<Item = &Entry> + '_ {
        self.entries.iter().map(|Delta(at)| &self.base.entries[at as usize])
    }

    /// Returns whether it has only bytes of its base, and none that edits put in.
    pub fn is_subset(&self) -> bool {
        self.inserted.is_empty()
    }

    /// Returns the pieces of the contents at these addresses, in their order, and which addresses of the base each one
    /// is; `None` for what an edit has put in.
    pub(crate) fn layout(&self, addresses: Range<u32>) -> Vec<(Option<Range<u32>>, &[u8])> {
        let first = self.inserted.partition_point(|(at, _)| *at < addresses.start);
        let last = self.inserted.partition_point(|(at, _)| *at < addresses.end);
        let mut inserted = self.inserted[first..last].iter().peekable();
        let runs = self.bytes.within(addresses);
        let mut pieces: Vec<(Option<Range<u32>>, &[u8])> = Vec::with_capacity(runs.len() + last - first);
        for run in runs {
            while let Some((_, text)) = inserted.next_if(|(at, _)| *at <= run.start) {
                pieces.push((None, text));
            }
            pieces.push((Some(run.clone()), self.base.slice(run)));
        }
        pieces.extend(inserted.map(|(_, text)| (None, text.as_ref())));
        pieces
    }

    /// Returns what edits put in, each before the address at which it stands in the base.
    pub fn put(&self) -> impl Iterator<Item = (u32, &[u8])> + '_ {
        self.inserted.iter().map(|(at, text)| (*at, text.as_ref()))
    }

    /// Returns what it consists of, file by file, in the order in which [`Candidate::artifact`] has it.
    pub fn segments(&self) -> Vec<Segment<'_>> {
        let mut segments = vec![];
        for Delta(at) in self.entries.iter() {
            let What::File { bytes, .. } = &self.base.entries[at as usize].what else { continue };
            let first = self.inserted.partition_point(|(at, _)| *at < bytes.start);
            let last = self.inserted.partition_point(|(at, _)| *at < bytes.end);
            let mut inserted = self.inserted[first..last].iter().peekable();
            for run in self.bytes.within(bytes.clone()) {
                while let Some((_, text)) = inserted.next_if(|(at, _)| *at <= run.start) {
                    segments.push(Segment::Put(text));
                }
                segments.push(Segment::Kept(run));
            }
            segments.extend(inserted.map(|(_, text)| Segment::Put(text)));
        }
        segments
    }

    /// Returns its entries, and for files the pieces of their contents.
    pub fn pieces(&self) -> impl Iterator<Item = (&Entry, Vec<&[u8]>)> + '_ {
        self.entries.iter().map(|Delta(at)| {
            let entry = self.entry(at);
            let pieces = match &entry.what {
                What::File { bytes, .. } => self.layout(bytes.clone()).into_iter().map(|(_, piece)| piece).collect(),
                _ => vec![],
            };
            (entry, pieces)
        })
    }

    /// Returns the candidate as an artifact of its own, to go on from.
    pub fn artifact(&self) -> Artifact {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let entries = self.pieces().map(|(entry, pieces)| match &entry.what {
            What::File { mode, .. } => {
                let start = bytes.len() as u32;
                pieces.into_iter().for_each(|piece| bytes.extend_from_slice(piece));
                Entry { path: entry.path.clone(), what: What::File { mode: *mode, bytes: start..bytes.len() as u32 } }
            }
            _ => entry.clone(),
        });
        let entries = entries.collect();
        Artifact { entries, bytes, whole: WholeKey::known(self.key) }
    }

    /// Returns the digest of everything a test sees: paths, kinds, modes, contents.
    fn digest(&self) -> Key {
        let mut hasher = Digester::default();
        for (entry, pieces) in self.pieces() {
            let path = entry.path.as_os_str().as_encoded_bytes();
            hasher.update(&(path.len() as u64).to_le_bytes()).update(path);
            feed(&mut hasher, &entry.what, &pieces);
        }
        key_of(&hasher)
    }
}

impl What {
    /// Returns the digest of everything but the path: kind, mode, and target or contents. `pieces` are those that
    /// [`Candidate::pieces`] gives with the entry.
    pub fn digest(&self, pieces: &[&[u8]]) -> Key {
        let mut hasher = Digester::default();
        feed(&mut hasher, self, pieces);
        key_of(&hasher)
    }
}

/// So many bytes of small pieces are given to a digest at once, and a piece as large as this by itself.
const TOGETHER: usize = 16 << 10;
const LARGE: usize = 4 << 10;

fn feed(hasher: &mut Digester, what: &What, pieces: &[&[u8]]) {
    let (kind, mode, length) = match what {
        What::File { mode, .. } => (0u8, *mode, pieces.iter().map(|p| p.len()).sum()),
        What::Link { target } => (1, 0, target.as_os_str().len()),
        What::Folder { mode } => (2, *mode, 0),
        What::Archive { mode, packing: Packing::Zip } => (3, *mode, 0),
        What::Archive { mode, packing: Packing::Gzip } => (4, *mode, 0),
    };
    hasher.update(&[kind]).update(&mode.to_le_bytes()).update(&(length as u64).to_le_bytes());
    if let What::Link { target } = what {
        hasher.update(target.as_os_str().as_encoded_bytes());
    }
    // Many small pieces take longer one by one, as those of some kilobytes are worked on side by side.
    let mut together = Vec::with_capacity(length.min(TOGETHER));
    for piece in pieces {
        let is_large = piece.len() >= LARGE;
        if is_large || together.len() + piece.len() > TOGETHER {
            hasher.update(&together);
            together.clear();
        }
        if is_large {
            hasher.update(piece);
        } else {
            together.extend_from_slice(piece);
        }
    }
    hasher.update(&together);
}

fn key_of(hasher: &Digester) -> Key {
    let mut first = [0; 16];
    first.copy_from_slice(&hasher.finish()[..16]);
    Key(u128::from_le_bytes(first))
}

impl Question for Candidate {
    fn key(&self) -> Key {
        if self.sure == Certainty::Usual {
            return self.key;
        }
        let Key(digest) = self.key;
        let mut keyed = Keyed::default();
        [digest as u64, (digest >> 64) as u64, self.sure.number()].into_iter().for_each(|part| keyed.add(part));
        keyed.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_same_however_contents_are_cut() {
        let bytes: Vec<u8> = (0..100_000u32).map(|n| (n.wrapping_mul(n) >> 7) as u8).collect();
        for length in [0, 1, 3_000, TOGETHER - 1, TOGETHER, TOGETHER + 1, bytes.len()] {
            let bytes = &bytes[..length];
            let what = What::File { mode: 0o644, bytes: 0..length as u32 };
            let whole = what.digest(&[bytes]);
            for size in [1, 7, 1_000, LARGE - 1, LARGE, LARGE + 1, TOGETHER, TOGETHER + 1] {
                let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
                assert_eq!(what.digest(&pieces), whole, "{length} bytes in pieces of {size}");
            }
            // A large one among small ones.
            let (first, rest) = bytes.split_at(length / 3);
            let (large, last) = rest.split_at(rest.len() / 2);
            let pieces: Vec<&[u8]> = first.chunks(5).chain([large, &[]]).chain(last.chunks(11)).collect();
            assert_eq!(what.digest(&pieces), whole);
        }
    }
}
